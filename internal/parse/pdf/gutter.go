package pdf

import (
	"cmp"
	"slices"
	"unicode"
)

// span is a range across the lines of a region.
type span struct{ from, to float32 }

// How much text makes two columns of prose, rather than a table's: lines on each side, characters in
// them, the part of a column that they fill, and the part of all lines that may cross the gutter.
const (
	columnLines = 3
	columnChars = 13
	columnFill  = 0.4
	crossShare  = 0.25
	maxPieces   = 4000 // of a region that is looked at for columns
)

// gutter finds the white space between two columns of text: hardly any piece crosses it, and both
// sides read as prose.
func gutter(region []*piece) (span, bool) {
	if len(region) < 2*columnLines || len(region) > maxPieces {
		return span{}, false
	}
	least := 0.7 * median(region, func(p *piece) float32 { return p.size })
	type candidate struct {
		span
		crossed int
	}
	var found []candidate
	for _, s := range clearings(region, least) {
		if crossed := crossing(region, s); float32(crossed) <= crossShare*float32(len(region)) {
			found = append(found, candidate{s, crossed})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.crossed, b.crossed), cmp.Compare(b.to-b.from, a.to-a.from))
	})
	for _, c := range found {
		if columns(region, c.span) {
			return c.span, true
		}
	}
	return span{}, false
}

// clearings returns the white spaces beside the right ends of pieces that are wide enough: each
// reaches to the nearest piece that begins after it.
func clearings(region []*piece, least float32) []span {
	ends := make([]float32, 0, len(region))
	starts := make([]float32, 0, len(region))
	for _, p := range region {
		ends, starts = append(ends, p.right), append(starts, p.left)
	}
	slices.Sort(ends)
	slices.Sort(starts)
	var out []span
	for i, end := range ends {
		if i+1 < len(ends) && ends[i+1]-end < 0.5 {
			continue
		}
		j, _ := slices.BinarySearch(starts, end)
		if j < len(starts) && starts[j]-end >= least {
			out = append(out, span{end, starts[j]})
		}
	}
	return out
}

func crossing(region []*piece, s span) (n int) {
	for _, p := range region {
		if p.left < s.from-0.01 && p.right > s.from+0.01 {
			n++
		}
	}
	return n
}

// columns reports that what stands on the two sides of a gutter is prose.
func columns(region []*piece, s span) bool {
	var left, right []*piece
	for _, p := range region {
		switch {
		case p.right <= s.from+0.01:
			left = append(left, p)
		case p.left >= s.to-0.01:
			right = append(right, p)
		}
	}
	a, b := prose(left), prose(right)
	return a && b || a && len(left) >= columnAlone && !aligned(right, left) || b && len(right) >= columnAlone && !aligned(left, right)
}

// columnAlone is how many lines make a column beside something that is no prose, such as a figure.
const columnAlone = 6

// aligned reports that most pieces stand level with a line of the other side, as cells of a table do.
func aligned(pieces, lines []*piece) bool {
	if len(pieces) == 0 {
		return true
	}
	middles := make([]float32, len(lines))
	for i, l := range lines {
		middles[i] = (l.top + l.bottom) / 2
	}
	slices.Sort(middles)
	n := 0
	for _, p := range pieces {
		at, slack := (p.top+p.bottom)/2, 0.12*p.size
		if i, _ := slices.BinarySearch(middles, at-slack); i < len(middles) && middles[i] <= at+slack {
			n++
		}
	}
	return n*2 > len(pieces)
}

func prose(side []*piece) bool {
	if len(side) < columnLines {
		return false
	}
	left, right := side[0].left, side[0].right
	for _, p := range side {
		left, right = min(left, p.left), max(right, p.right)
	}
	chars, full := 0, 0
	for _, p := range side {
		for _, g := range p.glyphs {
			if chars++; eastern(g.r) || unicode.Is(unicode.Hangul, g.r) {
				chars++
			}
		}
		if p.right-p.left >= 0.6*(right-left) {
			full++
		}
	}
	return chars >= columnChars*len(side) && float64(full) >= columnFill*float64(len(side))
}
