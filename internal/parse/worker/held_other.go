//go:build !linux

package worker

// confine does nothing where a process can't bound itself: watch alone bounds its memory.
func confine(Bounds) error { return nil }

func alone() bool { return false }

func held() int64 { return heldByGo() }
