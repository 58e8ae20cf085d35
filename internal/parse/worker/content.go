package worker

import (
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

// result is a parse.Result on its way. A file has up to 200,000 places, and the JSON that locators
// have for people is slow to read: the frequent shapes go as plain structures.
type result struct {
	Title, Language, Text       string
	Blocks                      []block
	Notices                     []string
	MediaType, Format, Encoding string
}

type block struct {
	Kind     corpus.BlockKind
	Span     [2]int
	Level    int `json:",omitempty"`
	Path     []string
	Head     int
	Segments []segment `json:",omitempty"`
}

// segment holds one of the three.
type segment struct {
	Span  [2]int
	Text  *corpus.TextLocator `json:",omitempty"`
	CSV   *csvLocator         `json:",omitempty"`
	Other *place              `json:",omitempty"`
}

// csvLocator is a corpus.CSVLocator without its form for people.
type csvLocator corpus.CSVLocator

func wire(r parse.Result) *result {
	out := &result{
		Title: r.Parsed.Title, Language: r.Parsed.Language, Text: r.Parsed.Text, Notices: r.Parsed.Notices,
		MediaType: r.MediaType, Format: r.Format, Encoding: r.Encoding, Blocks: make([]block, len(r.Parsed.Blocks)),
	}
	for i, b := range r.Parsed.Blocks {
		to := &out.Blocks[i]
		*to = block{Kind: b.Kind, Span: [2]int{b.Span.Start, b.Span.End}, Level: b.Level, Path: b.HeadingPath, Head: b.Head}
		for _, s := range b.Segments {
			w := segment{Span: [2]int{s.Span.Start, s.Span.End}}
			switch l := s.Locator.(type) {
			case corpus.TextLocator:
				w.Text = &l
			case corpus.CSVLocator:
				w.CSV = (*csvLocator)(&l)
			default:
				w.Other = &place{l}
			}
			to.Segments = append(to.Segments, w)
		}
	}
	return out
}

func (r *result) unwire() parse.Result {
	out := parse.Result{
		Parsed:    corpus.Parsed{Title: r.Title, Language: r.Language, Text: r.Text, Notices: r.Notices},
		MediaType: r.MediaType, Format: r.Format, Encoding: r.Encoding,
	}
	for _, b := range r.Blocks {
		to := corpus.Block{Kind: b.Kind, Span: corpus.Span{Start: b.Span[0], End: b.Span[1]}, Level: b.Level, HeadingPath: b.Path, Head: b.Head}
		for _, s := range b.Segments {
			to.Segments = append(to.Segments, corpus.Segment{Span: corpus.Span{Start: s.Span[0], End: s.Span[1]}, Locator: s.locator()})
		}
		out.Parsed.Blocks = append(out.Parsed.Blocks, to)
	}
	return out
}

func (s segment) locator() corpus.Locator {
	switch {
	case s.Text != nil:
		return *s.Text
	case s.CSV != nil:
		return corpus.CSVLocator(*s.CSV)
	case s.Other != nil:
		return s.Other.Locator
	}
	return nil
}
