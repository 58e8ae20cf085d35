package library

import (
	"fmt"
	"io"
	"strings"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
)

// writeDiff prints what changed between two versions, section by section, then the numbers.
func writeDiff(out io.Writer, d api.Diff) {
	fmt.Fprintf(out, "%s v%d → v%d · +%d −%d\n", terminal.Clean(d.To.DocKey), d.From.Version, d.To.Version, d.Counts.LinesAdded, d.Counts.LinesRemoved)
	for _, part := range []struct {
		mark string
		list []api.DiffSection
	}{{"+", d.Added}, {"−", d.Removed}, {"~", d.Changed}, {"↷", d.Moved}} {
		for _, s := range part.list {
			writeSection(out, part.mark, s)
		}
	}
	for i, n := range d.Numbers {
		if i == 0 {
			fmt.Fprintln(out, "\n# 数字变化 · Numbers")
		}
		fmt.Fprintf(out, "  %s: %s → %s\n", terminal.Clean(strings.Join(n.HeadingPath, " › ")), amount(n.Old, n.OldUnit), amount(n.New, n.Unit))
	}
	if d.Truncated {
		fmt.Fprintln(out, "\n… (--json, API)")
	}
}

func writeSection(out io.Writer, mark string, s api.DiffSection) {
	path := strings.Join(s.HeadingPath, " › ")
	if len(s.FormerPath) > 0 {
		path = strings.Join(s.FormerPath, " › ") + " → " + path
	}
	fmt.Fprintf(out, "\n%s %s\n", mark, terminal.Clean(path))
	for _, l := range s.Lines {
		sign := "+"
		if l.Op == "removed" {
			sign = "-"
		}
		fmt.Fprintf(out, "  %s %s\n", sign, terminal.Clean(strings.Join(strings.Fields(l.Text), " ")))
	}
}

// amount is a number with its unit; a dash where there was none.
func amount(number, unit string) string {
	if number == "" {
		return "–"
	}
	return terminal.Clean(strings.TrimSpace(number + " " + unit))
}
