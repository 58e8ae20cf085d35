package drawing

import (
	"math"
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/sketch"
)

// Pen draws one sheet, within the bounds of a sketch. What is too much is left out, and Partial says so. After the
// first stroke that does not fit no other is taken, and the same holds for texts: whoever draws need not make them.
type Pen struct {
	Partial bool
	strokes []stroke
	labels  []label
	points  int
	lines   int
	text    int
	// Nothing more of the kind is taken.
	strokesFull, labelsFull bool
}

// Look is what a path looks like.
type Look struct {
	Ink    sketch.Ink
	Filled bool
	Weight uint8   // as that of a sketch.Stroke
	Wide   float64 // of a line that has a width in the drawing, in its frame
}

type stroke struct {
	Look   // its width is that on the sheet
	ops    []byte
	points []Point // on the sheet
}

type label struct {
	place int
	box   corpus.Region
	lines []Line
}

// Line is a line of a text. Its frame has the size of its letters as unit, y downwards, and begins on its base.
type Line struct {
	Text  string
	Frame Frame
	Align sketch.Align
}

// Full reports that nothing more is taken.
func (p *Pen) Full() bool { return p.strokesFull && p.labelsFull }

// Draws reports whether strokes are still taken. Who asks has one: where it is not taken, something is left out.
func (p *Pen) Draws() bool {
	p.Partial = p.Partial || p.strokesFull
	return !p.strokesFull
}

// Writes reports whether texts are still taken. Who asks has one.
func (p *Pen) Writes() bool {
	p.Partial = p.Partial || p.labelsFull
	return !p.labelsFull
}

// Draw draws a path that stands in a frame.
func (p *Pen) Draw(f Frame, path Path, look Look) {
	switch {
	case path.Empty() || !p.Draws():
		return
	case path.Over:
		p.Partial = true
		return
	case p.points+len(path.Points) > sketch.MaxPoints:
		p.Partial, p.strokesFull = true, true
		return
	}
	p.points += len(path.Points) // also of a stroke that is left out: they were looked at
	look.Wide *= f.Scale()
	s := stroke{look, path.Ops, make([]Point, len(path.Points))}
	for i, at := range path.Points {
		x, y := f.At(at.X, at.Y)
		if !(math.Abs(x) <= Farthest && math.Abs(y) <= Farthest) {
			p.Partial = true
			return
		}
		s.points[i] = Point{x, y}
	}
	p.strokes = append(p.strokes, s)
}

// Write writes a text that is seen in a region of the sheet. Place is 0 for one that stands there again.
func (p *Pen) Write(place int, box corpus.Region, lines []Line) {
	if !p.Writes() {
		return
	}
	n := 0
	for _, l := range lines {
		n += len(l.Text) + 1
	}
	switch {
	case n > sketch.MaxText || len(lines) > sketch.MaxLines:
		p.Partial = true
		return
	case len(p.labels) == sketch.MaxLabels || p.lines+len(lines) > sketch.MaxLines || p.text+n > sketch.MaxText:
		p.Partial, p.labelsFull = true, true
		return
	}
	p.text, p.lines = p.text+n, p.lines+len(lines)
	p.labels = append(p.labels, label{place, box, lines})
}

// Sketch returns what was drawn, on a grid. The view is what is seen first; nil means all but what lies far away from
// the rest. Up says that y goes upwards on the sheet.
func (p *Pen) Sketch(view *corpus.Region, up bool) sketch.Sketch {
	if view == nil {
		v := p.view()
		view = &v
	}
	across, down := view[2]-view[0], view[3]-view[1]
	far := max(math.Abs(view[0]), math.Abs(view[1]), math.Abs(view[2]), math.Abs(view[3]))
	long := max(across, down, far*1e-9, 1e-6)
	k := sketch.Grid / long
	out := sketch.Sketch{
		Width: max(1, cell(across*k)), Height: max(1, cell(down*k)), Partial: p.Partial,
		Scale: [2]float64{k, k}, Shift: [2]float64{-view[0] * k, -view[1] * k}, Strokes: []sketch.Stroke{}, Labels: []sketch.Label{},
	}
	if up {
		out.Scale[1], out.Shift[1] = -k, view[3]*k
	}
	grid := Frame{A: out.Scale[0], D: out.Scale[1], X: out.Shift[0], Y: out.Shift[1]}
	for _, s := range p.strokes {
		if drawn, ok := s.on(grid); ok {
			out.Strokes = append(out.Strokes, drawn)
		}
	}
	for _, l := range p.labels {
		out.Labels = append(out.Labels, l.on(grid))
	}
	return out
}

