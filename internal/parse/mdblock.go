package parse

import (
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

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
