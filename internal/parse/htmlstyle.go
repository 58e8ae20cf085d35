package parse

import (
	"strings"
)

// sheet is the set of simple selectors (".class", "#id", "tag.class") under which a page's own
// style hides elements. Selectors of more parts, and rules inside @media and the like, are not
// followed: they depend on where and how the page is shown.
type sheet map[string]hiding

// rules are what a style sheet says of simple selectors, in order.
type rules []rule

type rule struct {
	selector string
	hidden   hiding // the ways in which it hides
	said     hiding // the ways of which it says something
}

// follow takes rules in; later ones override earlier ones.
func (s sheet) follow(list rules) {
	for _, r := range list {
		if s[r.selector] = s[r.selector]&^r.said | r.hidden; s[r.selector] == 0 {
			delete(s, r.selector)
		}
	}
}

// rulesOf reads a style sheet.
func rulesOf(css string) (out rules) {
	css = withoutComments(css)
	for css != "" {
		open := strings.IndexByte(css, '{')
		if open < 0 {
			return out
		}
		selectors := css[:open]
		if i := strings.LastIndexByte(selectors, ';'); i >= 0 {
			selectors = selectors[i+1:] // after @import and @charset
		}
		end := blockEnd(css[open:])
		if !strings.HasPrefix(strings.TrimSpace(selectors), "@") {
			out = out.with(selectors, css[open+1:max(open+1, open+end-1)])
		}
		css = css[open+end:]
	}
	return out
}

func (r rules) with(selectors, style string) rules {
	hidden, said := hides(style)
	if said == 0 {
		return r
	}
	for selector := range strings.SplitSeq(selectors, ",") {
		if selector = strings.TrimSpace(selector); simple(selector) {
			r = append(r, rule{selector, hidden, said})
		}
	}
	return r
}

// simple reports whether a selector names one element by a class or id.
func simple(selector string) bool {
	mark := strings.IndexAny(selector, ".#")
	if mark < 0 || strings.ContainsAny(selector[mark+1:], ".#") {
		return false
	}
	return !strings.ContainsAny(selector, " \t\r\n\f>+~:[*\\")
}

// hide reports whether an element is hidden by the sheet.
func (s sheet) hide(name string, a attributes) bool {
	if len(s) == 0 {
		return false
	}
	for class := range strings.FieldsSeq(a.class) {
		if s["."+class] != 0 || s[name+"."+class] != 0 {
			return true
		}
	}
	return a.id != "" && (s["#"+a.id] != 0 || s[name+"#"+a.id] != 0)
}

// blockEnd returns the length of a block that begins with its brace, with the blocks inside it.
func blockEnd(css string) int {
	depth := 0
	for i := range len(css) {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(css)
}

func withoutComments(css string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(css, "/*")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, css, _ = strings.Cut(after, "*/")
	}
}
