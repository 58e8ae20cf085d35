package parse

import (
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// indent is a line taken apart at its first character that is not white space. Columns count
// tabs as stops of four.
type indent struct {
	columns int
	base    int // content column of the innermost list item that the line is in
	rest    string
}

func newIndent(s string) indent {
	columns := 0
	for i := range len(s) {
		switch s[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return indent{columns: columns, rest: s[i:]}
		}
	}
	return indent{columns: columns}
}

func (t indent) beyond() int { return t.columns - t.base }

// interrupts reports whether a line begins a block that ends a paragraph. Outside says that the
// line is not inside the paragraph's list item; then any number may begin an item.
func (t indent) interrupts(outside bool) bool {
	if _, _, ok := atxHeading(t.rest); ok {
		return true
	}
	if _, ok := openFence(t.rest); ok {
		return true
	}
	if _, ok := htmlStart(t.rest, false); ok || isRule(t.rest) || strings.HasPrefix(t.rest, ">") {
		return true
	}
	_, content, ok := listMarker(t.rest)
	if !ok || content == "" && !outside {
		return false
	}
	return outside || t.rest[0] < '0' || t.rest[0] > '9' || strings.HasPrefix(t.rest, "1.") || strings.HasPrefix(t.rest, "1)")
}

// atxHeading reads "## Name ##".
func atxHeading(s string) (level int, name string, ok bool) {
	for level < len(s) && s[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(s) && s[level] != ' ' && s[level] != '\t' {
		return 0, "", false
	}
	name = strings.Trim(s[level:], " \t")
	if closed := strings.TrimRight(name, "#"); closed == "" || strings.HasSuffix(closed, " ") || strings.HasSuffix(closed, "\t") {
		name = strings.TrimRight(closed, " \t")
	}
	return level, name, true
}

// setextLevel reads the underline of a heading: 1 for "===", 2 for "---", otherwise 0.
func setextLevel(s string) int {
	s = strings.TrimRight(s, " \t")
	switch {
	case s == "":
		return 0
	case strings.Trim(s, "=") == "":
		return 1
	case strings.Trim(s, "-") == "":
		return 2
	}
	return 0
}

// isRule reports a thematic break: three or more of one of * - _, with spaces between.
func isRule(s string) bool {
	if s == "" || s[0] != '*' && s[0] != '-' && s[0] != '_' {
		return false
	}
	n := 0
	for i := range len(s) {
		switch s[i] {
		case s[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// fence is the opening of a fenced block.
type fence struct {
	mark byte
	n    int
}

func openFence(s string) (fence, bool) {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return fence{}, false
	}
	f := fence{mark: s[0]}
	for f.n < len(s) && s[f.n] == f.mark {
		f.n++
	}
	if f.n < 3 || f.mark == '`' && strings.IndexByte(s[f.n:], '`') >= 0 {
		return fence{}, false
	}
	return f, true
}

func (f fence) closedBy(s string) bool {
	s = strings.TrimRight(s, " \t")
	return len(s) >= f.n && strings.Trim(s, string(rune(f.mark))) == ""
}

// listMarker reads "- ", "* ", "+ ", "1. " or "1) ". Width is the distance of the content from
// the marker, in columns.
func listMarker(s string) (width int, content string, ok bool) {
	n := 0
	switch {
	case s == "":
		return 0, "", false
	case s[0] == '-' || s[0] == '*' || s[0] == '+':
		n = 1
	default:
		for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == 0 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0, "", false
		}
		n++
	}
	if n == len(s) {
		return n + 1, "", true
	}
	if s[n] != ' ' && s[n] != '\t' {
		return 0, "", false
	}
	inner := newIndent(s[n:])
	if inner.columns > 4 || inner.rest == "" {
		return n + 1, inner.rest, true
	}
	return n + inner.columns, inner.rest, true
}

// quotesText reports whether a line of a quote is text that the next line can go on with.
func quotesText(s string) bool {
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, ">") {
		return true // went on with the quote itself
	}
	s = strings.TrimLeft(s, "> \t")
	_, _, heading := atxHeading(s)
	return s != "" && !heading && !isRule(s)
}

// isDelimiterRow reports whether s is the delimiter row of a table under the line head: as many
// cells of dashes and colons as the head has cells.
func isDelimiterRow(s, head string) bool {
	if strings.IndexByte(s, '-') < 0 || strings.IndexByte(head, '|') < 0 || strings.Trim(s, "|-: \t") != "" {
		return false
	}
	n := 0
	for _, cell := range strings.Split(trimPipes(s), "|") {
		cell = strings.Trim(cell, " \t")
		cell = strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":")
		if cell == "" || strings.Trim(cell, "-") != "" {
			return false
		}
		n++
	}
	return n == countCells(head)
}

func trimPipes(s string) string {
	s = strings.Trim(s, " \t")
	s = strings.TrimPrefix(s, "|")
	return strings.TrimSuffix(s, "|")
}

// countCells counts the cells of a row: a backslash takes the meaning from a pipe.
func countCells(row string) int {
	row = strings.Trim(row, " \t")
	row = strings.TrimPrefix(row, "|")
	n, open := 0, true
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case '\\':
			i++
			open = true
		case '|':
			n++
			open = false
		default:
			open = true
		}
	}
	if open {
		n++
	}
	return n
}

