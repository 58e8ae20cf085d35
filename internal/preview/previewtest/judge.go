// Package previewtest judges rendered HTML. It shares no code with the renderer: it reads the
// fragment with a parser of HTML, and holds it against lists of its own.
package previewtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Case is hostile Markdown, and what its rendering must not hold.
type Case struct {
	ID       string   `json:"id"`
	Class    string   `json:"class"`
	Markdown string   `json:"markdown"`
	Never    []string `json:"must_not_contain"`
	Always   []string `json:"must_contain"`
	Scope    string   `json:"scope"` // "all" where the text is judged too
}

// urls are the attributes that hold addresses.
var urls = []string{
	"href", "src", "action", "formaction", "xlink:href", "poster", "data", "background", "cite", "ping", "srcset", "srcdoc", "longdesc",
}

var elements = strings.Fields("p br hr h1 h2 h3 h4 h5 h6 em strong del s code pre blockquote ul ol li table thead tbody tfoot tr th td " +
	"sup sub span div section")

// attributes are allowed on elements; "*" stands for all of them. Links, pictures and fields are on no
// list, so that none of them can stand in what is judged.
var attributes = map[string]string{
	"*": "id data-start data-end title dir lang", "code": "class", "ol": "start", "sup": "class", "div": "class role", "section": "class",
	"span": "class data-ref", "li": "class", "th": "align scope colspan rowspan", "td": "align colspan rowspan",
}

var values = map[string]*regexp.Regexp{
	"id": regexp.MustCompile(`^doc-[a-z0-9_-]+$`), "data-start": digits, "data-end": digits, "colspan": digits, "rowspan": digits, "start": digits,
	"title": regexp.MustCompile(`^[a-z0-9]{0,20}$`), "class": regexp.MustCompile(`^(language-[a-z0-9+#_.-]{0,40}|doc[a-z0-9_ -]*)$`),
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// Faults holds a fragment against what any fragment may hold.
func Faults(fragment string) []string {
	_, _, faults := read(fragment)
	return append(faults, unbuilt(fragment)...)
}

// Tags lists what is not allowed among the tags of a text, whatever tree they make.
func Tags(fragment string) []string {
	_, _, faults := read(fragment)
	return faults
}

// Judge holds the rendering of a case against what it must not hold, and against Faults.
func Judge(c Case, fragment string) []string {
	markup, text, faults := read(fragment)
	for _, never := range c.Never {
		never = strings.ToLower(never)
		if strings.Contains(markup, never) || c.Scope == "all" && strings.Contains(text, never) {
			faults = append(faults, fmt.Sprintf("contains %q", never))
		}
	}
	for _, always := range c.Always {
		if !strings.Contains(markup+text, strings.ToLower(always)) {
			faults = append(faults, fmt.Sprintf("lost %q", always))
		}
	}
	return append(faults, unbuilt(fragment)...)
}

// read writes the markup again as a parser understood it, apart from the text, and lists what is not
// allowed.
func read(fragment string) (markup, text string, faults []string) {
	var m, t strings.Builder
	z := html.NewTokenizer(strings.NewReader(fragment))
	for {
		kind := z.Next()
		token := z.Token()
		switch kind {
		case html.ErrorToken:
			return m.String(), t.String(), faults
		case html.TextToken:
			t.WriteString(strings.ToLower(token.Data))
		case html.EndTagToken:
			m.WriteString("</" + token.Data + ">")
		case html.StartTagToken, html.SelfClosingTagToken:
			m.WriteString("<" + token.Data)
			for _, a := range token.Attr {
				m.WriteString(" " + a.Key + `="` + html.EscapeString(normal(a)) + `"`)
			}
			m.WriteString(">")
			faults = append(faults, tagFaults(token.Data, token.Attr)...)
		default:
			m.WriteString("<!" + strings.ToLower(token.Data) + ">")
			faults = append(faults, "a comment or declaration: "+token.Data)
		}
	}
}

// normal is the value of an attribute as a browser takes it.
func normal(a html.Attribute) string {
	v := strings.ToLower(a.Val)
	if slices.Contains(urls, a.Key) {
		v = strings.TrimFunc(strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(v), func(r rune) bool { return r <= ' ' })
	}
	return v
}

// allowed are the attributes of each element.
var allowed = listed()

func listed() map[string][]string {
	out := map[string][]string{}
	for _, name := range elements {
		out[name] = strings.Fields(attributes["*"] + " " + attributes[name])
	}
	return out
}

func tagFaults(name string, attrs []html.Attribute) []string {
	var faults []string
	if allowed[name] == nil {
		faults = append(faults, "element "+name)
	}
	for _, a := range attrs {
		pattern := values[a.Key]
		if !slices.Contains(allowed[name], a.Key) || slices.Contains(urls, a.Key) || pattern == nil || !pattern.MatchString(normal(a)) {
			faults = append(faults, fmt.Sprintf("attribute %s.%s=%.60q", name, a.Key, a.Val))
		}
	}
	return faults
}

// unbuilt builds the tree of a fragment, as a browser would, and lists what is not allowed in it, or
// not where it was written.
func unbuilt(fragment string) []string {
	var faults []string
	ids := map[string]bool{}
	var tags, built int
	for n := range Tree(fragment).Descendants() {
		switch n.Type {
		case html.ElementNode:
			if n.Namespace != "" {
				faults = append(faults, "foreign element "+n.Data)
			}
			built++
			faults = append(faults, tagFaults(n.Data, n.Attr)...)
			if id := attribute(n, "id"); id != "" {
				if ids[id] {
					faults = append(faults, "twice the id "+id)
				}
				ids[id] = true
			}
		case html.TextNode:
		default:
			faults = append(faults, "a node that is neither element nor text")
		}
	}
	z := html.NewTokenizer(strings.NewReader(fragment))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind == html.StartTagToken {
			tags++
		}
	}
	if tags != built {
		faults = append(faults, fmt.Sprintf("%d elements were written, and %d are built", tags, built))
	}
	return faults
}

