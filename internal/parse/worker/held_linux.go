package worker

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// confine sets a bound to the writable memory of the process, beyond which the system gives it no
// more: what watch is too late for. Beside what it holds, a Go program reserves some.
func confine(memory int64) error {
	most := uint64(memory + memory/2 + 256<<20)
	return syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: most, Max: most})
}

// held returns how many bytes the process has in memory.
func held() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return heldByGo()
	}
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return heldByGo()
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return heldByGo()
	}
	return pages * int64(os.Getpagesize())
}
