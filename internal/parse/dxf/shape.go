package dxf

import (
	"math"

	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// shape is what an entity draws beside text.
type shape struct {
	path    drawing.Path
	filled  bool
	corners []corner // that are still being read
	// wide is how wide its lines are in the drawing; 0 if they have no width there.
	wide float64
	// flat says that its coordinates are those of its own plane, which may be seen from behind.
	flat bool
}

// drawn reports whether entities of a kind are drawn as lines.
func drawn(kind string) bool {
	switch kind {
	case "LINE", "LWPOLYLINE", "POLYLINE", "VERTEX", "CIRCLE", "ARC", "ELLIPSE", "SPLINE", "SOLID", "TRACE", "3DFACE", "HATCH", "LEADER", "MLINE", "POINT":
		return true
	}
	return false
}

// undrawn reports whether something of a kind would be seen, and is not drawn here.
func undrawn(kind string) bool {
	switch kind {
	case "3DSOLID", "REGION", "BODY", "SURFACE", "EXTRUDEDSURFACE", "LOFTEDSURFACE", "REVOLVEDSURFACE", "SWEPTSURFACE", "PLANESURFACE", "MESH", "HELIX",
		"RAY", "XLINE", "SHAPE", "IMAGE", "OLE2FRAME", "OLEFRAME", "PDFUNDERLAY", "DWFUNDERLAY", "DGNUNDERLAY", "SECTION", "LIGHT", "WIPEOUT":
		return true
	}
	return false
}

// pair is a group code with a number.
type pair struct {
	code int
	v    float64
}

// figures are the numbers of an entity, in order.
type figures []pair

// first returns the first value of a code.
func (g figures) first(code int, missing float64) float64 {
	for _, p := range g {
		if p.code == code {
			return p.v
		}
	}
	return missing
}

func (g figures) flags() int { return int(min(max(g.first(70, 0), -1<<30), 1<<30)) }

// at returns the first point of a code.
func (g figures) at(code int) drawing.Point {
	return drawing.Point{X: g.first(code, 0), Y: g.first(code+10, 0)}
}

// all returns the points of a code.
func (g figures) all(code int) []corner {
	var out []corner
	for _, p := range g {
		n := len(out)
		switch {
		case p.code == code:
			out = append(out, corner{at: drawing.Point{X: p.v}})
		case n > 0 && p.code == code+10:
			out[n-1].at.Y = p.v
		case n > 0 && p.code == 42:
			out[n-1].bulge = p.v
		}
	}
	return out
}

// values returns all numbers of a code.
func (g figures) values(code int) []float64 {
	var out []float64
	for _, p := range g {
		if p.code == code {
			out = append(out, p.v)
		}
	}
	return out
}

func pointOf(p point) drawing.Point { return drawing.Point{X: p.x, Y: p.y} }

// corner is a point of a line, and how the line leaves it.
type corner struct {
	at    drawing.Point
	bulge float64
}

// polyline draws corners in turn.
func polyline(p *drawing.Path, corners []corner, closed bool) {
	for i, c := range corners {
		if i == 0 {
			p.Move(c.at)
			continue
		}
		p.Bulge(c.at, corners[i-1].bulge)
	}
	if n := len(corners); closed && n > 1 {
		p.Bulge(corners[0].at, corners[n-1].bulge)
		p.Close()
	}
}

const degree = math.Pi / 180

// shapeOf draws an entity of its numbers; nil for one of which nothing is seen.
func shapeOf(kind string, g figures) *shape {
	s := &shape{}
	switch kind {
	case "LINE":
		s.path.Move(g.at(10))
		s.path.Line(g.at(11))
	case "LWPOLYLINE":
		s.flat, s.wide = true, max(g.first(43, 0), 0)
		polyline(&s.path, g.all(10), g.flags()&1 != 0)
	case "POINT":
		s.path.Move(g.at(10))
		s.path.Line(g.at(10))
	case "LEADER":
		polyline(&s.path, straight(g.all(10)), false)
	case "MLINE":
		polyline(&s.path, straight(g.all(11)), int(g.first(71, 0))&2 != 0)
	case "CIRCLE":
		s.flat = true
		s.path.Around(drawing.Circle(g.at(10), g.first(40, 0)))
	case "ARC":
		s.flat = true
		from, to := g.first(50, 0)*degree, g.first(51, 360)*degree
		s.path.Arc(drawing.Circle(g.at(10), g.first(40, 0)), from, beyond(from, to))
	case "ELLIPSE":
		ellipse(&s.path, g)
	case "SPLINE":
		spline(&s.path, g, int(g.first(71, 3)), g.flags()&1 != 0)
	case "SOLID", "TRACE":
		s.flat, s.filled = true, true
		polygon(&s.path, g.at(10), g.at(11), g.at(13), g.at(12))
	case "3DFACE":
		polygon(&s.path, g.at(10), g.at(11), g.at(12), g.at(13))
	case "HATCH":
		s.flat, s.filled = true, g.first(70, 0) == 1
		hatch(&s.path, g)
	}
	if s.path.Empty() {
		return nil
	}
	return s
}

func straight(corners []corner) []corner {
	for i := range corners {
		corners[i].bulge = 0
	}
	return corners
}

func polygon(p *drawing.Path, corners ...drawing.Point) {
	for _, c := range corners {
		p.Line(c)
	}
	p.Close()
}

// beyond returns an end of an arc that comes after its beginning.
func beyond(from, to float64) float64 {
	if turn := math.Mod(to-from, 2*math.Pi); turn > 1e-9 {
		return from + turn
	} else if turn < -1e-9 {
		return from + turn + 2*math.Pi
	}
	return from + 2*math.Pi
}

func ellipse(p *drawing.Path, g figures) {
	major, ratio := g.at(11), g.first(40, 1)
	if g.first(230, 1) < 0 {
		ratio = -ratio // seen from behind it turns the other way
	}
	from, to := g.first(41, 0), g.first(42, 2*math.Pi)
	p.Arc(drawing.Ellipse{Middle: g.at(10), Major: major, Minor: drawing.Point{X: -major.Y * ratio, Y: major.X * ratio}}, from, beyond(from, to))
}
