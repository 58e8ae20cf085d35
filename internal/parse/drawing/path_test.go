package drawing_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/sketch"
)

// walked are points along a path, as a viewer finds them: so many a curve.
func walked(p drawing.Path, each int) []drawing.Point {
	var out []drawing.Point
	points := p.Points
	var at, begun drawing.Point
	for _, op := range p.Ops {
		switch op {
		case 'M':
			at, begun, points = points[0], points[0], points[1:]
			out = append(out, at)
		case 'L':
			at, points = points[0], points[1:]
			out = append(out, at)
		case 'C':
			for i := 1; i <= each; i++ {
				t := float64(i) / float64(each)
				u := 1 - t
				a, b, c, d := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
				out = append(out, drawing.Point{
					X: a*at.X + b*points[0].X + c*points[1].X + d*points[2].X, Y: a*at.Y + b*points[0].Y + c*points[1].Y + d*points[2].Y,
				})
			}
			at, points = points[2], points[3:]
		case 'Z':
			at = begun
			out = append(out, at)
		}
	}
	return out
}

func meet(a, b drawing.Point, by float64) bool { return math.Hypot(a.X-b.X, a.Y-b.Y) <= by }

func TestArcsLieOnTheirCircle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		middle := drawing.Point{X: rapid.Float64Range(-50, 50).Draw(t, "x"), Y: rapid.Float64Range(-50, 50).Draw(t, "y")}
		r := rapid.Float64Range(0.5, 40).Draw(t, "radius")
		from, turn := rapid.Float64Range(-7, 7).Draw(t, "from"), rapid.Float64Range(-6.28, 6.28).Draw(t, "turn")
		var p drawing.Path
		p.Arc(drawing.Circle(middle, r), from, from+turn)
		all := walked(p, 9)
		for _, at := range all {
			if d := math.Hypot(at.X-middle.X, at.Y-middle.Y); math.Abs(d-r) > r*0.0004 {
				t.Fatalf("%v is %v away from the middle, not %v", at, d, r)
			}
		}
		end := drawing.Point{X: middle.X + r*math.Cos(from+turn), Y: middle.Y + r*math.Sin(from+turn)}
		if last := all[len(all)-1]; !meet(last, end, r*1e-9) {
			t.Fatalf("it ends at %v, not %v", last, end)
		}
		// The way is as long as the arc, so that it goes there and not around.
		length := 0.0
		for i := 1; i < len(all); i++ {
			length += math.Hypot(all[i].X-all[i-1].X, all[i].Y-all[i-1].Y)
		}
		if want := math.Abs(turn) * r; math.Abs(length-want) > want*0.01+1e-9 {
			t.Fatalf("it is %v long, not %v", length, want)
		}
	})
}

func TestBulgeIsTheTangentOfAQuarterOfTheArc(t *testing.T) {
	for bulge, through := range map[float64]drawing.Point{
		1: {X: 5, Y: -5}, -1: {X: 5, Y: 5}, math.Sqrt2 - 1: {X: 5, Y: -5 * (math.Sqrt2 - 1)}, 0: {X: 5},
		math.Inf(1): {X: 5}, // what is no number draws a straight line
	} {
		var p drawing.Path
		p.Move(drawing.Point{})
		p.Bulge(drawing.Point{X: 10}, bulge)
		all := walked(p, 64)
		found := bulge == 0 || math.IsInf(bulge, 0)
		for _, at := range all {
			found = found || meet(at, through, 0.2)
		}
		if last := all[len(all)-1]; !found || !meet(last, drawing.Point{X: 10}, 1e-9) || string(p.Ops[:1]) != "M" {
			t.Errorf("bulge %v: %s %v", bulge, p.Ops, all)
		}
	}
}

func TestPathGoesOnWhereItWasClosed(t *testing.T) {
	var p drawing.Path
	p.Line(drawing.Point{X: 1, Y: 1}) // begins there
	p.Line(drawing.Point{X: 5, Y: 1})
	p.Close()
	p.Close()
	if at, ok := p.At(); !ok || at != (drawing.Point{X: 1, Y: 1}) {
		t.Errorf("the pen is at %v", at)
	}
	p.Line(drawing.Point{X: 9, Y: 9})
	if string(p.Ops) != "MLZML" || p.Points[2] != (drawing.Point{X: 1, Y: 1}) {
		t.Errorf("%s %v", p.Ops, p.Points)
	}
	var none drawing.Path
	if _, ok := none.At(); ok || !none.Empty() {
		t.Error("nothing is somewhere")
	}
}

func TestPathKeepsNoMorePointsThanASketchHas(t *testing.T) {
	edge := stroke(make([]drawing.Point, sketch.MaxPoints)...)
	if edge.Over {
		t.Fatal("as much as may be is too much")
	}
	for name, add := range map[string]func(*drawing.Path){
		"move": func(p *drawing.Path) { p.Move(drawing.Point{}) }, "line": func(p *drawing.Path) { p.Line(drawing.Point{}) },
		"curve": func(p *drawing.Path) { p.Curve(drawing.Point{}, drawing.Point{}, drawing.Point{}) },
		"bulge": func(p *drawing.Path) { p.Bulge(drawing.Point{X: 1}, 1) }, "circle": func(p *drawing.Path) { p.Around(drawing.Circle(drawing.Point{}, 1)) },
		"path": func(p *drawing.Path) { p.Follow(stroke(drawing.Point{})) }, "path that is over": func(p *drawing.Path) { *p = drawing.Path{}; p.Follow(drawing.Path{Over: true}) },
	} {
		p := edge
		add(&p)
		if !p.Over || p.Empty() || len(p.Points)+len(p.Ops) != 0 {
			t.Errorf("%s: %d points", name, len(p.Points))
		}
		if p.Line(drawing.Point{}); len(p.Points) != 0 {
			t.Errorf("%s: it begins anew", name)
		}
	}
}
