package xlsx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// layOut puts the cells down: the sheet's name, then one table after the other. Empty rows divide
// tables.
func (s *sheet) layOut() error {
	slices.SortStableFunc(s.cells, func(a, b cell) int {
		if a.row != b.row {
			return a.row - b.row
		}
		return a.col - b.col
	})
	s.cells = slices.CompactFunc(s.cells, func(a, b cell) bool { return a.row == b.row && a.col == b.col })
	cells := s.merged()
	if len(cells) == 0 {
		return nil
	}
	if err := s.heading(); err != nil {
		return err
	}
	var head *layout.Head
	for len(cells) > 0 {
		n := region(cells)
		part := cells[:n]
		cells = cells[n:]
		g := layout.Grid{Path: []string{s.name}, Place: s.place}
		for _, c := range part {
			g.Cells = append(g.Cells, c.Cell)
		}
		if title := part[len(part)-1].Row == part[0].Row; title && !head.Covers(g.Cells) {
			if err := s.single(g); err != nil {
				return err
			}
			continue
		}
		if head.Covers(g.Cells) && !named(part) {
			g.Follows = head
		}
		h, err := s.book.page.Table(g)
		if err != nil {
			return err
		}
		head = h
	}
	return nil
}

func (s *sheet) heading() error {
	_, err := s.book.page.Add(layout.Block{
		Kind: corpus.Heading, Level: 1, Path: []string{s.name}, Head: -1,
		Pieces: []layout.Piece{{Text: s.name, Place: corpus.XLSXLocator{Sheet: s.name}}},
	})
	return err
}

// single puts a row down that stands alone, such as the title of a table.
func (s *sheet) single(g layout.Grid) error {
	b := layout.Block{Kind: corpus.Paragraph, Path: g.Path, Head: -1, Between: " | "}
	for _, c := range g.Cells {
		b.Pieces = append(b.Pieces, layout.Piece{Text: c.Text, Place: s.place(c, "")})
	}
	_, err := s.book.page.Add(b)
	return err
}

// value is a cell of a region with what it covers.
type value struct {
	layout.Cell
	text bool
}

// merged gives the cells what they are merged over, and takes those out that lie under another.
func (s *sheet) merged() []value {
	slices.SortStableFunc(s.merges, func(a, b merge) int { return a.row - b.row })
	var active []merge
	next := 0
	out := make([]value, 0, len(s.cells))
	row := 0
	for _, c := range s.cells {
		if c.row != row {
			row = c.row
			active = slices.DeleteFunc(active, func(m merge) bool { return m.endRow < row })
			for ; next < len(s.merges) && s.merges[next].row <= row; next++ {
				if m := s.merges[next]; m.endRow >= row && !slices.Contains(active, m) {
					active = append(active, m)
				}
			}
		}
		v := value{layout.Cell{Row: c.row, Col: c.col, RowSpan: 1, ColSpan: 1, Text: c.value}, c.text}
		under := false
		for _, m := range active {
			switch {
			case m.row == c.row && m.col == c.col:
				v.RowSpan, v.ColSpan = m.endRow-m.row+1, m.endCol-m.col+1
			case c.col >= m.col && c.col <= m.endCol:
				under = true
			}
		}
		if !under {
			out = append(out, v)
		}
	}
	s.cells = nil
	return out
}

// region returns how many cells stand before the first empty row.
func region(cells []value) int {
	end := 0
	for i, c := range cells {
		if i > 0 && c.Row > end+1 {
			return i
		}
		end = max(end, c.Row+c.RowSpan-1)
	}
	return len(cells)
}

// named reports that the first row of a region names columns: it has texts alone, and some cell
// below it has none.
func named(cells []value) bool {
	first := cells[0].Row
	data := false
	for _, c := range cells {
		if c.Row == first && !c.text {
			return false
		}
		data = data || c.Row > first && !c.text
	}
	return data
}

// place makes the locator of a cell.
func (s *sheet) place(c layout.Cell, name string) corpus.Locator {
	l := corpus.XLSXLocator{Sheet: s.name, Cell: corpus.Cell(c.Col, c.Row), Row: c.Row, Col: c.Col, Header: name}
	if c.RowSpan > 1 || c.ColSpan > 1 {
		end := c.Row + c.RowSpan - 1
		l.Range = l.Cell + ":" + corpus.Cell(c.Col+c.ColSpan-1, end)
		if end > c.Row {
			l.RowEnd = end
		}
	}
	return l
}

// comments puts down what people wrote beside the cells of a sheet, after its cells.
func (s *sheet) comments(relations []ooxml.Relation) error {
	threads := slices.ContainsFunc(relations, func(r ooxml.Relation) bool { return r.Type == "threadedComment" })
	for _, r := range relations {
		if r.Type != "comments" && r.Type != "threadedComment" {
			continue
		}
		err := s.book.pkg.ReadOptional(r.Target, func(in *ooxml.Reader) error {
			var visit func(e ooxml.Element) error
			visit = func(e ooxml.Element) error {
				switch e.Name {
				case "commentList":
					return in.Children(visit)
				case "comment", "threadedComment":
					return s.comment(in, e, threads)
				}
				return nil
			}
			return in.Children(visit)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// comment reads one comment. Of a thread, the old form that repeats it for old programs is left out.
func (s *sheet) comment(in *ooxml.Reader, e ooxml.Element, threads bool) error {
	text := ""
	err := in.Children(func(e ooxml.Element) error {
		if e.Name != "text" {
			return nil
		}
		var b strings.Builder
		var visit func(e ooxml.Element) error
		visit = func(e ooxml.Element) error {
			if e.Name == "t" {
				t, err := in.Text()
				b.WriteString(t)
				return err
			}
			if e.Name == "r" {
				return in.Children(visit)
			}
			return nil
		}
		direct, err := in.Mixed(visit)
		text = unescape(direct + b.String())
		return err
	})
	row, col, ok := address(e.Attr("ref"))
	if err != nil || !ok || threads && strings.HasPrefix(text, "[Threaded comment]") {
		return err
	}
	s.said++
	_, err = s.book.page.Add(layout.Block{
		Kind: corpus.Paragraph, Path: []string{s.name}, Head: -1, Tight: s.said > 1,
		Pieces: []layout.Piece{{Text: text, Place: corpus.XLSXLocator{Sheet: s.name, Cell: e.Attr("ref"), Row: row, Col: col, Part: "comment", ID: strconv.Itoa(s.said)}}},
	})
	return err
}
