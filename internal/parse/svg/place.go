package svg

import (
	"math"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

type point struct{ x, y float64 }

func (p point) region() corpus.Region { return corpus.Region{p.x, p.y, p.x, p.y} }

// box is left, top, right and bottom.
type box = corpus.Region

// frame takes points of an element to the view of the drawing.
type frame struct{ a, b, c, d, x, y float64 }

var identity = frame{a: 1, d: 1}

func (f frame) at(x, y float64) point { return point{f.a*x + f.c*y + f.x, f.b*x + f.d*y + f.y} }

func (f frame) then(g frame) frame {
	o := f.at(g.x, g.y)
	return frame{f.a*g.a + f.c*g.b, f.b*g.a + f.d*g.b, f.a*g.c + f.c*g.d, f.b*g.c + f.d*g.d, o.x, o.y}
}

func (f frame) moved(x, y float64) frame { return f.then(frame{a: 1, d: 1, x: x, y: y}) }

func (f frame) scale() float64 { return math.Sqrt(math.Abs(f.a*f.d - f.b*f.c)) }

// around is the smallest upright box around a box of the frame.
func (f frame) around(b box) box {
	out := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range []point{f.at(b[0], b[1]), f.at(b[2], b[1]), f.at(b[0], b[3]), f.at(b[2], b[3])} {
		out = box{min(out[0], p.x), min(out[1], p.y), max(out[2], p.x), max(out[3], p.y)}
	}
	for i := range out {
		out[i] = round(out[i])
	}
	return out
}

// round keeps thousandths of a unit, and no number that is none.
func round(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return math.Round(min(max(v, -farthest), farthest)*1000)/1000 + 0 // no negative zero
}

// farthest bounds coordinates.
const farthest = 1e12

// outside reports that nothing of a region lies in a view.
func outside(view, r box) bool {
	return r[2] < view[0] || r[0] > view[2] || r[3] < view[1] || r[1] > view[3]
}

// view is the rectangle that a drawing shows; nil where it does not say.
func (n *node) view() *box {
	v := numbers(n.attrs["viewBox"])
	if len(v) == 4 && v[2] > 0 && v[3] > 0 {
		return &box{v[0], v[1], v[0] + v[2], v[1] + v[3]}
	}
	return nil
}

// fit is the frame of an element with a view of its own.
func (n *node) fit(size float64) frame {
	f := identity
	if n.name == "svg" {
		f = f.moved(number(n.attrs["x"], size), number(n.attrs["y"], size))
	}
	view := n.view()
	width, height := number(n.attrs["width"], size), number(n.attrs["height"], size)
	if view == nil || width <= 0 || height <= 0 {
		return f
	}
	w, h := view[2]-view[0], view[3]-view[1]
	scale := min(width/w, height/h)
	return f.moved((width-w*scale)/2, (height-h*scale)/2).then(frame{a: scale, d: scale}).moved(-view[0], -view[1])
}

// transform reads a list of transformations. What can't be read changes nothing.
func transform(s string) frame {
	out := identity
	for s != "" {
		name, rest, ok := strings.Cut(s, "(")
		inside, after, closed := strings.Cut(rest, ")")
		if !ok || !closed {
			break
		}
		s = after
		out = out.then(step(strings.Trim(name, " \t\r\n,"), numbers(inside)))
	}
	return out
}

func step(name string, v []float64) frame {
	at := func(i int, missing float64) float64 {
		if i < len(v) {
			return v[i]
		}
		return missing
	}
	switch {
	case len(v) == 0:
	case name == "matrix" && len(v) == 6:
		return frame{v[0], v[1], v[2], v[3], v[4], v[5]}
	case name == "translate":
		return frame{a: 1, d: 1, x: v[0], y: at(1, 0)}
	case name == "scale":
		return frame{a: v[0], d: at(1, v[0])}
	case name == "rotate":
		sin, cos := math.Sincos(v[0] * math.Pi / 180)
		x, y := at(1, 0), at(2, 0)
		return identity.moved(x, y).then(frame{a: cos, b: sin, c: -sin, d: cos}).moved(-x, -y)
	case name == "skewX":
		return frame{a: 1, c: math.Tan(v[0] * math.Pi / 180), d: 1}
	case name == "skewY":
		return frame{a: 1, b: math.Tan(v[0] * math.Pi / 180), d: 1}
	}
	return identity
}

// numbers reads a list of numbers up to the first that is none, at most six.
func numbers(s string) []float64 {
	var out []float64
	for len(out) < 6 {
		s = strings.TrimLeft(s, " \t\r\n,")
		n, rest := leading(s)
		if len(rest) == len(s) {
			break
		}
		out, s = append(out, n), rest
	}
	return out
}

// longest bounds how many characters a number has.
const longest = 64

// leading reads the number that a text begins with, and returns what follows it.
func leading(s string) (float64, string) {
	end := 0
	for end < min(len(s), longest) && (s[end] >= '0' && s[end] <= '9' || strings.IndexByte("+-.eE", s[end]) >= 0) {
		if (s[end] == 'e' || s[end] == 'E') && (end == 0 || end+1 >= len(s) || strings.IndexByte("0123456789+-", s[end+1]) < 0) {
			break // of "em" and "ex"
		}
		if end > 0 && (s[end] == '+' || s[end] == '-') && s[end-1] != 'e' && s[end-1] != 'E' {
			break
		}
		end++
	}
	for ; end > 0; end-- {
		n, err := strconv.ParseFloat(s[:end], 64)
		if err == nil && n > -farthest && n < farthest {
			return n, s[end:]
		}
	}
	return 0, s
}

// number reads a length in the units of the drawing, the first of a list; 0 for none.
func number(s string, size float64) float64 {
	s = strings.TrimSpace(s)
	n, rest := leading(s)
	unit := strings.TrimLeft(rest, " ")
	if i := strings.IndexAny(unit, " ,\t\r\n"); i >= 0 {
		unit = unit[:i]
	}
	switch strings.ToLower(unit) {
	case "em", "rem":
		return n * size
	case "ex", "ch":
		return n * size / 2
	case "pt":
		return n * 4 / 3
	case "pc":
		return n * 16
	case "mm":
		return n * 96 / 25.4
	case "cm":
		return n * 96 / 2.54
	case "in":
		return n * 96
	case "%": // of a view that is not known here
		return 0
	}
	return n
}

// fontSize reads the size of a font inside one of another size.
func fontSize(s string, around float64) float64 {
	s = strings.ToLower(strings.TrimSpace(s))
	if n, rest := leading(s); len(rest) < len(s) {
		if strings.TrimSpace(rest) == "%" {
			return n / 100 * around
		}
		return number(s, around)
	}
	switch s {
	case "xx-small":
		return 9
	case "x-small":
		return 10
	case "small":
		return 13
	case "medium":
		return 16
	case "large":
		return 18
	case "x-large":
		return 24
	case "xx-large":
		return 32
	}
	return around
}
