package dxf

import (
	"context"
	"math"
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/sketch"
)

// Sketch draws one sheet of a drawing; nil means the first on which something is drawn. A sheet that the drawing does not
// have is false, with the sheets that it has. The errors are those of Parse. Texts are those that Parse reads, at their places; what
// a block holds is drawn as often as the block is shown.
func Sketch(ctx context.Context, text string, sheet *sketch.Sheet) (sketch.Sketch, bool, error) {
	d, err := read(ctx, text, true)
	if err != nil {
		return sketch.Sketch{}, false, err
	}
	w := &walk{contents: d, ctx: ctx}
	list, err := w.list()
	if err != nil {
		return sketch.Sketch{}, false, err
	}
	if sheet == nil {
		sheet = &list[0]
	}
	if !slices.Contains(list, *sheet) {
		return sketch.Sketch{Sheets: list}, false, nil
	}
	// The way is gone once more, with a pen: which sheets there are is known only after it was gone.
	for _, b := range d.blocks {
		b.shown = false
	}
	w = &walk{contents: d, ctx: ctx, pen: &drawing.Pen{Partial: d.partial || d.lost}, on: *sheet}
	if err := w.draw(); err != nil {
		return sketch.Sketch{}, false, err
	}
	out := w.pen.Sketch(nil, true)
	out.Sheets, out.Sheet = list, *sheet
	return out, true, nil
}

// list returns the sheets on which something stands, and the blocks with text that stand nowhere.
func (w *walk) list() ([]sketch.Sheet, error) {
	if err := w.all(); err != nil {
		return nil, err
	}
	var out []sketch.Sheet
	add := func(s sketch.Sheet) {
		if len(out) < sketch.MaxSheets && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, v := range w.stand() {
		if len(v.block.entities) > 0 {
			add(sketch.Sheet{Name: v.shown})
		}
	}
	for _, t := range w.found {
		add(sketch.Sheet{Name: t.shown, Hidden: t.hidden})
	}
	if len(out) == 0 {
		add(sketch.Sheet{Name: "model"})
	}
	return out, nil
}

// The bounds of what is drawn again: blocks that wait for it, and entities in them with what they are made of.
const (
	mostAgain = 100_000
	mostSteps = 1_000_000
)

// again has a block drawn once more, after all blocks were drawn where they stand first.
func (w *walk) again(v visit) {
	switch {
	case w.pen == nil || v.off || !w.drawing(v):
	case len(w.waiting) == mostAgain:
		w.pen.Partial = true
	default:
		w.waiting = append(w.waiting, v)
	}
}

// draw draws what is shown once, and then the blocks that are shown again. Their texts were read.
func (w *walk) draw() error {
	if err := w.all(); err != nil {
		return err
	}
	w.repeating = true
	for _, v := range w.waiting {
		if err := w.enter(v); err != nil {
			return err
		}
	}
	return nil
}

// count takes down what it takes to draw.
func (w *walk) count(n int) {
	if w.work.Count(n); w.repeating {
		w.steps += n
	}
}

// over reports whether a block that is shown again is too much, or inside itself.
func (w *walk) over(v visit) bool {
	if w.steps < mostSteps && !w.pen.Full() && v.depth <= mostDepth && !v.block.open {
		return false
	}
	w.pen.Partial = true
	return true
}

// drawing reports whether what stands there is on the sheet that is drawn.
func (w *walk) drawing(v visit) bool {
	return w.pen != nil && v.shown == w.on.Name && v.hidden == w.on.Hidden
}

// pointWeight is how heavy a point is, which would not be seen if it were as thin as a line.
const pointWeight = 2

// measured is the layer of the points by which a drawing was measured. They are not printed.
const measured = "defpoints"

// shape draws the lines of an entity.
func (w *walk) shape(v visit, e *entity) {
	if v.off || !w.drawing(v) || e.kind == "POINT" && fold(v.layer) == measured {
		return
	}
	w.pen.Partial = w.pen.Partial || e.missed
	if e.shape == nil {
		return
	}
	if !w.pen.Draws() {
		return
	}
	w.count(len(e.shape.path.Points))
	f := v.frame
	if e.shape.flat {
		f = e.facing(f)
	}
	look := drawing.Look{Ink: w.ink(v, e.colour), Filled: e.shape.filled, Wide: e.shape.wide}
	if look.Weight = w.weight(v, e.weight); e.kind == "POINT" {
		look.Weight = pointWeight
	}
	w.pen.Draw(f, e.shape.path, look)
}

// write draws a text. It is a place of the sheet where it was read there.
func (w *walk) write(v visit, e *entity, words string) {
	if !w.drawing(v) || !w.pen.Writes() {
		return
	}
	place := e.no
	if w.repeating {
		place = 0
	}
	box, _ := e.region(v.frame, words)
	w.pen.Write(place, box, e.lines(v.frame, words))
}

// capital is how high capital letters are, in sizes of a font.
const capital = 0.72

// lines are the lines of a text as they are drawn.
func (e *entity) lines(f drawing.Frame, words string) []drawing.Line {
	own, box, height := e.stands(f, words)
	size, factor := height/capital, 1.0
	if e.kind == "TEXT" || e.kind == "ATTRIB" || e.kind == "ATTDEF" {
		factor = max(math.Abs(or(e.width, 1)), 0.01)
	}
	lines := wrapped(words, height, box[2]-box[0], e.kind == "MTEXT" && e.width != 0)
	align, at := e.aligned(box)
	out := make([]drawing.Line, 0, len(lines))
	for i, line := range lines {
		down := box[3] - height - float64(i)*spacing*height
		out = append(out, drawing.Line{Text: line, Align: align, Frame: own.Moved(at, down).Then(drawing.Frame{A: size * factor, D: -size})})
	}
	return out
}

// aligned says which part of its lines a text is placed by, and where that is in its box.
func (e *entity) aligned(box corpus.Region) (sketch.Align, float64) {
	third := 0
	switch {
	case e.kind == "TEXT" || e.kind == "ATTRIB" || e.kind == "ATTDEF":
		third = map[int]int{1: 1, 2: 2, 4: 1}[e.across]
	case isDimension(e.kind):
		third = 1
	default:
		third = (min(max(e.attach, 1), 9) - 1) % 3
	}
	return sketch.Align(third), box[0] + (box[2]-box[0])*float64(third)/2 //nolint:gosec // 0, 1 or 2
}
