package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// progress shows how many of a number of files are done: a bar on a terminal, nothing elsewhere,
// where the summary says it all.
type progress struct {
	mu       sync.Mutex
	out      io.Writer
	total, n int
	terminal bool
}

func newProgress(out io.Writer, total int) *progress {
	p := &progress{out: out, total: total}
	if f, ok := out.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// done counts one file.
func (p *progress) done(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	if !p.terminal || p.total == 0 {
		return
	}
	filled := p.n * 30 / p.total
	if r := []rune(name); len(r) > 40 {
		name = "…" + string(r[len(r)-39:])
	}
	fmt.Fprintf(p.out, "\r\033[K[%s%s] %d/%d %s", strings.Repeat("█", filled), strings.Repeat("░", 30-filled), p.n, p.total, name)
	if p.n == p.total {
		fmt.Fprint(p.out, "\r\033[K")
	}
}
