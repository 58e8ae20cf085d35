package layout

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Cell is a cell of a table. Row and Col count from 1 in the coordinates of its locator.
type Cell struct {
	Row, Col         int
	RowSpan, ColSpan int // at least 1
	Text             string
}

func (c Cell) endCol() int { return c.Col + max(c.ColSpan, 1) - 1 }
func (c Cell) endRow() int { return c.Row + max(c.RowSpan, 1) - 1 }

// Grid is a table. Cells are in order of rows, then columns; those without text may be left out.
type Grid struct {
	Cells []Cell
	Path  []string
	// Head is how many rows are the head, if the format says so; 0 lets the layout find it.
	Head int
	// Place makes the locator of a cell; name is that of its column, "" in the head.
	Place func(c Cell, name string) corpus.Locator
	// Follows is the head of a table that this one goes on with, and its columns; nil for none.
	Follows *Head
}

// Head is the head of a table that was laid out.
type Head struct {
	block       int
	names       []string // by column, from first
	first, last int      // columns
}

func (h *Head) name(c Cell) string {
	if h == nil || c.Col < h.first || c.Col-h.first >= len(h.names) {
		return ""
	}
	return h.names[c.Col-h.first]
}

// Covers reports whether the columns of some cells lie within those of the head.
func (h *Head) Covers(cells []Cell) bool {
	first, last := width(cells)
	return h != nil && first >= h.first && last <= h.last
}

// Table puts a table down. Each row is one block; the head, which may be several rows, is one too.
func (p *Page) Table(g Grid) (*Head, error) {
	if len(g.Cells) == 0 {
		return g.Follows, nil
	}
	head, rest := g.Follows, g.Cells
	if head == nil {
		var err error
		if head, rest, err = p.head(g); err != nil {
			return nil, err
		}
	}
	m := merges{}
	m.open(g.Cells[:len(g.Cells)-len(rest)])
	fresh := head == nil
	for len(rest) > 0 {
		n := sameRow(rest)
		row := m.row(rest[:n])
		m.open(rest[:n])
		b := Block{Kind: corpus.TableRow, Path: g.Path, Head: -1, Tight: !fresh, Between: " | "}
		if head != nil {
			b.Head = head.block
		}
		for _, c := range row {
			b.Pieces = append(b.Pieces, Piece{c.Text, g.Place(c, head.name(c))})
		}
		i, err := p.Add(b)
		if err != nil {
			return head, err
		}
		fresh = fresh && i < 0
		rest = rest[n:]
	}
	return head, nil
}

// head puts the head of a table down, if it has one, and returns the cells below it.
func (p *Page) head(g Grid) (*Head, []Cell, error) {
	end := g.Head
	if end == 0 {
		end = headRows(g.Cells)
	}
	n := 0
	last := g.Cells[0].Row - 1
	for n < len(g.Cells) && end > 0 {
		m := sameRow(g.Cells[n:])
		last = g.Cells[n].Row
		n += m
		end--
	}
	for n < len(g.Cells) && g.Cells[n].Row <= last {
		n++
	}
	if n == 0 {
		return nil, g.Cells, nil
	}
	b := Block{Kind: corpus.TableHead, Path: g.Path, Head: -1, Between: " | "}
	first, lastCol := width(g.Cells)
	h := &Head{first: first, last: lastCol, names: make([]string, min(lastCol-first+1, maxColumns))}
	var pieces []Piece
	for i := 0; i < n; i++ {
		c := g.Cells[i]
		pieces = append(pieces, Piece{c.Text, g.Place(c, "")})
		h.take(c)
	}
	b.Pieces = pieces
	i, err := p.addRows(b, g.Cells[:n])
	if err != nil {
		return nil, nil, err
	}
	if i < 0 {
		return nil, g.Cells[n:], nil
	}
	h.block = i
	return h, g.Cells[n:], nil
}

// addRows adds a block of several rows, each on its line.
func (p *Page) addRows(b Block, cells []Cell) (int, error) {
	block := -1
	for from := 0; from < len(cells); {
		n := sameRow(cells[from:])
		row := b
		row.Pieces, row.Tight = b.Pieces[from:from+n], block >= 0
		from += n
		i, err := p.Add(row)
		if err != nil {
			return -1, err
		}
		if i < 0 {
			continue
		}
		if block < 0 {
			block = i
			continue
		}
		above, below := &p.blocks[block], p.blocks[i]
		above.Span.End = below.Span.End
		above.Segments = append(above.Segments, below.Segments...)
		p.blocks = p.blocks[:i]
	}
	return block, nil
}

