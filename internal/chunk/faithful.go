package chunk

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Faithful reports whether chunks say nothing that their document does not, whichever chunker cut them:
// their texts are its text, in order and without a gap, what they repeat stands in it, and their places and headings
// are those of its blocks. It takes time in proportion to the text, but for what chunks repeat.
func Faithful(p corpus.Parsed, chunks []corpus.Chunk) bool {
	if len(p.Blocks) == 0 || len(chunks) == 0 {
		return len(p.Blocks) == 0 && len(chunks) == 0
	}
	c := cutter{doc: p}
	c.measure()
	w := witness{cutter: &c}
	at := mark{}
	for i, k := range chunks {
		end := c.walk(at, k.Span.End)
		if k.No != i+1 || k.Span.Start != at.r || k.Span.End != end.r || k.Text != p.Text[at.b:end.b] || !w.vouches(k) {
			return false
		}
		at = end
	}
	return at.b == len(p.Text)
}

// witness holds chunks, in order, against the blocks that they lie in.
type witness struct {
	*cutter
	first  int // the first block that reaches into the present chunk
	repeat string
	at     cursor
}

// vouches reports whether what a chunk says beside its text is said by its blocks.
func (w *witness) vouches(k corpus.Chunk) bool {
	for w.first < len(w.blocks) && w.blocks[w.first].to.r <= k.Span.Start {
		w.first++
	}
	last := w.first
	for last < len(w.blocks) && w.blocks[last].from.r < k.Span.End {
		last++
	}
	return w.headed(k, last) && w.placed(k, last) && w.repeats(k.Context)
}

// headed reports whether the headings of a chunk stand above one of its blocks.
func (w *witness) headed(k corpus.Chunk, last int) bool {
	return len(k.HeadingPath) == 0 || slices.ContainsFunc(w.blocks[w.first:last], func(b block) bool {
		return len(b.HeadingPath) >= len(k.HeadingPath) && slices.Equal(b.HeadingPath[:len(k.HeadingPath)], k.HeadingPath)
	})
}

// placed reports whether the places of a chunk are those of its blocks, and its own place the one that covers them.
// A piece of separators alone has the place of something in its block.
func (w *witness) placed(k corpus.Chunk, last int) bool {
	i, next := w.first, 0
	for _, s := range k.Segments {
		if !k.Span.Contains(s.Span) {
			return false
		}
		for i < last && (next == len(w.blocks[i].Segments) || w.blocks[i].Segments[next].Span.End <= s.Span.Start) {
			if next++; next >= len(w.blocks[i].Segments) {
				i, next = i+1, 0
			}
		}
		if i == last || !w.blocks[i].Segments[next].Span.Contains(s.Span) {
			return false
		}
		if w.at.block != w.blocks[i].Block {
			w.at = cursor{block: w.blocks[i].Block, from: w.blocks[i].from}
		}
		if cut := w.trim(&w.at, w.blocks[i].Segments[next], s.Span); cut.Span != s.Span || !same(cut.Locator, s.Locator) {
			return false
		}
	}
	if len(k.Segments) > 0 {
		return same(k.Locator, cover(k.Segments, append([]string{}, k.HeadingPath...))) // no headings are written as a list of none
	}
	return k.Locator == nil || slices.ContainsFunc(w.blocks[w.first:last], func(b block) bool {
		return slices.ContainsFunc(b.Segments, func(s corpus.Segment) bool { return same(s.Locator, k.Locator) })
	})
}

// repeats reports whether every line that a chunk repeats stands in the text, whole or shortened.
func (w *witness) repeats(context string) bool {
	if context == "" || context == w.repeat {
		return true
	}
	for line := range strings.Lines(context) {
		if !strings.Contains(w.doc.Text, strings.TrimRight(line, " …|\t\r\n")) {
			return false
		}
	}
	w.repeat = context
	return true
}

// same reports whether two places are written alike.
func same(a, b corpus.Locator) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
