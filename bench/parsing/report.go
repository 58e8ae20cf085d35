package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// conditions are those of a run.
type conditions struct {
	loads   [2]float64 // of the machine, before and after
	poppler string
	rounds  int
}

const preface = `# Reading files, measured

` + "`make bench-parsing`" + ` made this page, with the shared test material. Files are read as the product reads them: in a child process
that has read before, whose answer this process takes apart. Times are processor time of both together, the least of %d
runs. Memory is the most that the child ever held.

%s on %s/%s, %d processors that other work shared: the load was %.1f before and %.1f after. %s.

## Formats

Every file of the shared material that is not refused, one after the other.

`

const beside = `
## PDF documents beside pdftotext

Documents of the shared material joined with themselves to a hundred pages and more, and two that are made. This reader has one way of
reading, in which every piece of text has its boxes. pdftotext is a process for each document, without the start of which its
times would be a hundredth of a second less; with ` + "`-bbox-layout`" + ` it gives boxes of words.

`

// report writes the page of a run.
func report(formats []formatCost, documents []documentCost, c conditions) string {
	var b strings.Builder
	fmt.Fprintf(&b, preface, c.rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), c.loads[0], c.loads[1], c.poppler)
	b.WriteString("| format | files | refused | MB | time | MB/s | pages/s | memory |\n|---|---|---|---|---|---|---|---|\n")
	for _, f := range formats {
		pages := "–"
		if f.pages > 0 {
			pages = rate(float64(f.pages), f.total())
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %.2f | %s | %s | %s | %s |\n", f.name, f.files, f.refused, float64(f.bytes)/1e6, seconds(f.total()),
			rate(float64(f.bytes)/1e6, f.total()), pages, megabytes(f.peak))
	}
	b.WriteString(beside)
	b.WriteString("| document | pages | this reader | pages/s | pdftotext | ratio | pdftotext -bbox-layout | ratio |\n|---|---|---|---|---|---|---|---|\n")
	for _, d := range documents {
		fmt.Fprintf(&b, "| %s | %d | %s, %s | %s | %s | %s | %s | %s |\n", d.name, d.pages, seconds(d.here.total()), megabytes(d.here.peak),
			rate(float64(d.pages), d.here.total()), seconds(d.text.total()), ratio(d.here, d.text),
			seconds(d.boxes.total()), ratio(d.here, d.boxes))
	}
	return b.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func megabytes(n int64) string { return fmt.Sprintf("%d MB", n/1e6) }

// rate is how much was done in a second; a time that is too short to be measured has none.
func rate(n float64, d time.Duration) string {
	if d <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", n/d.Seconds())
}

func ratio(a, b cost) string {
	if b.total() <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f×", a.total().Seconds()/b.total().Seconds())
}
