package dxf

import (
	"slices"

	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// The bounds of a curve: its degree, and the straight pieces of which it is made.
const (
	mostDegree = 25
	mostPieces = 2000
	pieces     = 8 // between two of its points
)

// spline draws a curve by the points that steer it, or straight through those that it was fitted to.
func spline(p *drawing.Path, g figures, degree int, closed bool) {
	c := curve{degree: degree, knots: g.values(40), weights: g.values(41)}
	for _, at := range g.all(10) {
		c.points = append(c.points, at.at)
	}
	if c.sound() {
		c.draw(p)
		return
	}
	through := g.all(11)
	if len(through) < 2 {
		through = g.all(10)
	}
	polyline(p, straight(through), closed)
}

// curve is a rational B-spline.
type curve struct {
	degree         int
	knots, weights []float64
	points         []drawing.Point
}

func (c *curve) sound() bool {
	n := len(c.points)
	if c.degree < 1 || c.degree > mostDegree || n <= c.degree || len(c.knots) != n+c.degree+1 || !slices.IsSorted(c.knots) {
		return false
	}
	if len(c.weights) != n {
		c.weights = slices.Repeat([]float64{1}, n)
	}
	return !slices.ContainsFunc(c.weights, func(w float64) bool { return w <= 0 }) && c.knots[c.degree] < c.knots[n]
}

// draw draws the curve piece by piece.
func (c *curve) draw(p *drawing.Path) {
	from, to := c.knots[c.degree], c.knots[len(c.points)]
	n := min(len(c.points)*pieces, mostPieces)
	span := c.degree
	for i := range n + 1 {
		u := from + (to-from)*float64(i)/float64(n)
		for span < len(c.points)-1 && u >= c.knots[span+1] {
			span++
		}
		if at := c.at(u, span); i == 0 {
			p.Move(at)
		} else {
			p.Line(at)
		}
	}
}

// at is the point of the curve at u, which lies between the knot of that number and the next, by de Boor's way.
func (c *curve) at(u float64, span int) drawing.Point {
	type weighted struct{ x, y, w float64 }
	d := make([]weighted, c.degree+1)
	for i := range d {
		k := span - c.degree + i
		w := c.weights[k]
		d[i] = weighted{c.points[k].X * w, c.points[k].Y * w, w}
	}
	for r := 1; r <= c.degree; r++ {
		for i := c.degree; i >= r; i-- {
			k := span - c.degree + i
			part := 0.0
			if width := c.knots[k+c.degree-r+1] - c.knots[k]; width > 0 {
				part = (u - c.knots[k]) / width
			}
			d[i] = weighted{d[i-1].x + (d[i].x-d[i-1].x)*part, d[i-1].y + (d[i].y-d[i-1].y)*part, d[i-1].w + (d[i].w-d[i-1].w)*part}
		}
	}
	last := d[c.degree]
	return drawing.Point{X: last.x / last.w, Y: last.y / last.w}
}
