// Package sketch is a sheet of a drawing as it is shown: strokes and labels on a grid, and nothing that a file
// says of markup, styles or addresses. Whoever reads drawings makes it, within bounds; whoever shows it holds it
// against the same bounds first, because what read the drawing may have been led astray by it.
package sketch

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// The bounds of a sketch.
const (
	MaxPoints = 400_000 // of all strokes
	MaxLabels = 10_000
	MaxLines  = 20_000  // of all labels
	MaxText   = 1 << 20 // bytes of the lines of all labels
	MaxSheets = 1000
	MaxName   = 1000 // bytes
	// Grid is how many units the longer side of the view has.
	Grid = 100_000
	// Farthest bounds coordinates: something may lie far beside the view.
	Farthest = 1_000_000_000
)

// Ink is one of the few colours that a sketch has. What they look like is decided where it is shown.
type Ink uint8

// The inks. Plain is that of what is black or white in the drawing.
const (
	Plain Ink = iota
	Grey
	Red
	Yellow
	Green
	Cyan
	Blue
	Magenta
)

// Inks are their names, in order.
func Inks() []string {
	return []string{"plain", "grey", "red", "yellow", "green", "cyan", "blue", "magenta"}
}

// Sheet names what is drawn on one sheet: the model, a layout, or a block that stands nowhere. A drawing with one
// sheet has the name "".
type Sheet struct {
	Name   string `json:"name"`
	Hidden bool   `json:"hidden,omitempty"` // its block stands nowhere
}

// Heaviest is the largest weight of a stroke.
const Heaviest = 3

// Stroke is a line, or an area; one that goes nowhere is a point.
type Stroke struct {
	Ink    Ink  `json:"i,omitempty"`
	Filled bool `json:"f,omitempty"`
	// Weight is how heavy a line is that is as heavy however large it is shown, from 0 to Heaviest.
	Weight uint8 `json:"w,omitempty"`
	// Wide is how wide a line is on the grid; 0 for one that has no width of its own there.
	Wide int32 `json:"g,omitempty"`
	// Ops say what its points are: M begins a line at one, L goes on to one, C goes on in a curve with two points
	// that steer it and one at its end, and Z closes the line.
	Ops    string  `json:"o"`
	Points []int32 `json:"p"` // x and y, in turn
}

// Label is a text, on one line or several.
type Label struct {
	// Place is the number of the entity or element that the text is read from; 0 where it is shown again.
	Place int      `json:"n,omitempty"`
	Box   [4]int32 `json:"b"` // left, top, right, bottom
	Lines []Line   `json:"l"`
}

// Line is a line of a text.
type Line struct {
	Text string `json:"t"`
	// Matrix takes points of the line to the grid: a unit is the size of its letters, y goes downwards, and it begins at
	// the origin, on its base.
	Matrix [6]float64 `json:"m"`
	Align  Align      `json:"a,omitempty"`
}

// Align says which part of a line is at its origin.
type Align uint8

// The alignments.
const (
	Start Align = iota
	Middle
	End
)

// Sketch is one sheet.
type Sketch struct {
	Sheets []Sheet `json:"sheets"` // that the drawing has
	Sheet  Sheet   `json:"sheet"`
	Width  int32   `json:"width"` // of what is seen first
	Height int32   `json:"height"`
	// Scale and Shift take coordinates of the drawing, as places have them, to the grid: x*Scale[0]+Shift[0].
	Scale   [2]float64 `json:"scale"`
	Shift   [2]float64 `json:"shift"`
	Strokes []Stroke   `json:"strokes"`
	Labels  []Label    `json:"labels"`
	// Partial says that something is not drawn: it was too much, or is of a kind that is not known here.
	Partial bool `json:"partial,omitempty"`
}

// Sound reports whether a sketch keeps within the bounds, with numbers that are some.
func (s *Sketch) Sound() bool {
	if s.Width < 1 || s.Width > Grid || s.Height < 1 || s.Height > Grid || len(s.Labels) > MaxLabels || len(s.Sheets) > MaxSheets || !s.Sheet.sound() {
		return false
	}
	for _, sheet := range s.Sheets {
		if !sheet.sound() {
			return false
		}
	}
	points, lines, text := 0, 0, 0
	for _, v := range []float64{s.Scale[0], s.Scale[1], s.Shift[0], s.Shift[1]} {
		if !finite(v) {
			return false
		}
	}
	for _, stroke := range s.Strokes {
		if points += len(stroke.Points) / 2; points > MaxPoints || !stroke.sound() {
			return false
		}
	}
	for _, l := range s.Labels {
		if lines += len(l.Lines); lines > MaxLines {
			return false
		}
		for _, line := range l.Lines {
			if text += len(line.Text) + 1; text > MaxText || line.Align > End || !utf8.ValidString(line.Text) || !all(line.Matrix[:], finite) {
				return false
			}
		}
		if l.Place < 0 || !all(l.Box[:], near) {
			return false
		}
	}
	return true
}

func (s Sheet) sound() bool { return len(s.Name) <= MaxName && utf8.ValidString(s.Name) }

// sound reports whether a stroke begins with a point and has as many as its ops want. A line is closed once at most
// for each of its points.
func (s Stroke) sound() bool {
	if s.Weight > Heaviest || s.Wide < 0 || s.Wide > Grid {
		return false
	}
	if int(s.Ink) >= len(Inks()) || len(s.Ops) > len(s.Points) || !strings.HasPrefix(s.Ops, "M") || !all(s.Points, near) {
		return false
	}
	want := 0
	for _, op := range s.Ops {
		switch op {
		case 'M', 'L':
			want += 2
		case 'C':
			want += 6
		case 'Z':
		default:
			return false
		}
	}
	return want == len(s.Points)
}

func near(v int32) bool { return v >= -Farthest && v <= Farthest }

func finite(v float64) bool { return !math.IsNaN(v) && math.Abs(v) <= 1e15 }

func all[T any](list []T, ok func(T) bool) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return !ok(v) })
}
