package parse

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// survey is what must be known of a page before it can be rendered.
type survey struct {
	// tables tells for each table, in order, whether it holds data: rows of two or more cells, and
	// no table inside unless it has header cells. The others only lay the page out.
	tables []bool
	// hidden is what the page's own style takes out of sight.
	hidden sheet
}

// shape is what a survey learns of one table.
type shape struct {
	cells, widest  int // of the current row, and of the widest
	nested, header bool
}

// surveyor walks over the tags of a page.
type surveyor struct {
	manner
	shapes []shape
	open   []int // indexes of the tables around
	styled bool  // the next text is that of a <style>
	hidden sheet
}

func surveyPage(text string, how manner) survey {
	s := surveyor{manner: how, hidden: sheet{}}
	z := how.tokens(text)
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		switch kind {
		case html.TextToken:
			if s.styled {
				s.hidden.read(string(z.Raw()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			s.start(string(name))
			if string(name) == "link" && s.style != nil {
				s.hidden.read(s.linked(z, more))
			}
			if kind == html.SelfClosingTagToken && s.xml {
				z.NextIsNotRawText()
				s.end(string(name))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			s.end(string(name))
		}
	}
	out := survey{hidden: s.hidden}
	for _, t := range s.shapes {
		out.tables = append(out.tables, t.widest > 1 && (t.header || !t.nested))
	}
	return out
}

func (s *surveyor) start(name string) {
	s.styled = name == "style"
	if name == "table" {
		if t := s.table(); t != nil {
			t.nested = true
		}
		s.open = append(s.open, len(s.shapes))
		s.shapes = append(s.shapes, shape{})
		return
	}
	t := s.table()
	if t == nil {
		return
	}
	switch name {
	case "tr":
		t.cells = 0
	case "td", "th":
		t.cells++
		t.widest = max(t.widest, t.cells)
		t.header = t.header || name == "th"
	}
}

func (s *surveyor) end(name string) {
	s.styled = false
	if name == "table" && len(s.open) > 0 {
		s.open = s.open[:len(s.open)-1]
	}
}

// linked returns the style sheet that a <link> refers to; "" for one that refers to anything else.
func (s *surveyor) linked(z *html.Tokenizer, more bool) string {
	rel, href := "", ""
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "rel":
			rel = strings.ToLower(string(value))
		case "href":
			href = string(value)
		}
	}
	if words := strings.Fields(rel); href == "" || !slices.Contains(words, "stylesheet") || slices.Contains(words, "alternate") {
		return ""
	}
	return s.style(href)
}

// table returns the innermost open table; nil outside of tables.
func (s *surveyor) table() *shape {
	if len(s.open) == 0 {
		return nil
	}
	return &s.shapes[s.open[len(s.open)-1]]
}
