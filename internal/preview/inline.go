package preview

import (
	"bytes"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extended "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/kaoju/kaoju/internal/corpus"
)

// inlineLimit bounds the text that is read as inline Markdown at once, in bytes: some input costs
// time by the square of its length. A longer one is shown as it stands.
const inlineLimit = 4096

// inlineParser reads one paragraph of inline Markdown. It is safe for concurrent use.
var inlineParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(extension.NewStrikethroughParser(), 500))...),
	)
})

// inline returns the looks of lines of inline Markdown.
func (r *renderer) inline(lines []corpus.Span) []run {
	source, at := r.join(lines)
	if len(source) > inlineLimit || !strings.ContainsAny(source, "*_`[]<>\\!~") {
		return nil
	}
	looks := (&inlineReader{source: []byte(source), looks: make([]look, len(source)), known: make([]bool, len(source))}).read()
	var out []run
	for i, l := range looks {
		if i > 0 && source[i] == '\n' || l == (look{}) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].look == l && out[n-1].span.End >= at[i] {
			out[n-1].span.End = at[i] + 1
			continue
		}
		out = append(out, run{corpus.Span{Start: at[i], End: at[i] + 1}, l})
	}
	return out
}

// inlineReader finds the look of each byte of a source.
type inlineReader struct {
	source []byte
	looks  []look
	known  []bool // bytes that are text
	seen   int    // after the last byte that is text
	tags   tags
}

func (n *inlineReader) read() []look {
	doc := inlineParser().Parse(text.NewReader(n.source))
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch node := node.(type) {
		case *ast.Emphasis:
			n.within(emphasised<<(min(max(node.Level, 1), 2)-1), entering)
		case *extended.Strikethrough:
			n.within(deleted, entering)
		case *ast.CodeSpan:
			n.within(code, entering)
		case *ast.Text:
			if entering {
				n.text(node.Segment.Start, node.Segment.Stop)
			}
		case *ast.AutoLink:
			if label := node.Label(n.source); entering {
				if i := bytes.Index(n.source[n.seen:], label); i >= 0 {
					n.text(n.seen+i, n.seen+i+len(label))
				}
			}
		case *ast.RawHTML:
			for i := 0; entering && i < node.Segments.Len(); i++ {
				s := node.Segments.At(i)
				n.text(s.Start, s.Stop)
			}
		}
		return ast.WalkContinue, nil
	})
	n.rest()
	return n.looks
}

func (n *inlineReader) within(t tags, entering bool) {
	if entering {
		n.tags |= t
	} else {
		n.tags &^= t
	}
}

// text notes that bytes are text in the open elements. A backslash before a mark is a mark itself.
func (n *inlineReader) text(from, to int) {
	from, to = max(from, 0), min(to, len(n.source))
	for i := from; i < to; i++ {
		n.known[i] = true
		n.looks[i] = look{tags: n.tags}
		if n.tags&code == 0 && n.source[i] == '\\' && i+1 < to && util.IsPunct(n.source[i+1]) {
			n.looks[i] = look{kind: mark}
			if i++; i < to {
				n.known[i], n.looks[i] = true, look{tags: n.tags}
			}
		}
	}
	n.seen = max(n.seen, to)
}

// marking are the bytes of which marks are made, as far as they name no address.
const marking = "*_`~[]!<> \t\n\\"

// rest says what is no text: marks, and between them addresses.
func (n *inlineReader) rest() {
	for i := 0; i < len(n.source); {
		if n.known[i] {
			i++
			continue
		}
		end := i
		for end < len(n.source) && !n.known[end] {
			end++
		}
		gap := string(n.source[i:end])
		first := i + len(gap) - len(strings.TrimLeft(gap, marking))
		last := i + len(strings.TrimRight(gap, marking))
		for ; i < end; i++ {
			n.looks[i] = look{kind: mark}
			if i >= first && i < last {
				n.looks[i] = look{kind: address}
			}
		}
	}
}
