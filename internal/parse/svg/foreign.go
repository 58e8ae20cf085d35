package svg

import (
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// html is the namespace of what a drawing shows as a page does.
const html = "http://www.w3.org/1999/xhtml"

// foreign reads the page inside a foreignObject whose start was read last, as lines. It is nil for one without text.
func (r *reader) foreign(e ooxml.Element) (*node, error) {
	n := r.start(e)
	var words strings.Builder
	var visit func(e ooxml.Element) error
	text := func(t []byte) { words.WriteString(strings.NewReplacer("\n", " ", "\r", " ").Replace(string(t))) }
	visit = func(e ooxml.Element) error {
		if e.Space != html && e.Space != "" || silent(e) {
			return nil
		}
		apart := lined(e.Name)
		if apart {
			words.WriteByte('\n')
		}
		err := r.in.Content(visit, text)
		if apart {
			words.WriteByte('\n')
		}
		return err
	}
	err := r.in.Content(visit, text)
	if n.texts = []string{words.String()}; strings.TrimSpace(n.texts[0]) == "" {
		return nil, err
	}
	return n, err
}

// silent reports whether nothing of an element of a page is seen.
func silent(e ooxml.Element) bool {
	switch e.Name {
	case "script", "style", "head", "title", "template", "noscript", "iframe", "object", "audio", "video", "canvas", "select", "textarea":
		return true
	}
	if _, hidden := e.Lookup("hidden"); hidden {
		return true
	}
	for declaration := range strings.SplitSeq(strings.ToLower(e.Attr("style")), ";") {
		name, value, _ := strings.Cut(declaration, ":")
		switch name, value = strings.TrimSpace(name), strings.TrimSpace(value); {
		case name == "display" && value == "none", name == "visibility" && (value == "hidden" || value == "collapse"), name == "opacity" && zero(value), name == "font-size" && zero(strings.TrimRight(value, "pxtem")):
			return true
		}
	}
	return false
}

// lined reports whether an element of a page stands on lines of its own, or ends one.
func lined(name string) bool {
	switch name {
	case "p", "div", "br", "hr", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "pre", "blockquote", "section", "article", "header", "footer", "h1", "h2", "h3", "h4", "h5", "h6":
		return true
	}
	return false
}

// page puts the lines of a foreignObject below one another at its place. They stay together.
func (w *walk) page(n *node, s state) {
	if w.repeating && !w.pen.Writes() {
		return
	}
	w.count(1 + len(n.texts[0]))
	corner := point{number(n.x, s.size), number(n.y, s.size)}
	wide, high := number(n.attrs["width"], s.size), number(n.attrs["height"], s.size)
	var labels []drawing.Label
	for text := range strings.SplitSeq(n.texts[0], "\n") {
		if text = collapsed(text); text == "" {
			continue
		}
		l := &line{at: point{corner.x, corner.y + (float64(len(labels))*between+rise)*s.size}, state: s, node: n}
		region := l.region(text)
		if wide > 0 && high > 0 && !strings.HasSuffix(n.attrs["width"], "%") {
			region = s.frame.Around(box{corner.x, corner.y, corner.x + wide, corner.y + high})
		}
		if s.visible == "hidden" || s.visible == "collapse" || w.view != nil && outside(*w.view, region) {
			w.dropped = true
			continue
		}
		if w.write(l, text, region); w.repeating {
			continue
		}
		labels = append(labels, drawing.Label{Text: text, Box: [4]float64(region), Height: s.size * s.frame.Scale(), Place: corpus.SVGLocator{
			Element: n.name, ID: s.id, No: n.no, X: n.x, Y: n.y, Layer: s.layer, Region: &region,
		}})
	}
	if len(labels) > 1 {
		w.group++
		for i := range labels {
			labels[i].Group, labels[i].Form = w.group, drawing.List
		}
	}
	for _, l := range labels {
		w.put(s.layer, l)
	}
}

// between is the distance of lines on a page, in sizes of the font.
const between = 1.2

// chosen is the one of a switch that a viewer shows which knows pages in drawings; nil where there is none. What else stands in
// the switch is for those that do not.
func (n *node) chosen() *node {
	for _, child := range n.nodes {
		if child.name == "foreignObject" {
			return child
		}
	}
	return nil
}
