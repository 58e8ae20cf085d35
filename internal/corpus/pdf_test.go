package corpus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

func drawBox(t *rapid.T, label string) corpus.Box {
	x, y := rapid.IntRange(0, 50).Draw(t, label+" x"), rapid.IntRange(0, 5).Draw(t, label+" line")
	return corpus.Box{float32(10 * x), float32(12 * y), float32(10*x + rapid.IntRange(1, 90).Draw(t, label+" width")), float32(12*y + 10)}
}

func drawPDF(t *rapid.T, label string) corpus.PDFLocator {
	l := corpus.PDFLocator{
		Page: rapid.IntRange(1, 9).Draw(t, label+" page"), PageLabel: rapid.SampledFrom([]string{"", "iv", "A-1"}).Draw(t, label+" printed"),
		PageSize: [2]float32{595.3, 841.9}, Turn: rapid.IntRange(0, 3).Draw(t, label+" turn"),
	}
	for i := range rapid.IntRange(1, 4).Draw(t, label+" boxes") {
		l.Boxes = append(l.Boxes, drawBox(t, fmt.Sprint(label, " ", i)))
	}
	if n := rapid.IntRange(0, 3).Draw(t, label+" pages"); n > 0 {
		l.PageEnd = l.Page + n
	}
	return l
}

func TestThroughCoversBothPlacesOfAPDF(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPDF(t, "first"), drawPDF(t, "last")
		b.Page = max(a.Page, b.Page)
		if b.PageEnd != 0 {
			b.PageEnd = max(b.PageEnd, b.Page+1)
		}
		before := fmt.Sprint(a, b)
		got := a.Through(b).(corpus.PDFLocator)
		if after := fmt.Sprint(a, b); after != before {
			t.Fatalf("the places were changed from %s to %s", before, after)
		}
		if got.Page != a.Page || got.PageLabel != a.PageLabel || got.PageSize != a.PageSize || got.Turn != a.Turn {
			t.Fatalf("it does not begin where %+v does: %+v", a, got)
		}
		if last := max(got.Page, got.PageEnd); last != max(a.Page, a.PageEnd, b.Page, b.PageEnd) || got.PageEnd == got.Page {
			t.Fatalf("%+v through %+v ends on page %d", a, b, last)
		}
		want := a.Boxes
		if b.Page == a.Page {
			want = append(want[:len(want):len(want)], b.Boxes...)
		}
		for _, box := range want {
			held := false
			for _, g := range got.Boxes {
				held = held || g.Holds(box[0], box[1], 0) && g.Holds(box[2], box[3], 0)
			}
			if !held {
				t.Fatalf("no box of %v holds %v", got.Boxes, box)
			}
		}
		for _, g := range got.Boxes {
			x, y := (g[0]+g[2])/2, (g[1]+g[3])/2
			near := false
			for _, box := range want {
				near = near || box.Holds(x, y, 50) && box[1] == g[1]
			}
			if !near {
				t.Fatalf("the box %v is far from all of %v", g, want)
			}
		}
		if d := cmp.Diff(corpus.Locator(a), a.Through(a)); d != "" {
			t.Fatalf("through itself: %s", d)
		}
	})
}

