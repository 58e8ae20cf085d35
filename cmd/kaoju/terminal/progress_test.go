package terminal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bars returns what was drawn, one bar after the other.
func bars(out string) []string {
	return strings.Split(strings.TrimPrefix(out, "\r\033[K"), "\r\033[K")
}

func TestProgressOnATerminalIsABarOverFilesAndTheirPages(t *testing.T) {
	var out strings.Builder
	p := NewFiles(&out, 2)
	p.terminal, p.lines = true, false
	p.Part("报告.pdf", 0, 1) // of a file without parts there is nothing to show
	p.Part("报告.pdf", 50, 100)
	p.Part("报告.pdf", 50, 100)
	p.Done("报告.pdf")
	p.Part("book.pdf", 200, 100)
	p.Done("book.pdf")
	p.Part("late.pdf", 1, 2)
	want := []string{
		"[" + strings.Repeat("█", 7) + strings.Repeat("░", 23) + "] 0/2 报告.pdf 50/100",
		"[" + strings.Repeat("█", 15) + strings.Repeat("░", 15) + "] 1/2 报告.pdf",
		"[" + strings.Repeat("█", 30) + "] 1/2 book.pdf 200/100",
		"[" + strings.Repeat("█", 30) + "] 2/2 book.pdf",
		"",
	}
	if diff := cmp.Diff(want, bars(out.String())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestProgressElsewhereIsALineAFile(t *testing.T) {
	var files, others strings.Builder
	for _, p := range []*Progress{NewFiles(&files, 2), NewProgress(&others, 2)} {
		p.Part("a.pdf", 1, 2)
		p.Done("a.pdf")
		p.Done("b.md")
	}
	if diff := cmp.Diff("1/2 a.pdf\n2/2 b.md\n", files.String()); diff != "" {
		t.Errorf("files, -want +got:\n%s", diff)
	}
	if others.Len() > 0 {
		t.Errorf("others: %q", &others)
	}
}

func TestProgressOverNothingShowsNothing(t *testing.T) {
	var out strings.Builder
	p := NewFiles(&out, 0)
	p.terminal = true
	p.Part("a.pdf", 1, 2)
	if out.Len() > 0 {
		t.Errorf("%q", &out)
	}
}

func TestNameOfAFileCannotDriveTheTerminal(t *testing.T) {
	const evil = "a\x1b[2J\u009b31m\r\u202e.pdf"
	for _, terminal := range []bool{true, false} {
		var out strings.Builder
		p := &Progress{out: &out, total: 2, terminal: terminal, lines: !terminal}
		p.Part(evil, 1, 2)
		p.Done(evil)
		if rest := strings.ReplaceAll(out.String(), "\r\033[K", ""); strings.ContainsAny(rest, "\x1b\u009b\r\u202e") || !strings.Contains(rest, ".pdf") {
			t.Errorf("on a terminal %t: %q", terminal, rest)
		}
	}
	if got := short(strings.Repeat("长", 60) + "z"); got != "…"+strings.Repeat("长", 38)+"z" {
		t.Errorf("a long name is shown as %q", got)
	}
}
