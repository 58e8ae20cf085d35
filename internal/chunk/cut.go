package chunk

import (
	"slices"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// mark is a place in the text, in bytes and in code points.
type mark struct{ b, r int }

// block is a block of the document with its byte offsets and its place among the sections.
type block struct {
	*corpus.Block
	from, to mark
	section  int
}

// section is a run of blocks that begins with a heading, or the one before the first heading.
type section struct {
	size  int // code points of its blocks
	level int
	path  []string
	leaf  bool // no deeper section follows it directly
	// strand is what its text reads on in; apart says that it begins another one.
	strand string
	apart  bool
}

// strand returns that of a block; one without a place stays in the strand before it.
func strand(b corpus.Block, before string) string {
	if len(b.Segments) == 0 {
		return before
	}
	return corpus.Strand(b.Segments[0].Locator)
}

// unit is a block, or a piece of one that is too long.
type unit struct {
	block    int
	from, to mark
}

// draft is a chunk before its segments are collected.
type draft struct {
	units   []unit
	section int // of its last unit
}

// cutter packs blocks into drafts, in one pass.
type cutter struct {
	doc      corpus.Parsed
	opt      Options
	blocks   []block
	sections []section
	drafts   []draft
	open     []unit // the draft that is being filled
	done     bool   // all blocks were taken
	width    int    // code points of what the open draft repeats
}

// measure finds the byte offsets of the blocks and the extent of the sections.
func (c *cutter) measure() {
	c.blocks = make([]block, len(c.doc.Blocks))
	c.sections = []section{{}}
	at := mark{}
	for i := range c.doc.Blocks {
		b := &c.doc.Blocks[i]
		from := c.walk(at, b.Span.Start)
		at = c.walk(from, b.Span.End)
		last := &c.sections[len(c.sections)-1]
		name := strand(*b, last.strand)
		if i == 0 {
			last.strand = name
		}
		if apart := name != last.strand; b.Kind == corpus.Heading || apart {
			last.leaf = b.Level <= last.level || last.level == 0 || apart
			c.sections = append(c.sections, section{level: b.Level, path: b.HeadingPath, strand: name, apart: apart})
		}
		n := len(c.sections) - 1
		c.blocks[i] = block{Block: b, from: from, to: at, section: n}
		c.sections[n].size += b.Span.Len()
	}
	c.sections[len(c.sections)-1].leaf = true
}

// walk goes forward to a code point.
func (c *cutter) walk(at mark, r int) mark {
	for at.r < r && at.b < len(c.doc.Text) {
		_, size := utf8.DecodeRuneInString(c.doc.Text[at.b:])
		at.b += size
		at.r++
	}
	return at
}

// take packs one block.
func (c *cutter) take(i int) {
	b := c.blocks[i]
	switch {
	case len(c.open) == 0:
	case c.apart(i):
		c.mergeTail()
		c.close()
	case b.Kind == corpus.Heading && !c.joins(i):
		c.flush(true)
	}
	rest := unit{block: i, from: b.from, to: b.to}
	for {
		switch {
		case c.fits(rest) && !c.enough(rest):
			c.add(rest)
			return
		case len(c.open) > 0 && !c.onlySticky() && !(c.tooLong(b, rest) && c.size() < c.opt.MinChars && !c.narrow(rest)):
			c.flush(false)
		case c.fits(rest):
			c.add(rest)
			return
		case len(c.open) > 0 && c.narrow(rest):
			c.close() // headings that fill a chunk by themselves
		default:
			piece := c.cut(b, rest)
			c.add(piece)
			if piece.to.b >= rest.to.b {
				return
			}
			rest.from = c.skip(b, piece.to)
			c.close()
			if rest.from.b >= rest.to.b {
				return
			}
		}
	}
}

// apart reports whether block i begins another strand than the open chunk is of.
func (c *cutter) apart(i int) bool {
	return c.sections[c.blocks[i].section].strand != c.sections[c.blocks[c.open[0].block].section].strand
}

// joins reports whether the section that begins at block i may share the open chunk: it follows
// headings that have no text yet, or both are tiny leaves under the same parent.
func (c *cutter) joins(i int) bool {
	if c.onlySticky() {
		return true
	}
	first := c.sections[c.blocks[c.open[0].block].section]
	last := c.sections[c.blocks[c.open[len(c.open)-1].block].section]
	next := c.sections[c.blocks[i].section]
	size := c.size() + next.size
	return first.level == next.level && last.level == next.level && next.leaf &&
		len(first.path) == len(next.path) && len(next.path) > 0 &&
		slices.Equal(first.path[:len(first.path)-1], next.path[:len(next.path)-1]) &&
		last.size < c.opt.MinChars && next.size < c.opt.MinChars && size <= c.opt.TargetChars
}

// sticky blocks never end a chunk while anything follows them.
func (c *cutter) sticky(u unit) bool {
	b := c.blocks[u.block]
	if u.to.b < b.to.b {
		return false
	}
	return b.Kind == corpus.Heading || b.Kind == corpus.TableHead &&
		u.block+1 < len(c.blocks) && c.blocks[u.block+1].Kind == corpus.TableRow
}

func (c *cutter) onlySticky() bool {
	for _, u := range c.open {
		if !c.sticky(u) {
			return false
		}
	}
	return true
}

// size is the length of the open chunk with its context, in code points.
func (c *cutter) size() int {
	if len(c.open) == 0 {
		return 0
	}
	return c.width + c.open[len(c.open)-1].to.r - c.open[0].from.r
}

// with returns the length and bytes of the open chunk if the unit were added.
func (c *cutter) with(u unit) (chars, bytes int) {
	from, width := u.from, 0
	if len(c.open) > 0 {
		from, width = c.open[0].from, c.width
	} else {
		_, width = c.contextOf(u)
	}
	return width + u.to.r - from.r, u.to.b - from.b
}

func (c *cutter) fits(u unit) bool {
	chars, bytes := c.with(u)
	return chars <= c.opt.MaxChars && bytes <= c.opt.MaxBytes
}

// enough reports whether the open chunk is better closed than given the unit.
func (c *cutter) enough(u unit) bool {
	if len(c.open) == 0 || c.onlySticky() {
		return false
	}
	chars, _ := c.with(u)
	return chars > c.opt.TargetChars && c.size() >= c.opt.MinChars
}

// tooLong reports whether what is left of a block can't be one chunk.
func (c *cutter) tooLong(b block, u unit) bool {
	width := 0
	if u.from != b.from {
		_, width = c.contextOf(u)
	}
	return width+u.to.r-u.from.r > c.opt.MaxChars || u.to.b-u.from.b > c.opt.MaxBytes
}

// room is what the open chunk can still take, from where the unit begins.
func (c *cutter) room(u unit) (chars, bytes int) {
	if len(c.open) == 0 {
		_, width := c.contextOf(u)
		return max(1, c.opt.MaxChars-width), c.opt.MaxBytes
	}
	from := c.open[0].from
	return c.opt.MaxChars - c.width - (u.from.r - from.r), c.opt.MaxBytes - (u.from.b - from.b)
}

// narrow reports that there is too little room for the beginning of a long block.
func (c *cutter) narrow(u unit) bool {
	chars, bytes := c.room(u)
	return chars < max(1, c.opt.MaxChars/8) || bytes < max(utf8.UTFMax, c.opt.MaxBytes/8)
}

func (c *cutter) add(u unit) {
	if len(c.open) == 0 {
		_, c.width = c.contextOf(u)
	}
	c.open = append(c.open, u)
}

// flush closes the open chunk. Sticky units at its end go over to the next one, unless the
// chunk has nothing else or ends the document. A tiny rest of a section joins the chunk before.
func (c *cutter) flush(endOfSection bool) {
	n := len(c.open)
	for n > 0 && c.sticky(c.open[n-1]) {
		n--
	}
	if n == 0 || c.done {
		n = len(c.open)
	}
	carry := slices.Clone(c.open[n:])
	c.open = c.open[:n]
	if endOfSection {
		c.mergeTail()
	}
	c.close()
	for _, u := range carry {
		c.add(u)
	}
}

// mergeTail gives a tiny open chunk back to the one before it in the same section, if that has room.
func (c *cutter) mergeTail() {
	if len(c.open) == 0 || len(c.drafts) == 0 || c.size() >= c.opt.MinChars {
		return
	}
	last := &c.drafts[len(c.drafts)-1]
	first := last.units[0]
	end := c.open[len(c.open)-1].to
	_, width := c.contextOf(first)
	alone := c.onlySticky() // headings at the very end of the document
	if last.section != c.blocks[c.open[0].block].section && (!alone || c.sections[last.section].strand != c.sections[c.blocks[c.open[0].block].section].strand) ||
		width+end.r-first.from.r > c.opt.MaxChars || end.b-first.from.b > c.opt.MaxBytes {
		return
	}
	last.units = append(last.units, c.open...)
	c.open = c.open[:0]
}

func (c *cutter) close() {
	if len(c.open) > 0 {
		c.drafts = append(c.drafts, draft{units: slices.Clone(c.open), section: c.blocks[c.open[len(c.open)-1].block].section})
	}
	c.open, c.width = c.open[:0], 0
}
