package pptx

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// shape is a shape, table or group with its text.
type shape struct {
	no          int
	placed      bool
	x, y, w, h  int
	title       bool
	placeholder string
	part        string
	lines       []line
	cells       []layout.Cell
	head        int
	group       []shape // of a group, in the order of the file
	// filled says that something is seen where it lies beside its text; bare, that it says itself that it has no fill.
	filled, bare bool
}

// line is a paragraph of a shape. Its text has its number in front, as the slide has.
type line struct {
	text  string
	level int
	// pale says that some of it has the colour of paper; seen is the rest.
	pale bool
	seen string
}

// tree reads the shapes of a slide or group, whose start was read last.
func (s *slide) tree() ([]shape, error) {
	var out []shape
	var visit func(e ooxml.Element) error
	visit = func(e ooxml.Element) error {
		switch e.Name {
		case "sp", "grpSp", "graphicFrame", "pic", "cxnSp":
			sh, hidden, err := s.shape(e.Name == "grpSp")
			sh.filled = sh.filled || e.Name == "pic" || e.Name == "graphicFrame"
			if err == nil && s.beside(sh) {
				hidden, s.deck.left = true, true
			}
			if err == nil && !hidden {
				out = append(out, sh)
			}
			return err
		case "AlternateContent":
			return s.in.Alternative(visit)
		}
		return nil
	}
	err := s.in.Children(visit)
	return out, err
}

// beside reports whether a shape lies wholly outside of the slide, where no show has it.
func (s *slide) beside(sh shape) bool {
	if s.size[0] <= 0 || s.size[1] <= 0 || !sh.placed {
		return false
	}
	return sh.x+sh.w < 0 || sh.y+sh.h < 0 || sh.x > s.size[0] || sh.y > s.size[1]
}

// shape reads the shape whose start was read last.
func (s *slide) shape(group bool) (sh shape, hidden bool, err error) {
	s.count++
	sh.no = s.count
	var visit func(e ooxml.Element) error
	visit = func(e ooxml.Element) error {
		switch e.Name {
		case "cNvPr":
			hidden = e.Attr("hidden") == "1" || e.Attr("hidden") == "true"
			return nil
		case "ph":
			sh.placeholder = e.Attr("type")
			sh.title = sh.placeholder == "title" || sh.placeholder == "ctrTitle"
			hidden = hidden || slices.Contains([]string{"dt", "ftr", "sldNum", "hdr"}, sh.placeholder)
			return nil
		case "xfrm":
			return s.position(&sh)
		case "spPr":
			return s.looks(&sh)
		case "style":
			filled, err := styled(s.in)
			sh.filled = sh.filled || filled && !sh.bare
			return err
		case "txBody":
			sh.lines, err = s.body()
			return err
		case "tbl":
			return s.table(&sh)
		case "relIds", "chart":
			return s.graphic(&sh, e)
		case "AlternateContent":
			return s.in.Alternative(visit)
		case "sp", "grpSp", "graphicFrame", "pic", "cxnSp":
			if !group {
				return nil
			}
			child, gone, err := s.shape(e.Name == "grpSp")
			if err == nil && !gone {
				sh.group = append(sh.group, child)
			}
			return err
		case "extLst", "blipFill":
			return nil
		}
		return s.in.Children(visit)
	}
	err = s.in.Children(visit)
	return sh, hidden, err
}

// position reads where a shape stands. A placeholder without a place has that of its layout.
func (s *slide) position(sh *shape) error {
	return s.in.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "off":
			sh.placed, sh.x, sh.y = true, e.Int("x", 0), e.Int("y", 0)
		case "ext":
			sh.w, sh.h = e.Int("cx", 0), e.Int("cy", 0)
		}
		return nil
	})
}

