package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// furniture tells the lines that are no part of the text although every page shows them: running
// headers, footers and page numbers. It has the pages that show a line at its place, furniturePages at most.
type furniture map[shape][]int

// shape is what a running line has in common on all pages: its words without numbers, and about
// where it stands.
type shape struct {
	words  string
	height int // in steps of heightStep
}

// A line in the margin is furniture if it stands on as many pages, at the same height, with other
// numbers in it. Heights are compared with those of the next step above and below, since rounding parts what
// hardly differs: those that differ by less than one step are the same, and by two are not.
const (
	furniturePages = 3
	heightStep     = 4 // points
)

func survey(lines []line) furniture {
	out := furniture{}
	for i := range lines {
		if l := &lines[i]; l.margin {
			at := l.shape()
			if pages := out[at]; len(pages) < furniturePages && !slices.Contains(pages, l.page) {
				out[at] = append(pages, l.page)
			}
		}
	}
	return out
}

func (f furniture) holds(l *line) bool {
	if !l.margin {
		return false
	}
	at := l.shape()
	pages := map[int]bool{}
	for _, height := range []int{at.height - 1, at.height, at.height + 1} {
		for _, page := range f[shape{at.words, height}] {
			pages[page] = true
		}
	}
	return len(pages) >= furniturePages
}

func (l *line) shape() shape {
	var b strings.Builder
	number := false
	for _, r := range l.runs {
		for _, c := range r.text {
			if unicode.IsDigit(c) {
				if !number {
					b.WriteByte('#')
				}
				number = true
				continue
			}
			number = false
			b.WriteRune(c)
		}
		b.WriteByte('\t')
	}
	return shape{b.String(), int(math.Floor(float64(l.top / heightStep)))}
}
