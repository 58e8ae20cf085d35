package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/kaoju/kaoju/internal/corpus"
)

// gap is what stands between the last visible character and the next one.
type gap struct {
	space bool // white space, or the edge of a block inside a cell or heading
	at    place
	lines int // line breaks
	cells int // cell borders
}

// text renders a run of text. White space collapses, except in preformatted elements. In literal text,
// no character stands for another.
func (p *page) text(raw []byte, literal bool) {
	f := p.top()
	if f.skip {
		if f.name == "title" && !f.foreign && p.title == "" {
			p.title = html.UnescapeString(string(raw))
		}
		p.at.advance(raw)
		return
	}
	literal = literal || f.name == "xmp" || f.name == "plaintext"
	for len(raw) > 0 {
		n, first, second := character(raw, literal)
		at := p.here()
		p.at.advance(raw[:n])
		at.char[1] = p.at.char
		raw = raw[n:]
		if p.fresh {
			p.fresh = false
			if first == '\n' {
				continue
			}
		}
		p.visible(first, at, f)
		if second != 0 {
			p.visible(second, at, f)
		}
	}
}

func (p *page) visible(c rune, at place, f *frame) {
	if !f.pre && strings.ContainsRune(" \n\t\f", c) {
		if !p.gap.space {
			p.gap.space, p.gap.at = true, at
		}
		return
	}
	if !p.open && (c == '\n' || !f.pre && unicode.IsSpace(c)) || p.gap.cells > 0 && unicode.IsSpace(c) {
		return // nothing to be seen at the beginning of a block or cell
	}
	p.bridge(f)
	if f.item != nil && !f.item.done {
		for _, m := range p.marksOf(f) {
			p.put(m, at, f.block, p.locate)
		}
	}
	p.put(c, at, f.block, p.locate)
}

// bridge writes what stands before the next visible character: the beginning of a block, a cell
// border, a line break or a space.
func (p *page) bridge(f *frame) {
	g := p.gap
	p.gap = gap{}
	if !p.open {
		kind, level, head, tight := p.nextBlock(f)
		p.begin(kind, level, head, p.path, tight)
	}
	switch {
	case g.cells > 0:
		p.borders(g.cells)
	case p.n == p.block.Span.Start:
	case g.lines > 0:
		p.put('\n', g.at, f.block, p.locate)
	case g.space:
		p.put(' ', g.at, f.block, p.locate)
	}
}

// nextBlock says what block begins with a character in the frame.
func (p *page) nextBlock(f *frame) (kind corpus.BlockKind, level, head int, tight bool) {
	switch {
	case p.row != nil:
		return corpus.TableRow, 0, p.row.table.head, p.row.table.rows > 0
	case f.heading > 0:
		return corpus.Heading, f.heading, -1, false
	case f.pre:
		return corpus.Code, 0, -1, false
	case f.items > 0:
		last := len(p.blocks) - 1
		return corpus.ListItem, f.items, -1, last >= 0 && p.blocks[last].Kind == corpus.ListItem
	case f.quote:
		return corpus.Quote, 0, -1, false
	}
	return corpus.Paragraph, 0, -1, false
}

// finish ends the open block.
func (p *page) finish() {
	p.gap = gap{}
	p.end()
}

// boundary is the edge of a block-level element: the end of the open block, or no more than a
// space inside cells and headings.
func (p *page) boundary(inline bool) {
	if !inline {
		p.finish()
		return
	}
	p.spaced()
}

func (p *page) spaced() {
	if !p.gap.space {
		p.gap.space, p.gap.at = true, p.here()
	}
}

// lineBreak takes a <br>: a second one in a row separates paragraphs.
func (p *page) lineBreak(f *frame) {
	switch {
	case f.skip:
	case f.inline:
		p.spaced()
	case f.pre:
		p.visible('\n', p.here(), f)
	default:
		p.spaced()
		if p.gap.lines++; p.gap.lines > 1 {
			p.finish()
		}
	}
}

// endHeading ends the block of a heading and opens its section.
func (p *page) endHeading(level int) {
	before := len(p.blocks)
	p.finish()
	if len(p.blocks) == before || p.blocks[before].Kind != corpus.Heading {
		return
	}
	b := &p.blocks[before]
	p.push(level, strings.Join(strings.Fields(string(p.buf[p.from:])), " "))
	b.HeadingPath = p.path
	for i, s := range b.Segments {
		l := s.Locator.(corpus.TextLocator)
		l.Heading = p.path
		b.Segments[i].Locator = l
	}
}

// character reads one character of text: its width in bytes, and one or two code points.
func character(raw []byte, literal bool) (n int, first, second rune) {
	switch c := raw[0]; {
	case c == '\r' && len(raw) > 1 && raw[1] == '\n':
		return 2, '\n', 0
	case c == '\r':
		return 1, '\n', 0
	case c == '&' && !literal:
		return entity(raw)
	case c < utf8.RuneSelf:
		return 1, rune(c), 0
	}
	r, n := utf8.DecodeRune(raw)
	return n, r, 0
}

// longestEntity is more than the longest name of a character reference.
const longestEntity = 40

// entity reads a character reference, or the ampersand that is none.
func entity(raw []byte) (n int, first, second rune) {
	end := 1
	for end < len(raw) && end < longestEntity && (raw[end] == '#' || isNameRune(rune(raw[end])) && raw[end] != '-') {
		end++
	}
	if end < len(raw) && raw[end] == ';' {
		end++
	}
	whole := string(raw[:end])
	value := html.UnescapeString(whole)
	if value == whole {
		return 1, '&', 0
	}
	for n = 2; n <= len(whole); n++ {
		if rest := whole[n:]; strings.HasSuffix(value, rest) && html.UnescapeString(whole[:n]) == value[:len(value)-len(rest)] {
			break
		}
	}
	runes := []rune(value[:len(value)-(len(whole)-n)])
	if len(runes) == 0 || len(runes) > 2 {
		return 1, '&', 0
	}
	if first = runes[0]; first == 0 {
		first = utf8.RuneError
	}
	if len(runes) == 2 {
		second = runes[1]
	}
	return n, first, second
}
