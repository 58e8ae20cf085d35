package docx

import (
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// grid reads the rows of a table.
type grid struct {
	story *story
	t     table
	row   int
	above map[int]int // column → index of the cell that may reach down there
	heads bool        // all rows so far are heads
	dark  bool        // cells may have a background that they do not say themselves
}

// table reads the table whose start was read last.
func (s *story) table() (table, error) {
	g := &grid{story: s, above: map[int]int{}, heads: true, dark: s.onDark}
	err := s.in.Children(g.child)
	if g.t.head >= g.row {
		g.t.head = 0
	}
	return g.t, err
}

func (g *grid) child(e ooxml.Element) error {
	switch e.Name {
	case "tr":
		return g.tr()
	case "tblPr":
		return g.properties()
	case "sdt", "sdtContent", "customXml", "ins", "moveTo":
		return g.story.in.Children(g.child)
	case "AlternateContent":
		return g.story.in.Alternative(g.child)
	}
	return nil
}

// properties reads those of the table, or those that a row has instead.
func (g *grid) properties() error {
	return g.story.in.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "tblStyle":
			g.dark = g.dark || g.story.doc.fillsTable(e.Attr("val"))
		case "shd":
			g.dark = g.dark || filled(e) == on
		}
		return nil
	})
}

// line is the state of the row that is read.
type line struct {
	col                   int
	deleted, head, hidden bool
	below                 map[int]int
}

func (g *grid) tr() error {
	g.row++
	l := line{col: 1, below: map[int]int{}}
	from, around := len(g.t.cells), g.t.around
	var visit func(e ooxml.Element) error
	visit = func(e ooxml.Element) error {
		switch e.Name {
		case "tblPrEx":
			return g.properties()
		case "trPr":
			return g.story.in.Children(func(e ooxml.Element) error {
				switch e.Name {
				case "tblHeader":
					l.head = e.On()
				case "gridBefore":
					l.col += min(max(e.Int("val", 0), 0), maxSpan)
				case "del":
					l.deleted = true
				case "hidden":
					l.hidden = e.On()
				}
				return nil
			})
		case "tc":
			return g.tc(&l)
		case "sdt", "sdtContent", "customXml", "ins", "moveTo":
			return g.story.in.Children(visit)
		}
		return nil
	}
	if err := g.story.in.Children(visit); err != nil {
		return err
	}
	if l.deleted || l.hidden {
		g.t.cells, g.t.around = g.t.cells[:from], around
		return nil
	}
	if g.heads = g.heads && l.head; g.heads {
		g.t.head++
	}
	g.above = l.below
	return nil
}

// maxSpan bounds spans, which are numbers in the file.
const maxSpan = 1024

func (g *grid) tc(l *line) error {
	c := layout.Cell{Row: g.row, Col: l.col, RowSpan: 1, ColSpan: 1}
	down, right, deleted := false, false, false
	s := &story{doc: g.story.doc, in: g.story.in, onDark: g.dark}
	err := g.story.in.Children(func(e ooxml.Element) error {
		if e.Name != "tcPr" {
			return s.block(e)
		}
		return g.story.in.Children(func(e ooxml.Element) error {
			switch e.Name {
			case "gridSpan":
				c.ColSpan = min(max(e.Int("val", 1), 1), maxSpan)
			case "vMerge":
				down = e.Attr("val") != "restart"
			case "hMerge":
				right = e.Attr("val") != "restart"
			case "shd":
				s.onDark = s.onDark || filled(e) == on
			case "cellDel":
				deleted = true
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	l.col += c.ColSpan
	if deleted {
		return nil
	}
	if i, ok := g.above[c.Col]; down && ok {
		g.t.cells[i].RowSpan = g.row - g.t.cells[i].Row + 1
		l.below[c.Col] = i
		return nil
	}
	if n := len(g.t.cells); right && n > 0 && g.t.cells[n-1].Row == g.row {
		g.t.cells[n-1].ColSpan += c.ColSpan
		return nil
	}
	var around surroundings
	c.Text, around = joined(s.flat())
	g.t.around.add(around)
	l.below[c.Col] = len(g.t.cells)
	g.t.cells = append(g.t.cells, c)
	return nil
}
