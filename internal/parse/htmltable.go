package parse

import (
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
