package dxf

import (
	"math"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/corpus"
)

// frame takes points of a block to the sheet on which it stands.
type frame struct{ a, b, c, d, x, y float64 }

var identity = frame{a: 1, d: 1}

func (f frame) at(p point) point {
	return point{f.a*p.x + f.c*p.y + f.x, f.b*p.x + f.d*p.y + f.y}
}

// then puts another frame inside this one.
func (f frame) then(g frame) frame {
	o := f.at(point{g.x, g.y})
	return frame{f.a*g.a + f.c*g.b, f.b*g.a + f.d*g.b, f.a*g.c + f.c*g.d, f.b*g.c + f.d*g.d, o.x, o.y}
}

func (f frame) moved(x, y float64) frame { return f.then(frame{a: 1, d: 1, x: x, y: y}) }

func (f frame) turned(radians float64) frame {
	sin, cos := math.Sincos(radians)
	return f.then(frame{a: cos, b: sin, c: -sin, d: cos})
}

// facing is the frame of an entity that may be seen from behind.
func (f frame) facing(e *entity) frame {
	if e.mirrored {
		return f.then(frame{a: -1, d: 1})
	}
	return f
}

// insert is the frame of a block that an entity shows.
func (f frame) insert(e *entity) frame {
	return f.facing(e).moved(e.at.x, e.at.y).turned(e.turn * math.Pi / 180).then(frame{a: e.scale.x, d: e.scale.y})
}

// table is the frame of the block of a table, which has a direction instead of an angle.
func (f frame) table(e *entity) frame {
	return f.moved(e.at.x, e.at.y).turned(e.to.direction())
}

func (p point) direction() float64 {
	if p == (point{}) {
		return 0
	}
	return math.Atan2(p.y, p.x)
}

// usual is the height of letters where a text does not say its own.
const usual = 2.5

// region returns where a text is seen on its sheet, and how high its letters are there.
func (f frame) region(e *entity, words string) (corpus.Region, float64) {
	height := math.Abs(or(e.height, usual))
	var own frame
	var box corpus.Region
	switch {
	case e.kind == "TEXT" || e.kind == "ATTRIB" || e.kind == "ATTDEF":
		own, box = f.facing(e).line(e, words, height)
	case strings.HasSuffix(e.kind, "DIMENSION"):
		width, tall := extent(words, usual)
		own, box = f.moved(e.to.x, e.to.y), corpus.Region{-width / 2, -tall / 2, width / 2, tall / 2}
		height = usual
	default:
		own, box = f.paragraph(e, words, height)
	}
	out := corpus.Region{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, corner := range []point{{box[0], box[1]}, {box[2], box[1]}, {box[0], box[3]}, {box[2], box[3]}} {
		p := own.at(corner)
		out = corpus.Region{min(out[0], p.x), min(out[1], p.y), max(out[2], p.x), max(out[3], p.y)}
	}
	for i := range out {
		out[i] = round(out[i])
	}
	return out, round(height * math.Sqrt(math.Abs(f.a*f.d-f.b*f.c)))
}

// line is a text on one line: its frame, and its box in that.
func (f frame) line(e *entity, words string, height float64) (frame, corpus.Region) {
	width, _ := extent(words, height)
	width *= math.Abs(or(e.width, 1))
	from, turn := e.at, e.turn*math.Pi/180
	var left, low float64
	switch {
	case e.across == 3 || e.across == 5: // between two points
		turn = point{e.to.x - e.at.x, e.to.y - e.at.y}.direction()
		width = math.Hypot(e.to.x-e.at.x, e.to.y-e.at.y)
	case e.across != 0 || e.down != 0:
		from = e.to
		left = map[int]float64{1: width / 2, 2: width, 4: width / 2}[e.across]
		low = map[int]float64{2: height / 2, 3: height}[e.down]
		if e.across == 4 {
			low = height / 2
		}
	}
	return f.moved(from.x, from.y).turned(turn), corpus.Region{-left, -low, width - left, height - low}
}

// paragraph is a text on several lines: its frame, and its box in that.
func (f frame) paragraph(e *entity, words string, height float64) (frame, corpus.Region) {
	width, tall := extent(words, height)
	if most := math.Abs(e.width); most > 0 && most < width && e.kind == "MTEXT" {
		tall *= math.Ceil(width / most)
		width = most
	}
	if e.kind == "MTEXT" && e.wide > 0 && e.tall > 0 {
		width, tall = e.wide, e.tall
	}
	turn := e.turn * math.Pi / 180
	if e.to != (point{}) {
		turn = e.to.direction()
	}
	attach := min(max(e.attach, 1), 9) - 1
	left, up := width*float64(attach%3)/2, tall*float64(attach/3)/2
	return f.moved(e.at.x, e.at.y).turned(turn), corpus.Region{-left, up - tall, width - left, up}
}

// How wide letters are and how far lines stand apart, in heights of capital letters.
const (
	narrow  = 0.75
	wide    = 1.35
	spacing = 1.67
)

// extent estimates how wide and tall a text is.
func extent(words string, height float64) (width, tall float64) {
	lines := 0
	for line := range strings.Lines(words) {
		lines++
		n := 0.0
		for _, r := range strings.TrimRight(line, "\r\n") {
			if r >= 0x2e80 && !unicode.Is(unicode.Mn, r) {
				n += wide
			} else {
				n += narrow
			}
		}
		width = max(width, n*height)
	}
	return width, height * (1 + spacing*float64(max(lines-1, 0)))
}

// round keeps thousandths of a unit, and no number that is none.
func round(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	v = math.Round(min(max(v, -farthest), farthest)*1000) / 1000
	return v + 0 // no negative zero
}
