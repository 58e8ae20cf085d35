package docx

import (
	"strings"

	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// anchor says what a part is and where it hangs.
type anchor struct {
	part, id         string
	paragraph, table int
}

// reference is a mark in the text that leads to a note or comment.
type reference struct{ kind, id string }

// paragraph is one paragraph as it is printed.
type paragraph struct {
	text   string
	style  string
	level  int // of a heading, from 1; 0 for none
	title  bool
	mark   string // number or bullet
	depth  int    // in a list, from 1; 0 outside
	around surroundings
}

// surroundings are what a paragraph or table has beside it.
type surroundings struct {
	notes []reference
	boxes []box
}

// box is what hangs on a paragraph or table: a text box, a chart or a diagram.
type box struct {
	part string
	list []paragraph
}

func (s *surroundings) add(t surroundings) {
	s.notes, s.boxes = append(s.notes, t.notes...), append(s.boxes, t.boxes...)
}

// printed returns the text with its mark.
func (p paragraph) printed() string {
	if strings.TrimSpace(p.text) == "" || p.mark == "" {
		return p.text
	}
	return p.mark + " " + p.text
}

// table is a table as it is printed.
type table struct {
	cells  []layout.Cell
	head   int // rows that are repeated on every page
	around surroundings
}

// item is one of the two.
type item struct {
	paragraph *paragraph
	table     *table
	chunk     string // name of an embedded page
}

// story is a run of paragraphs and tables that is being read: the body, a note, a cell, a box.
type story struct {
	doc   *document
	in    *ooxml.Reader
	put   func(item) error // nil collects
	items []item
	// onDark is true where the background may be dark: in cells that have one of their own, and in boxes, which may lie
	// over a picture.
	onDark bool
}

// blocks reads the children of the element whose start was read last.
func (s *story) blocks() error { return s.in.Children(s.block) }

func (s *story) block(e ooxml.Element) error {
	switch e.Name {
	case "p":
		if err := s.doc.ctx.Err(); err != nil {
			return err
		}
		p, err := s.paragraph()
		if err != nil {
			return err
		}
		return s.take(item{paragraph: &p})
	case "tbl":
		t, err := s.table()
		if err != nil {
			return err
		}
		return s.take(item{table: &t})
	case "sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag":
		return s.blocks()
	case "AlternateContent":
		return s.in.Alternative(s.block)
	case "altChunk":
		id := e.RelationID("id")
		for _, r := range s.doc.relations {
			if r.ID == id && r.Target != "" {
				return s.take(item{chunk: r.Target})
			}
		}
	}
	return nil
}

func (s *story) take(it item) error {
	if s.put != nil {
		return s.put(it)
	}
	s.items = append(s.items, it)
	return nil
}

// flat returns what was collected as paragraphs; a table's rows become one each.
func (s *story) flat() []paragraph {
	var out []paragraph
	for _, it := range s.items {
		switch {
		case it.paragraph != nil:
			out = append(out, *it.paragraph)
		case it.table != nil:
			out = append(out, it.table.lines()...)
		}
	}
	return out
}

// lines returns the rows of a table as paragraphs.
func (t *table) lines() []paragraph {
	var out []paragraph
	var row []string
	for i, c := range t.cells {
		if text := layout.Clean(c.Text); text != "" {
			row = append(row, text)
		}
		if last := i+1 == len(t.cells) || t.cells[i+1].Row != c.Row; last && len(row) > 0 {
			out, row = append(out, paragraph{text: strings.Join(row, " | ")}), nil
		}
	}
	if len(out) > 0 {
		out[0].around = t.around
	}
	return out
}

// joined returns paragraphs as the text of one cell, and what stands beside them.
func joined(list []paragraph) (string, surroundings) {
	var lines []string
	var around surroundings
	for _, p := range list {
		if text := layout.Clean(p.printed()); text != "" {
			lines = append(lines, text)
		}
		around.add(p.around)
	}
	return strings.Join(lines, "\n"), around
}

// paragraph reads the paragraph whose start was read last.
func (s *story) paragraph() (paragraph, error) {
	d := s.doc
	p := paragraph{style: d.standard}
	r := &runs{story: s, p: &p}
	var num numRef
	styled := false
	settle := func() {
		if styled {
			return
		}
		styled = true
		base, list, fill := d.styled(p.style)
		r.base, r.filled = base, r.filled || fill
		if !num.set {
			num.set, num.id = list.set, list.id
		}
		if !num.hasLvl {
			num.level, num.hasLvl = list.level, list.hasLvl
		}
		if p.level == 0 {
			p.level = d.level(p.style)
		}
	}
	err := s.in.Children(func(e ooxml.Element) error {
		if e.Name == "pPr" {
			err := s.in.Children(func(e ooxml.Element) error { return s.property(e, &p, &num, r) })
			settle()
			return err
		}
		settle()
		return r.inline(e)
	})
	if err != nil {
		return p, err
	}
	settle()
	p.text = r.text.String()
	p.title = d.isTitle(p.style)
	if p.level == bodyLevel {
		p.level = 0
	}
	if num.set && num.id != "0" && strings.TrimSpace(p.text) != "" {
		mark, bullet := d.number(num, p.style)
		p.mark = mark
		if p.level == 0 {
			p.depth = num.level + 1
		} else if bullet {
			p.mark = ""
		}
	}
	return p, nil
}

// property reads one property of a paragraph.
func (s *story) property(e ooxml.Element, p *paragraph, num *numRef, r *runs) error {
	switch e.Name {
	case "pStyle":
		p.style = e.Attr("val")
	case "outlineLvl":
		p.level = outlineLevel(e)
	case "numPr":
		return num.read(s.in)
	case "shd":
		r.filled = r.filled || filled(e) == on
	}
	return nil
}
