package worker

import (
	"iter"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

// result is a parse.Result on its way. A file has up to 200,000 places, and the JSON that locators
// have for people is slow to read: the frequent shapes go as plain structures, and places on pages beside the JSON.
type result struct {
	Title, Language, Text       string
	Blocks                      []block
	Notices                     []string
	MediaType, Format, Encoding string

	places []byte // those of its blocks
}

type block struct {
	Kind     corpus.BlockKind
	Span     [2]int
	Level    int `json:",omitempty"`
	Path     []string
	Head     int
	Segments []segment `json:",omitempty"`
	GoesOn   bool      `json:",omitempty"` // these are further segments of the block before
	// Places is how many segments there are instead that have places on pages, which follow the answer.
	Places int `json:",omitempty"`
	places []corpus.Segment
}

// segment holds one of the four.
type segment struct {
	Span  [2]int
	Text  *corpus.TextLocator `json:",omitempty"`
	CSV   *csvLocator         `json:",omitempty"`
	EPUB  *epubLocator        `json:",omitempty"`
	Other *place              `json:",omitempty"`
}

// These are locators without their form for people.
type (
	csvLocator  corpus.CSVLocator
	epubLocator corpus.EPUBLocator
)

// partPieces is how many blocks and segments one part of a result has.
const partPieces = 4000

// parts returns a result in one answer or several, each with so many blocks and segments at most. A
// block whose segments are too many for one part goes on in the next.
func parts(r parse.Result, most int) iter.Seq[answer] {
	return func(yield func(answer) bool) {
		part := result{
			Title: r.Parsed.Title, Language: r.Parsed.Language, Text: r.Parsed.Text, Notices: r.Parsed.Notices,
			MediaType: r.MediaType, Format: r.Format, Encoding: r.Encoding,
		}
		room := most
		for _, b := range r.Parsed.Blocks {
			left, goesOn := b.Segments, false
			for first := true; first || len(left) > 0; first, goesOn = false, true {
				if room == 0 {
					if !yield(answer{Result: &part, Places: len(part.places), More: true}) {
						return
					}
					part, room = result{}, most
				}
				n := min(len(left), room-1)
				part.add(b, left[:n], goesOn)
				left, room = left[n:], room-1-n
			}
		}
		yield(answer{Result: &part, Places: len(part.places)})
	}
}

// add appends a block with some of its segments.
func (r *result) add(b corpus.Block, segments []corpus.Segment, goesOn bool) {
	out := block{Span: [2]int{b.Span.Start, b.Span.End}, GoesOn: goesOn}
	if !goesOn {
		out.Kind, out.Level, out.Path, out.Head = b.Kind, b.Level, b.HeadingPath, b.Head
	}
	if places, ok := appendPlaces(r.places, segments); ok {
		out.Places, r.places = len(segments), places
		segments = nil
	}
	for _, s := range segments {
		w := segment{Span: [2]int{s.Span.Start, s.Span.End}}
		switch l := s.Locator.(type) {
		case corpus.TextLocator:
			w.Text = &l
		case corpus.CSVLocator:
			w.CSV = (*csvLocator)(&l)
		case corpus.EPUBLocator:
			w.EPUB = (*epubLocator)(&l)
		default:
			w.Other = &place{l}
		}
		out.Segments = append(out.Segments, w)
	}
	r.Blocks = append(r.Blocks, out)
}

// within takes the places of a part from those that a file may still have, and reports whether it may have them.
func (r *result) within(left *int) bool {
	if r == nil {
		return true
	}
	for _, b := range r.Blocks {
		n := max(b.Places, len(b.Segments))
		if n > *left {
			return false
		}
		*left -= n
	}
	return true
}

func (r *result) unwire() parse.Result {
	out := parse.Result{
		Parsed:    corpus.Parsed{Title: r.Title, Language: r.Language, Text: r.Text, Notices: r.Notices},
		MediaType: r.MediaType, Format: r.Format, Encoding: r.Encoding,
	}
	for i, b := range r.Blocks {
		if b.GoesOn && i > 0 {
			last := &out.Parsed.Blocks[len(out.Parsed.Blocks)-1]
			last.Segments = append(last.Segments, b.segments()...)
			continue
		}
		to := corpus.Block{Kind: b.Kind, Span: corpus.Span{Start: b.Span[0], End: b.Span[1]}, Level: b.Level, HeadingPath: b.Path, Head: b.Head}
		to.Segments = b.segments()
		out.Parsed.Blocks = append(out.Parsed.Blocks, to)
	}
	return out
}

func (b block) segments() []corpus.Segment {
	if len(b.Segments) == 0 {
		return b.places
	}
	out := make([]corpus.Segment, len(b.Segments))
	for i, s := range b.Segments {
		out[i] = corpus.Segment{Span: corpus.Span{Start: s.Span[0], End: s.Span[1]}, Locator: s.locator()}
	}
	return out
}

func (s segment) locator() corpus.Locator {
	switch {
	case s.Text != nil:
		return *s.Text
	case s.CSV != nil:
		return corpus.CSVLocator(*s.CSV)
	case s.EPUB != nil:
		return corpus.EPUBLocator(*s.EPUB)
	case s.Other != nil:
		return s.Other.Locator
	}
	return nil
}
