package parse

import (
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

// parseMarkdown reads the block structure of CommonMark with GFM tables, line by line. It keeps
// every line as it stands, so that places are exact whatever tabs, entities or line ends the file
// has; inline markup stays in the text and is stripped from heading paths only.
//
// Headings inside list items and quotes are content of these, and do not open a section. Raw
// HTML is kept as text and its lines are marked as code, as they are not prose.
func parseMarkdown(src *source) (corpus.Parsed, error) {
	m := markdown{outline: outline{src: src, headings: headings{path: []string{}}}, in: lines{text: src.text}}
	m.frontMatter()
	for m.err == nil {
		l, ok := m.in.next()
		if !ok {
			m.flush()
			break
		}
		if l.no%checkEvery == 0 && src.ctx.Err() != nil {
			return corpus.Parsed{}, src.ctx.Err()
		}
		m.line(l)
	}
	if m.err != nil {
		return corpus.Parsed{}, m.err
	}
	p := m.parsed()
	if p.Title == "" {
		p.Title = m.frontTitle
	}
	return p, nil
}

// markdown is the state between two lines: at most one block is open, inside a stack of list items.
type markdown struct {
	outline
	in         lines
	items      []int // content columns of the open list items, rising
	open       openBlock
	err        error
	frontTitle string
}

type openKind uint8

const (
	nothing openKind = iota
	paragraph
	listText // the first paragraph of a list item
	quote
	fenced
	indented
	rawHTML
	table
)

type openBlock struct {
	kind  openKind
	lines []line
	bare  bool   // a list item of which only the mark was seen
	fence fence  // of a fenced block, or the one inside a quote
	until string // what ends raw HTML; "" for a blank line
	head  int    // index of the table's head block
	depth int    // list items around the block
	code  map[int]bool
}

// flush closes the open block and adds it to the outline.
func (m *markdown) flush() {
	b := m.open
	m.open = openBlock{lines: b.lines[:0]}
	if m.err != nil {
		return
	}
	switch b.kind {
	case paragraph:
		m.err = m.add(corpus.Paragraph, 0, b.lines, nil)
	case listText:
		m.err = m.add(corpus.ListItem, b.depth, b.lines, nil)
	case quote:
		m.err = m.add(corpus.Quote, 0, b.lines, func(l line) bool { return b.code[l.no] })
	case fenced, indented:
		m.err = m.add(corpus.Code, 0, b.lines, always)
	case rawHTML:
		m.err = m.add(corpus.Paragraph, 0, b.lines, always)
	}
}

// begin closes what is open and opens a block with its first line.
func (m *markdown) begin(kind openKind, l line) {
	m.flush()
	m.open.kind = kind
	m.open.depth = len(m.items)
	m.open.lines = append(m.open.lines[:0], l)
}

func (m *markdown) extend(l line) {
	m.open.lines = append(m.open.lines, l)
	if m.places+len(m.open.lines) > m.src.limits.Places {
		m.err = m.src.tooMany()
	}
}

// line takes the next line in.
func (m *markdown) line(l line) {
	if m.open.kind == rawHTML && m.inRawHTML(l) {
		return
	}
	if l.blank() {
		m.blankLine(l)
		return
	}
	text := newIndent(l.text)
	inside := 0
	for inside < len(m.items) && m.items[inside] <= text.columns {
		inside++
	}
	if inside > 0 {
		text.base = m.items[inside-1]
	}
	switch {
	case m.open.kind == fenced && m.inFence(l, text, inside):
		return
	case m.open.kind == indented && inside >= m.open.depth && text.beyond() >= 4:
		m.extend(l)
		return
	case m.open.kind == quote && m.inQuote(l, text):
		return
	case (m.open.kind == paragraph || m.open.kind == listText) && m.inParagraph(l, text, inside):
		return
	case m.open.kind == table && inside == m.open.depth && text.beyond() < 4 && !text.interrupts(false):
		m.row(l)
		return
	}
	m.items = m.items[:inside]
	m.start(l, text)
}

func (m *markdown) blankLine(l line) {
	switch m.open.kind {
	case fenced, indented:
		m.extend(l)
	default:
		if m.open.bare {
			m.items = m.items[:len(m.items)-1]
		}
		m.flush()
	}
}

// start opens the block that a line begins.
func (m *markdown) start(l line, text indent) {
	if text.beyond() >= 4 {
		m.begin(indented, l)
		return
	}
	if level, name, ok := atxHeading(text.rest); ok && len(m.items) == 0 {
		m.heading(level, name, []line{l})
		return
	}
	if isRule(text.rest) {
		m.begin(paragraph, l)
		m.flush()
		return
	}
	kind := paragraph
	for range maxMarkers {
		width, content, ok := listMarker(text.rest)
		if !ok {
			break
		}
		kind = listText
		m.items = append(m.items, text.columns+width)
		text = indent{columns: text.columns + width, base: text.columns + width, rest: content}
	}
	m.startInside(l, text, kind)
}

// maxMarkers bounds the list items that one line can open.
const maxMarkers = 32

func (m *markdown) startInside(l line, text indent, kind openKind) {
	if f, ok := openFence(text.rest); ok {
		m.begin(fenced, l)
		m.open.fence = f
		return
	}
	if _, _, ok := atxHeading(text.rest); ok { // content of a list item
		m.begin(kind, l)
		m.flush()
		return
	}
	if kind == paragraph && strings.HasPrefix(text.rest, ">") {
		m.begin(quote, l)
		m.quoteLine(l, text.rest)
		return
	}
	if until, ok := htmlStart(text.rest, kind == paragraph); ok && kind == paragraph {
		m.begin(rawHTML, l)
		m.open.until = until
		if until != "" && containsFold(text.rest, until) {
			m.flush()
		}
		return
	}
	m.begin(kind, l)
	m.open.bare = kind == listText && text.rest == ""
}
