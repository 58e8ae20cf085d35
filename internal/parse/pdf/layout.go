package pdf

import (
	"cmp"
	"slices"
)

// line is a line of text in the order of reading: one piece, or cells side by side.
type line struct {
	page                     int
	runs                     []run
	left, top, right, bottom float32 // turned as its pieces are
	size                     float32
	bold                     bool
	way                      int
	column                   int        // lines of one column have one number; it counts through the document
	edges                    [2]float32 // left and right of the column
	margin                   bool       // it stands where running headers and footers do
	starts                   []float32  // where its cells begin
}

// layout puts the pieces of a page in the order of reading.
type layout struct {
	page   *sheet
	way    int
	column *int
	lines  []line
}

// lines returns the lines of a page. Those that run like most of its text come first.
func (s *sheet) lines(column *int) []line {
	ways := pieces(s.glyphs)
	s.glyphs = nil
	order := []int{0, 1, 2, 3}
	weight := func(way int) (n int) {
		for _, p := range ways[way] {
			n += len(p.glyphs)
		}
		return n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
	var out []line
	for _, way := range order {
		l := layout{page: s, way: way, column: column}
		l.divide(ways[way], 0)
		out = append(out, l.lines...)
	}
	return out
}

const maxDepth = 24

// divide orders a region: columns one after the other, and what spans them between.
func (l *layout) divide(region []*piece, depth int) {
	if len(region) == 0 {
		return
	}
	if depth < maxDepth {
		if at, ok := gutter(region); ok {
			l.around(region, at, depth)
			return
		}
		if parts := bands(region); len(parts) > 1 {
			for _, part := range parts {
				l.divide(part, depth+1)
			}
			return
		}
	}
	l.rows(region)
}

// around orders a region with a gutter. Pieces that cross it divide it into bands.
func (l *layout) around(region []*piece, at span, depth int) {
	var crossing, rest []*piece
	for _, p := range region {
		if p.left < at.from && p.right > at.to {
			crossing = append(crossing, p)
		} else {
			rest = append(rest, p)
		}
	}
	byTop(crossing)
	middle := (at.from + at.to) / 2
	below := func(limit float32) (left, right []*piece) {
		keep := rest[:0:0]
		for _, p := range rest {
			switch {
			case (p.top+p.bottom)/2 >= limit:
				keep = append(keep, p)
			case (p.left+p.right)/2 < middle:
				left = append(left, p)
			default:
				right = append(right, p)
			}
		}
		rest = keep
		return left, right
	}
	both := func(left, right []*piece) {
		if l.eastward(region) {
			left, right = right, left
		}
		l.divide(left, depth+1)
		l.divide(right, depth+1)
	}
	for len(crossing) > 0 {
		n := 1 // crossing pieces with nothing between them are one block
		both(below((crossing[0].top + crossing[0].bottom) / 2))
		for n < len(crossing) && !slices.ContainsFunc(rest, func(p *piece) bool { return (p.top+p.bottom)/2 < (crossing[n].top+crossing[n].bottom)/2 }) {
			n++
		}
		l.rows(crossing[:n])
		crossing = crossing[n:]
	}
	both(below(1e9))
}

// eastward reports that a region is read from right to left.
func (l *layout) eastward(region []*piece) bool {
	n := 0
	for _, p := range region {
		if p.rtl {
			n++
		}
	}
	return n*2 > len(region)
}

func byTop(pieces []*piece) {
	slices.SortStableFunc(pieces, func(a, b *piece) int { return cmp.Compare(a.top, b.top) })
}

// bands cuts a region at the white space that goes all the way across it and is wider than usual,
// so that a part with columns is seen apart from one without.
func bands(region []*piece) [][]*piece {
	sorted := slices.Clone(region)
	byTop(sorted)
	var gaps []float32
	var at []int
	end := sorted[0].bottom
	for i, p := range sorted[1:] {
		if gap := p.top - end; gap > 0 {
			gaps, at = append(gaps, gap), append(at, i+1)
		}
		end = max(end, p.bottom)
	}
	size := median(region, func(p *piece) float32 { return p.height() })
	var out [][]*piece
	from := 0
	for i, gap := range gaps {
		if gap > 0.9*size {
			out = append(out, sorted[from:at[i]])
			from = at[i]
		}
	}
	return append(out, sorted[from:])
}

func median(pieces []*piece, of func(*piece) float32) float32 {
	values := make([]float32, len(pieces))
	for i, p := range pieces {
		values[i] = of(p)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// rows makes lines of a region that is not divided further.
func (l *layout) rows(region []*piece) {
	*l.column++
	sorted := slices.Clone(region)
	slices.SortStableFunc(sorted, func(a, b *piece) int { return cmp.Compare(a.top+a.bottom, b.top+b.bottom) })
	edges := [2]float32{1e9, -1e9}
	for _, p := range sorted {
		edges = [2]float32{min(edges[0], p.left), max(edges[1], p.right)}
	}
	used := make([]bool, len(sorted))
	for i, first := range sorted {
		if used[i] {
			continue
		}
		row := []*piece{first}
		for j := i + 1; j < len(sorted) && len(row) < maxCells; j++ {
			p := sorted[j]
			if (p.top+p.bottom)/2 > first.bottom {
				break
			}
			overlap := min(p.bottom, first.bottom) - max(p.top, first.top)
			if !used[j] && overlap >= 0.5*min(p.height(), first.height()) && !overlaps(row, p) {
				row, used[j] = append(row, p), true
			}
		}
		l.row(row, edges)
	}
}

// maxCells bounds the pieces of one line.
const maxCells = 500

// overlaps reports that a piece lies over another of the row, so that it must be another row.
func overlaps(row []*piece, p *piece) bool {
	return slices.ContainsFunc(row, func(q *piece) bool {
		return min(p.right, q.right)-max(p.left, q.left) > 0.3*min(p.right-p.left, q.right-q.left)
	})
}

// row makes one line of the pieces that stand side by side.
func (l *layout) row(row []*piece, edges [2]float32) {
	slices.SortStableFunc(row, func(a, b *piece) int { return cmp.Compare(a.left, b.left) })
	if l.eastward(row) {
		slices.Reverse(row)
	}
	joined := row[:1]
	for _, p := range row[1:] {
		last := joined[len(joined)-1]
		gap := max(p.left-last.right, last.left-p.right)
		reach := float32(pieceGap)
		if len(joined) == 1 && last.marks() {
			reach = markGap
		}
		if gap <= reach*max(p.size, last.size) && p.glyphs[0].style.askew == last.glyphs[0].style.askew {
			last.join(p)
		} else {
			joined = append(joined, p)
		}
	}
	out := line{page: l.page.number, way: l.way, column: *l.column, edges: edges, left: 1e9, right: -1e9, top: 1e9, bottom: -1e9, bold: true}
	for _, p := range joined {
		r := p.words(l.way)
		out.runs, out.starts = append(out.runs, r), append(out.starts, p.left)
		out.left, out.right, out.top, out.bottom = min(out.left, p.left), max(out.right, p.right), min(out.top, p.top), max(out.bottom, p.bottom)
		out.size, out.bold = max(out.size, p.size), out.bold && r.bold
		for _, g := range p.glyphs[:1] {
			_, y := center(g.box)
			out.margin = l.way == 0 && (y < marginShare*l.page.size[1] || y > (1-marginShare)*l.page.size[1])
		}
	}
	l.lines = append(l.lines, out)
}

// markGap is how far from the mark of a list its text may stand, in the size of the text.
const markGap = 4

// marks reports that a piece is nothing but the mark of an item in a list.
func (p *piece) marks() bool {
	if len(p.glyphs) > 5 {
		return false
	}
	text := make([]rune, 0, 6)
	for _, g := range p.glyphs {
		text = append(text, g.r)
	}
	return listMark.MatchString(string(append(text, ' ')))
}

// marginShare is the part of a page, at its top and at its bottom, where headers and footers run.
const marginShare = 0.12