// Tree builds the tree of a fragment.
func Tree(fragment string) *html.Node {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(fragment), body)
	if err != nil {
		panic(err) // a reader of a string has no error
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	return body
}

// Text returns the text of a node.
func Text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// Placed is an element that holds a span of a document.
type Placed struct {
	ID, Name, Class string
	Start, End      int
	Text            string
	Gaps            []Gap // what of the span is left out, in order
}

// Gap is a span of a document that is not shown.
type Gap struct {
	After      int // code points that its element shows before it
	Start, End int
}

// PlacedIn returns the elements of a fragment with their spans; it fails for one without numbers.
func PlacedIn(fragment string) (out []Placed, err error) {
	for n := range Tree(fragment).Descendants() {
		start, end := attribute(n, "data-start"), attribute(n, "data-end")
		id := attribute(n, "id")
		if n.Type != html.ElementNode || start+end+id == "" {
			continue
		}
		p := Placed{ID: id, Name: n.Data, Class: attribute(n, "class"), Text: Text(n), Start: -1, End: -1}
		if start+end != "" {
			if p.Start, p.End, err = span(n); err != nil {
				return nil, err
			}
		}
		if p.Gaps, err = gaps(n); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func span(n *html.Node) (start, end int, err error) {
	if start, err = strconv.Atoi(attribute(n, "data-start")); err == nil {
		end, err = strconv.Atoi(attribute(n, "data-end"))
	}
	return start, end, err
}

// gaps returns what an element leaves out, whether it is left out itself or something in it.
func gaps(n *html.Node) (out []Gap, err error) {
	shown := 0
	look := func(d *html.Node) {
		if d.Type == html.TextNode {
			shown += utf8.RuneCountInString(d.Data)
		}
		if attribute(d, "class") == "doc-unshown" && err == nil {
			g := Gap{After: shown}
			g.Start, g.End, err = span(d)
			out = append(out, g)
		}
	}
	look(n)
	for d := range n.Descendants() {
		look(d)
	}
	return out, err
}