// point reports whether a stroke is a point: a line that goes nowhere, and is seen if it has a weight.
func (s stroke) point() bool {
	return s.Weight > 0 && !s.Filled && string(s.ops) == "ML" && s.points[0] == s.points[1]
}

// on brings a stroke to the grid; false if nothing would be seen of it there. Steps shorter than a cell go.
func (s stroke) on(grid Frame) (sketch.Stroke, bool) {
	out := sketch.Stroke{Ink: s.Ink, Filled: s.Filled, Weight: s.Weight}
	if wide := s.Wide * grid.Scale(); wide > 0 {
		out.Wide = min(max(cell(wide), 1), sketch.Grid)
	}
	if s.point() {
		x, y := grid.At(s.points[0].X, s.points[0].Y)
		out.Ops, out.Points = "ML", []int32{cell(x), cell(y), cell(x), cell(y)}
		return out, true
	}
	ops := make([]byte, 0, len(s.ops))
	at := 0
	var last [2]int32
	seen := false
	for _, op := range s.ops {
		n := points([]byte{op})
		var cells []int32
		for _, p := range s.points[at : at+n] {
			x, y := grid.At(p.X, p.Y)
			cells = append(cells, cell(x), cell(y))
		}
		at += n
		if n > 0 {
			to := [2]int32{cells[len(cells)-2], cells[len(cells)-1]}
			if op == 'L' && to == last {
				continue
			}
			seen = seen || op != 'M' && (to != last || op == 'C' && (cells[0] != last[0] || cells[1] != last[1]))
			last = to
		}
		ops, out.Points = append(ops, op), append(out.Points, cells...)
	}
	out.Ops = string(ops)
	return out, seen
}

func (l label) on(grid Frame) sketch.Label {
	box := grid.Around(l.box)
	out := sketch.Label{Place: l.place, Lines: []sketch.Line{}}
	for i, v := range box {
		out.Box[i] = cell(v)
	}
	for _, line := range l.lines {
		f := grid.Then(line.Frame)
		m := [6]float64{f.A, f.B, f.C, f.D, f.X, f.Y}
		if !slices.ContainsFunc(m[:], func(v float64) bool { return !(math.Abs(v) <= sketch.Farthest) }) {
			out.Lines = append(out.Lines, sketch.Line{Text: line.Text, Matrix: m, Align: line.Align})
		}
	}
	return out
}

// cell is a coordinate on the grid.
func cell(v float64) int32 {
	return int32(math.Round(min(max(v, -sketch.Farthest), sketch.Farthest)))
}

// margin is left around what is drawn, as a part of its longer side.
const margin = 0.02

// view is what is drawn, without what lies far away from the rest: a single stroke there would make everything
// else too small to be seen.
func (p *Pen) view() corpus.Region {
	var xs, ys []float64
	for _, s := range p.strokes {
		box := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
		for _, at := range s.points {
			box = [4]float64{min(box[0], at.X), min(box[1], at.Y), max(box[2], at.X), max(box[3], at.Y)}
		}
		xs, ys = append(xs, box[0], box[2]), append(ys, box[1], box[3])
	}
	for _, l := range p.labels {
		xs, ys = append(xs, l.box[0], l.box[2]), append(ys, l.box[1], l.box[3])
	}
	left, right := core(xs)
	top, bottom := core(ys)
	around := max(right-left, bottom-top) * margin
	return corpus.Region{left - around, top - around, right + around, bottom + around}
}

// core is the stretch in which values lie, but for the few that are further away from most than these are
// from each other.
func core(values []float64) (from, to float64) {
	if len(values) == 0 {
		return 0, 1
	}
	slices.Sort(values)
	few := len(values) / 50
	low, high := values[few], values[len(values)-1-few]
	reach := high - low
	from, to = values[0], values[len(values)-1]
	if reach > 0 {
		from, to = max(from, low-reach), min(to, high+reach)
	}
	return from, to
}
