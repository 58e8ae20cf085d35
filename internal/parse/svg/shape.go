package svg

import (
	"math"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// The bounds of the shapes that are kept of a drawing, and of the bytes of what they are drawn by.
const (
	mostShapes = 100_000
	mostShape  = 16 << 20
)

// measures are the attributes by which a shape is drawn; nil for an element that is none.
func measures(name string) []string {
	switch name {
	case "rect":
		return []string{"x", "y", "width", "height", "rx", "ry"}
	case "circle":
		return []string{"cx", "cy", "r"}
	case "ellipse":
		return []string{"cx", "cy", "rx", "ry"}
	case "line":
		return []string{"x1", "y1", "x2", "y2"}
	case "polyline", "polygon":
		return []string{"points"}
	case "path":
		return []string{"d"}
	}
	return nil
}

// long reports whether a shape is drawn by a list, of any length.
func long(name string) bool { return name == "path" || name == "polyline" || name == "polygon" }

// shape keeps what an element is drawn by, and reports whether it is drawn.
func (r *reader) shape(e ooxml.Element, n *node) bool {
	names := measures(e.Name)
	if !r.shapes || names == nil {
		return false
	}
	if r.drawn++; r.drawn > mostShapes || r.size > mostShape {
		r.lost = true
		return false
	}
	n.sizes = map[string]string{}
	for _, name := range names {
		v := e.Attr(name)
		if !long(e.Name) {
			v = cut(strings.TrimSpace(v))
		}
		if v != "" {
			n.sizes[name] = v
			r.size += len(v)
		}
	}
	return true
}

// path is what a shape draws, in its own frame.
func (n *node) path(size float64) drawing.Path {
	var p drawing.Path
	of := func(name string) float64 { return number(n.sizes[name], size) }
	switch n.name {
	case "rect":
		rectangle(&p, of, n.sizes)
	case "circle":
		if r := of("r"); r > 0 {
			p.Around(drawing.Circle(drawing.Point{X: of("cx"), Y: of("cy")}, r))
		}
	case "ellipse":
		if a, b := of("rx"), of("ry"); a > 0 && b > 0 {
			p.Around(drawing.Ellipse{Middle: drawing.Point{X: of("cx"), Y: of("cy")}, Major: drawing.Point{X: a}, Minor: drawing.Point{Y: b}})
		}
	case "line":
		p.Move(drawing.Point{X: of("x1"), Y: of("y1")})
		p.Line(drawing.Point{X: of("x2"), Y: of("y2")})
	case "polyline", "polygon":
		in := &data{rest: n.sizes["points"]}
		for !p.Over {
			at, ok := in.point(drawing.Point{})
			if !ok {
				break
			}
			p.Line(at)
		}
		if n.name == "polygon" {
			p.Close()
		}
	case "path":
		way(&p, n.sizes["d"])
	}
	return p
}

// rectangle draws one whose corners may be round.
func rectangle(p *drawing.Path, of func(string) float64, given map[string]string) {
	x, y, w, h := of("x"), of("y"), of("width"), of("height")
	if w <= 0 || h <= 0 {
		return
	}
	a, b := of("rx"), of("ry")
	if strings.TrimSpace(given["rx"]) == "" {
		a = b
	}
	if strings.TrimSpace(given["ry"]) == "" {
		b = a
	}
	a, b = min(max(a, 0), w/2), min(max(b, 0), h/2)
	if a == 0 || b == 0 {
		for _, at := range []drawing.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}} {
			p.Line(at)
		}
		p.Close()
		return
	}
	for i, at := range []drawing.Point{{X: x + w - a, Y: y + b}, {X: x + w - a, Y: y + h - b}, {X: x + a, Y: y + h - b}, {X: x + a, Y: y + b}} {
		from := float64(i-1) * math.Pi / 2
		p.Arc(drawing.Ellipse{Middle: at, Major: drawing.Point{X: a}, Minor: drawing.Point{Y: b}}, from, from+math.Pi/2)
	}
	p.Close()
}
