package parse

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/kaoju/kaoju/internal/corpus"
)

// tableState is an open table.
type tableState struct {
	data bool // rows are rendered as rows; the cells of other tables are blocks of their own
	head int  // index of the head block; -1 while there is none
	rows int  // rows rendered
	body bool // a row that is no header was rendered
}

// row is the open row of a data table.
type row struct {
	table *tableState
	frame *frame
	heads bool // all cells so far are header cells
	cells int
}

func (p *page) beginCell(f *frame) {
	if f.name == "td" && !f.head {
		p.row.heads = false
	}
	if p.row.cells++; p.row.cells > 1 {
		p.gap = gap{cells: p.gap.cells + 1}
	}
}

// border ends a cell and writes the border to the next one.
func (r *render) border() {
	r.endSegment()
	if len(r.block.Segments) > 0 {
		r.buf, r.n = r.buf[:r.seen.bytes], r.seen.runes
		r.raw(" | ")
	} else {
		r.raw("| ")
	}
	r.seen = mark{len(r.buf), r.n}
}

// endRow ends the block of a row. Header rows at the beginning of a table are one block.
func (p *page) endRow() {
	t, heads, before := p.row.table, p.row.heads, len(p.blocks)
	p.row = nil
	p.finish()
	if len(p.blocks) == before {
		return
	}
	t.rows++
	last := &p.blocks[before]
	if !heads || t.body {
		t.body = true
		return
	}
	last.Kind, last.Head = corpus.TableHead, -1
	if t.head < 0 {
		t.head = before
		return
	}
	first := &p.blocks[t.head]
	first.Span.End = last.Span.End
	first.Segments = append(first.Segments, last.Segments...)
	p.blocks = p.blocks[:before]
}

// classifyTables tells for each table of a page, in order, whether it holds data: rows of two or
// more cells, and no table inside unless it has header cells. The others only lay the page out.
func classifyTables(text string) []bool {
	type state struct{ widest, cells, index int }
	var data, nested, header []bool
	var open []state
	widest := []int{}
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind == html.TextToken || kind == html.CommentToken || kind == html.DoctypeToken {
			continue
		}
		name, _ := z.TagName()
		end := kind == html.EndTagToken
		switch tag := string(name); {
		case tag == "table" && !end:
			if len(open) > 0 {
				nested[open[len(open)-1].index] = true
			}
			open = append(open, state{index: len(nested)})
			nested, header, widest = append(nested, false), append(header, false), append(widest, 0)
		case len(open) == 0:
		case tag == "table":
			open = open[:len(open)-1]
		case tag == "tr":
			open[len(open)-1].cells = 0
		case (tag == "td" || tag == "th") && !end:
			t := &open[len(open)-1]
			t.cells++
			widest[t.index] = max(widest[t.index], t.cells)
			header[t.index] = header[t.index] || tag == "th"
		}
	}
	for i := range nested {
		data = append(data, widest[i] > 1 && (header[i] || !nested[i]))
	}
	return data
}
