package parse

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/kaoju/kaoju/internal/parse/numeral"
)

// attributes are those that decide whether and how an element is rendered.
type attributes struct {
	hidden bool
	faint  bool // its own letters are of no size, or are not drawn
	open   bool
	role   string
	class  string
	id     string
	count  numeral.Attributes
}

func tagAttributes(z *html.Tokenizer, more bool) attributes {
	var a attributes
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		a.count.Take(string(key), string(value))
		switch string(key) {
		case "hidden":
			a.hidden = true
		case "open":
			a.open = true
		case "role":
			a.role = strings.ToLower(strings.TrimSpace(string(value)))
		case "class":
			a.class = string(value)
		case "id":
			a.id = string(value)
		case "style":
			hidden, _ := hides(string(value))
			a.hidden = a.hidden || hidden != 0
			a.faint = fades(string(value))
		}
	}
	return a
}

// unseen reports whether a reader of the page's content does not see an element: it is never
// displayed, or belongs to the frame around the content.
func (p *page) unseen(name string, a attributes, parent *frame) bool {
	if isUnseen(name) || name == "dialog" && !a.open || a.faint && ofLetters(name) || p.hidden.hide(name, a) {
		return true
	}
	if parent.foreign && (name == "desc" || name == "metadata" || name == "defs" || name == "annotation" || name == "annotation-xml") {
		return true
	}
	if p.whole {
		return false
	}
	switch {
	case name == "nav", a.role == "navigation":
		return true
	case name == "footer", name == "aside", a.role == "contentinfo":
		return !parent.main
	}
	return false
}

// ofLetters lists elements that hold text rather than other parts of a page, which may be seen where their frame is not.
func ofLetters(name string) bool {
	switch name {
	case "span", "p", "a", "b", "i", "em", "strong", "small", "font", "mark", "u", "s", "sub", "sup", "code", "label", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6":
		return true
	}
	return false
}

// isUnseen lists elements that are never displayed as text of the page.
func isUnseen(name string) bool {
	switch name {
	case "script", "style", "template", "noscript", "title", "iframe", "noembed", "noframes", "object", "applet",
		"audio", "video", "canvas", "datalist":
		return true
	}
	return false
}

// isVoid lists elements that have no content and no end tag.
func isVoid(name string) bool {
	switch name {
	case "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "image", "input",
		"keygen", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// isBlock lists elements that stand on lines of their own.
func isBlock(name string) bool {
	switch name {
	case "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl", "dt", "dd",
		"fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header",
		"hgroup", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "p", "plaintext", "pre", "search",
		"section", "summary", "ul", "xmp":
		return true
	}
	return isTablePart(name)
}

func isTablePart(name string) bool {
	switch name {
	case "table", "caption", "colgroup", "thead", "tbody", "tfoot", "tr", "td", "th":
		return true
	}
	return false
}

// isApart lists inline elements whose text does not run on into their neighbours'.
func isApart(name string) bool {
	switch name {
	case "button", "option", "select", "textarea":
		return true
	}
	return false
}

// endsHeading lists elements that do not follow text in a heading: one that was left open ends there.
func endsHeading(name string) bool {
	switch name {
	case "p", "ul", "ol", "dl", "table", "pre", "blockquote", "section", "article", "main":
		return true
	}
	return false
}
