package parse

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// attributes are those that decide whether and how an element is rendered.
type attributes struct {
	hidden bool
	open   bool
	role   string
	class  string
	id     string
}

func tagAttributes(z *html.Tokenizer, more bool) attributes {
	var a attributes
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
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
			a.hidden = a.hidden || hides(string(value))
		}
	}
	return a
}

// hides reports whether a style takes its element out of sight.
func hides(style string) bool {
	for rule := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(rule, ":")
		value, _, _ = strings.Cut(value, "!")
		clean := strings.ToLower(strings.TrimFunc(name, unicode.IsSpace) + ":" + strings.TrimFunc(value, unicode.IsSpace))
		if clean == "display:none" || clean == "visibility:hidden" {
			return true
		}
	}
	return false
}

// unseen reports whether a reader of the page's content does not see an element: it is never
// displayed, or belongs to the frame around the content.
func (p *page) unseen(name string, a attributes, parent *frame) bool {
	if isUnseen(name) || name == "dialog" && !a.open || p.hidden.hide(name, a) {
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
