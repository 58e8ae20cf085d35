package export

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/kaoju/kaoju/internal/citation"
)

func sprintf(format string, a ...any) string { return fmt.Sprintf(format, a...) }

// kind is what a block of a text is.
type kind int

const (
	paragraph kind = iota
	heading
	bullet
	number
	quote
	code
)

// block is a piece of a body: lines that belong together.
type block struct {
	kind  kind
	level int // of a heading, from 1; of a list item, from 0
	mark  string
	lines [][]span // of code: one span each
}

// span is a run of text in one style, or a mark that cites.
type span struct {
	text       string
	bold, code bool
	refs       []string
}

var (
	headingLine = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*)$`)
	bulletLine  = regexp.MustCompile(`^([ \t]*)[-*+•][ \t]+(.*)$`)
	numberLine  = regexp.MustCompile(`^([ \t]*)(\d{1,3})(?:[.)][ \t]+|、[ \t]*)(.+)$`)
	quoteLine   = regexp.MustCompile(`^ {0,3}>[ \t]?(.*)$`)
	fenceLine   = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})[^`]*$")
)

// blocks takes a body apart. Marks that cite are those that the whole product takes for such.
func blocks(body string) []block {
	body = clean(body)
	p := parser{body: body, marks: citation.Mentions(body)}
	for at := 0; at < len(body); {
		end := at + len(body[at:])
		if i := strings.IndexByte(body[at:], '\n'); i >= 0 {
			end = at + i
		}
		p.line(at, end)
		at = end + 1
	}
	return p.out
}

type parser struct {
	body  string
	marks []citation.Mention
	out   []block
	fence string // the open one
	going bool   // whether the next line may belong to the last paragraph or quote
}

// line takes the line between two offsets.
func (p *parser) line(from, to int) {
	text := p.body[from:to]
	if p.fence != "" {
		if s := strings.TrimSpace(text); strings.HasPrefix(s, p.fence) && strings.Trim(s, p.fence[:1]) == "" {
			p.fence = ""
			return
		}
		last := &p.out[len(p.out)-1]
		last.lines = append(last.lines, []span{{text: text, code: true}})
		return
	}
	was := p.going
	p.going = false
	if m := fenceLine.FindStringSubmatch(text); m != nil {
		p.fence = m[1]
		p.out = append(p.out, block{kind: code})
		return
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	p.prose(text, from, to, was)
}

// prose takes a line outside of code.
func (p *parser) prose(text string, from, to int, going bool) {
	b := block{}
	rest := from
	switch {
	case headingLine.MatchString(text):
		m := headingLine.FindStringSubmatchIndex(text)
		b.kind, b.level, rest = heading, m[3]-m[2], from+m[4]
	case bulletLine.MatchString(text):
		m := bulletLine.FindStringSubmatchIndex(text)
		b.kind, b.level, rest = bullet, depth(text[m[2]:m[3]]), from+m[4]
	case numberLine.MatchString(text):
		m := numberLine.FindStringSubmatchIndex(text)
		b.kind, b.level, b.mark, rest = number, depth(text[m[2]:m[3]]), text[m[4]:m[5]]+".", from+m[6]
	case quoteLine.MatchString(text):
		m := quoteLine.FindStringSubmatchIndex(text)
		b.kind, rest, p.going = quote, from+m[2], true
	default:
		p.going = true
	}
	b.lines = [][]span{p.spans(rest, to)}
	if last := len(p.out) - 1; going && last >= 0 && p.out[last].kind == b.kind {
		p.out[last].lines = append(p.out[last].lines, b.lines...)
		return
	}
	p.out = append(p.out, b)
}

// depth is how far a list item is set in.
func depth(indent string) int {
	return min(len(strings.ReplaceAll(indent, "\t", "    "))/2, 3)
}

// spans takes the text between two offsets of a line apart: citing marks, code, bold.
func (p *parser) spans(from, to int) []span {
	var out []span
	bold := false
	text := func(s string) {
		if s != "" {
			out = append(out, span{text: s, bold: bold})
		}
	}
	start := from
	for at := from; at < to; {
		for len(p.marks) > 0 && p.marks[0].Start < at {
			p.marks = p.marks[1:]
		}
		switch {
		case len(p.marks) > 0 && p.marks[0].Start == at && p.marks[0].End <= to:
			text(strings.TrimRight(p.body[start:at], " "))
			out = append(out, span{refs: p.marks[0].Refs})
			at = p.marks[0].End
			start = at
		case p.body[at] == '`':
			n := len(p.body[at:to]) - len(strings.TrimLeft(p.body[at:to], "`"))
			ticks := p.body[at : at+n]
			i := strings.Index(p.body[at+n:to], ticks)
			if i <= 0 {
				at += n
				continue
			}
			text(p.body[start:at])
			out = append(out, span{text: p.body[at+n : at+n+i], code: true})
			at += 2*n + i
			start = at
		case strings.HasPrefix(p.body[at:to], "**") && (bold || strings.Contains(p.body[at+2:to], "**")):
			text(p.body[start:at])
			bold = !bold
			at += 2
			start = at
		default:
			at++
		}
	}
	text(p.body[start:to])
	return out
}
