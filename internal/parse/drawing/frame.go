package drawing

import (
	"math"
	"unicode"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Frame takes points of a part of a drawing to the sheet on which the part stands.
type Frame struct{ A, B, C, D, X, Y float64 }

// Identity returns the frame of the sheet itself.
func Identity() Frame { return Frame{A: 1, D: 1} }

// At returns where a point is on the sheet.
func (f Frame) At(x, y float64) (float64, float64) {
	return f.A*x + f.C*y + f.X, f.B*x + f.D*y + f.Y
}

// Then puts another frame inside this one.
func (f Frame) Then(g Frame) Frame {
	x, y := f.At(g.X, g.Y)
	return Frame{f.A*g.A + f.C*g.B, f.B*g.A + f.D*g.B, f.A*g.C + f.C*g.D, f.B*g.C + f.D*g.D, x, y}
}

// Moved puts a frame inside this one that begins at a point of it.
func (f Frame) Moved(x, y float64) Frame { return f.Then(Frame{A: 1, D: 1, X: x, Y: y}) }

// Turned puts a frame inside this one that is turned, from the first axis towards the second.
func (f Frame) Turned(radians float64) Frame {
	sin, cos := math.Sincos(radians)
	return f.Then(Frame{A: cos, B: sin, C: -sin, D: cos})
}

// Scale is how many times as long a line is on the sheet, on the average of its directions.
func (f Frame) Scale() float64 { return math.Sqrt(math.Abs(f.A*f.D - f.B*f.C)) }

// Around returns the smallest upright rectangle on the sheet that holds a rectangle of the frame.
func (f Frame) Around(r corpus.Region) corpus.Region {
	out := corpus.Region{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range [][2]float64{{r[0], r[1]}, {r[2], r[1]}, {r[0], r[3]}, {r[2], r[3]}} {
		x, y := f.At(p[0], p[1])
		out = corpus.Region{min(out[0], x), min(out[1], y), max(out[2], x), max(out[3], y)}
	}
	for i := range out {
		out[i] = Round(out[i])
	}
	return out
}

// Farthest bounds coordinates: what is beyond them is beyond any drawing.
const Farthest = 1e12

// Round keeps thousandths of a unit, and no number that is none.
func Round(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return math.Round(min(max(v, -Farthest), Farthest)*1000)/1000 + 0 // no negative zero
}

// Width estimates how long a line of text is, by how wide letters of alphabets are and those of Chinese
// and the like. Marks that stand over another letter take no room.
func Width(line string, narrow, wide float64) float64 {
	width := 0.0
	for _, r := range line {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case r >= 0x2e80:
			width += wide
		default:
			width += narrow
		}
	}
	return width
}
