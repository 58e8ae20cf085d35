// Package preview turns documents into safe HTML. It is the one renderer and the one sanitiser: every
// surface that shows documents as HTML gets it from here.
//
// A document is rendered from what was stored of it, its normalised text and blocks; its original
// is never opened. The fragment holds the text of its stretch whole and in order: its text content
// is the normalised text, character by character. What is markup of the source stands in spans of
// the class doc-mark, for a style sheet to hide, and characters that nobody sees are shown as one
// that is seen. Only Markdown comments are left out. Every element with data-start and data-end
// holds exactly that span of the normalised text, in code points, so that a citation can be
// highlighted to the character. Places have anchors, which Anchor names.
//
// What is written holds a closed set of elements, without scripts, styles, images, forms, handlers
// or addresses that could be loaded: a link is its text, and its address beside it as text. The
// renderer writes nothing else, and the sanitiser lets nothing else through.
package preview

import (
	"strconv"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Window says which stretch of a document is wanted. The zero Window is its beginning.
type Window struct {
	// From and To are code points of the normalised text; To is 0 for as far as a page goes. The
	// stretch is widened to whole blocks, and cut to the length of a page.
	From, To int
}

// Fragment is a stretch of a document as HTML.
type Fragment struct {
	HTML  string
	Span  corpus.Span // what the fragment holds
	Total int         // code points of the whole document
	// Previous and Next are the stretches before and after; nil at the ends. Where more places than a page has
	// room for stand before, Previous shows the first of them, and its own Next goes on.
	Previous, Next *Window
	// PreviousChapter and NextChapter begin with the chapters of a book beside that in which the stretch
	// begins; nil at the ends, and of anything else.
	PreviousChapter, NextChapter *Window
}

// A page of a document is bounded, whatever the document: in code points, and in places, each of
// which has an element of its own.
const (
	pageChars  = 20_000
	pagePlaces = 4_000
	// wholeChars is the length up to which a block is never torn.
	wholeChars = 2_000
)

// Reach returns the stretch of a document that Render may need for a window.
func Reach(w Window) corpus.Span {
	return corpus.Span{Start: max(0, w.From-wholeChars), End: w.From + pageChars}
}

// Render returns what a window shows of a document, given at least what Reach says of it. The window
// names no anchor, which Locate turns into numbers. One that the document does not have is
// problem.Invalid "unknown_place".
func Render(s corpus.Stretch, w Window) (Fragment, error) {
	if w.From < 0 || w.To < 0 || w.From > s.Total || w.To > 0 && w.To < w.From {
		return Fragment{}, problem.New(problem.Invalid, "unknown_place", "The document has %d characters, and no such stretch of them.", s.Total)
	}
	d := document{text: s.Text, at: s.Span.Start, blocks: s.Blocks, first: s.First, total: s.Total}
	span := d.page(w)
	out := Fragment{Span: span, Total: d.total}
	if span.Start > 0 {
		// Widening to the block that it begins in, it must still be a page at most.
		out.Previous = &Window{From: max(0, span.Start-pageChars+wholeChars), To: span.Start}
	}
	if span.End < d.total {
		out.Next = &Window{From: span.End}
	}
	r := newRenderer(d, span)
	r.document()
	out.HTML = sanitise(r.String())
	return out, nil
}

// Excerpt returns exactly one span of a document as HTML, given a stretch that holds it: nothing around it is shown, not
// even the rest of a block that the span cuts.
func Excerpt(s corpus.Stretch, span corpus.Span) string {
	r := newRenderer(document{text: s.Text, at: s.Span.Start, blocks: s.Blocks, first: s.First, total: s.Total}, span)
	r.document()
	return sanitise(r.String())
}

// document is what is known of a document that is rendered.
type document struct {
	text   string
	at     int // where the text begins in the whole
	blocks []corpus.Block
	first  int // the number of the first block in the whole
	total  int // code points of the whole
}

// slice returns the characters of a span, which lies in the text.
func (d document) slice(s corpus.Span) []rune {
	from := 0
	for n := 0; from < len(d.text); from++ {
		if utf8.RuneStart(d.text[from]) {
			if n == s.Start-d.at {
				break
			}
			n++
		}
	}
	out := make([]rune, 0, s.Len())
	for _, r := range d.text[from:] {
		if len(out) == s.Len() {
			break
		}
		out = append(out, r)
	}
	return out
}

// class names the format of a stretch by its places; "" for one without any.
func (d document) class(span corpus.Span) string {
	for _, b := range d.blocks {
		if len(b.Segments) > 0 && b.Span.Overlap(span) > 0 {
			return b.Segments[0].Locator.Kind()
		}
	}
	return ""
}

func itoa(n int) string { return strconv.Itoa(n) }
