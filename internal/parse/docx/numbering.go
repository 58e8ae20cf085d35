package docx

import (
	"strings"

	"github.com/kaoju/kaoju/internal/parse/numeral"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// numbering are the lists of a document and how far each has counted.
type numbering struct {
	abstract map[string]*abstract
	lists    map[string]*list
}

// abstract is the definition that lists share, with the counters that they share too.
type abstract struct {
	levels  [9]level
	link    string // a style whose list is meant
	count   [9]int
	counted [9]bool
}

type level struct {
	start        int
	format, text string
	style        string // the style whose paragraphs are at this level
	legal        bool   // all numbers in it are decimal
	restart      int    // the level above which starts it again, from 1; 0 never; -1 any
	there        bool
}

type list struct {
	abstract  string
	overrides [9]*level
	starts    [9]int // from 1 on: 0 is unset
	begun     [9]bool
}

func (d *document) readNumbering(name string) error {
	d.numbering = numbering{map[string]*abstract{}, map[string]*list{}}
	if name == "" {
		return nil
	}
	return d.pkg.ReadOptional(name, func(r *ooxml.Reader) error {
		return r.Children(func(e ooxml.Element) error {
			switch e.Name {
			case "abstractNum":
				a := &abstract{}
				d.numbering.abstract[e.Attr("abstractNumId")] = a
				return a.read(r)
			case "num":
				l := &list{}
				d.numbering.lists[e.Attr("numId")] = l
				return l.read(r)
			}
			return nil
		})
	})
}

func (a *abstract) read(r *ooxml.Reader) error {
	return r.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "numStyleLink":
			a.link = e.Attr("val")
		case "lvl":
			if n := e.Int("ilvl", -1); n >= 0 && n < len(a.levels) {
				return a.levels[n].read(r)
			}
		}
		return nil
	})
}

func (l *level) read(r *ooxml.Reader) error {
	*l = level{start: 1, restart: -1, there: true, format: "decimal"}
	return r.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "start":
			l.start = e.Int("val", 1)
		case "numFmt":
			l.format = e.Attr("val")
		case "lvlText":
			l.text = e.Attr("val")
		case "pStyle":
			l.style = e.Attr("val")
		case "isLgl":
			l.legal = e.On()
		case "lvlRestart":
			l.restart = e.Int("val", -1)
		}
		return nil
	})
}

func (l *list) read(r *ooxml.Reader) error {
	return r.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "abstractNumId":
			l.abstract = e.Attr("val")
		case "lvlOverride":
			n := e.Int("ilvl", -1)
			if n < 0 || n >= len(l.starts) {
				return nil
			}
			return r.Children(func(e ooxml.Element) error {
				switch e.Name {
				case "startOverride":
					l.starts[n] = max(e.Int("val", 1), 0) + 1
				case "lvl":
					l.overrides[n] = &level{}
					return l.overrides[n].read(r)
				}
				return nil
			})
		}
		return nil
	})
}

// find returns a list and its definition, following the link to a list style.
func (d *document) find(id string) (*list, *abstract) {
	for range 8 { // links can form a ring
		l := d.numbering.lists[id]
		if l == nil {
			return nil, nil
		}
		a := d.numbering.abstract[l.abstract]
		if a == nil || a.link == "" {
			return l, a
		}
		s := d.styles[a.link]
		if s == nil || !s.num.set {
			return l, a
		}
		id = s.num.id
	}
	return nil, nil
}

// number counts a paragraph in its list and returns its mark as it is printed; "" for none.
func (d *document) number(ref numRef, style string) (mark string, bullet bool) {
	l, a := d.find(ref.id)
	if a == nil {
		return "", false
	}
	n := ref.level
	if !ref.hasLvl {
		for i, lvl := range a.levels {
			if lvl.style != "" && lvl.style == style {
				n = i
			}
		}
	}
	lvl := func(i int) level {
		if o := l.overrides[i]; o != nil {
			return *o
		}
		return a.levels[i]
	}
	if !lvl(n).there {
		return "", false
	}
	a.advance(l, n, lvl)
	at := lvl(n)
	switch at.format {
	case "bullet":
		return "•", true
	case "none":
		if !strings.Contains(at.text, "%") {
			return "", false
		}
	}
	return a.printed(at, lvl), false
}

// advance counts one paragraph at a level.
func (a *abstract) advance(l *list, n int, lvl func(int) level) {
	start := func(i int) int {
		if l.starts[i] > 0 {
			return l.starts[i] - 1
		}
		return lvl(i).start
	}
	switch {
	case l.starts[n] > 0 && !l.begun[n], !a.counted[n]:
		a.count[n] = start(n)
	default:
		a.count[n]++
	}
	a.counted[n], l.begun[n] = true, true
	for i := range n {
		if !a.counted[i] {
			a.count[i], a.counted[i] = start(i), true
		}
	}
	for i := n + 1; i < len(a.levels); i++ {
		if r := lvl(i).restart; r < 0 || r > n {
			a.counted[i] = false
		}
	}
}

// printed writes a level's text with the numbers in place of %1 to %9.
func (a *abstract) printed(at level, lvl func(int) level) string {
	var b strings.Builder
	for i := 0; i < len(at.text); i++ {
		c := at.text[i]
		if c != '%' || i+1 == len(at.text) || at.text[i+1] < '1' || at.text[i+1] > '9' {
			b.WriteByte(c)
			continue
		}
		i++
		n := int(at.text[i] - '1')
		format := lvl(n).format
		if at.legal {
			format = "decimal"
		}
		b.WriteString(numeral.Of(a.count[n], format))
	}
	return strings.TrimSpace(b.String())
}
