//go:build unix

package minilm

import (
	"os"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// fence is memory between two pages that nobody may touch: reading or writing one byte beyond
// it ends the test.
type fence struct{ pages []byte }

// newFence returns a fence around at least n bytes.
func newFence(t testing.TB, n int) *fence {
	t.Helper()
	page := os.Getpagesize()
	n = (n + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, n+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	for _, guard := range [][]byte{all[:page], all[page+n:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return &fence{all[page : page+n]}
}

// bytes returns n bytes that touch the page after them, or the page before them.
func (f *fence) bytes(n int, after bool) []byte {
	clear(f.pages)
	if after {
		return f.pages[len(f.pages)-n:]
	}
	return f.pages[:n:n]
}

// fenced returns n values in a fence.
func fenced[T uint8 | int8 | float32](f *fence, n int, after bool) []T {
	var zero T
	raw := f.bytes(n*int(unsafe.Sizeof(zero)), after)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(raw))), n)
}

// processor returns the time that this process has spent computing.
func processor(tb testing.TB) time.Duration {
	tb.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
