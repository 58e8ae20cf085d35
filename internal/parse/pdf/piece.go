package pdf

import (
	"bytes"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// piece is a run of glyphs that stand side by side on one line: all of it, or a cell. Its own
// coordinates are turned so that its line runs to the right and the next one stands below.
type piece struct {
	left, top, right, bottom float32
	size                     float32
	rtl                      bool
	glyphs                   []glyph
}

func (p *piece) height() float32 { return p.bottom - p.top }

// turned brings a box into the coordinates of lines that are turned clockwise by quarters.
func turned(b corpus.Box, quarters int) (left, top, right, bottom float32) {
	switch quarters {
	case 1:
		return b[1], -b[2], b[3], -b[0]
	case 2:
		return -b[2], -b[3], -b[0], -b[1]
	case 3:
		return -b[3], b[0], -b[1], b[2]
	}
	return b[0], b[1], b[2], b[3]
}

// The gap at which two glyphs are no longer parts of one piece, and at which they are two words, in
// the size of their text.
const (
	pieceGap = 1.0
	wordGap  = 0.22
	wideGap  = 0.7 // for two characters of Chinese or Japanese, which are often set apart
)

// pieces groups the glyphs of a page by the way their lines run. Vertical writing is text whose
// lines run down; it is told by where one glyph stands from the one before it. The glyphs of a piece
// stand one after the other on the page too: it has a part of the page's own list.
func pieces(glyphs []glyph) (ways [4][]*piece) {
	var open *piece
	way := -1
	for i := range glyphs {
		g := &glyphs[i]
		w := g.style.turn
		if w == 0 && upright(glyphs, i) {
			w = 1
		}
		if open != nil && w == way && open.takes(g, w) {
			open.add(g, w)
			continue
		}
		if open != nil {
			open.glyphs = slices.Clip(open.glyphs)
		}
		open, way = &piece{glyphs: glyphs[i:i]}, w
		open.add(g, w)
		ways[w] = append(ways[w], open)
	}
	return ways
}

// upright reports that a glyph stands in a column of glyphs, each below the one before.
func upright(glyphs []glyph, i int) bool {
	below := func(a, b *glyph) bool {
		ax, ay := center(a.box)
		bx, by := center(b.box)
		return a.style.turn == b.style.turn && abs(ax-bx) < 0.3*a.style.size && by-ay > 0.5*a.style.size && by-ay < 1.6*a.style.size
	}
	wide := func(j int) bool { return eastern(glyphs[j].r) || glyphs[j].r >= 0xfe10 && glyphs[j].r <= 0xfe4f }
	return wide(i) && (i > 0 && wide(i-1) && below(&glyphs[i-1], &glyphs[i]) || i+1 < len(glyphs) && wide(i+1) && below(&glyphs[i], &glyphs[i+1]))
}

func abs(v float32) float32 { return max(v, -v) }

func (p *piece) takes(g *glyph, way int) bool {
	left, top, right, bottom := turned(g.box, way)
	last := &p.glyphs[len(p.glyphs)-1]
	if g.box == last.box && g.style == last.style { // letters of one ligature
		return true
	}
	l0, _, r0, _ := turned(last.box, way)
	em := max(p.size, g.style.size)
	overlap := min(p.bottom, bottom) - max(p.top, top)
	if overlap < 0.4*min(p.height(), bottom-top) || g.style.askew != last.style.askew {
		return false
	}
	ahead, behind := left-r0, l0-right
	if g.style.askew {
		return last.style == g.style
	}
	if eastward := rtl(g.r) || rtl(last.r) || p.rtl; eastward {
		return max(ahead, behind) <= pieceGap*em
	}
	return ahead <= pieceGap*em && ahead >= -0.6*max(em, right-left)
}

func (p *piece) add(g *glyph, way int) {
	left, top, right, bottom := turned(g.box, way)
	if len(p.glyphs) == 0 {
		p.left, p.top, p.right, p.bottom = left, top, right, bottom
	}
	p.left, p.right = min(p.left, left), max(p.right, right)
	if g.style.size >= 0.8*p.size { // a small mark above or below the line is not its height
		p.top, p.bottom = min(p.top, top), max(p.bottom, bottom)
	}
	p.size = max(p.size, g.style.size)
	p.rtl = p.rtl || rtl(g.r)
	p.glyphs = append(p.glyphs, *g)
}

// join appends a piece that stands after this one on the same line.
func (p *piece) join(q *piece) {
	first := len(p.glyphs)
	p.glyphs = append(p.glyphs, q.glyphs...)
	if gap := max(q.left-p.right, p.left-q.right); gap > wordGap*p.size {
		p.glyphs[first].space = true
	}
	p.left, p.right, p.top, p.bottom = min(p.left, q.left), max(p.right, q.right), min(p.top, q.top), max(p.bottom, q.bottom)
	p.size, p.rtl = max(p.size, q.size), p.rtl || q.rtl
}

// run is the text of a piece with a box for each of its words.
type run struct {
	text  string
	boxes []corpus.Box
	bold  bool
}

// words writes the piece as text.
func (p *piece) words(way int) run {
	var letters [512]byte // Most lines have no more, and what is kept of them is cut to their length.
	var room [24]corpus.Box
	text, boxes := letters[:0], room[:0]
	word, heavy := 0, 0 // where the word begins; glyphs that are bold
	for i := range p.glyphs {
		g := &p.glyphs[i]
		if i == 0 || p.parted(i, way) {
			if i > 0 {
				text = append(spoken(text, word), ' ')
				word = len(text)
			}
			boxes = append(boxes, g.box)
		}
		last := &boxes[len(boxes)-1]
		*last = corpus.Box{min(last[0], g.box[0]), min(last[1], g.box[1]), max(last[2], g.box[2]), max(last[3], g.box[3])}
		text = utf8.AppendRune(text, g.r)
		if g.style.bold {
			heavy++
		}
	}
	text = spoken(text, word)
	touch(boxes)
	for i := range boxes {
		for j, v := range boxes[i] {
			boxes[i][j] = float32(math.Round(float64(v)*10) / 10)
		}
	}
	return run{text: string(text), boxes: slices.Clone(boxes), bold: heavy*3 > len(p.glyphs)*2}
}

// spoken returns a text whose last word begins at a byte, with that as it is written. Soft hyphens inside a word are left
// out of the text later; where they are all of it, nothing would be left for its box to show, and what is seen there is a hyphen.
func spoken(text []byte, word int) []byte {
	if len(bytes.Trim(text[word:], string(rune(softHyphen)))) == 0 {
		return append(text[:word], '-')
	}
	return text
}

// touch lets the boxes of neighbouring words on a level line meet in the middle of the space
// between them, so that together they are the line.
func touch(boxes []corpus.Box) {
	for i := 1; i < len(boxes); i++ {
		a, b := &boxes[i-1], &boxes[i]
		switch {
		case min(a[3], b[3])-max(a[1], b[1]) <= 0:
		case a[2] < b[0]:
			a[2] = (a[2] + b[0]) / 2
			b[0] = a[2]
		case b[2] < a[0]:
			a[0] = (a[0] + b[2]) / 2
			b[2] = a[0]
		}
	}
}

// parted reports whether white space stands before the glyph.
func (p *piece) parted(i, way int) bool {
	g, last := &p.glyphs[i], &p.glyphs[i-1]
	left, _, right, _ := turned(g.box, way)
	l0, _, r0, _ := turned(last.box, way)
	gap := max(left-r0, l0-right) / max(g.style.size, last.style.size, 0.1)
	if eastern(g.r) && eastern(last.r) {
		return gap > wideGap
	}
	return g.space && (gap > 0.02 || g.style != last.style) || gap > wordGap && !g.style.askew && (g.style != last.style || gap > 2*wordGap) ||
		g.space && !eastern(g.r) && !eastern(last.r)
}

// eastern reports a character of scripts that part no words by spaces, or of their punctuation.
func eastern(r rune) bool {
	switch {
	case r < 0x2e80: // before the first of them
		return false
	case r >= 0x4e00 && r <= 0x9fff: // most of Chinese
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef || r == 'ー'
}

// firstRTL is the first character of the scripts that run from right to left.
const firstRTL = 0x0590

// rtl reports a character of scripts that run from right to left.
func rtl(r rune) bool {
	if r < firstRTL || r >= 0x0900 && r < 0xfb00 { // where none of them is
		return false
	}
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana)
}
