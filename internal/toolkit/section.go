package toolkit

import (
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
)

// telling is how large a section is at least that can be read alone, in UTF-16 units. A smaller
// one is read with the section around it.
const telling = 600

// enclosing returns the smallest section around a place that can be read alone, if it is of at
// most the given size: the passage that a reader would call "section 2.1", and no more of the
// document than that. The whole text is the outermost section. It is false where the format has
// no headings, or no section fits.
func (s *script) enclosing(segments []corpus.Segment, place corpus.Span, size int) (corpus.Span, bool) {
	first, last := holding(segments, place.Start), holding(segments, max(place.Start, place.End-1))
	if first < 0 {
		return corpus.Span{}, false
	}
	path, ok := common(segments[first : last+1])
	if !ok || len(path) == 0 {
		return corpus.Span{}, false
	}
	for depth := len(path); depth >= 0; depth-- {
		span := s.trim(extent(segments, first, last, path[:depth], len(s.text)))
		switch n := s.size(span); {
		case n > size:
			return corpus.Span{}, false
		case n >= telling || depth == 0:
			return span, true
		}
	}
	return corpus.Span{}, false
}

// holding returns the segment at a position, or the last one before it; -1 if there is none.
func holding(segments []corpus.Segment, position int) int {
	i, _ := slices.BinarySearchFunc(segments, position+1, func(s corpus.Segment, at int) int { return s.Span.Start - at })
	return i - 1
}

// common returns the headings that all segments are under; false if their places have none.
func common(segments []corpus.Segment) ([]string, bool) {
	var path []string
	for i, s := range segments {
		heading, ok := corpus.Headings(s.Locator)
		if !ok {
			return nil, false
		}
		if i == 0 {
			path = heading
			continue
		}
		n := 0
		for n < len(path) && n < len(heading) && path[n] == heading[n] {
			n++
		}
		path = path[:n]
	}
	return path, true
}

// extent returns the stretch of text around some segments whose headings all begin with a path.
func extent(segments []corpus.Segment, first, last int, path []string, end int) corpus.Span {
	under := func(i int) bool {
		heading, ok := corpus.Headings(segments[i].Locator)
		return ok && len(heading) >= len(path) && slices.Equal(heading[:len(path)], path)
	}
	for first > 0 && under(first-1) {
		first--
	}
	for last < len(segments)-1 && under(last+1) {
		last++
	}
	if last < len(segments)-1 {
		end = segments[last+1].Span.Start
	}
	return corpus.Span{Start: segments[first].Span.Start, End: end}
}
