package svg

import (
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
)

type point struct{ x, y float64 }

// line is a line of a text: from where an element states a position of its own.
type line struct {
	words strings.Builder
	at    point
	state state
	node  *node
}

func (l *line) empty() bool { return strings.TrimSpace(l.words.String()) == "" }

// flow reads a text and the spans in it.
type flow struct {
	lines []*line
	at    point
	work  int // elements and bytes that were read
}

// text reads a text element. Its lines stay together.
func (w *walk) text(n *node, s state) {
	if w.repeating && !w.pen.Writes() {
		return
	}
	f := flow{}
	f.span(n, s)
	w.count(f.work)
	var labels []drawing.Label
	for _, l := range f.lines {
		text := collapsed(l.words.String())
		if text == "" {
			continue
		}
		region := l.region(text)
		if l.state.unseen() || w.view != nil && outside(*w.view, region) {
			w.dropped = true
			continue
		}
		if w.write(l, text, region); w.repeating {
			continue
		}
		at := corpus.SVGLocator{
			Element: l.node.name, ID: l.state.id, No: l.node.no, X: l.node.x, Y: l.node.y, Layer: s.layer, Region: &region,
		}
		labels = append(labels, drawing.Label{Text: text, Place: at, Box: [4]float64(region), Height: l.state.size * l.state.frame.Scale()})
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

// span reads an element of a text. One that states another height, or a place further to the left,
// begins a line.
func (f *flow) span(n *node, s state) {
	moved := len(f.lines) == 0
	if n.x != "" || n.y != "" {
		to := f.at
		if n.x != "" {
			to.x = number(n.x, s.size)
		}
		if n.y != "" {
			to.y = number(n.y, s.size)
		}
		moved = moved || to.y != f.at.y || to.x <= f.at.x || f.lines[len(f.lines)-1].empty()
		f.at = to
	}
	if dy := number(n.dy, s.size); dy != 0 && n.x != "" {
		f.at.y, moved = f.at.y+dy, true
	}
	switch {
	case moved || f.lines[len(f.lines)-1].state.unseen() != s.unseen():
		f.lines = append(f.lines, &line{at: f.at, state: s, node: n})
	case n.x != "":
		f.lines[len(f.lines)-1].words.WriteByte(' ')
	}
	own := f.lines[len(f.lines)-1]
	for i, t := range n.texts {
		f.work += 1 + len(t)
		own.words.WriteString(t)
		if i >= len(n.nodes) {
			break
		}
		if child := n.nodes[i]; child.name != "title" && child.name != "desc" {
			f.span(child, s.inside(child))
			if last := f.lines[len(f.lines)-1]; last.state.unseen() == s.unseen() {
				own = last
			} else if i+1 < len(n.texts) && strings.TrimSpace(n.texts[i+1]) != "" {
				own = &line{at: f.at, state: s, node: n}
				f.lines = append(f.lines, own)
			}
		}
	}
}

// How wide letters are and how far they reach up and down, in sizes of the font.
const (
	narrow = 0.55
	wide   = 1
	rise   = 0.8
	fall   = 0.2
)

func (l *line) region(text string) corpus.Region {
	size := l.state.size
	width := size * drawing.Width(text, narrow, wide)
	left := l.at.x
	switch l.state.anchor {
	case "middle":
		left -= width / 2
	case "end":
		left -= width
	}
	return l.state.frame.Around(box{left, l.at.y - rise*size, left + width, l.at.y + fall*size})
}
