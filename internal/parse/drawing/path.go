package drawing

import (
	"math"

	"github.com/kaoju/kaoju/internal/sketch"
)

// Point is a place in a plane.
type Point struct{ X, Y float64 }

// Plus returns the point that lies so many times v away.
func (p Point) Plus(v Point, times float64) Point { return Point{p.X + v.X*times, p.Y + v.Y*times} }

// Path is a way that a pen goes: lines and curves, as the ops of a sketch.Stroke say.
type Path struct {
	Ops    []byte
	Points []Point
	// Over says that it has more points than a sketch. None of them is kept.
	Over  bool
	begun Point // where the line began that is drawn
}

// add puts an op with its points at the end.
func (p *Path) add(op byte, points ...Point) {
	if p.Over = p.Over || len(p.Points)+len(points) > sketch.MaxPoints; p.Over {
		p.Ops, p.Points = nil, nil
		return
	}
	p.Ops, p.Points = append(p.Ops, op), append(p.Points, points...)
}

// Follow goes along another path, from its beginning.
func (p *Path) Follow(other Path) {
	if p.Over = p.Over || other.Over || len(p.Points)+len(other.Points) > sketch.MaxPoints; p.Over {
		p.Ops, p.Points = nil, nil
		return
	}
	p.Ops, p.Points = append(p.Ops, other.Ops...), append(p.Points, other.Points...)
}

// Move begins a line.
func (p *Path) Move(to Point) {
	p.begun = to
	p.add('M', to)
}

// Line goes on to a point, or begins there.
func (p *Path) Line(to Point) {
	if !p.open() {
		p.Move(to)
		return
	}
	p.add('L', to)
}

// Curve goes on to a point, steered by two others.
func (p *Path) Curve(a, b, to Point) {
	if !p.open() {
		p.Move(a)
	}
	p.add('C', a, b, to)
}

// Close goes back to where the line began.
func (p *Path) Close() {
	if n := len(p.Ops); n > 0 && p.Ops[n-1] != 'Z' {
		p.Ops = append(p.Ops, 'Z')
	}
}

// open makes sure that there is a place to go on from. After a line was closed that is where it began.
func (p *Path) open() bool {
	n := len(p.Ops)
	if n == 0 {
		return false
	}
	if p.Ops[n-1] == 'Z' {
		p.Move(p.begun)
	}
	return true
}

// At is where the pen is; false if it is nowhere yet.
func (p *Path) At() (Point, bool) {
	n := len(p.Points)
	if n == 0 {
		return Point{}, false
	}
	if p.Ops[len(p.Ops)-1] == 'Z' {
		return p.begun, true
	}
	return p.Points[n-1], true
}

// Empty reports that nothing would be seen of it.
func (p *Path) Empty() bool { return !p.Over && len(p.Ops) < 2 }

// Ellipse is one around a point, by its two half axes.
type Ellipse struct{ Middle, Major, Minor Point }

// Circle is an ellipse with one radius.
func Circle(middle Point, radius float64) Ellipse {
	return Ellipse{middle, Point{X: radius}, Point{Y: radius}}
}

func (e Ellipse) at(angle float64) Point {
	sin, cos := math.Sincos(angle)
	return e.Middle.Plus(e.Major, cos).Plus(e.Minor, sin)
}

// Arc goes on to the beginning of an arc, from one angle to another, in radians from the first half axis towards the
// second, and along it. One that ends before it begins goes the other way.
func (p *Path) Arc(e Ellipse, from, to float64) {
	if !(math.Abs(from) < 1e6 && math.Abs(to) < 1e6) {
		return
	}
	to = min(max(to, from-2*math.Pi), from+2*math.Pi)
	p.Line(e.at(from))
	n := max(1, math.Ceil(math.Abs(to-from)/(math.Pi/2)-1e-9))
	step := (to - from) / n
	reach := 4.0 / 3 * math.Tan(step/4)
	for i := range int(n) {
		a, b := from+float64(i)*step, from+float64(i+1)*step
		sa, ca := math.Sincos(a)
		sb, cb := math.Sincos(b)
		one := e.at(a).Plus(e.Major, -sa*reach).Plus(e.Minor, ca*reach)
		two := e.at(b).Plus(e.Major, sb*reach).Plus(e.Minor, -cb*reach)
		p.Curve(one, two, e.at(b))
	}
}

// Around draws a whole ellipse.
func (p *Path) Around(e Ellipse) {
	p.Move(e.at(0))
	p.Arc(e, 0, 2*math.Pi)
	p.Close()
}

// Bulge goes on to a point along an arc whose angle has so large a tangent of its quarter; 0 is a straight line, and
// below 0 it goes clockwise.
func (p *Path) Bulge(to Point, bulge float64) {
	from, ok := p.At()
	dx, dy := to.X-from.X, to.Y-from.Y
	chord := math.Hypot(dx, dy)
	if !ok || math.Abs(bulge) < 1e-9 || math.Abs(bulge) > 1e6 || chord == 0 {
		p.Line(to)
		return
	}
	angle := 4 * math.Atan(bulge)
	height := chord / 2 * (1 - bulge*bulge) / (2 * bulge) // of the middle over the chord, to the left
	middle := Point{(from.X+to.X)/2 - dy/chord*height, (from.Y+to.Y)/2 + dx/chord*height}
	begin := math.Atan2(from.Y-middle.Y, from.X-middle.X)
	n := len(p.Ops)
	p.Arc(Circle(middle, math.Hypot(from.X-middle.X, from.Y-middle.Y)), begin, begin+angle)
	// The arc begins where the pen is: the step to there is none.
	if n < len(p.Ops) && p.Ops[n] == 'L' {
		at := len(p.Points) - points(p.Ops[n:])
		p.Ops = append(p.Ops[:n], p.Ops[n+1:]...)
		p.Points = append(p.Points[:at], p.Points[at+1:]...)
	}
}

// points is how many points ops want.
func points(ops []byte) int {
	n := 0
	for _, op := range ops {
		switch op {
		case 'M', 'L':
			n++
		case 'C':
			n += 3
		}
	}
	return n
}
