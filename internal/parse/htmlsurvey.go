package parse

import (
	"context"
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
	// lists tells of each list with numbers, in order, how many items it has.
	lists []int
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
	items  []int // of the lists with numbers so far
	inside []int // indexes of the lists around; -1 for one without numbers
	styled bool  // the next text is that of a <style>
	styles []styling
}

// styling is a style sheet of a page: its rules, and the name of the file that they are from; "" for one that stands on
// the page itself.
type styling struct {
	name  string
	rules rules
}

func surveyPage(ctx context.Context, text string, how manner) (survey, error) {
	s := surveyor{manner: how}
	z := how.tokens(text)
	for n, kind := 1, z.Next(); kind != html.ErrorToken; n, kind = n+1, z.Next() {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return survey{}, ctx.Err()
		}
		switch kind {
		case html.TextToken:
			if s.styled {
				s.styles = append(s.styles, styling{rules: rulesOf(string(z.Raw()))})
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			s.start(string(name))
			if string(name) == "link" && s.style != nil {
				s.link(z, more)
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
	out := survey{hidden: s.hidden(), lists: s.items}
	for _, t := range s.shapes {
		out.tables = append(out.tables, t.widest > 1 && (t.header || !t.nested))
	}
	return out, ctx.Err()
}

// hidden is what all style sheets together hide. Of one that the page refers to again only the last time counts: it says
// the same, and what it said before it says once more.
func (s *surveyor) hidden() sheet {
	seen := map[string]bool{}
	var last []styling
	for _, one := range slices.Backward(s.styles) {
		if one.name == "" || !seen[one.name] {
			last = append(last, one)
		}
		seen[one.name] = true
	}
	out := sheet{}
	for _, one := range slices.Backward(last) {
		out.follow(one.rules)
	}
	return out
}

func (s *surveyor) start(name string) {
	s.styled = name == "style"
	s.list(name)
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
	if (name == "ol" || name == "ul") && len(s.inside) > 0 {
		s.inside = s.inside[:len(s.inside)-1]
	}
	if name == "table" && len(s.open) > 0 {
		s.open = s.open[:len(s.open)-1]
	}
}

// list counts the items of lists with numbers.
func (s *surveyor) list(name string) {
	switch name {
	case "ol":
		s.inside = append(s.inside, len(s.items))
		s.items = append(s.items, 0)
	case "ul":
		s.inside = append(s.inside, -1)
	case "li":
		if n := len(s.inside); n > 0 && s.inside[n-1] >= 0 {
			s.items[s.inside[n-1]]++
		}
	}
}

// link takes the style sheet that a <link> refers to, if it refers to one.
func (s *surveyor) link(z *html.Tokenizer, more bool) {
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
		return
	}
	if name, r := s.style(href); name != "" {
		s.styles = append(s.styles, styling{name, r})
	}
}

// table returns the innermost open table; nil outside of tables.
func (s *surveyor) table() *shape {
	if len(s.open) == 0 {
		return nil
	}
	return &s.shapes[s.open[len(s.open)-1]]
}
