package svg

import (
	"context"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// walk goes through the tree as a viewer draws it.
type walk struct {
	ids    map[string]*node
	used   map[*node]bool // shown by a use
	read   map[*node]bool
	view   *box // of the drawing, where it says one
	about  []label
	layers map[string][]drawing.Label
	order  []string // of the layers
	group  int
	// dropped says that there is text that nobody sees.
	dropped bool

	// Where it is drawn, with a pen:
	ctx       context.Context
	pen       *drawing.Pen
	waiting   []showing // of what was drawn before
	repeating bool
	steps     int          // of what is drawn again
	work      drawing.Work // of all
}

func newWalk(root *node) *walk {
	w := &walk{ids: map[string]*node{}, used: map[*node]bool{}, read: map[*node]bool{}}
	w.index(root)
	return w
}

type label struct {
	drawing.Label
	title bool
}

// index finds the elements that a use may show: the first of each id.
func (w *walk) index(n *node) {
	w.layers = map[string][]drawing.Label{}
	var visit func(n *node)
	visit = func(n *node) {
		if n.id != "" && w.ids[n.id] == nil {
			w.ids[n.id] = n
		}
		for _, child := range n.nodes {
			visit(child)
		}
	}
	visit(n)
	w.view = n.view()
}

// mostDepth bounds how deep elements are shown in one another, with those that a use shows.
const mostDepth = 512

// enter reads an element; in is what it takes from those around it.
func (w *walk) enter(n *node, in state) error {
	s := in.inside(n)
	switch {
	case w.over(s):
		return nil
	case w.pen != nil:
		if err := w.work.Err(w.ctx); err != nil {
			return err
		}
	}
	if s.depth > mostDepth {
		return ooxml.Refuse("drawing_depth_limit", "shows elements in one another more than %d deep", mostDepth)
	}
	if s.gone {
		w.drop(n)
		return nil
	}
	if n.name == "defs" || n.name == "symbol" {
		return nil
	}
	if w.read[n] && !w.repeating { // also what stands in a place of its own and is shown elsewhere too
		return nil
	}
	w.read[n] = true
	w.draw(n, s)
	switch n.name {
	case "title", "desc":
		w.words(n, s)
		return nil
	case "text":
		w.text(n, s)
		return nil
	case "foreignObject":
		w.page(n, s)
		return nil
	case "switch":
		if one := n.chosen(); one != nil {
			return w.enter(one, s)
		}
	case "use":
		return w.use(n, s, in)
	}
	for _, child := range n.nodes {
		if err := w.enter(child, s); err != nil {
			return err
		}
	}
	return nil
}

// use reads what a use shows. What was read before, or shown by another use, is not read again.
func (w *walk) use(n *node, s, before state) error {
	name, ok := strings.CutPrefix(n.href, "#")
	target := w.ids[name]
	if !ok || target == nil || w.drawn(target, s) {
		return nil
	}
	if !w.repeating && (w.used[target] || w.read[target]) {
		w.again(n, before)
		return nil
	}
	w.used[target] = true
	s.frame = s.frame.Moved(number(n.x, s.size), number(n.y, s.size))
	if target.name != "symbol" && target.name != "svg" {
		return w.enter(target, s)
	}
	s = s.inside(target)
	if s.depth > mostDepth {
		return ooxml.Refuse("drawing_depth_limit", "shows elements in one another more than %d deep", mostDepth)
	}
	if s.gone {
		w.drop(target)
		return nil
	}
	for _, child := range target.nodes {
		if err := w.enter(child, s); err != nil {
			return err
		}
	}
	return nil
}

// drawn reports whether an element is one of those around a use, which no viewer draws again.
func (w *walk) drawn(n *node, s state) bool {
	for at := s.around; at != nil; at = at.before {
		if at.node == n {
			return true
		}
	}
	return false
}

// words reads a title or a description.
func (w *walk) words(n *node, s state) {
	if w.repeating {
		return
	}
	text := collapsed(n.all())
	if text == "" {
		return
	}
	l := label{title: n.name == "title", Label: drawing.Label{
		Text: text, Height: s.size, Box: [4]float64(s.frame.Around(box{})),
		Place: corpus.SVGLocator{Element: n.name, ID: s.id, No: n.no, Layer: s.layer},
	}}
	if s.depth == 2 {
		w.about = append(w.about, l)
		return
	}
	w.put(s.layer, l.Label)
}

// drop leaves an element out that nobody sees.
func (w *walk) drop(n *node) {
	w.dropped = w.dropped || !w.repeating && strings.TrimSpace(n.all()) != ""
}

// all returns the text of an element and of those in it.
func (n *node) all() string {
	var b strings.Builder
	for i, t := range n.texts {
		b.WriteString(t)
		if i < len(n.nodes) {
			b.WriteString(n.nodes[i].all())
		}
	}
	return b.String()
}

func (w *walk) put(layer string, l drawing.Label) {
	if w.layers[layer] == nil {
		w.order = append(w.order, layer)
	}
	w.layers[layer] = append(w.layers[layer], l)
}
