package dxf

import (
	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// hatch draws the borders of an area. They follow the number of borders, one after the other, each with its kind:
// corners in turn, or edges that stand for themselves.
func hatch(p *drawing.Path, g figures) {
	for len(g) > 0 && g[0].code != 91 {
		g = g[1:]
	}
	if len(g) == 0 {
		return
	}
	for g = g[1:]; len(g) > 0; {
		if g[0].code != 92 {
			g = g[1:]
			continue
		}
		kind := int(g[0].v)
		border := g[1:]
		end := 0
		for end < len(border) && border[end].code != 92 && border[end].code != 75 {
			end++
		}
		g = border[end:]
		if kind&2 != 0 {
			corners := border[:end].all(10)
			if border[:end].first(72, 0) == 0 {
				corners = straight(corners)
			}
			polyline(p, corners, true)
			continue
		}
		edges(p, border[:end])
	}
}

// edges draws a border of lines and arcs.
func edges(p *drawing.Path, g figures) {
	begun := false
	for len(g) > 0 {
		if g[0].code != 72 {
			g = g[1:]
			continue
		}
		kind, end := int(g[0].v), 1
		for end < len(g) && g[end].code != 72 {
			end++
		}
		edge := g[1:end]
		g = g[end:]
		var one drawing.Path
		switch kind {
		case 1:
			one.Move(edge.at(10))
			one.Line(edge.at(11))
		case 2:
			from, to := turned(edge)
			one.Arc(drawing.Circle(edge.at(10), edge.first(40, 0)), from, to)
		case 3:
			major, ratio := edge.at(11), edge.first(40, 1)
			from, to := turned(edge)
			one.Arc(drawing.Ellipse{Middle: edge.at(10), Major: major, Minor: drawing.Point{X: -major.Y * ratio, Y: major.X * ratio}}, from, to)
		case 4:
			spline(&one, edge, int(edge.first(94, 3)), false)
		}
		begun = follow(p, one, begun)
	}
	if begun {
		p.Close()
	}
}

// turned returns the angles of an arc of a border, which goes clockwise if it does not say otherwise: then they are
// measured the other way round.
func turned(edge figures) (from, to float64) {
	from, to = edge.first(50, 0)*degree, edge.first(51, 360)*degree
	if edge.first(73, 1) != 0 {
		return from, beyond(from, to)
	}
	return -from, -beyond(from, to)
}

// follow goes on with an edge from where the one before ended.
func follow(p *drawing.Path, edge drawing.Path, begun bool) bool {
	if edge.Empty() {
		return begun
	}
	if begun && !edge.Over {
		edge.Ops[0] = 'L'
	}
	p.Follow(edge)
	return true
}
