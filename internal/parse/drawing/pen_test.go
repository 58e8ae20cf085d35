package drawing_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/sketch"
)

func stroke(points ...drawing.Point) (p drawing.Path) {
	for _, at := range points {
		p.Line(at)
	}
	return p
}

func TestSheetIsBroughtToTheGrid(t *testing.T) {
	for up, want := range map[bool][]int32{
		false: {1923, 1923, 98077, 49999}, // a margin of two hundredths is left on each side
		true:  {1923, 49999, 98077, 1923},
	} {
		var p drawing.Pen
		p.Draw(drawing.Identity(), stroke(drawing.Point{X: 1000, Y: 500}, drawing.Point{X: 3000, Y: 1500}), drawing.Look{Ink: sketch.Red})
		s := p.Sketch(nil, up)
		if s.Width != 100_000 || s.Height < 51_900 || s.Height > 52_000 || len(s.Strokes) != 1 || s.Strokes[0].Ink != sketch.Red || s.Strokes[0].Ops != "ML" {
			t.Fatalf("%+v", s)
		}
		for i, v := range s.Strokes[0].Points {
			if math.Abs(float64(v-want[i])) > 2 {
				t.Errorf("up %t: %v, want %v", up, s.Strokes[0].Points, want)
			}
		}
		// Places are brought there by the numbers that the sketch says.
		x, y := 3000*s.Scale[0]+s.Shift[0], 1500*s.Scale[1]+s.Shift[1]
		if math.Abs(x-float64(s.Strokes[0].Points[2])) > 1 || math.Abs(y-float64(s.Strokes[0].Points[3])) > 1 {
			t.Errorf("up %t: the end is at %v, %v", up, x, y)
		}
	}
}

func TestStrayStrokeDoesNotMakeTheRestTooSmall(t *testing.T) {
	var p drawing.Pen
	for i := range 200 {
		p.Draw(drawing.Identity(), stroke(drawing.Point{X: float64(i)}, drawing.Point{X: float64(i), Y: 100}), drawing.Look{})
	}
	p.Draw(drawing.Identity(), stroke(drawing.Point{X: 1e9, Y: 1e9}, drawing.Point{X: 1e9 + 1, Y: 1e9}), drawing.Look{})
	s := p.Sketch(nil, false)
	if first, last := s.Strokes[0].Points[0], s.Strokes[199].Points[0]; last-first < sketch.Grid/10 {
		t.Errorf("what is drawn is %d wide", last-first)
	}
	if !s.Sound() {
		t.Error("it is not sound")
	}
}

func TestWhatIsTooMuchIsLeftOutAndSaid(t *testing.T) {
	var p drawing.Pen
	long := make([]drawing.Point, 1000)
	for i := range long {
		long[i] = drawing.Point{X: float64(i)}
	}
	for range sketch.MaxPoints/1000 + 5 {
		p.Draw(drawing.Identity(), stroke(long...), drawing.Look{})
	}
	if !p.Partial || p.Draws() || p.Full() {
		t.Error("nobody says so")
	}
	p.Partial = false
	for range sketch.MaxLabels + 1 {
		p.Write(0, corpus.Region{0, 0, 1, 1}, []drawing.Line{{Text: "x", Frame: drawing.Identity()}})
	}
	if !p.Partial || p.Writes() || !p.Full() {
		t.Error("there may be any number of labels")
	}
	if s := p.Sketch(nil, true); !s.Sound() || len(s.Labels) != sketch.MaxLabels || len(s.Strokes) != sketch.MaxPoints/1000 {
		t.Errorf("%d strokes, %d labels", len(s.Strokes), len(s.Labels))
	}
	var text drawing.Pen
	text.Write(0, corpus.Region{}, []drawing.Line{{Text: strings.Repeat("x", sketch.MaxText)}})
	if s := text.Sketch(nil, true); !text.Partial || len(s.Labels) != 0 {
		t.Error("a text may be of any length")
	}
}

func TestAfterTheFirstThatDoesNotFitNothingOfItsKindIsTaken(t *testing.T) {
	var p drawing.Pen
	most := stroke(make([]drawing.Point, sketch.MaxPoints-1)...)
	short := stroke(drawing.Point{}, drawing.Point{X: 1})
	for _, path := range []drawing.Path{short, most, short} {
		p.Draw(drawing.Identity(), path, drawing.Look{})
	}
	p.Write(0, corpus.Region{}, make([]drawing.Line, sketch.MaxLines-1))
	for _, lines := range []int{2, 1} {
		p.Write(0, corpus.Region{}, make([]drawing.Line, lines))
	}
	if s := p.Sketch(nil, true); len(s.Strokes) != 1 || len(s.Labels) != 1 || !p.Full() || !s.Sound() {
		t.Errorf("%d strokes, %d labels", len(s.Strokes), len(s.Labels))
	}
}

