package xlsx

import (
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// canvas is what lies over the cells of a sheet while it is read.
type canvas struct {
	sheet     *sheet
	in        *ooxml.Reader
	relations []ooxml.Relation
	row, col  int // of the cell under the corner of what is read
}

// drawing puts down the texts of the boxes, charts and diagrams over a sheet, after its cells. The place of each is the
// cell under its upper left corner.
func (s *sheet) drawing(part string) error {
	relations, err := s.book.pkg.Relations(part)
	if err != nil {
		return err
	}
	return s.book.pkg.ReadOptional(part, func(in *ooxml.Reader) error {
		c := &canvas{sheet: s, in: in, relations: relations}
		return in.Children(c.anchor)
	})
}

// anchor reads a shape with the cell that it hangs on. One that hangs on none is on the first.
func (c *canvas) anchor(ooxml.Element) error {
	c.row, c.col = 1, 1
	return c.in.Children(c.child)
}

func (c *canvas) child(e ooxml.Element) error {
	switch e.Name {
	case "from":
		return c.in.Children(func(e ooxml.Element) error {
			if e.Name != "row" && e.Name != "col" {
				return nil
			}
			text, err := c.in.Text()
			n, wrong := strconv.Atoi(strings.TrimSpace(text))
			switch {
			case wrong != nil || n < 0:
			case e.Name == "row":
				c.row = min(n, lastRow-1) + 1
			default:
				c.col = min(n, lastColumn-1) + 1
			}
			return err
		})
	case "sp", "grpSp", "graphicFrame":
		return c.shape()
	case "AlternateContent":
		return c.in.Alternative(c.child)
	}
	return nil
}

// shape reads a box, a frame with a chart or a diagram, or a group of them. What is hidden is left out.
func (c *canvas) shape() error {
	hidden := false
	var text []string
	var visit func(e ooxml.Element) error
	visit = func(e ooxml.Element) error {
		switch e.Name {
		case "cNvPr":
			hidden = hidden || on(e, "hidden")
			return nil
		case "txBody":
			return c.in.Children(func(e ooxml.Element) error {
				if e.Name != "p" {
					return nil
				}
				line, err := c.paragraph()
				text = append(text, line)
				return err
			})
		case "sp", "grpSp", "graphicFrame":
			if hidden {
				c.sheet.book.notice(layout.HiddenLeftOut)
				return nil
			}
			return c.shape()
		case "spPr", "style", "extLst":
			return nil
		}
		if kind, part := ooxml.Graphic(e, c.relations); kind != "" && !hidden {
			lines, err := c.sheet.book.pkg.GraphicText(part)
			if err != nil {
				return err
			}
			return c.put(kind, lines)
		}
		return c.in.Children(visit)
	}
	if err := c.in.Children(visit); err != nil {
		return err
	}
	if hidden {
		if strings.TrimSpace(strings.Join(text, "")) != "" {
			c.sheet.book.notice(layout.HiddenLeftOut)
		}
		return nil
	}
	return c.put("textbox", text)
}

// paragraph reads one of a box.
func (c *canvas) paragraph() (string, error) {
	var b strings.Builder
	var visit func(e ooxml.Element) error
	visit = func(e ooxml.Element) error {
		switch e.Name {
		case "pPr", "rPr", "endParaRPr":
			return nil
		case "t":
			text, err := c.in.Text()
			b.WriteString(text)
			return err
		case "br":
			b.WriteByte('\n')
			return nil
		}
		return c.in.Children(visit)
	}
	err := c.in.Children(visit)
	return b.String(), err
}

func (c *canvas) put(part string, lines []string) error {
	text := layout.Clean(strings.Join(lines, "\n"))
	if text == "" {
		return nil
	}
	s := c.sheet
	s.over++
	_, err := s.book.page.Add(layout.Block{
		Kind: corpus.Paragraph, Path: []string{s.name}, Head: -1,
		Pieces: []layout.Piece{{Text: text, Place: corpus.XLSXLocator{
			Sheet: s.name, Cell: corpus.Cell(c.col, c.row), Row: c.row, Col: c.col, Part: part, ID: strconv.Itoa(s.over),
		}}},
	})
	return err
}
