package docx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// runs collects the text of a paragraph.
type runs struct {
	story  *story
	p      *paragraph
	text   strings.Builder
	base   look // of the paragraph's style
	filled bool // the paragraph has a background
	fields []field
}

// field is one that has begun: a code, and then what it shows.
type field struct{ code bool }

// step takes the mark of a field's beginning, middle or end.
func (r *runs) step(kind string) {
	switch n := len(r.fields); {
	case kind == "begin":
		r.fields = append(r.fields, field{code: true})
	case n == 0:
	case kind == "separate":
		r.fields[n-1].code = false
	case kind == "end":
		r.fields = r.fields[:n-1]
	}
}

// inCode reports whether what is read is shown by a field that stands in the code of another, which is shown instead.
func (r *runs) inCode() bool {
	return len(r.fields) > 1 && slices.ContainsFunc(r.fields[:len(r.fields)-1], func(f field) bool { return f.code })
}

// choice writes what is chosen of a list to choose from, which is stored in no run.
func (r *runs) choice(l look) error {
	chosen := 0
	var entries []string
	in := r.story.in
	err := in.Children(func(e ooxml.Element) error {
		if e.Name != "ddList" {
			return nil
		}
		return in.Children(func(e ooxml.Element) error {
			switch e.Name {
			case "result":
				chosen = e.Int("val", 0)
			case "listEntry":
				entries = append(entries, e.Attr("val"))
			}
			return nil
		})
	})
	if chosen >= 0 && chosen < len(entries) {
		r.mark(l, entries[chosen])
	}
	return err
}

// inline reads one child of a paragraph or of what groups runs.
func (r *runs) inline(e ooxml.Element) error {
	switch e.Name {
	case "r":
		return r.run()
	case "t":
		return r.write(r.base)
	case "del", "moveFrom", "pPr", "rPr", "sdtPr", "sdtEndPr", "ctrlPr", "customXmlPr", "smartTagPr":
		return nil
	case "AlternateContent":
		return r.story.in.Alternative(r.inline)
	case "txbxContent":
		return r.box()
	}
	return r.story.in.Children(r.inline)
}

// run reads one run. Its properties stand before its text.
func (r *runs) run() error {
	l := r.base
	in := r.story.in
	var visit func(e ooxml.Element) error
	visit = func(e ooxml.Element) error {
		switch e.Name {
		case "rPr":
			return r.properties(&l)
		case "t":
			return r.write(l)
		case "tab", "ptab":
			r.mark(l, "\t")
		case "br", "cr":
			r.mark(l, "\n")
		case "fldChar":
			r.step(e.Attr("fldCharType"))
			return in.Children(func(e ooxml.Element) error {
				if e.Name == "ffData" {
					return r.choice(l)
				}
				return nil
			})
		case "noBreakHyphen":
			r.mark(l, "-")
		case "sym":
			r.symbol(l, e.Attr("char"))
		case "footnoteReference", "endnoteReference", "commentReference":
			if r.visible(l) {
				r.p.around.notes = append(r.p.around.notes, reference{strings.TrimSuffix(e.Name, "Reference"), e.Attr("id")})
			}
		case "ruby":
			return in.Children(func(e ooxml.Element) error {
				if e.Name == "rubyBase" {
					return in.Children(r.inline)
				}
				return nil
			})
		case "drawing", "pict", "object":
			return in.Children(r.drawing)
		case "AlternateContent":
			return in.Alternative(visit)
		}
		return nil
	}
	return in.Children(visit)
}

// properties reads those of a run. What the run says itself goes over what its style says.
func (r *runs) properties(l *look) error {
	var own look
	err := r.story.in.Children(func(e ooxml.Element) error {
		if e.Name == "rStyle" {
			styled, _, _ := r.story.doc.styled(e.Attr("val"))
			*l = styled.over(*l)
		}
		own.take(e)
		return nil
	})
	*l = own.over(*l)
	return err
}

// visible reports whether a reader sees text of that look. White text is visible on a dark ground.
func (r *runs) visible(l look) bool {
	if l.hidden == on || l.tiny == on || r.inCode() {
		return false
	}
	return l.white != on || l.filled == on || r.filled || r.story.onDark || r.story.doc.dark
}

func (r *runs) write(l look) error {
	text, err := r.story.in.Text()
	r.mark(l, text)
	return err
}

func (r *runs) mark(l look, text string) {
	if r.visible(l) {
		r.text.WriteString(text)
	}
}

// symbol writes a character of a symbol font, if it is one that other fonts have too.
func (r *runs) symbol(l look, code string) {
	n, err := strconv.ParseUint(code, 16, 16)
	if err == nil && n >= 0x20 && (n < 0xe000 || n > 0xf8ff) {
		r.mark(l, string(rune(n)))
	}
}

// drawing looks for the text boxes, charts and diagrams in a drawing. The box is stored in two forms; the first is read.
func (r *runs) drawing(e ooxml.Element) error {
	switch e.Name {
	case "txbxContent":
		return r.box()
	case "AlternateContent":
		return r.story.in.Alternative(r.drawing)
	}
	if kind, part := ooxml.Graphic(e, r.story.doc.relations); kind != "" {
		lines, err := r.story.doc.pkg.GraphicText(part)
		list := make([]paragraph, len(lines))
		for i, line := range lines {
			list[i].text = line
		}
		if len(list) > 0 {
			r.p.around.boxes = append(r.p.around.boxes, box{kind, list})
		}
		return err
	}
	return r.story.in.Children(r.drawing)
}

func (r *runs) box() error {
	s := &story{doc: r.story.doc, in: r.story.in, onDark: true}
	if err := s.blocks(); err != nil {
		return err
	}
	if list := s.flat(); len(list) > 0 {
		r.p.around.boxes = append(r.p.around.boxes, box{"textbox", list})
	}
	return nil
}
