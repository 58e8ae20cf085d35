package preview

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// grid is where a cell stands. It is the zero grid where a format does not say.
type grid struct {
	row, rowEnd, col, colEnd int
	title                    string // the name by which a person knows the cell
}

func gridOf(l corpus.Locator) grid {
	switch l := l.(type) {
	case corpus.CSVLocator:
		return grid{row: l.Row, rowEnd: l.Row, col: max(l.Col, 1)}
	case corpus.DOCXLocator:
		return grid{row: l.Row, rowEnd: l.Row + max(l.RowSpan, 1) - 1, col: max(l.Col, 1), colEnd: l.Col + max(l.ColSpan, 1) - 1}
	case corpus.PPTXLocator:
		return grid{row: l.Row, rowEnd: l.Row + max(l.RowSpan, 1) - 1, col: max(l.Col, 1), colEnd: l.Col + max(l.ColSpan, 1) - 1}
	case corpus.XLSXLocator:
		g := grid{row: l.Row, rowEnd: max(l.Row, l.RowEnd), col: max(l.Col, 1)}
		if encode(l.Cell) == l.Cell {
			g.title = l.Cell
		}
		if _, end, ok := strings.Cut(l.Range, ":"); ok {
			g.colEnd = column(end)
		}
		return g
	}
	return grid{}
}

// column reads the column of a cell's name; 0 for what is none.
func column(name string) int {
	n := 0
	for i := 0; i < len(name) && i < 3 && name[i] >= 'A' && name[i] <= 'Z'; i++ {
		n = n*26 + int(name[i]-'A') + 1
	}
	return n
}

// covers are the cells that reach down into the rows to come.
type covers []cover

type cover struct{ col, colEnd, rows int }

// at returns the column after those that are covered from a column on.
func (o covers) at(col int) int {
	for moved := true; moved; {
		moved = false
		for _, c := range o {
			if c.col <= col && col <= c.colEnd {
				col, moved = c.colEnd+1, true
			}
		}
	}
	return col
}

// below takes one row off what the cells cover.
func (o covers) below() covers {
	for i := range o {
		o[i].rows--
	}
	return slices.DeleteFunc(o, func(c cover) bool { return c.rows <= 0 })
}

// row writes a row of a table.
func (r *renderer) row(w row, name string, left int, over *covers) {
	r.element("tr", w.anchor, w.span, "")
	col := left
	var opened covers
	for i, c := range w.cells {
		col = over.at(col)
		for col < c.col {
			gap := over.until(col, c.col)
			r.WriteString("<" + name + spanned("colspan", gap-col) + "></" + name + ">")
			col = over.at(gap)
		}
		end := w.span.End
		if i+1 < len(w.cells) {
			end = c.parts[len(c.parts)-1].Span.End
		}
		more := spanned("colspan", c.colEnd-c.col+1) + spanned("rowspan", c.rows)
		if c.title != "" {
			more += ` title="` + c.title + `"`
		}
		r.element(name, "", corpus.Span{Start: r.at, End: end}, more)
		r.parts(c)
		r.write(end, look{kind: mark})
		r.WriteString("</" + name + ">")
		if c.rows > 1 {
			opened = append(opened, cover{c.col, c.colEnd, c.rows})
		}
		col = max(col, c.colEnd+1)
	}
	if len(w.cells) == 0 {
		r.element(name, "", w.span, "")
		r.write(w.span.End, look{kind: mark})
		r.WriteString("</" + name + ">")
	}
	r.WriteString("</tr>")
	*over = append(*over, opened...).below()
}

// parts writes the pieces of a cell. Several that it has of its own stand together under its anchor.
func (r *renderer) parts(c cell) {
	first := slices.IndexFunc(c.parts, func(p part) bool { return !p.mark })
	last := len(c.parts) - 1
	for last > first && c.parts[last].mark {
		last--
	}
	for i, p := range c.parts {
		r.write(p.Span.Start, look{kind: mark})
		if i == first && last > first {
			r.element("span", c.anchor, corpus.Span{Start: p.Span.Start, End: c.parts[last].Span.End}, "")
		}
		r.part(p)
		if i == last && last > first && first >= 0 {
			r.WriteString("</span>")
		}
	}
}

// part writes a piece of a cell.
func (r *renderer) part(p part) {
	switch {
	case p.bare:
		r.write(p.Span.End, look{})
	case p.mark:
		r.piece(p.Segment, look{kind: mark})
	default:
		r.breaks = allBreak
		r.piece(p.Segment, look{})
		r.breaks = noBreak
	}
}

// until returns the first covered column from one on, at most another.
func (o covers) until(col, most int) int {
	for _, c := range o {
		if c.col > col {
			most = min(most, c.col)
		}
	}
	return most
}

func spanned(name string, n int) string {
	if n < 2 {
		return ""
	}
	return " " + name + `="` + itoa(min(n, mostSpan)) + `"`
}

// mostColumns bounds the cells of a line of Markdown; what follows stands in the last one.
const mostColumns = 1000

// markdownRow takes a line of Markdown apart at its borders. Below the head stands a line that only
// divides, which is a mark.
func (r *renderer) markdownRow(b corpus.Block) row {
	out := row{span: r.shown(b.Span)}
	for i, s := range b.Segments {
		span := r.shown(s.Span)
		switch {
		case span.Len() <= 0:
		case i > 0 && len(out.cells) > 0:
			last := &out.cells[len(out.cells)-1]
			last.parts = append(last.parts, part{Segment: corpus.Segment{Span: span, Locator: s.Locator}, mark: true})
		default:
			out.anchor = Anchor(s.Locator)
			for n, c := range r.split(span) {
				out.cells = append(out.cells, cell{col: n + 1, colEnd: n + 1, parts: []part{{Segment: corpus.Segment{Span: c}, bare: true}}})
			}
		}
	}
	return out
}

// split returns the cells of a line, without the white space around them.
func (r *renderer) split(span corpus.Span) []corpus.Span {
	line := r.line(corpus.Segment{Span: span})
	var out []corpus.Span
	add := func(from, to int) {
		text := line[from:to]
		from += len(text) - len(strings.TrimLeft(text, " \t"))
		text = strings.Trim(text, " \t")
		start := span.Start + utf8.RuneCountInString(line[:from])
		out = append(out, corpus.Span{Start: start, End: start + utf8.RuneCountInString(text)})
	}
	from := len(line) - len(strings.TrimLeft(line, " \t"))
	if from < len(line) && line[from] == '|' {
		from++
	}
	for i := from; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] == '|' && len(out) < mostColumns-1:
			add(from, i)
			from = i + 1
		}
	}
	if strings.TrimSpace(line[from:]) != "" || len(out) == 0 {
		add(from, len(line))
	}
	return out
}

// rowLooks returns the looks of a row of Markdown, cell by cell.
func (r *renderer) rowLooks(w row) []run {
	var out []run
	for _, c := range w.cells {
		for _, p := range c.parts {
			if p.bare {
				out = append(out, r.inline([]corpus.Span{p.Span})...)
			}
		}
	}
	return out
}
