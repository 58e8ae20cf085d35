package chunk

import (
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// finish turns the drafts into chunks. The spans reach from one chunk's beginning to the next's.
func (c *cutter) finish() []corpus.Chunk {
	out := make([]corpus.Chunk, len(c.drafts))
	end := mark{len(c.doc.Text), 0}
	last := c.drafts[len(c.drafts)-1]
	tail := last.units[len(last.units)-1].to
	end.r = tail.r + utf8.RuneCountInString(c.doc.Text[tail.b:])
	var at cursor
	starts := make([]mark, len(c.drafts)+1)
	for i, d := range c.drafts[1:] {
		starts[i+1] = d.units[0].from
	}
	starts[len(c.drafts)] = end
	for i, d := range c.drafts {
		chunk := corpus.Chunk{
			No:          i + 1,
			HeadingPath: c.path(d),
			Span:        corpus.Span{Start: starts[i].r, End: starts[i+1].r},
			Text:        c.doc.Text[starts[i].b:starts[i+1].b],
		}
		chunk.Context, _ = c.contextOf(d.units[0])
		for _, u := range d.units {
			chunk.Segments = c.segments(&at, chunk.Segments, c.blocks[u.block], corpus.Span{Start: u.from.r, End: u.to.r})
		}
		chunk.Locator = cover(chunk.Segments, chunk.HeadingPath)
		if chunk.Locator == nil {
			chunk.Locator = at.nearest()
		}
		out[i] = chunk
	}
	return out
}

// path returns the headings that all text of a draft stands under; for one of headings only, the
// path of the last. It is never nil.
func (c *cutter) path(d draft) []string {
	path := []string{}
	found := false
	for _, u := range d.units {
		b := c.blocks[u.block]
		if b.Kind == corpus.Heading {
			continue
		}
		if !found {
			path, found = append(path, b.HeadingPath...), true
			continue
		}
		path = common(path, b.HeadingPath)
	}
	if !found {
		return c.blocks[d.units[len(d.units)-1].block].HeadingPath
	}
	return path
}

func common(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// cover joins the locators; a place with headings stands under the chunk's own headings.
func cover(segments []corpus.Segment, path []string) corpus.Locator {
	return corpus.Under(corpus.Cover(segments), path)
}

// cursor remembers how far the segments of a block were used, so that the pieces of a long block
// do not look through all of them again.
type cursor struct {
	block *corpus.Block
	next  int
	from  mark // at or before the segment that comes next
}

// nearest returns the place of the last segment that was used, or the first of its block: the place
// of a piece that holds nothing but separators, such as the borders of empty cells.
func (at *cursor) nearest() corpus.Locator {
	if len(at.block.Segments) == 0 {
		return nil
	}
	return at.block.Segments[max(0, min(at.next, len(at.block.Segments))-1)].Locator
}

// segments appends those of the block that lie in the span, cut to it.
func (c *cutter) segments(at *cursor, out []corpus.Segment, b block, span corpus.Span) []corpus.Segment {
	if at.block != b.Block {
		*at = cursor{block: b.Block, from: b.from}
	}
	for ; at.next < len(b.Segments); at.next++ {
		s := b.Segments[at.next]
		if s.Span.Start >= span.End {
			break
		}
		if s.Span.Overlap(span) > 0 {
			out = append(out, c.trim(at, s, span))
		}
		if s.Span.End > span.End {
			break
		}
	}
	return out
}

// trim cuts a segment to a span, and its place with it where that can be cut: on a page by the words of the segment.
func (c *cutter) trim(at *cursor, s corpus.Segment, span corpus.Span) corpus.Segment {
	part := corpus.Span{Start: max(s.Span.Start, span.Start), End: min(s.Span.End, span.End)}
	if _, page := s.Locator.(corpus.PDFLocator); !page || part == s.Span {
		return corpus.Cut(s, part)
	}
	if at.from.r > s.Span.Start { // no reader gives segments out of order
		at.from = mark{}
	}
	at.from = c.walk(at.from, s.Span.Start)
	words := []rune(c.doc.Text[at.from.b:c.walk(at.from, s.Span.End).b])
	return corpus.Narrow(words, s.Span.Start, []corpus.Segment{s}, span)[0]
}
