package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// Progress shows how many of a number of things are done: a bar on a terminal, and elsewhere a line for each, or
// nothing.
type Progress struct {
	mu       sync.Mutex
	out      io.Writer
	total, n int
	terminal bool
	lines    bool
	drawn    string
}

// NewProgress shows the progress over a number of things, and nothing where there is no terminal: what comes in the end says it
// all.
func NewProgress(out io.Writer, total int) *Progress {
	p := &Progress{out: out, total: total}
	if f, ok := out.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// NewFiles shows the progress over a number of files, of which each may take long: where there is no terminal, in a line a file.
func NewFiles(out io.Writer, total int) *Progress {
	p := NewProgress(out, total)
	p.lines = !p.terminal
	return p
}

// Part shows how many parts of the file at hand are done, where there is a terminal.
func (p *Progress) Part(name string, done, of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if of > 1 && p.n < p.total {
		p.draw(p.n*of+done, p.total*of, fmt.Sprintf("%s %d/%d", short(name), done, of))
	}
}

// Done counts one file.
func (p *Progress) Done(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	if p.lines {
		fmt.Fprintf(p.out, "%d/%d %s\n", p.n, p.total, Clean(name))
	}
	p.draw(p.n, p.total, short(name))
	if p.terminal && p.n == p.total {
		fmt.Fprint(p.out, "\r\033[K")
	}
}

// draw draws the bar, unless it is there already.
func (p *Progress) draw(done, of int, what string) {
	if !p.terminal || of == 0 {
		return
	}
	filled := min(done, of) * 30 / of
	bar := fmt.Sprintf("\r\033[K[%s%s] %d/%d %s", strings.Repeat("█", filled), strings.Repeat("░", 30-filled), p.n, p.total, what)
	if bar != p.drawn {
		fmt.Fprint(p.out, bar)
		p.drawn = bar
	}
}

// short returns the end of a name, made harmless.
func short(name string) string {
	name = Clean(name)
	if r := []rune(name); len(r) > 40 {
		name = "…" + string(r[len(r)-39:])
	}
	return name
}
