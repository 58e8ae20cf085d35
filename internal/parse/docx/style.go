package docx

import (
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// style is what matters of a style to text. Values that it does not set come from the one it is
// based on.
type style struct {
	name, basedOn string
	level         int // outline level from 1; 0 if unset, bodyLevel for body text
	num           numRef
	look          look
	filled        bool // the paragraph has a background
}

// bodyLevel is the outline level of text that is no heading.
const bodyLevel = 10

// numRef is a reference to a level of a list. set tells an unset number from number 0, which takes
// a paragraph out of the list of its style.
type numRef struct {
	set    bool
	id     string
	level  int
	hasLvl bool
}

// toggle is a property that can be unset.
type toggle int8

const (
	unset toggle = iota
	off
	on
)

func toggled(e ooxml.Element) toggle {
	if e.On() {
		return on
	}
	return off
}

// look is what decides whether a run can be seen.
type look struct {
	hidden toggle
	white  toggle
	tiny   toggle
	filled toggle // it has a background of its own
}

// over returns the look with what another one leaves unset.
func (l look) over(base look) look {
	pick := func(a, b toggle) toggle {
		if a != unset {
			return a
		}
		return b
	}
	return look{pick(l.hidden, base.hidden), pick(l.white, base.white), pick(l.tiny, base.tiny), pick(l.filled, base.filled)}
}

// tinySize is the size in half points up to which no letter can be read.
const tinySize = 4

// take reads one property of a run.
func (l *look) take(e ooxml.Element) {
	switch e.Name {
	case "vanish", "specVanish":
		l.hidden = toggled(e)
	case "color":
		l.white = off
		if v := e.Attr("val"); v != "" && !strings.EqualFold(v, "auto") && white(v) || e.Attr("themeColor") == "background1" && e.Attr("themeShade") == "" {
			l.white = on
		}
	case "sz":
		l.tiny = off
		if n := e.Int("val", 20); n >= 0 && n <= tinySize {
			l.tiny = on
		}
	case "shd", "highlight":
		l.filled = filled(e)
	}
}

// filled reports whether a shading or highlight is of a colour.
func filled(e ooxml.Element) toggle {
	if e.Name == "highlight" {
		return toggled(e)
	}
	theme := e.Attr("themeFill")
	if v := e.Attr("val"); !white(e.Attr("fill")) || theme != "" && theme != "background1" || v != "" && v != "clear" && v != "nil" {
		return on
	}
	return off
}

// white reports whether a colour is that of paper, or none: white, and what no eye tells from it.
func white(colour string) bool {
	if colour == "" || strings.EqualFold(colour, "auto") {
		return true
	}
	rgb, err := strconv.ParseUint(colour, 16, 32)
	const least = 0xfa
	return err == nil && len(colour) == 6 && rgb>>16 >= least && rgb>>8&0xff >= least && rgb&0xff >= least
}

// tableFill is whether a style of tables gives some of their cells a background, and the style it is based on.
type tableFill struct {
	filled  bool
	basedOn string
}

func (d *document) tableStyle(r *ooxml.Reader, id string) error {
	var t tableFill
	var visit func(e ooxml.Element) error
	visit = func(e ooxml.Element) error {
		switch e.Name {
		case "basedOn":
			t.basedOn = e.Attr("val")
		case "shd":
			t.filled = t.filled || filled(e) == on
		}
		return r.Children(visit)
	}
	err := r.Children(visit)
	d.fills[id] = t
	return err
}

// fillsTable reports whether a style of tables gives some of their cells a background.
func (d *document) fillsTable(id string) bool {
	for range 32 { // styles can be based on each other in a ring
		t, ok := d.fills[id]
		if !ok || t.filled {
			return ok
		}
		id = t.basedOn
	}
	return false
}

func (d *document) readStyles(name string) error {
	d.styles, d.fills = map[string]*style{}, map[string]tableFill{}
	if name == "" {
		return nil
	}
	return d.pkg.ReadOptional(name, func(r *ooxml.Reader) error {
		return r.Children(func(e ooxml.Element) error {
			switch {
			case e.Name != "style":
				return nil
			case e.Attr("type") == "table":
				return d.tableStyle(r, e.Attr("styleId"))
			}
			s := &style{}
			id := e.Attr("styleId")
			if e.Attr("type") == "paragraph" && (e.Attr("default") == "1" || e.Attr("default") == "true") {
				d.standard = id
			}
			d.styles[id] = s
			return r.Children(func(e ooxml.Element) error { return s.read(r, e) })
		})
	})
}

func (s *style) read(r *ooxml.Reader, e ooxml.Element) error {
	switch e.Name {
	case "name":
		s.name = strings.ToLower(e.Attr("val"))
	case "basedOn":
		s.basedOn = e.Attr("val")
	case "rPr":
		return r.Children(func(e ooxml.Element) error {
			s.look.take(e)
			return nil
		})
	case "pPr":
		return r.Children(func(e ooxml.Element) error {
			switch e.Name {
			case "outlineLvl":
				s.level = outlineLevel(e)
			case "numPr":
				return s.num.read(r)
			case "shd":
				s.filled = filled(e) == on
			}
			return nil
		})
	}
	return nil
}

// outlineLevel returns a level from 1 to 9, or bodyLevel.
func outlineLevel(e ooxml.Element) int {
	if n := e.Int("val", 9); n >= 0 && n < 9 {
		return n + 1
	}
	return bodyLevel
}

func (n *numRef) read(r *ooxml.Reader) error {
	return r.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "numId":
			n.set, n.id = true, e.Attr("val")
		case "ilvl":
			n.level, n.hasLvl = min(max(e.Int("val", 0), 0), 8), true
		}
		return nil
	})
}

// chain calls visit for a style and those it is based on, until it returns false.
func (d *document) chain(id string, visit func(*style) bool) {
	for range 32 { // styles can be based on each other in a ring
		s := d.styles[id]
		if s == nil || !visit(s) {
			return
		}
		id = s.basedOn
	}
}

// level returns the heading level that a style gives, from 1; 0 for body text.
func (d *document) level(id string) int {
	level := 0
	d.chain(id, func(s *style) bool {
		switch {
		case s.level != 0:
			level = s.level
		case strings.HasPrefix(s.name, "heading "):
			level, _ = strconv.Atoi(s.name[len("heading "):])
		}
		return level == 0
	})
	if level < 1 || level > 9 {
		return 0
	}
	return level
}

// isTitle reports whether a style is that of the document's title.
func (d *document) isTitle(id string) bool {
	s := d.styles[id]
	return s != nil && s.name == "title"
}

// styled returns the look, the list and the background that a style gives.
func (d *document) styled(id string) (look, numRef, bool) {
	var l look
	var n numRef
	fill := false
	d.chain(id, func(s *style) bool {
		l = l.over(s.look)
		if !n.set && s.num.set {
			n.set, n.id = true, s.num.id
		}
		if !n.hasLvl && s.num.hasLvl {
			n.level, n.hasLvl = s.num.level, true
		}
		fill = fill || s.filled
		return true
	})
	return l, n, fill
}
