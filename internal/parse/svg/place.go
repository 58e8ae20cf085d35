package svg

import (
	"math"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// box is left, top, right and bottom.
type box = corpus.Region

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
func (n *node) fit(size float64) drawing.Frame {
	f := drawing.Identity()
	if n.name == "svg" {
		f = f.Moved(number(n.attrs["x"], size), number(n.attrs["y"], size))
	}
	view := n.view()
	width, height := number(n.attrs["width"], size), number(n.attrs["height"], size)
	if view == nil || width <= 0 || height <= 0 {
		return f
	}
	w, h := view[2]-view[0], view[3]-view[1]
	scale := min(width/w, height/h)
	return f.Moved((width-w*scale)/2, (height-h*scale)/2).Then(drawing.Frame{A: scale, D: scale}).Moved(-view[0], -view[1])
}

// transform reads a list of transformations. What can't be read changes nothing.
func transform(s string) drawing.Frame {
	out := drawing.Identity()
	for s != "" {
		name, rest, ok := strings.Cut(s, "(")
		inside, after, closed := strings.Cut(rest, ")")
		if !ok || !closed {
			break
		}
		s = after
		out = out.Then(step(strings.Trim(name, " \t\r\n,"), numbers(inside)))
	}
	return out
}

func step(name string, v []float64) drawing.Frame {
	at := func(i int, missing float64) float64 {
		if i < len(v) {
			return v[i]
		}
		return missing
	}
	switch {
	case len(v) == 0:
	case name == "matrix" && len(v) == 6:
		return drawing.Frame{A: v[0], B: v[1], C: v[2], D: v[3], X: v[4], Y: v[5]}
	case name == "translate":
		return drawing.Identity().Moved(v[0], at(1, 0))
	case name == "scale":
		return drawing.Frame{A: v[0], D: at(1, v[0])}
	case name == "rotate":
		x, y := at(1, 0), at(2, 0)
		return drawing.Identity().Moved(x, y).Turned(v[0]*math.Pi/180).Moved(-x, -y)
	case name == "skewX":
		return drawing.Frame{A: 1, C: math.Tan(v[0] * math.Pi / 180), D: 1}
	case name == "skewY":
		return drawing.Frame{A: 1, B: math.Tan(v[0] * math.Pi / 180), D: 1}
	}
	return drawing.Identity()
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
		if err == nil && n > -drawing.Farthest && n < drawing.Farthest {
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
