package parse_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

// finding is how near the chunks of a document come to an expectation.
type finding struct{ text, page, box bool }

// seek looks for an expectation's text, in any chunk and in any of its renderings.
func seek(p corpus.Parsed, chunks []corpus.Chunk, e expectation) (best finding) {
	for _, c := range chunks {
		for _, want := range append([]string{e.Text}, e.TextAny...) {
			for _, segments := range found(c, want, e.Match) {
				f := finding{text: true}
				for _, s := range segments {
					l := s.Locator.(corpus.PDFLocator)
					f.page = f.page || l.Page == e.Locator.Page && (e.Locator.Label == "" || l.PageLabel == e.Locator.Label)
				}
				f.box = f.page && boxed(p.Blocks, segments, e)
				if !best.text || f.page && !best.page || f.box && !best.box {
					best = f
				}
			}
		}
	}
	return best
}

// boxed reports whether the boxes of the segments hold the middle of the expected box, in the same
// frame, without being larger than the paragraph around it.
func boxed(blocks []corpus.Block, segments []corpus.Segment, e expectation) bool {
	want := e.Locator.Box
	if len(want) == 0 {
		return true
	}
	x, y := (want[0]+want[2])/2, (want[1]+want[3])/2
	at := corpus.Cover(segments).(corpus.PDFLocator)
	for i, v := range e.Locator.Size {
		if d := at.PageSize[i] - v; d > 1 || d < -1 {
			return false
		}
	}
	for _, b := range blocks {
		if len(b.Segments) == 0 || b.Span.Start > segments[0].Span.Start || b.Span.End <= segments[0].Span.Start {
			continue
		}
		around := hull(corpus.Cover(b.Segments).(corpus.PDFLocator).Boxes)
		for _, box := range append(slices.Clone(at.Boxes), hull(at.Boxes)) {
			if box.Holds(x, y, 0.5) && area(box) <= 1.01*max(area(around), 1) {
				return true
			}
		}
	}
	return false
}

func area(b corpus.Box) float32 { return (b[2] - b[0]) * (b[3] - b[1]) }

func hull(boxes []corpus.Box) corpus.Box {
	out := boxes[0]
	for _, b := range boxes[1:] {
		out = corpus.Box{min(out[0], b[0]), min(out[1], b[1]), max(out[2], b[2]), max(out[3], b[3])}
	}
	return out
}

func TestPDFDocumentsAreFoundAtTheirPlaces(t *testing.T) {
	dir := sharedData(t)
	var all, texts, pages, boxes, wrong, withBox int
	for _, r := range recordsOf(t, dir, "pdf") {
		t.Run(r.File, func(t *testing.T) {
			f, result, err := parseFile(t, dir, r.File)
			if r.MustFail {
				if err == nil && r.FailKind == "hard" {
					t.Errorf("the file was read, with %d blocks, but has to fail", len(result.Parsed.Blocks))
				}
				t.Logf("ended with %v", err)
				return
			}
			if err != nil {
				t.Fatalf("the file was refused: %v", err)
			}
			checkPDF(t, f, result)
			chunks := chunk.Split(result.Parsed, chunk.Options{})
			checkChunks(t, result.Parsed, chunks, 900)
			if r.NoText && (len(chunks) != 0 || !slices.Contains(result.Parsed.Notices, parse.NoTextLayer)) {
				t.Errorf("there are %d chunks and the notices %v in a file without text", len(chunks), result.Parsed.Notices)
			}
			for _, e := range r.Expect {
				got := seek(result.Parsed, chunks, e)
				all++
				if got.text {
					texts++
				}
				if got.page {
					pages++
				} else if got.text {
					wrong++
					t.Errorf("%q is on another page than %d", e.Text, e.Locator.Page)
				}
				if got.page && len(e.Locator.Box) > 0 {
					withBox++
					if got.box {
						boxes++
					}
				}
				if !got.text || !got.box {
					t.Logf("%q: %+v, want %+v", e.Text, got, e.Locator)
				}
			}
			for _, e := range r.Absent {
				if contains(chunks, e.Text) {
					t.Errorf("%q turned up in a chunk", e.Text)
				}
			}
		})
	}
	t.Logf("text found %d of %d, at its page %d, box right %d of %d", texts, all, pages, boxes, withBox)
	if all == 0 || pages*100 < all*97 || boxes*100 < withBox*95 || wrong > 0 {
		t.Errorf("of %d expectations %d are at their page, and of %d boxes %d are right", all, pages, withBox, boxes)
	}
}

// checkPDF holds what every parse promises. Opening a place reads the whole document again, so
// only a few are opened.
func checkPDF(t *testing.T, f parse.File, r parse.Result) {
	t.Helper()
	checkBlocks(t, r)
	text := []rune(r.Parsed.Text)
	var all []corpus.Segment
	for _, b := range r.Parsed.Blocks {
		all = append(all, b.Segments...)
	}
	for i := 0; i < len(all); i += 1 + len(all)/2 {
		s := all[i]
		got, err := parse.Resolve(t.Context(), f, s.Locator)
		if want := string(text[s.Span.Start:s.Span.End]); err != nil || got != want {
			t.Errorf("the place %+v opens to %q (%v), want %q", s.Locator, got, err, want)
		}
	}
}

func TestFaultsOfOtherPDFReadersDoNotOccur(t *testing.T) {
	eachCase(t, map[string]func(*testing.T, read){"54": nil, "56": nil, "58": nil, "60": nil, "62": nil}, checkPDFCase)
}

func checkPDFCase(t *testing.T, c bugcase[expectation], r read) {
	t.Helper()
	for _, e := range c.Expect {
		if got := seek(r.result.Parsed, r.chunks, e); !got.page || !got.box {
			t.Errorf("%q: %+v, want %+v", e.Text, got, e.Locator)
		}
		if len(e.Locator.Box) > 0 {
			exact(t, r.result.Parsed, r.chunks, e)
		}
	}
	for _, e := range c.Absent {
		if contains(r.chunks, e.Text) {
			t.Errorf("%q turned up in a chunk", e.Text)
		}
	}
}

// exact holds that the boxes of a phrase alone, as it would be highlighted, are those of its letters.
func exact(t *testing.T, p corpus.Parsed, chunks []corpus.Chunk, e expectation) {
	t.Helper()
	const slack = 6 // points
	start := len([]rune(p.Text[:max(0, strings.Index(p.Text, e.Text))]))
	span := corpus.Span{Start: start, End: start + len([]rune(e.Text))}
	for _, c := range chunks {
		if !c.Span.Contains(span) {
			continue
		}
		cut := corpus.Narrow([]rune(p.Text), 0, c.Segments, span)
		got := hull(corpus.Cover(cut).(corpus.PDFLocator).Boxes)
		for i, v := range e.Locator.Box {
			if d := got[i] - v; d > slack || d < -slack {
				t.Errorf("%q is marked at %v, want %v", e.Text, got, e.Locator.Box)
			}
		}
		return
	}
	t.Errorf("%q is in no chunk", e.Text)
}
