package dxf

import (
	"math"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// facing is the frame of an entity that may be seen from behind.
func (e *entity) facing(f drawing.Frame) drawing.Frame {
	if e.mirrored {
		return f.Then(drawing.Frame{A: -1, D: 1})
	}
	return f
}

// insert is the frame of a block that an entity shows.
func (e *entity) insert(f drawing.Frame) drawing.Frame {
	return e.facing(f).Moved(e.at.x, e.at.y).Turned(e.turn * math.Pi / 180).Then(drawing.Frame{A: e.scale.x, D: e.scale.y})
}

// table is the frame of the block of a table, which has a direction instead of an angle.
func (e *entity) table(f drawing.Frame) drawing.Frame {
	return f.Moved(e.at.x, e.at.y).Turned(e.to.direction())
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
func (e *entity) region(f drawing.Frame, words string) (corpus.Region, float64) {
	own, box, height := e.stands(f, words)
	return own.Around(box), drawing.Round(height * f.Scale())
}

// stands returns the frame of a text, its box in that, and how high its letters are in both.
func (e *entity) stands(f drawing.Frame, words string) (own drawing.Frame, box corpus.Region, height float64) {
	height = math.Abs(or(e.height, usual))
	switch {
	case e.kind == "TEXT" || e.kind == "ATTRIB" || e.kind == "ATTDEF":
		own, box = e.line(e.facing(f), words, height)
	case isDimension(e.kind):
		width, tall := extent(words, usual)
		own, box = f.Moved(e.to.x, e.to.y), corpus.Region{-width / 2, -tall / 2, width / 2, tall / 2}
		height = usual
	default:
		own, box = e.paragraph(f, words, height)
	}
	return own, box, height
}

// line is a text on one line: its frame, and its box in that.
func (e *entity) line(f drawing.Frame, words string, height float64) (drawing.Frame, corpus.Region) {
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
	return f.Moved(from.x, from.y).Turned(turn), corpus.Region{-left, -low, width - left, height - low}
}

// paragraph is a text on several lines: its frame, and its box in that.
func (e *entity) paragraph(f drawing.Frame, words string, height float64) (drawing.Frame, corpus.Region) {
	width, tall := extent(words, height)
	if most := math.Abs(e.width); most > 0 && most < width && e.kind == "MTEXT" {
		width, tall = extent(strings.Join(wrapped(words, height, most, true), "\n"), height)
		width = max(width, most)
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
	return f.Moved(e.at.x, e.at.y).Turned(turn), corpus.Region{-left, up - tall, width - left, up}
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
		width = max(width, height*drawing.Width(strings.TrimRight(line, "\r\n"), narrow, wide))
	}
	return width, height * (1 + spacing*float64(max(lines-1, 0)))
}

// wrapped parts a text into the lines in which it is drawn: those that it has, and where it says how wide
// it may be, those that this makes of them. Words stay whole; between Chinese characters a line may end.
func wrapped(words string, height, width float64, bounded bool) []string {
	var out []string
	for line := range strings.Lines(words) {
		line = strings.TrimRight(line, "\r\n")
		if !bounded {
			out = append(out, line)
			continue
		}
		from, gap, room := 0, 0, width*1.001
		for i, r := range line {
			across := height * drawing.Width(string(r), narrow, wide)
			if room < across && gap > from && r != ' ' {
				out = append(out, strings.TrimRight(line[from:gap], " "))
				room = width*1.001 - height*drawing.Width(line[gap:i], narrow, wide)
				from = gap
			}
			room -= across
			if r == ' ' || r >= 0x2e80 {
				gap = i + len(string(r))
			}
		}
		out = append(out, line[from:])
	}
	return out
}
