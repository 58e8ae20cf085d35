package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/kaoju/kaoju/internal/eval"
)

// Table writes a report for a terminal, in the language of the question file.
func Table(out io.Writer, r eval.Report) error {
	w := wordsOf(r.Language)
	var b strings.Builder
	fmt.Fprintf(&b, "%s · %s · %s\n\n", clean(or(r.Name, r.File)), fmt.Sprintf(w.cases, len(r.Cases)), engine(w, r.Result))
	rows := [][]string{{w.GroupTitle, w.total, w.PassedTitle, w.share, w.interval}}
	for _, g := range r.Groups {
		rows = append(rows, []string{
			w.Groups[g.Group], fmt.Sprint(g.Cases), fmt.Sprint(g.Passed), percent(g.Share), percent(g.Low) + " – " + percent(g.High),
		})
	}
	grid(&b, rows)
	figures(&b, w.Groups[eval.Retrieval], ranking(w, r.Retrieval, r.K))
	figures(&b, w.Groups[eval.Citation], citations(w, r.Citation))
	writeFailures(&b, w, r.Result)
	for i, g := range r.Regressions {
		if i == 0 {
			fmt.Fprintf(&b, "\n%s\n", clean(fmt.Sprintf(w.regressions, r.Baseline)))
		}
		fmt.Fprintf(&b, "  %s · %s: %.3f → %.3f\n", clean(or(g.Case, g.Figure)), w.Groups[g.Group], g.Before, g.Now)
	}
	if r.Unfinished > 0 {
		fmt.Fprintf(&b, "\n%s\n", fmt.Sprintf(w.unfinished, r.Unfinished))
	}
	fmt.Fprintf(&b, "\n%s\n", w.Verdict(r))
	for _, s := range r.Short {
		fmt.Fprintf(&b, "  %s\n", clean(s))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// grid writes rows in columns.
func grid(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += pad(cell, widths[i]+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func figures(b *strings.Builder, name string, list []figure) {
	if len(list) == 0 {
		return
	}
	parts := make([]string, len(list))
	for i, f := range list {
		parts[i] = f.Name + " " + f.Value
	}
	fmt.Fprintf(b, "\n%s: %s\n", name, strings.Join(parts, " · "))
}

// writeFailures names each case that fell short, why, and the run to open.
func writeFailures(b *strings.Builder, w words, r eval.Result) {
	last := ""
	for i, f := range failures(r) {
		if i == 0 {
			fmt.Fprintf(b, "\n%s\n", w.failed)
		}
		if f.Case.ID != last {
			last = f.Case.ID
			fmt.Fprintf(b, "  %s", clean(f.Case.ID))
			if f.Case.Tries > 1 {
				fmt.Fprintf(b, " · %s", fmt.Sprintf(w.tries, f.Case.Passes, f.Case.Tries))
			}
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "    %s · %s", w.names(f.Groups), w.finding(f.Finding))
		if f.Run != "" {
			fmt.Fprintf(b, " · %s", clean(f.Run))
		}
		b.WriteString("\n")
	}
}

// List writes stored results, newest first.
func List(out io.Writer, results []eval.Result, language string) error {
	w := wordsOf(language)
	rows := [][]string{{"ID", w.when, w.name}}
	for _, g := range eval.Groups() {
		rows[0] = append(rows[0], w.Groups[g])
	}
	for _, r := range results {
		row := []string{clean(r.ID), r.StartedAt.UTC().Format("2006-01-02 15:04"), clean(or(r.Name, r.File))}
		for _, g := range eval.Groups() {
			cell := "–"
			for _, x := range r.Groups {
				if x.Group == g {
					cell = fmt.Sprintf("%d/%d", x.Passed, x.Cases)
				}
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	grid(&b, rows)
	_, err := io.WriteString(out, b.String())
	return err
}
