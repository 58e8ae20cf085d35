package parse

import (
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
	shapes []shape
	open   []int // indexes of the tables around
	style  bool  // the next text is that of a <style>
	hidden sheet
}

func surveyPage(text string) survey {
	s := surveyor{hidden: sheet{}}
	z := html.NewTokenizer(strings.NewReader(text))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		switch kind {
		case html.TextToken:
			if s.style {
				s.hidden.read(string(z.Raw()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			s.start(string(name))
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
	s.style = name == "style"
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
	s.style = false
	if name == "table" && len(s.open) > 0 {
		s.open = s.open[:len(s.open)-1]
	}
}

// table returns the innermost open table; nil outside of tables.
func (s *surveyor) table() *shape {
	if len(s.open) == 0 {
		return nil
	}
	return &s.shapes[s.open[len(s.open)-1]]
}
