package pdf_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/pdf"
)

func near(a, b, slack float32) bool { return a-b <= slack && b-a <= slack }

func TestPlaceIsInTheFrameThatAViewerShows(t *testing.T) {
	for _, c := range []struct {
		name, entries string
		size          [2]float32
		x, y          float32 // where the word begins, in the frame
	}{
		{"a plain page", "", [2]float32{600, 800}, 100, 100},
		{"a crop box", "/CropBox [50 100 450 750]", [2]float32{400, 650}, 50, 50},
		{"a page box that does not begin at zero", "/MediaBox [-100 -50 500 750]", [2]float32{600, 800}, 200, 50},
		{"a quarter of a turn", "/Rotate 90", [2]float32{800, 600}, 700, 100},
		{"upside down", "/Rotate 180", [2]float32{600, 800}, 500, 700},
		{"three quarters of a turn", "/Rotate 270", [2]float32{800, 600}, 100, 500},
		{"a turn beyond the whole", "/Rotate 450", [2]float32{800, 600}, 700, 100},
		{"a turned crop box", "/CropBox [50 100 450 750] /Rotate 90", [2]float32{650, 400}, 600, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := read(t, paper{pages: []leaf{{at(100, 700, 12, "Corner"), c.entries}}})
			l := placed(t, p, "Corner")
			if l.Page != 1 || l.PageSize != c.size || len(l.Boxes) != 1 {
				t.Fatalf("the place is %+v, want a page of %v", l, c.size)
			}
			if !l.Boxes[0].Holds(c.x, c.y, 3) {
				t.Errorf("the box %v does not hold the beginning of the base line, %v %v", l.Boxes[0], c.x, c.y)
			}
		})
	}
}

func TestEachWordHasItsBox(t *testing.T) {
	p := read(t, page(at(100, 700, 10, "one three")))
	l := placed(t, p, "one three")
	if len(l.Boxes) != 2 {
		t.Fatalf("the boxes are %v", l.Boxes)
	}
	// Helvetica: o 556, n 556, e 556, space 278 thousandths.
	if a, b := l.Boxes[0], l.Boxes[1]; !near(a[0], 100, 1) || !near(a[2], 118, 1) || a[2] != b[0] || !near(b[2], 140.6, 2) {
		t.Errorf("the boxes are %v", l.Boxes)
	}
	cut := corpus.Narrow([]rune(p.Text), 0, p.Blocks[0].Segments, corpus.Span{Start: 4, End: 9})
	if d := cmp.Diff(l.Boxes[1:], cut[0].Locator.(corpus.PDFLocator).Boxes); d != "" {
		t.Errorf("the second word alone: %s", d)
	}
}

func TestPageIsCountedInTheFileAndItsLabelIsKept(t *testing.T) {
	p := paper{catalog: "/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /St 41 >> 4 << /S /D /St 5 >>] >>"}
	for i := range 5 {
		p.pages = append(p.pages, leaf{draw: at(100, 400, 12, fmt.Sprintf("word%d", i))})
	}
	parsed := read(t, p)
	for i, label := range []string{"i", "ii", "41", "42", ""} {
		if l := placed(t, parsed, fmt.Sprintf("word%d", i)); l.Page != i+1 || l.PageLabel != label {
			t.Errorf("page %d is %d with the label %q, want %q", i+1, l.Page, l.PageLabel, label)
		}
	}
}

func TestPagesWithoutTextAreCounted(t *testing.T) {
	p := read(t, paper{pages: []leaf{{}, {draw: at(100, 400, 12, "second")}, {}, {draw: at(100, 400, 12, "fourth")}}})
	if a, b := placed(t, p, "second"), placed(t, p, "fourth"); a.Page != 2 || b.Page != 4 {
		t.Errorf("the pages are %d and %d", a.Page, b.Page)
	}
}

func TestPlaceOpensToTheTextThatStandsThere(t *testing.T) {
	doc := paper{pages: []leaf{
		{draw: at(100, 700, 12, "First line of a para-") + at(100, 686, 12, "graph that goes on here") + at(100, 600, 12, "Same words") + at(100, 500, 12, "Same words")},
		{draw: at(100, 700, 12, "Name") + at(300, 700, 12, "Price") + at(100, 686, 12, "Pump") + at(300, 686, 12, "650")},
	}}
	p := read(t, doc)
	text := []rune(p.Text)
	open := func(l corpus.PDFLocator) string {
		t.Helper()
		got, ok, err := shared().Resolve(t.Context(), doc.bytes(), pdf.Limits{}, l)
		if err != nil || !ok {
			t.Fatalf("%+v: %v, %v", l, ok, err)
		}
		return got
	}
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			if got, want := open(s.Locator.(corpus.PDFLocator)), string(text[s.Span.Start:s.Span.End]); got != want {
				t.Errorf("%+v opens to %q, want %q", s.Locator, got, want)
			}
		}
		whole := corpus.Cover(b.Segments).(corpus.PDFLocator)
		if got, want := open(whole), string(text[b.Span.Start:b.Span.End]); got != want {
			t.Errorf("the block %+v opens to %q, want %q", whole, got, want)
		}
	}
	first, last := p.Blocks[0].Segments[0].Locator, p.Blocks[len(p.Blocks)-1].Segments[1].Locator
	if got := open(first.Through(last).(corpus.PDFLocator)); got != p.Text {
		t.Errorf("over both pages it opens to %q", got)
	}
	for name, l := range map[string]corpus.PDFLocator{
		"another page": {Page: 9, Boxes: []corpus.Box{{0, 0, 600, 800}}},
		"white paper":  {Page: 1, Boxes: []corpus.Box{{500, 700, 510, 710}}},
		"no box":       {Page: 1},
	} {
		if got, ok, err := shared().Resolve(t.Context(), doc.bytes(), pdf.Limits{}, l); ok || err != nil {
			t.Errorf("%s opens to %q, %v", name, got, err)
		}
	}
}
