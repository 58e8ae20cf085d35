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

// inParagraph continues the open paragraph, or turns it into a heading or a table; false if the
// line begins something else.
func (m *markdown) inParagraph(l line, text indent, inside int) bool {
	near := text.beyond() < 4
	if m.open.bare {
		if inside < len(m.items) || !near || text.interrupts(true) {
			return false
		}
		m.open.bare = false
		m.extend(l)
		return true
	}
	if near && inside == len(m.items) {
		if level := setextLevel(text.rest); level > 0 && m.open.kind == paragraph && len(m.items) == 0 {
			block := append([]line(nil), append(m.open.lines, l)...)
			name := make([]string, 0, len(block))
			for _, part := range m.open.lines {
				name = append(name, strings.TrimSpace(part.text))
			}
			m.open.kind = nothing
			m.heading(level, strings.Join(name, " "), block)
			return true
		} else if level > 0 {
			m.extend(l)
			m.flush()
			return true
		}
		if last := m.open.lines[len(m.open.lines)-1]; isDelimiterRow(text.rest, last.text) {
			m.tableHead(last, l)
			return true
		}
	}
	if near && text.interrupts(inside < len(m.items)) {
		return false
	}
	m.extend(l)
	return true
}

func (m *markdown) heading(level int, markup string, block []line) {
	m.flush()
	name := plainInline(markup)
	if m.title == "" && level == 1 {
		m.title = name
	}
	m.push(level, name)
	if m.err == nil {
		m.err = m.add(corpus.Heading, level, block, nil)
	}
}

// tableHead turns the last line of the open paragraph, and the delimiter row, into a table's head.
func (m *markdown) tableHead(head, delimiter line) {
	depth := m.open.depth
	m.open.lines = m.open.lines[:len(m.open.lines)-1]
	m.flush()
	if m.err != nil {
		return
	}
	m.err = m.add(corpus.TableHead, 0, []line{head, delimiter}, nil)
	m.open = openBlock{kind: table, head: len(m.blocks) - 1, depth: depth}
}

func (m *markdown) row(l line) {
	if m.err = m.add(corpus.TableRow, 0, []line{l}, nil); m.err == nil {
		m.blocks[len(m.blocks)-1].Head = m.open.head
	}
}

// inFence takes a line into the fenced block; false if the line ends the list item around it.
func (m *markdown) inFence(l line, text indent, inside int) bool {
	if inside < m.open.depth {
		return false
	}
	closes := text.beyond() < 4 && m.open.fence.closedBy(text.rest)
	m.extend(l)
	if closes {
		m.flush()
	}
	return true
}

func (m *markdown) inRawHTML(l line) bool {
	until := m.open.until
	if until == "" && l.blank() {
		return false
	}
	m.extend(l)
	if until != "" && containsFold(l.text, until) {
		m.flush()
	}
	return true
}

// inQuote continues a quote with a line that has its mark, or with one that goes on with its
// paragraph without the mark.
func (m *markdown) inQuote(l line, text indent) bool {
	last := m.open.lines[len(m.open.lines)-1]
	switch {
	case strings.HasPrefix(text.rest, ">") && text.beyond() < 4:
		m.extend(l)
		m.quoteLine(l, text.rest)
		return true
	case m.open.fence.mark == 0 && quotesText(last.text) && !(text.beyond() < 4 && text.interrupts(true)):
		m.extend(l)
		return true
	}
	return false
}

// quoteLine follows fences inside a quote, and ends the block after an empty quoted line.
func (m *markdown) quoteLine(l line, rest string) {
	inner := strings.TrimSpace(strings.TrimLeft(rest, "> \t"))
	switch {
	case m.open.fence.mark != 0:
		m.code(l)
		if m.open.fence.closedBy(inner) {
			m.open.fence = fence{}
		}
	case inner == "":
		m.flush()
	default:
		if f, ok := openFence(inner); ok {
			m.open.fence = f
			m.code(l)
		}
	}
}

func (m *markdown) code(l line) {
	if m.open.code == nil {
		m.open.code = map[int]bool{}
	}
	m.open.code[l.no] = true
}

// frontMatter takes a block of metadata at the very beginning as a paragraph. Only a title in it
// is read; nothing else there has any effect.
func (m *markdown) frontMatter() {
	ahead := m.in
	first, ok := ahead.next()
	if !ok || strings.TrimRight(first.text, " \t") != "---" {
		return
	}
	block := []line{first}
	for len(block) < frontMatterLines {
		l, ok := ahead.next()
		if !ok {
			return
		}
		block = append(block, l)
		if end := strings.TrimRight(l.text, " \t"); end == "---" || end == "..." {
			m.in = ahead
			m.err = m.add(corpus.Paragraph, 0, block, always)
			return
		}
		if title, ok := strings.CutPrefix(l.text, "title:"); ok {
			m.frontTitle = strings.Trim(strings.TrimSpace(title), `"'`)
		}
	}
}

const frontMatterLines = 200
