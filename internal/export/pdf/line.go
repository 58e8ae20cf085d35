package pdf

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// glued keeps the mark of a note on the line of what it belongs to. It is never drawn.
const glued = "\u2060"

// letter is a character where it stands in its paragraph.
type letter struct {
	r    rune
	face Face
	note int
}

// run is a piece of a line in one font and one look.
type run struct {
	font  *font
	text  []rune
	face  Face
	note  int
	width float64
}

// line is a line of text that fits.
type line struct {
	runs  []run
	width float64
	notes []int // that it mentions
}

// broken sets pieces in lines of a width, at the places where Unicode lets lines end, and inside of
// what has no such place only if a line can't hold it.
func (t *setter) broken(pieces []Piece, size, width float64) (out []line) {
	for _, letters := range paragraphs(pieces) {
		b := breaker{t: t, size: size, width: width}
		text := make([]rune, len(letters))
		for i, l := range letters {
			text[i] = l.r
		}
		rest, state, segment := string(text), -1, ""
		for rest != "" {
			segment, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
			n := len([]rune(segment))
			b.add(letters[:n])
			letters = letters[n:]
		}
		out = append(out, b.end()...)
	}
	return out
}

// paragraphs takes pieces apart at their line ends, with their marks as text.
func paragraphs(pieces []Piece) [][]letter {
	out := [][]letter{nil}
	for _, p := range pieces {
		text := strings.ReplaceAll(p.Text, "\t", "    ")
		if p.Note > 0 {
			text = glued + "[" + strconv.Itoa(p.Note) + "]"
		}
		for _, r := range text {
			if r == '\n' {
				out = append(out, nil)
				continue
			}
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Variation_Selector) && string(r) != glued {
				continue
			}
			out[len(out)-1] = append(out[len(out)-1], letter{r, p.Face, p.Note})
		}
	}
	return out
}

// breaker fills lines.
type breaker struct {
	t           *setter
	size, width float64
	now         []letter
	long        float64
	out         []line
}

// add puts a segment on the line, or on the next one.
func (b *breaker) add(segment []letter) {
	wide, ink := b.measure(segment)
	if len(b.now) > 0 && b.long+ink > b.width {
		b.next()
	}
	if ink > b.width {
		b.split(segment)
		return
	}
	b.now, b.long = append(b.now, segment...), b.long+wide
}

// longest is how many characters of one that is seen as a whole stay together.
const longest = 64

// split fills lines with a segment that is longer than one.
func (b *breaker) split(segment []letter) {
	text := make([]rune, 0, longest)
	for len(segment) > 0 {
		text = text[:0]
		for _, l := range segment[:min(len(segment), longest)] {
			text = append(text, l.r)
		}
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(string(text), -1)
		n := len([]rune(cluster))
		wide, _ := b.measure(segment[:n])
		if len(b.now) > 0 && b.long+wide > b.width {
			b.next()
		}
		b.now, b.long = append(b.now, segment[:n]...), b.long+wide
		segment = segment[n:]
	}
}

// measure is how wide letters are, with and without the spaces at their end.
func (b *breaker) measure(letters []letter) (all, ink float64) {
	for _, l := range letters {
		all += b.t.wide(l, b.size)
		if l.r != ' ' {
			ink = all
		}
	}
	return all, ink
}

func (b *breaker) next() {
	b.out = append(b.out, b.t.line(b.now, b.size))
	b.now, b.long = nil, 0
}

func (b *breaker) end() []line {
	b.next()
	return b.out
}

// wide is how wide a letter is at a size.
func (t *setter) wide(l letter, size float64) float64 {
	if string(l.r) == glued {
		return 0
	}
	if l.note > 0 {
		size *= markScale
	}
	return float64(t.fonts.get(l.r, l.face).width(l.r)) * size / 1000
}

// line joins letters that look the same.
func (t *setter) line(letters []letter, size float64) (out line) {
	for len(letters) > 0 && letters[len(letters)-1].r == ' ' {
		letters = letters[:len(letters)-1]
	}
	for _, l := range letters {
		if string(l.r) == glued {
			continue
		}
		f := t.fonts.get(l.r, l.face)
		last := len(out.runs) - 1
		if last < 0 || out.runs[last].font != f || out.runs[last].face != l.face || out.runs[last].note != l.note || l.note > 0 && l.r == '[' {
			out.runs = append(out.runs, run{font: f, face: l.face, note: l.note})
			last++
			if l.note > 0 {
				out.notes = append(out.notes, l.note)
			}
		}
		w := t.wide(l, size)
		out.runs[last].text = append(out.runs[last].text, l.r)
		out.runs[last].width += w
		out.width += w
	}
	return out
}
