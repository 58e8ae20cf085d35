// Package chunk cuts parsed documents into chunks that keep their places.
//
// The structure of a document decides where it is cut, size only bounds the pieces. A heading opens a
// section, and a chunk holds blocks of one section; only two sections that are both tiny, and
// stand side by side under the same heading, share a chunk. Blocks are not torn, unless one alone is
// longer than a chunk may be: then a paragraph is cut at the end of a sentence, code at the end of a
// line, a table between rows. What a piece needs to be read alone, a table's header or a fence's
// opening line, is repeated in its context. A heading stands with what follows it.
//
// The spans of the chunks tile the text: joined, they give it back exactly. White space between blocks
// belongs to the chunk before it. Cutting takes time in proportion to the text.
package chunk

import (
	"github.com/kaoju/kaoju/internal/corpus"
)

// Version names how documents are cut. Whoever changes what Split gives for any document raises it: versions that
// were cut under a lower one are cut anew. Those from before there was a number have 0.
const Version = 1

// Options bound the size of chunks in code points of text and context together, not counting white
// space at the ends. Zero fields mean their defaults.
type Options struct {
	// MaxChars is the most that a chunk may hold; default 900.
	MaxChars int
	// TargetChars is the size beyond which no further block is added; default 600, or MaxChars if that is less.
	TargetChars int
	// MinChars is the size below which a chunk is tiny, and takes in what follows in its section
	// as long as MaxChars allows; default a quarter of MaxChars, at most 200.
	MinChars int
	// MaxBytes is the most that the text of a chunk may take in UTF-8; default four times MaxChars.
	MaxBytes int
}

func (o Options) orDefault() Options {
	if o.MaxChars <= 0 {
		o.MaxChars = 900
	}
	if o.TargetChars <= 0 || o.TargetChars > o.MaxChars {
		o.TargetChars = min(600, o.MaxChars)
	}
	if o.MinChars <= 0 || o.MinChars > o.TargetChars {
		o.MinChars = min(200, o.MaxChars/4, o.TargetChars)
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 4 * o.MaxChars
	}
	o.MaxBytes = max(o.MaxBytes, 64) // room for a character with its marks
	return o
}

// Split cuts a document. Chunks are numbered from 1; their ID and Document are left empty. A
// document without blocks has no chunks.
func Split(p corpus.Parsed, o Options) []corpus.Chunk {
	if len(p.Blocks) == 0 {
		return nil
	}
	c := cutter{doc: p, opt: o.orDefault()}
	c.measure()
	for i := range c.blocks {
		c.take(i)
	}
	c.done = true
	c.flush(true)
	return c.finish()
}
