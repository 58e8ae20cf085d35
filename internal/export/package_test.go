package export_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The checks here read a package by the rules of its standard, and share nothing with the writer.

// node is an element of a parsed part.
type node struct {
	name     string // without its namespace
	attr     map[string]string
	text     string
	children []*node
}

func (n *node) all(name string) (out []*node) {
	for _, c := range n.children {
		if c.name == name {
			out = append(out, c)
		}
		out = append(out, c.all(name)...)
	}
	return out
}

// said is the text of a paragraph or of all there is, a tab for each tab.
func (n *node) said() string {
	switch n.name {
	case "t":
		return n.text
	case "tab":
		if len(n.attr) == 0 {
			return "\t"
		}
	case "br":
		return "\n"
	}
	var b strings.Builder
	for _, c := range n.children {
		b.WriteString(c.said())
	}
	return b.String()
}

// parsed reads one part; a part that is not well-formed, or declares entities, fails the test.
func parsed(t *testing.T, name string, raw []byte) *node {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(raw))
	root := &node{}
	stack := []*node{root}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s is not well-formed: %v", name, err)
		}
		top := stack[len(stack)-1]
		switch x := token.(type) {
		case xml.StartElement:
			n := &node{name: x.Name.Local, attr: map[string]string{}}
			for _, a := range x.Attr {
				if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" && a.Name.Local != "space" {
					n.attr[a.Name.Local] = a.Value
				}
			}
			top.children = append(top.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text += string(x)
		case xml.Directive, xml.Comment:
			t.Fatalf("%s holds %T", name, x)
		}
	}
	if len(stack) != 1 || len(root.children) != 1 {
		t.Fatalf("%s has %d roots", name, len(root.children))
	}
	return root.children[0]
}

// opened reads a package and checks all that must be true of it, whatever it says.
func opened(t *testing.T, raw []byte) map[string]*node {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]*node{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if parts[f.Name] != nil {
			t.Errorf("two parts are called %s", f.Name)
		}
		parts[f.Name] = parsed(t, f.Name, b)
	}
	if len(z.File) == 0 || z.File[0].Name != "[Content_Types].xml" {
		t.Fatal("the package does not begin with its content types")
	}
	typed(t, parts)
	related(t, parts)
	inactive(t, parts)
	noted(t, parts)
	styled(t, parts)
	return parts
}

// typed checks that every part has a content type, and every type a part.
func typed(t *testing.T, parts map[string]*node) {
	t.Helper()
	defaults, overrides := map[string]bool{}, map[string]bool{}
	for _, n := range parts["[Content_Types].xml"].children {
		if strings.Contains(n.attr["ContentType"], "macro") {
			t.Errorf("a part with macros: %v", n.attr)
		}
		if n.name == "Default" {
			defaults[n.attr["Extension"]] = true
		} else {
			overrides[strings.TrimPrefix(n.attr["PartName"], "/")] = true
		}
	}
	for name := range parts {
		if name != "[Content_Types].xml" && !overrides[name] && !(strings.HasSuffix(name, ".rels") && defaults["rels"]) {
			t.Errorf("%s has no content type of its own", name)
		}
	}
	for name := range overrides {
		if parts[name] == nil {
			t.Errorf("there is a type for %s, and no such part", name)
		}
	}
}

// related checks that every relationship leads to a part inside, and to every part leads one.
func related(t *testing.T, parts map[string]*node) {
	t.Helper()
	reached := map[string]bool{}
	for name, root := range parts {
		if !strings.HasSuffix(name, ".rels") {
			continue
		}
		ids := map[string]bool{}
		for _, r := range root.children {
			target := path.Join(path.Dir(path.Dir(name)), r.attr["Target"])
			if _, outside := r.attr["TargetMode"]; outside || parts[target] == nil {
				t.Errorf("%s leads to %v", name, r.attr)
			}
			if ids[r.attr["Id"]] || r.attr["Type"] == "" {
				t.Errorf("%s: %v", name, r.attr)
			}
			ids[r.attr["Id"]], reached[target] = true, true
		}
	}
	for name := range parts {
		if !reached[name] && !strings.HasSuffix(name, ".rels") && name != "[Content_Types].xml" {
			t.Errorf("nothing leads to %s", name)
		}
	}
}

// elements are all that a document of text needs. Fields, links, objects, pictures, scripts and
// custom XML are not among them.
var elements = map[string]string{
	"word/document.xml":  "document body p pPr pStyle numPr ilvl numId tabs tab ind r rPr b bCs rStyle t br footnoteReference sectPr pgSz pgMar",
	"word/footnotes.xml": "footnotes footnote p pPr pStyle r rPr rStyle footnoteRef t separator continuationSeparator",
}

func inactive(t *testing.T, parts map[string]*node) {
	t.Helper()
	for name, known := range elements {
		var look func(n *node)
		look = func(n *node) {
			if !slices.Contains(strings.Fields(known), n.name) {
				t.Errorf("%s holds <%s>", name, n.name)
			}
			for a := range n.attr {
				if a == "id" && n.name != "footnote" && n.name != "footnoteReference" || a == "href" || a == "anchor" || a == "link" {
					t.Errorf("%s: <%s> has %v", name, n.name, n.attr)
				}
			}
			for _, c := range n.children {
				look(c)
			}
		}
		look(parts[name])
	}
}

// noted checks that each mention of a note has a note of its own, in order, and each note a mention.
func noted(t *testing.T, parts map[string]*node) {
	t.Helper()
	var made, used []string
	for _, n := range parts["word/footnotes.xml"].children {
		if n.attr["type"] == "" {
			made = append(made, n.attr["id"])
		}
	}
	for _, n := range parts["word/document.xml"].all("footnoteReference") {
		used = append(used, n.attr["id"])
	}
	if !slices.Equal(made, used) {
		t.Errorf("notes %v, mentions %v", made, used)
	}
	for i, id := range made {
		if id != strconv.Itoa(i+1) {
			t.Errorf("note %d has the id %s", i+1, id)
		}
	}
}

// styled checks that every style and list that is used is there.
func styled(t *testing.T, parts map[string]*node) {
	t.Helper()
	have := map[string]bool{}
	for _, s := range parts["word/styles.xml"].all("style") {
		if have[s.attr["styleId"]] {
			t.Errorf("the style %s is there twice", s.attr["styleId"])
		}
		have[s.attr["styleId"]] = true
	}
	for _, name := range []string{"word/document.xml", "word/footnotes.xml", "word/styles.xml"} {
		for _, kind := range []string{"pStyle", "rStyle", "basedOn"} {
			for _, n := range parts[name].all(kind) {
				if !have[n.attr["val"]] {
					t.Errorf("%s uses the style %q, which is not there", name, n.attr["val"])
				}
			}
		}
	}
	levels := map[string]bool{}
	for _, l := range parts["word/numbering.xml"].all("lvl") {
		levels[l.attr["ilvl"]] = true
	}
	for _, l := range parts["word/document.xml"].all("ilvl") {
		if !levels[l.attr["val"]] {
			t.Errorf("a list has the level %s, which is not there", l.attr["val"])
		}
	}
}
