package worker

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
)

// confine takes from the process what reading files does not need: memory beyond a bound, every file
// that is not open yet but for those in some folders, and connections. Beside what it holds, a Go program reserves some memory, so
// that the system's bound lies above the one that watch goes by. A system without Landlock, or with an
// old one, takes less away; alone tells.
func confine(b Bounds) error {
	most := uint64(b.Memory + b.Memory/2 + 256<<20)
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		return fmt.Errorf("bound the memory of the process: %w", err)
	}
	account()
	if err := landlock.V5.BestEffort().Restrict(landlock.RODirs(b.Folders...).IgnoreIfMissing(), landlock.ROFiles(b.Files...).IgnoreIfMissing()); err != nil {
		return fmt.Errorf("keep files and connections from the process: %w", err)
	}
	return nil
}

// alone reports whether the process can't open files any more.
func alone() bool {
	f, err := os.Open("/")
	if err == nil {
		f.Close()
	}
	return os.IsPermission(err)
}

// account opens the system's account of the process's memory, once.
var account = sync.OnceValue(func() *os.File {
	f, err := os.Open("/proc/self/statm")
	if err != nil {
		return nil
	}
	return f
})

// held returns how many bytes the process has in memory.
func held() int64 {
	var b [128]byte
	f := account()
	if f == nil {
		return heldByGo()
	}
	n, _ := f.ReadAt(b[:], 0)
	fields := bytes.Fields(b[:n])
	if len(fields) < 2 {
		return heldByGo()
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return heldByGo()
	}
	return pages * int64(os.Getpagesize())
}
