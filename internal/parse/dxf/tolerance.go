package dxf

import (
	"strings"

	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// framed draws the frame of a tolerance around its words: a box for each line, and a line between its parts. Parts that are
// empty at the end have none.
func (w *walk) framed(v visit, e *entity, words string) {
	if e.kind != "TOLERANCE" || !w.drawing(v) || !w.pen.Draws() {
		return
	}
	own, box, height := e.stands(v.frame, words)
	look := drawing.Look{Ink: w.ink(v, e.colour), Weight: w.weight(v, e.weight)}
	pad, over := height/2, (spacing-1)/2*height // so that the boxes of two lines touch
	for i, line := range strings.Split(words, "\n") {
		line = strings.TrimRight(line, " |")
		if line == "" {
			continue
		}
		top := box[3] + over - float64(i)*spacing*height
		low := top - spacing*height
		across := func(s string) float64 { return box[0] + height*drawing.Width(s, narrow, wide) }
		var path drawing.Path
		left, right := box[0]-pad, across(line)+pad
		path.Move(drawing.Point{X: left, Y: low})
		for _, corner := range []drawing.Point{{X: right, Y: low}, {X: right, Y: top}, {X: left, Y: top}} {
			path.Line(corner)
		}
		path.Close()
		for from := 0; ; {
			n := strings.Index(line[from:], parted)
			if n < 0 {
				break
			}
			x := (across(line[:from+n]) + across(line[:from+n+len(parted)])) / 2
			path.Move(drawing.Point{X: x, Y: low})
			path.Line(drawing.Point{X: x, Y: top})
			from += n + len(parted)
		}
		w.count(len(path.Points))
		w.pen.Draw(own, path, look)
	}
}