func TestWhatNoSketchHoldsLeavesRoomForTheRest(t *testing.T) {
	var p drawing.Pen
	p.Draw(drawing.Identity(), stroke(make([]drawing.Point, sketch.MaxPoints+1)...), drawing.Look{})
	p.Write(0, corpus.Region{}, make([]drawing.Line, sketch.MaxLines+1))
	if !p.Partial || !p.Draws() || !p.Writes() {
		t.Error("nothing else would be drawn, or nobody says that something is left out")
	}
	if s := p.Sketch(nil, true); len(s.Strokes)+len(s.Labels) != 0 {
		t.Errorf("%d strokes, %d labels", len(s.Strokes), len(s.Labels))
	}
}

// TestPointsOfStrokesThatAreLeftOutCount: they were looked at too.
func TestPointsOfStrokesThatAreLeftOutCount(t *testing.T) {
	var p drawing.Pen
	far := stroke(append(make([]drawing.Point, sketch.MaxPoints/2), drawing.Point{X: 2 * drawing.Farthest})...)
	p.Draw(drawing.Identity(), far, drawing.Look{})
	if p.Draw(drawing.Identity(), far, drawing.Look{}); p.Draws() {
		t.Error("it would be gone through again")
	}
}

func TestWhatWouldNotBeSeenIsNotDrawn(t *testing.T) {
	var p drawing.Pen
	p.Draw(drawing.Identity(), stroke(drawing.Point{}, drawing.Point{X: 1e6}), drawing.Look{})
	p.Draw(drawing.Identity(), stroke(drawing.Point{X: 5}, drawing.Point{X: 5.001}), drawing.Look{}) // less than a cell
	p.Draw(drawing.Identity(), stroke(drawing.Point{X: 5}), drawing.Look{})
	if s := p.Sketch(nil, false); len(s.Strokes) != 1 || s.Partial {
		t.Errorf("%+v", s)
	}
	p.Draw(drawing.Frame{A: math.Inf(1)}, stroke(drawing.Point{X: 5}, drawing.Point{X: 7}), drawing.Look{})
	if s := p.Sketch(nil, false); len(s.Strokes) != 1 || !s.Partial {
		t.Errorf("a line without end: %+v", s)
	}
}

func TestEverySketchIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		any := rapid.OneOf(rapid.Float64Range(-100, 100), rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), 1e12, -1e12, 0, 1e-300}))
		var p drawing.Pen
		for range rapid.IntRange(0, 6).Draw(t, "strokes") {
			var path drawing.Path
			f := drawing.Frame{A: any.Draw(t, "a"), B: any.Draw(t, "b"), D: any.Draw(t, "d"), X: any.Draw(t, "x")}
			path.Line(drawing.Point{X: any.Draw(t, "x"), Y: any.Draw(t, "y")})
			path.Bulge(drawing.Point{X: any.Draw(t, "x"), Y: any.Draw(t, "y")}, any.Draw(t, "bulge"))
			path.Arc(drawing.Circle(drawing.Point{X: any.Draw(t, "x")}, any.Draw(t, "r")), any.Draw(t, "from"), any.Draw(t, "to"))
			p.Draw(f, path, drawing.Look{Ink: sketch.Blue, Filled: rapid.Bool().Draw(t, "filled"), Weight: uint8(rapid.IntRange(0, sketch.Heaviest).Draw(t, "weight")), Wide: any.Draw(t, "wide")}) //nolint:gosec // a few weights
			p.Write(3, f.Around(corpus.Region{0, 0, any.Draw(t, "w"), 1}), []drawing.Line{{Text: "x", Frame: f}})
		}
		var view *corpus.Region
		if rapid.Bool().Draw(t, "view") {
			v := corpus.Region{0, 0, rapid.Float64Range(1e-9, 1e12).Draw(t, "w"), rapid.Float64Range(1e-9, 1e12).Draw(t, "h")}
			view = &v
		}
		s := p.Sketch(view, rapid.Bool().Draw(t, "up"))
		if s.Sheets = []sketch.Sheet{}; !s.Sound() {
			t.Fatalf("%+v", s)
		}
	})
}
