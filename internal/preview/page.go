package preview

import (
	"sort"
	"unicode"

	"github.com/kaoju/kaoju/internal/corpus"
)

// page returns the stretch that is shown for a window: whole blocks, as many as a page holds. A
// long block is cut between its pieces or its words. What follows a page begins where it ends.
func (d document) page(w Window) corpus.Span {
	span := corpus.Span{Start: w.From, End: d.total}
	if b := d.around(w.From); b != nil && b.Span.Start < w.From && b.Span.Len() <= wholeChars {
		span.Start = b.Span.Start
	}
	if w.To > 0 && w.To < d.total {
		span.End = w.To
		if b := d.around(w.To); b != nil && b.Span.Start < w.To && b.Span.Len() <= wholeChars {
			span.End = b.Span.End
		}
	}
	most := min(span.End, span.Start+pageChars)
	most = min(most, d.places(corpus.Span{Start: span.Start, End: most}))
	if most < span.End {
		span.End = d.cut(span.Start, most)
	}
	return span
}

// around returns the block that a character lies in; nil for one between blocks.
func (d document) around(at int) *corpus.Block {
	i := d.after(at)
	if i < len(d.blocks) && d.blocks[i].Span.Start <= at {
		return &d.blocks[i]
	}
	return nil
}

// after returns the place of the first block that ends after a character.
func (d document) after(at int) int {
	return sort.Search(len(d.blocks), func(i int) bool { return d.blocks[i].Span.End > at })
}

// places returns where the last place ends that a page has room for.
func (d document) places(span corpus.Span) int {
	n := 0
	for i := d.after(span.Start); i < len(d.blocks) && d.blocks[i].Span.Start < span.End; i++ {
		for _, s := range d.blocks[i].Segments {
			if s.Span.Overlap(span) == 0 {
				continue
			}
			if n++; n > pagePlaces {
				return s.Span.Start
			}
		}
	}
	return span.End
}

// cut moves the end of a page to a good place: before a block, or in a long one before a piece, or
// after a space.
func (d document) cut(start, end int) int {
	b := d.around(end)
	if b == nil || b.Span.Start == end {
		return end
	}
	if b.Span.Start > start && b.Span.Len() <= wholeChars {
		return b.Span.Start
	}
	for i := len(b.Segments) - 1; i >= 0; i-- {
		if s := b.Segments[i].Span; s.Start <= end && s.Start > start && end-s.Start < wholeChars {
			return s.Start
		}
	}
	from := max(start, end-wholeChars/10)
	text := d.slice(corpus.Span{Start: from, End: end})
	for i := len(text) - 1; i > 0; i-- {
		if unicode.IsSpace(text[i]) {
			return from + i + 1
		}
	}
	return end
}
