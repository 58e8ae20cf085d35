package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// Progress shows how many of a number of files are done: a bar on a terminal, nothing elsewhere,
// where the summary says it all.
type Progress struct {
	mu       sync.Mutex
	out      io.Writer
	total, n int
	terminal bool
}

// NewProgress shows the progress over a number of files.
func NewProgress(out io.Writer, total int) *Progress {
	p := &Progress{out: out, total: total}
	if f, ok := out.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// Done counts one file.
func (p *Progress) Done(name string) {
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
