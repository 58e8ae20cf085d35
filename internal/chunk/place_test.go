package chunk_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
)

// TestAChunkThatEndsInsideALineHasTheBoxesOfItsOwnWords is for pages, whose places are boxes of words.
func TestAChunkThatEndsInsideALineHasTheBoxesOfItsOwnWords(t *testing.T) {
	line := strings.TrimSpace(strings.Repeat("word ", 60))
	place := corpus.PDFLocator{Page: 1, PageSize: [2]float32{600, 800}}
	for i := range 60 {
		place.Boxes = append(place.Boxes, corpus.Box{float32(10 * i), 700, float32(10*i + 9), 708})
	}
	before := "差旅"
	text := before + "\n\n" + line
	n, all := len([]rune(before)), len([]rune(text))
	p := corpus.Parsed{Text: text, Blocks: []corpus.Block{
		{Kind: corpus.Paragraph, Span: corpus.Span{End: n}, Segments: []corpus.Segment{{Span: corpus.Span{End: n}, Locator: corpus.PDFLocator{Page: 1, Boxes: []corpus.Box{{0, 720, 9, 728}}}}}},
		{Kind: corpus.Paragraph, Span: corpus.Span{Start: n + 2, End: all}, Segments: []corpus.Segment{{Span: corpus.Span{Start: n + 2, End: all}, Locator: place}}},
	}}
	var boxes []corpus.Box
	chunks := chunk.Split(p, chunk.Options{MaxChars: 100})
	for _, c := range chunks {
		for _, s := range c.Segments {
			if s.Span.Start < n {
				continue
			}
			own := s.Locator.(corpus.PDFLocator).Boxes
			if words := strings.Fields(string([]rune(text)[s.Span.Start:s.Span.End])); len(words) != len(own) {
				t.Errorf("%d words have %d boxes", len(words), len(own))
			}
			boxes = append(boxes, own...)
		}
	}
	if d := cmp.Diff(place.Boxes, boxes); d != "" || len(chunks) < 3 {
		t.Errorf("%d chunks (-want +got):\n%s", len(chunks), d)
	}
}
