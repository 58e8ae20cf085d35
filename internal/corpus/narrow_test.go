package corpus_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

// at is the place of a stretch of a text that is its own original.
func at(text []rune, span corpus.Span) corpus.TextLocator {
	before, through := string(text[:span.Start]), string(text[:span.End])
	l := corpus.TextLocator{Format: "txt", Line: 1 + strings.Count(before, "\n"), Char: [2]int{span.Start, span.End}}
	if last := 1 + strings.Count(through, "\n"); last > l.Line {
		l.LineEnd = last
	}
	return l
}

func TestANarrowedSegmentIsExactlyItsPartOfTheOriginal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []rune(rapid.StringMatching(`[a差\n]{1,40}`).Draw(t, "text"))
		var segments []corpus.Segment
		for start := 0; start < len(text); {
			end := rapid.IntRange(start+1, len(text)).Draw(t, "end")
			span := corpus.Span{Start: start, End: end}
			segments = append(segments, corpus.Segment{Span: span, Locator: at(text, span)})
			start = end
		}
		start := rapid.IntRange(0, len(text)-1).Draw(t, "from")
		span := corpus.Span{Start: start, End: rapid.IntRange(start+1, len(text)).Draw(t, "to")}
		covered := 0
		for _, s := range corpus.Narrow(text, 0, segments, span) {
			covered += s.Span.Len()
			if !span.Contains(s.Span) {
				t.Fatalf("%v goes beyond %v", s.Span, span)
			}
			if d := cmp.Diff(corpus.Locator(at(text, s.Span)), s.Locator); d != "" {
				t.Fatalf("%v of %q: %s", s.Span, string(text), d)
			}
		}
		if covered != span.Len() {
			t.Fatalf("%d of %d code points are covered", covered, span.Len())
		}
	})
}

func TestWhatCannotBeCutStaysWhole(t *testing.T) {
	text, span := []rune("a&b\nc"), corpus.Span{Start: 1, End: 2}
	whole := corpus.Span{Start: 0, End: 5}
	for name, s := range map[string]corpus.Segment{
		"a record of a table":               {Span: whole, Locator: corpus.CSVLocator{Row: 2, Char: [2]int{0, 5}}},
		"an original of another length":     {Span: whole, Locator: corpus.TextLocator{Format: "html", Line: 1, LineEnd: 2, Char: [2]int{0, 9}}},
		"an original with other line ends":  {Span: whole, Locator: corpus.TextLocator{Format: "md", Line: 1, LineEnd: 3, Char: [2]int{0, 5}}},
		"a segment beyond the text at hand": {Span: corpus.Span{Start: 0, End: 6}, Locator: corpus.TextLocator{Format: "txt", Line: 1, LineEnd: 2, Char: [2]int{0, 6}}},
	} {
		if d := cmp.Diff([]corpus.Segment{s}, corpus.Narrow(text, 0, []corpus.Segment{s}, span)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestNarrowReadsTextThatBeginsLater(t *testing.T) {
	text := []rune("first\nsecond\nthird")
	line := corpus.Span{Start: 6, End: 18}
	got := corpus.Narrow(text[6:], 6, []corpus.Segment{{Span: line, Locator: at(text, line)}}, corpus.Span{Start: 13, End: 16})
	want := []corpus.Segment{{Span: corpus.Span{Start: 13, End: 16}, Locator: at(text, corpus.Span{Start: 13, End: 16})}}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
}