// htmlStart reports whether a line begins a block of raw HTML, and what ends it: "" is a blank
// line. Any says that the line does not stand in a paragraph, so that any lone tag will do.
func htmlStart(s string, any bool) (until string, ok bool) {
	if len(s) < 2 || s[0] != '<' {
		return "", false
	}
	for _, e := range [...]struct{ begin, until string }{
		{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"},
		{"<script", "</script>"}, {"<pre", "</pre>"}, {"<style", "</style>"}, {"<textarea", "</textarea>"},
	} {
		if len(s) < len(e.begin) || !strings.EqualFold(s[:len(e.begin)], e.begin) {
			continue
		}
		if after := s[len(e.begin):]; e.begin[1] == '!' || e.begin[1] == '?' || after == "" || strings.IndexByte(" \t>", after[0]) >= 0 {
			return e.until, true
		}
	}
	name := strings.TrimPrefix(s[1:], "/")
	n := strings.IndexFunc(name, func(r rune) bool { return !isNameRune(r) })
	if n < 0 {
		n = len(name)
	}
	after := name[n:]
	if n == 0 || after != "" && strings.IndexByte(" \t/>", after[0]) < 0 {
		return "", false
	}
	if n <= 10 && markdownHTMLBlock(strings.ToLower(name[:n])) {
		return "", true
	}
	switch strings.ToLower(name[:n]) {
	case "script", "style", "pre", "textarea":
		return "", false
	}
	s = strings.TrimRight(s, " \t")
	return "", any && strings.HasSuffix(s, ">") && strings.IndexByte(s[1:len(s)-1], '>') < 0 && strings.IndexByte(s[1:], '<') < 0
}

func isNameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-'
}

func markdownHTMLBlock(name string) bool {
	switch name {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
		"colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
		"form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe",
		"legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param",
		"search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul":
		return true
	}
	return false
}

func containsFold(s, lower string) bool {
	if strings.Contains(s, lower) {
		return true
	}
	return lower[len(lower)-2] != '-' && strings.Contains(strings.ToLower(s), lower)
}

// inlineLimit bounds the markup that is read as inline Markdown, in bytes: some input costs
// quadratic time.
const inlineLimit = 1024

// inlineParser returns the one CommonMark parser; it is safe for concurrent use.
var inlineParser = sync.OnceValue(goldmark.DefaultParser)

// plainInline returns the text of inline markup as a reader sees it: without emphasis marks, tags
// and link targets, with entities and escapes resolved.
func plainInline(markup string) string {
	if i := strings.LastIndex(markup, "{"); i > 0 && strings.HasSuffix(markup, "}") && strings.IndexByte("#.", markup[i+1]) >= 0 {
		markup = strings.TrimRight(markup[:i], " \t")
	}
	if len(markup) > inlineLimit || !strings.ContainsAny(markup, "*_`[]<>&\\!~") {
		return strings.TrimSpace(markup)
	}
	source := []byte("# " + markup)
	var b strings.Builder
	doc := inlineParser().Parse(text.NewReader(source))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					b.Write(t.Value(source))
				}
			}
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			value := util.UnescapePunctuations(n.Value(source))
			b.Write(util.ResolveEntityNames(util.ResolveNumericReferences(value)))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	name := strings.Join(strings.Fields(b.String()), " ")
	if name == "" {
		return strings.TrimSpace(markup)
	}
	return name
}

// headingLevel reads "h1" to "h6"; 0 for any other name.
func headingLevel(name string) int {
	if len(name) != 2 || name[0] != 'h' {
		return 0
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil || n < 1 || n > 6 {
		return 0
	}
	return n
}