// body reads the paragraphs of a text body.
func (s *slide) body() ([]line, error) {
	var out []line
	var count counter
	err := s.in.Children(func(e ooxml.Element) error {
		if e.Name == "lstStyle" {
			return count.defaults(s.in)
		}
		if e.Name != "p" {
			return nil
		}
		var l line
		var own *bullet
		var b, plain strings.Builder
		tiny, light := false, false // the letters of the run at hand
		var visit func(e ooxml.Element) error
		visit = func(e ooxml.Element) error {
			switch e.Name {
			case "pPr":
				l.level = min(max(e.Int("lvl", 0), 0), levels-1)
				b, err := readBullet(s.in)
				own = b
				return err
			case "rPr":
				if n := e.Int("sz", 1800); n >= 0 && n <= tinySize {
					tiny = true
				}
				var err error
				light, err = pale(s.in)
				return err
			case "endParaRPr":
				return nil
			case "r", "fld":
				tiny, light = false, false
				if e.Attr("type") == "slidenum" {
					return nil
				}
			case "t":
				text, err := s.in.Text()
				if tiny {
					s.deck.left = s.deck.left || strings.TrimSpace(text) != ""
					return err
				}
				b.WriteString(text)
				if light && strings.TrimSpace(text) != "" {
					l.pale = true
				} else {
					plain.WriteString(text)
				}
				return err
			case "br":
				b.WriteByte('\n')
				plain.WriteByte('\n')
				return nil
			case "AlternateContent":
				return s.in.Alternative(visit)
			}
			return s.in.Children(visit)
		}
		err := s.in.Children(visit)
		if l.text = layout.Clean(b.String()); l.text != "" {
			l.seen = layout.Clean(plain.String())
			if mark := count.next(l.level, own); mark != "" {
				l.text = mark + " " + l.text
				if l.seen != "" {
					l.seen = mark + " " + l.seen
				}
			}
			out = append(out, l)
		}
		return err
	})
	return out, err
}

// tinySize is the size in hundredths of a point up to which no letter can be read.
const tinySize = 200

// maxSpan bounds spans, which are numbers in the file.
const maxSpan = 1024

// table reads the table whose start was read last.
func (s *slide) table(sh *shape) error {
	row := 0
	return s.in.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "tblPr":
			if v := e.Attr("firstRow"); v == "1" || v == "true" {
				sh.head = 1
			}
		case "tr":
			row++
			col := 0
			return s.in.Children(func(e ooxml.Element) error {
				if e.Name != "tc" {
					return nil
				}
				col++
				return s.cell(sh, row, col, e)
			})
		}
		return nil
	})
}

// cell reads a cell; one that is merged into another has no text that is shown.
func (s *slide) cell(sh *shape, row, col int, e ooxml.Element) error {
	if e.Attr("hMerge") == "1" || e.Attr("vMerge") == "1" || e.Attr("hMerge") == "true" || e.Attr("vMerge") == "true" {
		return nil
	}
	c := layout.Cell{Row: row, Col: col, RowSpan: min(max(e.Int("rowSpan", 1), 1), maxSpan), ColSpan: min(max(e.Int("gridSpan", 1), 1), maxSpan)}
	err := s.in.Children(func(e ooxml.Element) error {
		if e.Name != "txBody" {
			return nil
		}
		lines, err := s.body()
		c.Text = joined(lines)
		return err
	})
	if c.Text != "" {
		sh.cells = append(sh.cells, c)
	}
	return err
}

// graphic reads the texts of a diagram or a chart, which is a part of its own.
func (s *slide) graphic(sh *shape, e ooxml.Element) error {
	kind, part := ooxml.Graphic(e, s.relations)
	if kind == "" {
		return nil
	}
	sh.part = kind
	lines, err := s.deck.pkg.GraphicText(part)
	for _, text := range lines {
		sh.lines = append(sh.lines, line{text: text})
	}
	return err
}

// arranged returns the shapes as they are read: what has no place of its own first, then rows of
// shapes from top to bottom, each from left to right; groups are read as one.
func arranged(shapes []shape) []shape {
	var first, placed []shape
	for _, sh := range shapes {
		if sh.placed {
			placed = append(placed, sh)
		} else {
			first = append(first, sh)
		}
	}
	slices.SortStableFunc(placed, func(a, b shape) int { return a.y - b.y })
	for len(placed) > 0 {
		n := 1
		for n < len(placed) && placed[n].y < placed[0].y+min(placed[0].h, max(placed[n].h, 1))/2 {
			n++
		}
		row := placed[:n]
		slices.SortStableFunc(row, func(a, b shape) int { return a.x - b.x })
		first = append(first, row...)
		placed = placed[n:]
	}
	var out []shape
	for _, sh := range first {
		if len(sh.group) > 0 {
			out = append(out, arranged(sh.group)...)
		} else {
			out = append(out, sh)
		}
	}
	return out
}
