package toolkit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/corpus"
)

// only replaces the segments of a document by one that covers all of it.
func only(w *world, id corpus.DocumentID, loc corpus.Locator) {
	t := w.texts[id]
	t.Segments = []corpus.Segment{{Span: corpus.Span{Start: 0, End: len([]rune(strings.TrimSpace(t.Text)))}, Locator: loc}}
	w.texts[id] = t
}

func TestASegmentIsCutOnlyWhereOneCharacterStandsForOne(t *testing.T) {
	text := strings.Repeat("abcdefghi\n", 30)
	n := len(text) - 1
	for name, c := range map[string]struct {
		whole, want corpus.Locator
	}{
		"a paragraph of many lines": {
			corpus.TextLocator{Format: "txt", Line: 5, LineEnd: 34, Char: [2]int{1000, 1000 + n}},
			corpus.TextLocator{Format: "txt", Line: 15, LineEnd: 19, Char: [2]int{1100, 1149}},
		},
		"another length than the original": {
			corpus.TextLocator{Format: "txt", Line: 5, LineEnd: 34, Char: [2]int{1000, 1000 + n + 29}},
			corpus.TextLocator{Format: "txt", Line: 5, LineEnd: 34, Char: [2]int{1000, 1000 + n + 29}},
		},
		"other lines than the original": {
			corpus.TextLocator{Format: "txt", Line: 5, LineEnd: 6, Char: [2]int{1000, 1000 + n}},
			corpus.TextLocator{Format: "txt", Line: 5, LineEnd: 6, Char: [2]int{1000, 1000 + n}},
		},
		"a cell": {
			corpus.CSVLocator{Row: 2, Col: 1, Range: "A2", Line: 2, Char: [2]int{10, 10 + n}},
			corpus.CSVLocator{Row: 2, Col: 1, Range: "A2", Line: 2, Char: [2]int{10, 10 + n}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.add("d", text)
			only(w, "d", c.whole)
			s := session(w.hit("d", 1))
			s.WindowUnits = 50
			p, err := read(t, w, s, `{"document_id": "d", "offset": 100}`)
			if err != nil {
				t.Fatal(err)
			}
			if p.Span != (corpus.Span{Start: 100, End: 149}) {
				t.Fatalf("span %v", p.Span)
			}
			if diff := cmp.Diff(c.want, p.Locator); diff != "" {
				t.Errorf("locator (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAWindowOverSeveralSegmentsCoversThem(t *testing.T) {
	w := newWorld()
	w.add("d", "one two\nthree four\nfive six\n")
	s := session(w.hit("d", 1))
	s.WindowUnits = 16
	p, err := read(t, w, s, `{"document_id": "d", "offset": 4}`)
	if err != nil {
		t.Fatal(err)
	}
	want := corpus.TextLocator{Format: "md", Heading: []string{}, Line: 1, LineEnd: 2, Char: [2]int{4, 18}}
	if diff := cmp.Diff(corpus.Locator(want), p.Locator); diff != "" || p.Text != "two\nthree four" {
		t.Errorf("%q: locator (-want +got):\n%s", p.Text, diff)
	}
}
