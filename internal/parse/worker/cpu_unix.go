//go:build unix

package worker

import (
	"syscall"
	"time"
)

// processorTime returns what the process has taken so far, with the programs that it ran to their end.
func processorTime() time.Duration {
	var all time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return all
}
