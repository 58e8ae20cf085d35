package epub

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
)

// between stands between two pages in the text of a book.
const between = "\n\n"

// shelf puts the blocks of pages one after the other.
type shelf struct {
	limits layout.Limits
	text   strings.Builder
	n      int // code points in text
	blocks []corpus.Block
	places int
}

// chapter is a page with what is known of it from elsewhere.
type chapter struct {
	spine    int
	item     item
	sections []section
}

// add puts down the blocks of a page.
func (s *shelf) add(c chapter, p corpus.Parsed) error {
	if len(p.Blocks) == 0 {
		return nil
	}
	if s.text.Len()+len(between)+len(p.Text) > s.limits.Bytes {
		return layout.ErrFull
	}
	if len(s.blocks) > 0 {
		s.text.WriteString(between)
		s.n += len(between)
	}
	first := len(s.blocks)
	paths := c.paths(p.Blocks)
	for i, b := range p.Blocks {
		b.HeadingPath = paths[i]
		b.Span = moved(b.Span, s.n)
		if b.Head >= 0 {
			b.Head += first
		}
		for j, piece := range b.Segments {
			l := c.locator(piece.Locator, paths[i])
			if s.places += layout.Weight(l); s.places > s.limits.Places {
				return layout.ErrFull
			}
			b.Segments[j] = corpus.Segment{Span: moved(piece.Span, s.n), Locator: l}
		}
		s.blocks = append(s.blocks, b)
	}
	s.text.WriteString(p.Text)
	s.n += utf8.RuneCountInString(p.Text)
	return nil
}

func moved(s corpus.Span, by int) corpus.Span {
	return corpus.Span{Start: s.Start + by, End: s.End + by}
}

// locator makes the place in the book of a place on the page.
func (c chapter) locator(l corpus.Locator, path []string) corpus.Locator {
	at, _ := l.(corpus.TextLocator)
	return corpus.EPUBLocator{
		Spine: c.spine, Href: c.item.name, Heading: path, Char: at.Char, Element: at.Element, Aside: c.item.aside,
	}
}

// heading is a heading of the page above a block.
type heading struct {
	name string
	at   int // its first code point on the page
}

// paths returns the heading path of each block: the names that the contents have for its place, and the
// headings of the page itself. Neighbours share their paths.
func (c chapter) paths(blocks []corpus.Block) [][]string {
	out := make([][]string, len(blocks))
	named := c.named(blocks)
	var open []heading
	var section int
	for i, b := range blocks {
		at := startOf(b)
		for section+1 < len(c.sections) && c.sections[section+1].at <= at {
			section++
		}
		open = open[:min(len(open), len(b.HeadingPath))]
		for len(open) < len(b.HeadingPath) {
			open = append(open, heading{b.HeadingPath[len(open)], at})
		}
		if last := len(open) - 1; b.Kind == corpus.Heading && last >= 0 {
			open[last] = heading{b.HeadingPath[last], at}
		}
		out[i] = c.sections[section].above(open, named[section])
		if i > 0 && slices.Equal(out[i], out[i-1]) {
			out[i] = out[i-1]
		}
	}
	return out
}

// named says of each section whether a heading in it says its name.
func (c chapter) named(blocks []corpus.Block) []bool {
	out := make([]bool, len(c.sections))
	section := 0
	for _, b := range blocks {
		for section+1 < len(c.sections) && c.sections[section+1].at <= startOf(b) {
			section++
		}
		path := c.sections[section].path
		if b.Kind == corpus.Heading && len(b.HeadingPath) > 0 && len(path) > 0 {
			out[section] = out[section] || alike(b.HeadingPath[len(b.HeadingPath)-1], path[len(path)-1])
		}
	}
	return out
}

// startOf returns the place on the page where a block begins.
func startOf(b corpus.Block) int {
	if len(b.Segments) == 0 {
		return 0
	}
	at, _ := b.Segments[0].Locator.(corpus.TextLocator)
	return at.Char[0]
}

// above returns the path of a block in the section from the open headings of its page. The page's own
// headings are never left out where one of them says what the contents say; where none does, those from
// before the section belong to another one.
func (s section) above(open []heading, named bool) []string {
	names := func(from int) []string {
		var out []string
		for _, h := range open[from:] {
			out = append(out, h.name)
		}
		return out
	}
	last := len(s.path) - 1
	switch {
	case last < 0 || s.carried && len(open) > 0:
		return append([]string{}, names(0)...)
	case len(open) == 0:
		return s.path
	}
	for i := last; i >= 0; i-- {
		if alike(open[0].name, s.path[i]) {
			return append(slices.Clip(s.path[:i]), names(0)...)
		}
	}
	for _, h := range open[1:] {
		if slices.ContainsFunc(s.path, func(name string) bool { return alike(h.name, name) }) {
			return names(0)
		}
	}
	if named {
		return append(slices.Clip(s.path[:last]), names(0)...)
	}
	from := 0
	for from < len(open) && open[from].at < s.at {
		from++
	}
	return append(slices.Clip(s.path), names(from)...)
}

// alike reports whether two names are of one thing: they are the same but for case and what is no letter
// or digit, or one of them goes on where the other ends at a word's end, as "Chapter 1" and "Chapter 1: A Test" do.
func alike(a, b string) bool {
	x, y := words(a), words(b)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	return slices.Equal(x, y[:len(x)]) || slices.Equal(x, y[len(y)-len(x):])
}

// words returns the words of a name. Each character of a script without spaces is one.
func words(name string) []string {
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range strings.ToLower(name) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end()
			out = append(out, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word.WriteRune(r)
		default:
			end()
		}
	}
	end()
	return out
}
