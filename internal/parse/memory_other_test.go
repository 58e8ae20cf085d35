//go:build !linux

package parse_test

// peakMemory is not known here.
func peakMemory() int64 { return 0 }
