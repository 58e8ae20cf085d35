package chunk_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
)

func TestWhatWasCutIsFaithful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		list := chunk.Split(d.Parsed, chunk.Options{MaxChars: rapid.IntRange(60, 400).Draw(t, "max")})
		if !chunk.Faithful(d.Parsed, list) {
			t.Fatalf("the chunks of %q are not", d.Text)
		}
		for i := range list { // as a store may give it back
			if len(list[i].HeadingPath) == 0 {
				list[i].HeadingPath = nil
			}
		}
		if !chunk.Faithful(d.Parsed, list) {
			t.Fatalf("the chunks of %q are not, without headings", d.Text)
		}
	})
}

// forgeries change one thing about the chunks of a document of two paragraphs and a table.
var forgeries = map[string]func(list []corpus.Chunk) []corpus.Chunk{
	"another word":             func(l []corpus.Chunk) []corpus.Chunk { l[0].Text = "X" + l[0].Text[1:]; return l },
	"a chunk that is missing":  func(l []corpus.Chunk) []corpus.Chunk { return l[:len(l)-1] },
	"a chunk left out between": func(l []corpus.Chunk) []corpus.Chunk { return slices.Delete(l, 1, 2) },
	"one that is there twice":  func(l []corpus.Chunk) []corpus.Chunk { return slices.Insert(l, 1, l[0]) },
	"another order":            func(l []corpus.Chunk) []corpus.Chunk { l[0], l[1] = l[1], l[0]; return l },
	"another number":           func(l []corpus.Chunk) []corpus.Chunk { l[1].No = 7; return l },
	"another span":             func(l []corpus.Chunk) []corpus.Chunk { l[0].Span.End++; return l },
	"an end beyond the text":   func(l []corpus.Chunk) []corpus.Chunk { l[len(l)-1].Span.End++; return l },
	"other headings":           func(l []corpus.Chunk) []corpus.Chunk { l[0].HeadingPath = []string{"forged"}; return l },
	"a header of its own":      func(l []corpus.Chunk) []corpus.Chunk { l[len(l)-1].Context = "| forged |\n"; return l },
	"a place of another":       func(l []corpus.Chunk) []corpus.Chunk { l[0].Segments[0].Locator = l[1].Segments[0].Locator; return l },
	"a locator of another":     func(l []corpus.Chunk) []corpus.Chunk { l[0].Locator = l[1].Locator; return l },
	"a segment of another": func(l []corpus.Chunk) []corpus.Chunk {
		l[0].Segments = l[1].Segments
		l[0].Locator = l[1].Locator
		return l
	},
	"a locator without segment": func(l []corpus.Chunk) []corpus.Chunk { l[0].Segments, l[0].Locator = nil, l[1].Locator; return l },
	"none":                      func([]corpus.Chunk) []corpus.Chunk { return nil },
}

func TestWhatWasForgedIsNotFaithful(t *testing.T) {
	cut := func() (corpus.Parsed, []corpus.Chunk) {
		d := newDocument()
		d.h(1, "# one")
		d.p("The first paragraph has enough words to fill a chunk of this size by itself.")
		d.gap("\n\n")
		d.p("The second paragraph has enough words to fill a chunk of this size as well.")
		d.table("| 编号 | h |", "| a1 | the first row of a table that is torn |", "| a2 | the second row of a table that is torn |", "| a3 | the third row |")
		return d.Parsed, chunk.Split(d.Parsed, chunk.Options{MaxChars: 100})
	}
	p, list := cut()
	if len(list) < 4 || list[len(list)-1].Context == "" || !chunk.Faithful(p, list) {
		t.Fatalf("%d chunks", len(list))
	}
	for what, forge := range forgeries {
		p, list := cut()
		if chunk.Faithful(p, forge(list)) {
			t.Errorf("%s goes through", what)
		}
	}
	if chunk.Faithful(corpus.Parsed{}, list) || !chunk.Faithful(corpus.Parsed{}, nil) {
		t.Error("of a document without blocks")
	}
}
