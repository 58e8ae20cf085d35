package corpus

// Narrow returns the segments that overlap a span, cut to it. text is the normalised text that
// begins at the code point base, and must hold every one of those segments that is to be cut.
//
// Places in Markdown, HTML, plain text, messages and books can be cut where a segment's text has the length of its
// original, so that one code point stands for one, and places in PDF documents by their words. Any
// other segment stays whole, which is a wider place and never a wrong one.
func Narrow(text []rune, base int, segments []Segment, span Span) []Segment {
	out := Within(segments, span)
	for i := range out {
		out[i] = narrow(text, base, out[i], span)
	}
	return out
}

func narrow(text []rune, base int, s Segment, span Span) Segment {
	part := Span{max(s.Span.Start, span.Start), min(s.Span.End, span.End)}
	held := Span{base, base + len(text)}.Contains(s.Span)
	if loc, ok := s.Locator.(PDFLocator); ok && held && part != s.Span {
		words := text[s.Span.Start-base : s.Span.End-base]
		return Segment{Span: part, Locator: loc.cut(words, part.Start-s.Span.Start, part.End-s.Span.Start)}
	}
	if _, ok := s.Locator.(EPUBLocator); ok { // which counts no lines
		if at, ok := cutPlace(s, part); ok {
			return Segment{Span: part, Locator: at}
		}
		return s
	}
	loc, put, ok := lined(s.Locator)
	if !ok || part == s.Span || !held || s.Span.Len() != loc.Char[1]-loc.Char[0] {
		return s
	}
	ends := func(from, to int) (n int) {
		for _, r := range text[from-base : to-base] {
			if r == '\n' {
				n++
			}
		}
		return n
	}
	before, after := ends(s.Span.Start, part.Start), ends(part.End, s.Span.End)
	last := max(loc.Line, loc.LineEnd)
	if loc.Line+before+ends(part.Start, part.End)+after != last {
		return s
	}
	loc.Char = [2]int{loc.Char[0] + part.Start - s.Span.Start, loc.Char[1] - (s.Span.End - part.End)}
	loc.Line += before
	loc.LineEnd = 0
	if end := last - after; end > loc.Line {
		loc.LineEnd = end
	}
	return Segment{Span: part, Locator: put(loc)}
}

// lined returns the lines and characters of a place in a text, and what makes the place of others.
func lined(l Locator) (TextLocator, func(TextLocator) Locator, bool) {
	switch l := l.(type) {
	case TextLocator:
		return l, func(t TextLocator) Locator { return t }, true
	case EMLLocator:
		t := TextLocator{Line: l.Line, LineEnd: l.LineEnd, Char: l.Char}
		return t, func(t TextLocator) Locator {
			l.Line, l.LineEnd, l.Char = t.Line, t.LineEnd, t.Char
			return l
		}, l.Line > 0 && l.last() == l.first()
	}
	return TextLocator{}, nil, false
}

// charred is a place of a kind that counts the characters of its original.
type charred interface {
	// chars returns the range; false where it can't be cut.
	chars() ([2]int, bool)
	at(char [2]int) Locator
}

// Cut cuts a segment to a part of it, with its place where the kind of that counts characters and the
// segment has as many as its original, so that one code point stands for one. Lines of the place stay as
// they are. Any other place still names the whole piece that the text is a part of.
func Cut(s Segment, part Span) Segment {
	if at, ok := cutPlace(s, part); ok {
		return Segment{Span: part, Locator: at}
	}
	return Segment{Span: part, Locator: s.Locator}
}

func cutPlace(s Segment, part Span) (Locator, bool) {
	c, ok := s.Locator.(charred)
	if !ok {
		return nil, false
	}
	char, ok := c.chars()
	if !ok || char[1]-char[0] != s.Span.Len() {
		return nil, false
	}
	offset := char[0] - s.Span.Start
	return c.at([2]int{part.Start + offset, part.End + offset}), true
}