func TestBoxesOfNeighboursOnALineBecomeOne(t *testing.T) {
	first := corpus.PDFLocator{Page: 1, Boxes: []corpus.Box{{10, 10, 40, 20}}}
	for _, c := range []struct {
		name string
		more []corpus.Box
		want []corpus.Box
	}{
		{"touching words", []corpus.Box{{10, 30, 20, 40}, {20, 30, 50, 40}}, []corpus.Box{{10, 10, 40, 20}, {10, 30, 50, 40}}},
		{"words far apart", []corpus.Box{{10, 30, 20, 40}, {80, 30, 90, 40}}, []corpus.Box{{10, 10, 40, 20}, {10, 30, 20, 40}, {80, 30, 90, 40}}},
		{"lines", []corpus.Box{{10, 30, 20, 40}, {10, 42, 20, 52}}, []corpus.Box{{10, 10, 40, 20}, {10, 30, 20, 40}, {10, 42, 20, 52}}},
		{"a box inside another", []corpus.Box{{12, 12, 30, 18}}, []corpus.Box{{10, 10, 40, 20}}},
		{"the same box", []corpus.Box{{10, 10, 40, 20}}, []corpus.Box{{10, 10, 40, 20}}},
	} {
		got := first.Through(corpus.PDFLocator{Page: 1, Boxes: c.more}).(corpus.PDFLocator)
		if d := cmp.Diff(c.want, got.Boxes); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestNarrowTakesTheWordsOfAPDFSegment(t *testing.T) {
	line := "The pump 离心泵 runs"
	boxes := []corpus.Box{{0, 0, 30, 10}, {30, 0, 70, 10}, {70, 0, 106, 10}, {106, 0, 140, 10}}
	for _, c := range []struct {
		name, text, part string
		boxes, want      []corpus.Box
	}{
		{"a word", line, "pump", boxes, boxes[1:2]},
		{"several words", line, "pump 离心泵", boxes, boxes[1:3]},
		{"the end of a word and the next", line, "e pump", boxes, []corpus.Box{{20, 0, 30, 10}, {30, 0, 70, 10}}},
		{"a Chinese word of a run", line, "心泵", boxes, []corpus.Box{{82, 0, 106, 10}}},
		{"all of it", line, line, boxes, boxes},
		{"part of a word from right to left", "البرمجة بلغة", "البر", boxes[:2], boxes[:1]},
		{"part of a word that stands upright", "upright", "up", []corpus.Box{{0, 0, 10, 60}}, []corpus.Box{{0, 0, 10, 60}}},
		{"boxes that are not words", line, "pump", boxes[:2], boxes[:2]},
		{"white space alone", line, " ", boxes, boxes},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := []rune(c.text)
			at := len([]rune(c.text[:strings.Index(c.text, c.part)]))
			s := corpus.Segment{Span: corpus.Span{Start: 100, End: 100 + len(text)}, Locator: corpus.PDFLocator{Page: 2, Boxes: c.boxes}}
			span := corpus.Span{Start: 100 + at, End: 100 + at + len([]rune(c.part))}
			got := corpus.Narrow(text, 100, []corpus.Segment{s}, span)
			want := []corpus.Segment{{Span: span, Locator: corpus.PDFLocator{Page: 2, Boxes: c.want}}}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNarrowCutsAWordFromWhereItsLineBegins(t *testing.T) {
	level, upright, square := corpus.Box{10, 20, 50, 30}, corpus.Box{10, 20, 20, 60}, corpus.Box{10, 20, 30, 40}
	for _, c := range []struct {
		name      string
		turn      int
		box       corpus.Box
		ab, b, cd corpus.Box // of abcd
	}{
		{"to the right", 0, level, corpus.Box{10, 20, 30, 30}, corpus.Box{20, 20, 30, 30}, corpus.Box{30, 20, 50, 30}},
		{"down", 1, upright, corpus.Box{10, 20, 20, 40}, corpus.Box{10, 30, 20, 40}, corpus.Box{10, 40, 20, 60}},
		{"upside down", 2, level, corpus.Box{30, 20, 50, 30}, corpus.Box{30, 20, 40, 30}, corpus.Box{10, 20, 30, 30}},
		{"up", 3, upright, corpus.Box{10, 40, 20, 60}, corpus.Box{10, 40, 20, 50}, corpus.Box{10, 20, 20, 40}},
		{"to the right in an upright box", 0, upright, upright, upright, upright},
		{"down in a level box", 1, level, level, level, level},
		{"in a square one", 2, square, square, square, square},
	} {
		for part, want := range map[string]corpus.Box{"ab": c.ab, "b": c.b, "cd": c.cd, "abcd": c.box} {
			at := strings.Index("abcd", part)
			s := corpus.Segment{Span: corpus.Span{End: 4}, Locator: corpus.PDFLocator{Page: 1, Boxes: []corpus.Box{c.box}, Turn: c.turn}}
			got := corpus.Narrow([]rune("abcd"), 0, []corpus.Segment{s}, corpus.Span{Start: at, End: at + len(part)})
			if d := cmp.Diff(corpus.Locator(corpus.PDFLocator{Page: 1, Boxes: []corpus.Box{want}, Turn: c.turn}), got[0].Locator); d != "" {
				t.Errorf("%s of a line that runs %s: %s", part, c.name, d)
			}
		}
	}
}

func TestNarrowOfAPDFSegmentStaysInsideIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "pump", "离心泵", "x-y", "بلغة"}), 1, 6).Draw(t, "words")
		turn := rapid.IntRange(0, 3).Draw(t, "turn")
		var boxes []corpus.Box
		for i, w := range words {
			box := corpus.Box{float32(50 * i), 0, float32(50*i + 8*len([]rune(w)) + 4), 10}
			if turn%2 == 1 {
				box = corpus.Box{box[1], box[0], box[3], box[2]}
			}
			boxes = append(boxes, box)
		}
		text := []rune(strings.Join(words, " "))
		from := rapid.IntRange(0, len(text)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(text)).Draw(t, "to")
		s := corpus.Segment{Span: corpus.Span{End: len(text)}, Locator: corpus.PDFLocator{Page: 1, Boxes: boxes, Turn: turn}}
		got := corpus.Narrow(text, 0, []corpus.Segment{s}, corpus.Span{Start: from, End: to})[0]
		cut := got.Locator.(corpus.PDFLocator)
		for _, b := range cut.Boxes {
			inside := false
			for _, w := range boxes {
				inside = inside || w.Holds(b[0], b[1], 0.01) && w.Holds(b[2], b[3], 0.01) && b[0] < b[2] && b[1] < b[3]
			}
			if !inside {
				t.Fatalf("the box %v lies in none of %v", b, boxes)
			}
		}
		if n := len(strings.Fields(string(text[from:to]))); n > 0 && len(cut.Boxes) != n {
			t.Fatalf("%q has %d boxes", string(text[from:to]), len(cut.Boxes))
		}
	})
}
