package svg

import (
	"math"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// data reads numbers one by one.
type data struct{ rest string }

func (d *data) space() { d.rest = strings.TrimLeft(d.rest, " \t\r\n\f,") }

func (d *data) number() (float64, bool) {
	d.space()
	n, rest := leading(d.rest)
	ok := len(rest) < len(d.rest)
	d.rest = rest
	return n, ok
}

// flag reads a 0 or 1, which needs nothing behind it.
func (d *data) flag() (set, ok bool) {
	d.space()
	if d.rest == "" || d.rest[0] != '0' && d.rest[0] != '1' {
		return false, false
	}
	set = d.rest[0] == '1'
	d.rest = d.rest[1:]
	return set, true
}

// point reads a point that is counted from another.
func (d *data) point(from drawing.Point) (drawing.Point, bool) {
	x, ok := d.number()
	if !ok {
		return from, false
	}
	y, ok := d.number()
	return drawing.Point{X: from.X + x, Y: from.Y + y}, ok
}

// hand follows the data of a path.
type hand struct {
	*data
	path  *drawing.Path
	at    drawing.Point
	begun drawing.Point
	steer drawing.Point // of the curve before: where its mirror image is counted from
	last  byte          // the command before, as a capital
}

// way draws the data of a path up to the first thing that can't be read, as viewers do.
func way(p *drawing.Path, d string) {
	h := &hand{data: &data{rest: d}, path: p}
	for command := byte(0); ; {
		h.space()
		if h.rest == "" {
			return
		}
		if c := h.rest[0]; strings.IndexByte("MmLlHhVvCcSsQqTtAaZz", c) >= 0 {
			command, h.rest = c, h.rest[1:]
		} else if command == 0 || command == 'Z' || command == 'z' {
			return
		}
		if p.Over || len(p.Ops) == 0 && command != 'M' && command != 'm' {
			return
		}
		if !h.step(command) {
			return
		}
		h.last = command &^ 0x20
		switch command { // What follows the first point of a line without a command are lines.
		case 'M':
			command = 'L'
		case 'm':
			command = 'l'
		}
	}
}

// step follows one command; false if its numbers are not there.
func (h *hand) step(command byte) bool {
	var from drawing.Point
	if command >= 'a' {
		from = h.at
	}
	switch command &^ 0x20 {
	case 'Z':
		h.path.Close()
		h.at = h.begun
		return true
	case 'M':
		to, ok := h.point(from)
		if ok {
			h.path.Move(to)
			h.at, h.begun = to, to
		}
		return ok
	case 'L':
		to, ok := h.point(from)
		return ok && h.line(to)
	case 'H':
		x, ok := h.number()
		return ok && h.line(drawing.Point{X: from.X + x, Y: h.at.Y})
	case 'V':
		y, ok := h.number()
		return ok && h.line(drawing.Point{X: h.at.X, Y: from.Y + y})
	case 'A':
		return h.arc(from)
	}
	return h.curve(command&^0x20, from)
}

func (h *hand) line(to drawing.Point) bool {
	h.path.Line(to)
	h.at = to
	return true
}

// curve follows the curves: with two points that steer, or one, or with the mirror image of that before.
func (h *hand) curve(command byte, from drawing.Point) bool {
	mirrored := h.at
	same := command == 'S' && (h.last == 'C' || h.last == 'S') || command == 'T' && (h.last == 'Q' || h.last == 'T')
	if same {
		mirrored = drawing.Point{X: 2*h.at.X - h.steer.X, Y: 2*h.at.Y - h.steer.Y}
	}
	one, two := mirrored, mirrored
	ok := true
	if command == 'C' || command == 'Q' {
		one, ok = h.point(from)
		two = one
	}
	if ok && (command == 'C' || command == 'S') {
		two, ok = h.point(from)
	}
	if !ok {
		return false
	}
	to, ok := h.point(from)
	if !ok {
		return false
	}
	h.steer = two
	if command == 'Q' || command == 'T' { // the same curve with two points
		q := one
		one = drawing.Point{X: h.at.X + (q.X-h.at.X)*2/3, Y: h.at.Y + (q.Y-h.at.Y)*2/3}
		two = drawing.Point{X: to.X + (q.X-to.X)*2/3, Y: to.Y + (q.Y-to.Y)*2/3}
	}
	h.path.Curve(one, two, to)
	h.at = to
	return true
}

// arc follows a piece of an ellipse between two points, as the standard says it is found.
func (h *hand) arc(from drawing.Point) bool {
	a, ok1 := h.number()
	b, ok2 := h.number()
	turn, ok3 := h.number()
	large, ok4 := h.flag()
	sweep, ok5 := h.flag()
	to, ok6 := h.point(from)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 {
		return false
	}
	a, b = math.Abs(a), math.Abs(b)
	if a == 0 || b == 0 || to == h.at {
		return h.line(to)
	}
	sin, cos := math.Sincos(turn * math.Pi / 180)
	dx, dy := (h.at.X-to.X)/2, (h.at.Y-to.Y)/2
	x, y := cos*dx+sin*dy, -sin*dx+cos*dy
	if grow := x*x/(a*a) + y*y/(b*b); grow > 1 {
		a, b = a*math.Sqrt(grow), b*math.Sqrt(grow)
	}
	under := a*a*y*y + b*b*x*x
	reach := math.Sqrt(max(0, (a*a*b*b-under)/under))
	if large == sweep {
		reach = -reach
	}
	mx, my := reach*a*y/b, -reach*b*x/a
	e := drawing.Ellipse{
		Middle: drawing.Point{X: cos*mx - sin*my + (h.at.X+to.X)/2, Y: sin*mx + cos*my + (h.at.Y+to.Y)/2},
		Major:  drawing.Point{X: a * cos, Y: a * sin}, Minor: drawing.Point{X: -b * sin, Y: b * cos},
	}
	begin, end := math.Atan2((y-my)/b, (x-mx)/a), math.Atan2((-y-my)/b, (-x-mx)/a)
	switch {
	case sweep && end < begin:
		end += 2 * math.Pi
	case !sweep && end > begin:
		end -= 2 * math.Pi
	}
	h.path.Arc(e, begin, end)
	h.at = to
	return true
}
