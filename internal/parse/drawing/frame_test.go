package drawing_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// steps are what a frame is made of, and what each does to a point, by plain arithmetic.
func steps(t *rapid.T) (drawing.Frame, func(x, y float64) (float64, float64)) {
	f, do := drawing.Identity(), func(x, y float64) (float64, float64) { return x, y }
	for range rapid.IntRange(0, 5).Draw(t, "steps") {
		a, b := rapid.Float64Range(-9, 9).Draw(t, "a"), rapid.Float64Range(-9, 9).Draw(t, "b")
		outer := do
		switch rapid.IntRange(0, 2).Draw(t, "step") {
		case 0:
			f = f.Moved(a, b)
			do = func(x, y float64) (float64, float64) { return outer(x+a, y+b) }
		case 1:
			f = f.Turned(a)
			do = func(x, y float64) (float64, float64) {
				return outer(x*math.Cos(a)-y*math.Sin(a), x*math.Sin(a)+y*math.Cos(a))
			}
		default:
			f = f.Then(drawing.Frame{A: a, D: b})
			do = func(x, y float64) (float64, float64) { return outer(x*a, y*b) }
		}
	}
	return f, do
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*(1+math.Abs(a)+math.Abs(b)) }

func TestAFrameDoesItsStepsFromTheInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, do := steps(t)
		x, y := rapid.Float64Range(-9, 9).Draw(t, "x"), rapid.Float64Range(-9, 9).Draw(t, "y")
		gx, gy := f.At(x, y)
		wx, wy := do(x, y)
		if !near(gx, wx) || !near(gy, wy) {
			t.Fatalf("(%v, %v) is at (%v, %v), want (%v, %v)", x, y, gx, gy, wx, wy)
		}
	})
}

func TestTheRectangleAroundHoldsEveryPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, _ := steps(t)
		w, h := rapid.Float64Range(0, 9).Draw(t, "width"), rapid.Float64Range(0, 9).Draw(t, "height")
		r := f.Around(corpus.Region{-w, -h, w, h})
		x, y := f.At(w*rapid.Float64Range(-1, 1).Draw(t, "x"), h*rapid.Float64Range(-1, 1).Draw(t, "y"))
		const slack = 0.002
		if x < r[0]-slack || x > r[2]+slack || y < r[1]-slack || y > r[3]+slack {
			t.Fatalf("(%v, %v) is outside of %v", x, y, r)
		}
		touched := 0
		for _, c := range [][2]float64{{-w, -h}, {w, -h}, {-w, h}, {w, h}} {
			x, y := f.At(c[0], c[1])
			if math.Abs(x-r[0]) < slack || math.Abs(x-r[2]) < slack || math.Abs(y-r[1]) < slack || math.Abs(y-r[3]) < slack {
				touched++
			}
		}
		if touched == 0 {
			t.Fatalf("%v is larger than it has to be", r)
		}
	})
}

func TestLinesGrowWithTheFrame(t *testing.T) {
	f := drawing.Identity().Moved(3, 4).Turned(1).Then(drawing.Frame{A: 2, D: -8})
	if got := f.Scale(); !near(got, 4) {
		t.Errorf("lines are %v times as long", got)
	}
}

func TestNumbersOfPlacesAreNumbers(t *testing.T) {
	for v, want := range map[float64]float64{1.23456: 1.235, -0.0001: 0, 1e300: 1e12, math.Inf(-1): -1e12, 0.0005: 0.001} {
		if got := drawing.Round(v); got != want || math.Signbit(got) != (want < 0) {
			t.Errorf("%v is %v, want %v", v, got, want)
		}
	}
	if got := drawing.Round(math.NaN()); got != 0 {
		t.Errorf("what is no number is %v", got)
	}
}

func TestLinesAreAsWideAsTheirLetters(t *testing.T) {
	for line, want := range map[string]float64{"": 0, "ab": 2, "泵a": 4, "e\u0301": 1, "ｱ": 3, "😄": 3} {
		if got := drawing.Width(line, 1, 3); got != want {
			t.Errorf("%q is %v wide, want %v", line, got, want)
		}
	}
}