// maxColumns bounds the columns whose names are kept.
const maxColumns = 16384

// take adds a cell of the head to the names of the columns under it. A cell over the whole width
// is a title and names none.
func (h *Head) take(c Cell) {
	if c.Col == h.first && c.endCol() >= h.last && h.last > h.first {
		return
	}
	name := Name(c.Text)
	for i := c.Col; name != "" && i <= c.endCol() && i-h.first < len(h.names); i++ {
		at := &h.names[i-h.first]
		switch {
		case *at == "":
			*at = name
		case *at != name && utf8.RuneCountInString(*at)+utf8.RuneCountInString(name) < nameLimit:
			*at += "/" + name
		}
	}
}

// headRows finds how many rows are the head: the first one, with the rows that its cells reach down
// to, with one more row where it divides a wide cell, and with titles over the whole width before
// it. A table of one row, or of one column, has none.
func headRows(cells []Cell) int {
	first, last := width(cells)
	if cells[len(cells)-1].Row == cells[0].Row || first == last {
		return 0
	}
	rows, end := 0, 0
	for from := 0; from < len(cells); {
		n := sameRow(cells[from:])
		row := cells[from : from+n]
		from += n
		rows++
		deepest, divided := row[0].Row, false
		for _, c := range row {
			if deep := c.endRow(); deep <= row[0].Row+mostHead {
				deepest = max(deepest, deep)
			}
			divided = divided || c.ColSpan > 1
		}
		title := n == 1 && row[0].Col == first && row[0].endCol() >= last
		end = max(end, deepest)
		switch {
		case from == len(cells), rows > mostHead:
			return 1
		case title:
			continue
		case row[0].Row < end:
			continue
		case divided && rows < mostHead && end == row[0].Row && dividing(row, cells[from:]):
			end++
			continue
		}
		return rows
	}
	return 1
}

// mostHead is the most rows that a head is taken to have.
const mostHead = 4

// dividing reports that the row below names the columns under the wide cells of the row above: it
// has texts there, and no number.
func dividing(above, rest []Cell) bool {
	below := rest[:sameRow(rest)]
	found := false
	for _, wide := range above {
		if wide.ColSpan < 2 {
			continue
		}
		at, _ := slices.BinarySearchFunc(below, wide.Col, func(c Cell, col int) int { return c.Col - col })
		for ; at < len(below) && below[at].Col <= wide.endCol(); at++ {
			if strings.ContainsAny(below[at].Text, "0123456789") {
				return false
			}
			found = true
		}
	}
	return found
}

func sameRow(cells []Cell) int {
	n := 1
	for n < len(cells) && cells[n].Row == cells[0].Row {
		n++
	}
	return n
}

func width(cells []Cell) (first, last int) {
	first = cells[0].Col
	for _, c := range cells {
		first, last = min(first, c.Col), max(last, c.endCol())
	}
	return first, last
}

// merges are the cells that reach down into the rows that follow.
type merges struct{ cells []Cell }

// Merged values are repeated in each row they cover, so that a row can be read alone. Long ones and
// those in very wide tables are not, because the text would grow with the product.
const (
	mostRepeated = 120 // code points
	mostMerged   = 32  // cells in a row
)

func (m *merges) open(row []Cell) {
	for _, c := range row {
		if c.RowSpan > 1 && len(m.cells) < mostMerged && utf8.RuneCountInString(c.Text) <= mostRepeated {
			m.cells = append(m.cells, c)
		}
	}
}

// row returns the cells of a row with those from above that cover it.
func (m *merges) row(row []Cell) []Cell {
	m.cells = slices.DeleteFunc(m.cells, func(c Cell) bool { return c.endRow() < row[0].Row })
	if len(m.cells) == 0 {
		return row
	}
	out := append(slices.Clone(row), m.cells...)
	slices.SortStableFunc(out, func(a, b Cell) int { return a.Col - b.Col })
	return out
}
