package svg

import (
	"context"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/sketch"
)

// Sketch draws a drawing. The errors are those of Parse. Texts are those that Parse reads, at their places; what a use
// shows is drawn as often as it is used. Pictures are left out, and of pages in a drawing all but their lines.
func Sketch(ctx context.Context, data []byte, limits ooxml.Limits) (sketch.Sketch, error) {
	root, lost, err := readAll(ctx, data, limits, true)
	if err != nil {
		return sketch.Sketch{}, err
	}
	w := newWalk(root)
	w.ctx, w.pen = ctx, &drawing.Pen{Partial: lost}
	if err := w.all(root); err != nil {
		return sketch.Sketch{}, err
	}
	out := w.pen.Sketch(w.view, false)
	out.Sheets = []sketch.Sheet{{}}
	return out, nil
}

// all draws what is shown once, and then what is shown again.
func (w *walk) all(root *node) error {
	if err := w.enter(root, root.start()); err != nil {
		return err
	}
	w.repeating = true
	for _, u := range w.waiting {
		if err := w.enter(u.node, u.state); err != nil {
			return err
		}
	}
	return nil
}

// The bounds of what is drawn again: elements that wait for it, and those in them with what they are made of.
const (
	mostAgain = 100_000
	mostSteps = 1_000_000
)

// showing is an element that is shown again, and what it takes from what is around it there.
type showing struct {
	node  *node
	state state
}

// again has an element drawn once more, after all were drawn that are shown once.
func (w *walk) again(n *node, s state) {
	switch {
	case w.pen == nil:
	case len(w.waiting) == mostAgain:
		w.pen.Partial = true
	default:
		w.waiting = append(w.waiting, showing{n, s})
	}
}

// count takes down what it takes to draw.
func (w *walk) count(n int) {
	if w.work.Count(n); w.repeating {
		w.steps += n
	}
}

// over counts an element, and reports that it is too much.
func (w *walk) over(s state) bool {
	if w.count(1); w.pen == nil || !w.pen.Full() && (!w.repeating || w.steps <= mostSteps && s.depth <= mostDepth) {
		return false
	}
	w.pen.Partial = true
	return true
}

// draw draws a shape.
func (w *walk) draw(n *node, s state) {
	if w.pen == nil || n.sizes == nil || s.gone || s.visible == "hidden" || s.visible == "collapse" {
		return
	}
	line, area := paintOf(s.stroke, "none"), paintOf(s.fill, "black")
	filled := !area.none && !area.pale && s.filled > 0 && n.name != "line"
	if line.none && !filled {
		return
	}
	ink := line.ink
	if line.none {
		ink = area.ink
	}
	if !w.pen.Draws() {
		return
	}
	path := w.path(n, s.size)
	w.count(len(path.Points))
	w.pen.Draw(s.frame, path, drawing.Look{Ink: ink, Filled: filled})
}

// path is what a shape draws. One of any length, which does not depend on the size of a font, is made once.
func (w *walk) path(n *node, size float64) drawing.Path {
	if n.made != nil {
		return *n.made
	}
	for _, v := range n.sizes {
		w.count(len(v))
	}
	path := n.path(size)
	if long(n.name) {
		n.made = &path
	}
	return path
}

// write draws the lines of a text, each of which is a place of its own.
func (w *walk) write(l *line, text string, region corpus.Region) {
	if w.pen == nil {
		return
	}
	place, size := l.node.no, l.state.size
	if w.repeating {
		place = 0
	}
	align := map[string]sketch.Align{"middle": sketch.Middle, "end": sketch.End}[l.state.anchor]
	w.pen.Write(place, region, []drawing.Line{{
		Text: text, Align: align, Frame: l.state.frame.Moved(l.at.x, l.at.y).Then(drawing.Frame{A: size, D: size}),
	}})
}
