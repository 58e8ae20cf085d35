package parse_test

import (
	"os"
	"syscall"
)

// peakMemory returns the most memory that an ended process held, in bytes.
func peakMemory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}
