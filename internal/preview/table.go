package preview

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

// row is a row of a table, with all of its text: from where it begins to where the next one does.
type row struct {
	span   corpus.Span
	no     int // counted in the table; 0 where the format does not say
	head   bool
	anchor string
	cells  []cell
}

// cell is a cell of a row. What stands before its parts, up to the cell before, belongs to it.
type cell struct {
	col, colEnd int // 0 where the format does not say
	rowEnd      int // the last row that the cell covers; 0 for its own
	rows        int // how many rows of the fragment it covers
	anchor      string
	title       string
	parts       []part
}

// part is a piece of a cell, or one that says a merged value again.
type part struct {
	corpus.Segment
	mark bool
	bare bool // the piece has no element of its own
}

// mostSpan is the most rows or columns that a browser lets a cell cover.
const mostSpan = 1000

// table writes a table, and returns the number of the block after it.
func (r *renderer) table(i int) int {
	from, within := i, groupsOf(r.doc.blocks[i])
	for i++; i < len(r.doc.blocks) && r.goesOn(i, from) && slices.Equal(groupsOf(r.doc.blocks[i]), within); i++ {
	}
	rows := r.rows(from, i)
	merged(rows)
	name := ""
	if segments := r.doc.blocks[from].Segments; len(segments) > 0 {
		if _, table := above(segments[0].Locator); table != nil {
			name = Anchor(table)
		}
	}
	r.element("table", name, corpus.Span{Start: rows[0].span.Start, End: rows[len(rows)-1].span.End}, "")
	open := ""
	left := leftmost(rows)
	var over covers
	for _, row := range rows {
		part, cellName := "tbody", "td"
		if row.head {
			part, cellName = "thead", "th"
		}
		if part != open {
			if open != "" {
				r.WriteString("</" + open + ">")
			}
			open = part
			r.WriteString("<" + open + ">")
		}
		r.runs = r.rowLooks(row)
		r.row(row, cellName, left, &over)
	}
	if open != "" {
		r.WriteString("</" + open + ">")
	}
	r.WriteString("</table>")
	r.runs = nil
	return i
}

// goesOn reports whether block i is a row of the table that block from begins: it follows on the
// next line, and has the same head.
func (r *renderer) goesOn(i, from int) bool {
	b, before := r.doc.blocks[i], r.doc.blocks[i-1]
	if b.Kind != corpus.TableRow || b.Span.Start >= r.span.End {
		return false
	}
	first := r.doc.blocks[from]
	if first.Kind == corpus.TableHead {
		return b.Head == r.doc.first+from
	}
	return b.Head == first.Head && b.Span.Start-before.Span.End <= len("\r\n")
}

// rows takes the blocks of a table apart.
func (r *renderer) rows(from, to int) []row {
	var out []row
	for i := from; i < to; i++ {
		b := r.doc.blocks[i]
		for _, w := range r.rowsOf(b) {
			w.head = b.Kind == corpus.TableHead
			out = append(out, w)
		}
	}
	for i := range out {
		out[i].span.End = r.shown(r.doc.blocks[to-1].Span).End
		if i+1 < len(out) {
			out[i].span.End = out[i+1].span.Start
		}
	}
	return out
}

func (r *renderer) rowsOf(b corpus.Block) []row {
	if isMarkdown(b) {
		return []row{r.markdownRow(b)}
	}
	return r.gridRows(b)
}

// gridRows returns the rows of a block of cells; the head of a table can have several.
func (r *renderer) gridRows(b corpus.Block) []row {
	span := r.shown(b.Span)
	out := []row{{span: span}}
	at := span.Start
	for _, s := range b.Segments {
		if s.Span.Overlap(span) == 0 {
			continue
		}
		g := gridOf(s.Locator)
		s.Span = r.shown(s.Span)
		between := r.line(corpus.Segment{Span: corpus.Span{Start: at, End: s.Span.Start}})
		current := &out[len(out)-1]
		if b.Kind == corpus.TableHead && len(current.cells) > 0 && strings.Contains(between, "\n") {
			out = append(out, row{span: corpus.Span{Start: s.Span.Start}})
			current = &out[len(out)-1]
		}
		current.add(s, g, strings.Count(between, "|"))
		at = s.Span.End
	}
	for i := range out {
		out[i].name()
	}
	return out
}

// add takes a piece into a row: into the open cell if it goes on with that.
func (w *row) add(s corpus.Segment, g grid, borders int) {
	w.no = max(w.no, g.row)
	if n := len(w.cells); n > 0 {
		last := &w.cells[n-1]
		same := g.row == 0 && borders == 0
		if g.row > 0 {
			same = last.col == g.col && borders == 0
		}
		if same {
			last.parts = append(last.parts, part{Segment: s})
			return
		}
		if g.row == 0 {
			g.col = last.col + max(borders, 1)
		}
	} else if g.row == 0 {
		g.col = borders + 1
	}
	w.cells = append(w.cells, cell{col: g.col, colEnd: max(g.col, g.colEnd), rowEnd: g.rowEnd, anchor: Anchor(s.Locator), title: g.title, parts: []part{{Segment: s}}})
}

// name gives the row its anchor, as one of its own cells has it.
func (w *row) name() {
	for _, c := range w.cells {
		for _, p := range c.parts {
			if at, _ := above(p.Locator); at != nil && gridOf(p.Locator).row == w.no {
				w.anchor = Anchor(at)
				return
			}
		}
	}
}

// merged lets cells that reach down cover the rows below, and takes the cells out of those rows that
// only say such a value again: what they say goes to a cell beside them, as a mark.
func merged(rows []row) {
	for i := range rows {
		for c := range rows[i].cells {
			at := &rows[i].cells[c]
			at.rows = 1
			for n := i + 1; n < len(rows) && at.rows < mostSpan && at.reaches(rows[i], rows[n]); n++ {
				rows[n].cover(at)
				at.rows++
			}
		}
	}
}

// reaches reports whether a cell of one row covers another one below, which has room for it.
func (c *cell) reaches(own, below row) bool {
	return own.head == below.head && c.rowEnd > own.no && below.no > own.no && below.no <= c.rowEnd && below.free(c)
}

// free reports whether a row has room for a cell from above: it has no cell of its own there, and
// one that is not the same value again.
func (w *row) free(from *cell) bool {
	others := false
	for _, c := range w.cells {
		again := c.same(from)
		if !again && c.col <= from.colEnd && c.colEnd >= from.col {
			return false
		}
		others = others || !again
	}
	return others
}

// same reports whether a cell says what another one says, of the same place.
func (c *cell) same(o *cell) bool { return c.anchor != "" && c.anchor == o.anchor }

// cover takes the cell out of the row that says a value from above again.
func (w *row) cover(from *cell) {
	i := slices.IndexFunc(w.cells, func(c cell) bool { return c.same(from) })
	if i < 0 {
		return
	}
	again := w.cells[i].parts
	for n := range again {
		again[n].mark = true
	}
	if i+1 < len(w.cells) {
		next := &w.cells[i+1]
		next.parts = append(again, next.parts...)
	} else {
		w.cells[i-1].parts = append(w.cells[i-1].parts, again...)
	}
	w.cells = slices.Delete(w.cells, i, i+1)
}

func leftmost(rows []row) int {
	left := 0
	for _, w := range rows {
		for _, c := range w.cells {
			if left == 0 || c.col < left {
				left = c.col
			}
		}
	}
	return left
}
