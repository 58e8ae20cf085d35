package ocr

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Box is a rectangle in pixels: left, top, right, bottom.
type Box [4]int

// Word is a word on a picture. In a script without spaces it may be a single character.
type Word struct {
	Text string
	Box  Box
	// Line is the box of the line that the word stands in.
	Line Box
	// Confidence says how sure the program is, from 0 to 100.
	Confidence float64
}

// The levels of the program's table.
const (
	levelLine = "4"
	levelWord = "5"
	columns   = 12
)

// mostSide bounds coordinates, which come from outside.
const mostSide = 1 << 20

// table reads what the program printed: a line for each word and for what it stands in. A table that is not
// as it should be is ErrFailed.
func table(text string) ([]Word, error) {
	var out []Word
	var line Box
	for row := range strings.Lines(text) {
		cells := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", columns)
		if len(cells) < columns || cells[0] != levelLine && cells[0] != levelWord {
			continue // a page, a block, a paragraph, or the names of the columns
		}
		box, ok := boxOf(cells[6:10])
		if !ok {
			return nil, ErrFailed
		}
		if cells[0] == levelLine {
			line = box
			continue
		}
		sure, err := strconv.ParseFloat(cells[10], 64)
		if err != nil || !(sure <= 100) { // which no NaN is
			return nil, ErrFailed
		}
		w := Word{Text: clean(cells[11]), Box: box, Line: line, Confidence: max(0, sure)}
		if w.Text != "" {
			out = append(out, w)
		}
	}
	return out, nil
}

// boxOf reads left, top, width and height.
func boxOf(cells []string) (Box, bool) {
	var v [4]int
	for i, c := range cells {
		n, err := strconv.Atoi(c)
		if err != nil || n < 0 || n > mostSide {
			return Box{}, false
		}
		v[i] = n
	}
	return Box{v[0], v[1], v[0] + v[2], v[1] + v[3]}, true
}

// clean takes out what is no text.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
}
