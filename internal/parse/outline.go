package parse

import (
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
)

// outline collects the blocks of a document whose normalised text is its source, and keeps the
// headings that stand above the current line.
type outline struct {
	src    *source
	blocks []corpus.Block
	title  string
	places int
	headings
}

// headings is the stack of headings above a place.
type headings struct {
	levels []int
	path   []string // never changed in place: blocks and locators share it
}

// nameLimit bounds a heading's name in paths, in code points, because every locator repeats it.
const nameLimit = 256

// push takes a heading onto the stack and off it all those that it ends.
func (h *headings) push(level int, name string) {
	if runes := []rune(name); len(runes) > nameLimit {
		name = strings.TrimSpace(string(runes[:nameLimit-1])) + "…"
	}
	n := len(h.levels)
	for n > 0 && h.levels[n-1] >= level {
		n--
	}
	h.levels = append(h.levels[:n], level)
	h.path = append(append(make([]string, 0, n+1), h.path[:n]...), name)
}

// add appends a block made of whole lines, each of them a segment; code says which lines are
// code. Blank lines at the ends of the block are left out.
func (o *outline) add(kind corpus.BlockKind, level int, block []line, code func(line) bool) error {
	for len(block) > 0 && block[0].blank() {
		block = block[1:]
	}
	for len(block) > 0 && block[len(block)-1].blank() {
		block = block[:len(block)-1]
	}
	if len(block) == 0 {
		return nil
	}
	b := corpus.Block{
		Kind: kind, Level: level, Head: -1, HeadingPath: o.path,
		Span:     corpus.Span{Start: block[0].r0, End: block[len(block)-1].r1},
		Segments: make([]corpus.Segment, 0, len(block)),
	}
	for _, l := range block {
		if l.r0 == l.r1 {
			continue
		}
		b.Segments = append(b.Segments, corpus.Segment{
			Span: corpus.Span{Start: l.r0, End: l.r1},
			Locator: corpus.TextLocator{
				Format: o.src.format.word, Heading: o.path, Line: l.no,
				Char: [2]int{l.r0, l.r1}, InCode: code != nil && code(l),
			},
		})
	}
	if len(b.Segments) > 0 {
		o.places += len(b.Segments) * layout.Weight(b.Segments[0].Locator)
	}
	if o.places > o.src.limits.Places {
		return o.src.tooMany()
	}
	o.blocks = append(o.blocks, b)
	return nil
}

func always(line) bool { return true }

func (o *outline) parsed() corpus.Parsed {
	return corpus.Parsed{Title: o.title, Text: o.src.text, Blocks: o.blocks}
}

// checkEvery is how many lines or tokens pass between two looks at the context.
const checkEvery = 4096
