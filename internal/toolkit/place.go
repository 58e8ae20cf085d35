package toolkit

import (
	"github.com/kaoju/kaoju/internal/corpus"
)

// locate returns the locator that covers a window of a text exactly: segments that the window
// cuts are cut too, where their kind allows it.
func locate(text []rune, segments []corpus.Segment, window corpus.Span) corpus.Locator {
	touched := corpus.Within(segments, window)
	out := make([]corpus.Segment, len(touched))
	for i, s := range touched {
		out[i] = cut(text, s, window)
	}
	return corpus.Cover(out)
}

// cut narrows a segment to the part of it inside the window. Only the places of Markdown, HTML and
// plain text can be cut, and only where the segment's text has the length of its original, so
// that one code point stands for one; any other segment stays whole, which is a wider place and
// never a wrong one.
func cut(text []rune, s corpus.Segment, window corpus.Span) corpus.Segment {
	loc, ok := s.Locator.(corpus.TextLocator)
	part := corpus.Span{Start: max(s.Span.Start, window.Start), End: min(s.Span.End, window.End)}
	if !ok || part == s.Span || s.Span.End > len(text) || s.Span.Len() != loc.Char[1]-loc.Char[0] {
		return s
	}
	before := lines(text[s.Span.Start:part.Start])
	inside := lines(text[part.Start:part.End])
	after := lines(text[part.End:s.Span.End])
	last := max(loc.Line, loc.LineEnd)
	if loc.Line+before+inside+after != last {
		return s
	}
	loc.Char = [2]int{loc.Char[0] + part.Start - s.Span.Start, loc.Char[1] - (s.Span.End - part.End)}
	loc.Line += before
	loc.LineEnd = 0
	if end := last - after; end > loc.Line {
		loc.LineEnd = end
	}
	return corpus.Segment{Span: part, Locator: loc}
}

// lines counts the line ends in a text.
func lines(text []rune) int {
	n := 0
	for _, r := range text {
		if r == '\n' {
			n++
		}
	}
	return n
}
