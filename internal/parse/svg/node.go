package svg

import (
	"context"
	"maps"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// node is an element of which something could be shown as text.
type node struct {
	name, id, href string
	no             int // of all elements of the file
	layer          string
	x, y, dy       string
	rule           string // its id for style sheets
	class, style   string
	attrs          map[string]string // those that say how it looks and where it is
	nodes          []*node
	texts          []string          // before each of its nodes, and after the last
	sizes          map[string]string // of a shape: the attributes that say what it looks like
	made           *drawing.Path     // what it draws, once that was made
	frame          drawing.Frame     // its transformation
}

// reader builds the tree of what could be shown.
type reader struct {
	ctx   context.Context
	in    *ooxml.Reader
	rules map[string]map[string]string // declarations of the style sheet, by selector
	no    int
	kept  int
	// shapes says that lines and areas are wanted too; lost, that some are left out.
	shapes, lost bool
	size, drawn  int // bytes of what shapes are drawn by, and how many there are
}

func read(ctx context.Context, data []byte, limits ooxml.Limits) (*node, error) {
	root, _, err := readAll(ctx, data, limits, false)
	return root, err
}

// readAll reads a drawing, with its shapes if they are wanted; lost says that some of them are left out.
func readAll(ctx context.Context, data []byte, limits ooxml.Limits, shapes bool) (root *node, lost bool, err error) {
	err = ooxml.ReadAlone(data, limits, func(in *ooxml.Reader) error {
		if in.Root.Name != "svg" || in.Root.Space != "" && in.Root.Space != space {
			return ooxml.Refuse("content_mismatch", "has a name for an SVG drawing, but its content is something else")
		}
		r := &reader{ctx: ctx, in: in, rules: map[string]map[string]string{}, shapes: shapes}
		var err error
		if root, err = r.element(in.Root); root != nil {
			r.dress(root)
		}
		lost = r.lost
		return err
	})
	return root, lost, err
}

// space is the namespace of the elements of a drawing.
const space = "http://www.w3.org/2000/svg"

// unread are the elements of which nothing is shown as text.
func unread(name string) bool {
	switch name {
	case "script", "metadata", "clipPath", "mask", "pattern", "marker", "filter", "linearGradient", "radialGradient", "image", "font", "glyph":
		return true
	}
	return false
}

// element reads the element whose start was read last. It is nil for one of which nothing could be shown.
func (r *reader) element(e ooxml.Element) (*node, error) {
	if r.no++; r.no%10_000 == 0 && r.ctx.Err() != nil {
		return nil, r.ctx.Err()
	}
	foreign := e.Space != "" && e.Space != space
	switch {
	case foreign || unread(e.Name):
		r.lost = r.lost || e.Name == "image"
		return nil, nil
	case e.Name == "foreignObject":
		r.lost = true // its lines are shown, and not how the page looks
		return r.foreign(e)
	case e.Name == "style":
		text, err := r.in.Text()
		r.sheet(text)
		return nil, err
	}
	n := r.start(e)
	shape := r.shape(e, n)
	flows := e.Name == "text" || e.Name == "tspan" || e.Name == "textPath" || e.Name == "a" || e.Name == "title" || e.Name == "desc"
	var words strings.Builder
	err := r.in.Content(func(e ooxml.Element) error {
		child, err := r.element(e)
		if child != nil {
			n.nodes = append(n.nodes, child)
			n.texts = append(n.texts, words.String())
			words.Reset()
		}
		return err
	}, func(text []byte) {
		if flows {
			words.Write(text)
		}
	})
	n.texts = append(n.texts, words.String())
	if err == nil && n.no != 1 && n.name != "use" && !shape && len(n.nodes) == 0 && strings.TrimSpace(n.texts[0]) == "" {
		return nil, nil
	}
	if r.kept++; r.kept > mostKept && r.shapes {
		r.lost = true
		return nil, err
	}
	if r.kept > mostKept && err == nil {
		err = ooxml.Refuse("drawing_entity_limit", "has more than the %d texts and uses that are allowed", mostKept)
	}
	return n, err
}

// mostKept bounds the elements of which something could be shown as text.
const mostKept = 300_000

// looks are the attributes and properties that count.
func looks() []string {
	return []string{
		"display", "visibility", "opacity", "fill-opacity", "fill", "stroke", "font-size", "text-anchor",
		"transform", "x", "y", "width", "height", "viewBox",
	}
}

// most bounds the attributes that places repeat, in bytes.
const most = 200

// start takes what counts of an element.
func (r *reader) start(e ooxml.Element) *node {
	n := &node{name: e.Name, no: r.no, attrs: map[string]string{}}
	n.id, n.x, n.y = cut(e.Attr("id")), cut(strings.TrimSpace(e.Attr("x"))), cut(strings.TrimSpace(e.Attr("y")))
	n.dy = cut(strings.TrimSpace(e.Attr("dy")))
	if id, ok := strings.CutPrefix(strings.TrimSpace(e.Attr("href")), "#"); ok {
		n.href = "#" + cut(id) // as the id of what it names
	}
	if e.Name == "g" && e.Attr("groupmode") == "layer" {
		n.layer = collapsed(cut(e.Attr("label")))
	}
	for _, name := range looks() {
		if v, ok := e.Lookup(name); ok {
			n.attrs[name] = v
		}
	}
	n.rule, n.class, n.style = e.Attr("id"), e.Attr("class"), e.Attr("style")
	return n
}

// dress gives an element and those in it what the style sheets say of them, and then their own styles. It is
// done when all was read: a sheet holds for what stands before it too.
func (r *reader) dress(n *node) {
	take := func(declarations map[string]string) { maps.Copy(n.attrs, declarations) }
	if len(r.rules) > 0 {
		take(r.rules[n.name])
		for _, class := range strings.Fields(n.class) {
			take(r.rules["."+class])
			take(r.rules[n.name+"."+class])
		}
		take(r.rules["#"+n.rule])
	}
	take(declared(n.style))
	// What is read again wherever the element is shown is short.
	n.frame = transform(n.attrs["transform"])
	for name, v := range n.attrs {
		n.attrs[name] = cut(strings.TrimSpace(v))
	}
	for _, child := range n.nodes {
		r.dress(child)
	}
}

func cut(s string) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

// sheet takes the simple rules of a style sheet: those for an element, a class or an id. The others,
// and those under a condition, are not read.
func (r *reader) sheet(text string) {
	for text != "" && len(r.rules) < mostRules {
		selectors, rest, ok := strings.Cut(text, "{")
		if !ok {
			return
		}
		if strings.Contains(selectors, "@") {
			text = afterBlock(rest)
			continue
		}
		body, rest, ok := strings.Cut(rest, "}")
		if !ok {
			return
		}
		text = rest
		found := declared(body)
		for s := range strings.SplitSeq(comment(selectors), ",") {
			if s = strings.TrimSpace(s); s == "" || strings.ContainsAny(s, " >+~:[*") || len(found) == 0 {
				continue
			}
			if r.rules[s] == nil && len(r.rules) == mostRules {
				return
			}
			if r.rules[s] == nil {
				r.rules[s] = map[string]string{}
			}
			for name, value := range found {
				r.rules[s][name] = value
			}
		}
	}
}

// mostRules bounds the rules of style sheets.
const mostRules = 10_000

// afterBlock returns what follows a block in braces whose beginning was read.
func afterBlock(s string) string {
	depth := 1
	for i, c := range s {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[i+1:]
			}
		}
	}
	return ""
}

// comment takes the comments before a selector away.
func comment(s string) string {
	if i := strings.LastIndex(s, "*/"); i >= 0 {
		return s[i+2:]
	}
	return s
}

// declared returns the properties of a style that count.
func declared(style string) map[string]string {
	if style == "" {
		return nil
	}
	out := map[string]string{}
	for d := range strings.SplitSeq(style, ";") {
		name, value, ok := strings.Cut(d, ":")
		if !ok {
			continue
		}
		name = strings.ToLower(strings.TrimSpace(comment(name)))
		for _, l := range looks()[:9] {
			if l == name {
				out[name] = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
			}
		}
	}
	return out
}
