package pdf

import (
	"strings"
	"unicode"
)

// furniture tells the lines that are no part of the text although every page shows them: running
// headers, footers and page numbers.
type furniture map[string]int // pages that show a line at its place

// A line in the margin is furniture if it stands on as many pages, at the same height, with other
// numbers in it.
const furniturePages = 3

func survey(lines []line) furniture {
	out := furniture{}
	last := map[string]int{}
	for i := range lines {
		if l := &lines[i]; l.margin {
			key := l.shape()
			if last[key] != l.page {
				last[key] = l.page
				out[key]++
			}
		}
	}
	return out
}

func (f furniture) holds(l *line) bool { return l.margin && f[l.shape()] >= furniturePages }

// shape is what a running line has in common on all pages: its words without numbers, and where
// it stands.
func (l *line) shape() string {
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
	// Two neighbouring heights count as one, since rounding parts what hardly differs.
	return b.String() + string(rune(int(l.top/8)))
}
