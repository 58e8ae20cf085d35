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

// TestPartOfAWordIsWhereItStands looks at the halves of a word that runs each way, on pages that are turned each way.
func TestPartOfAWordIsWhereItStands(t *testing.T) {
	const x, y = 300, 400 // where the word begins
	for matrix, ahead := range map[string][2]float32{"1 0 0 1": {1, 0}, "0 -1 1 0": {0, -1}, "-1 0 0 -1": {-1, 0}, "0 1 -1 0": {0, 1}} {
		for rotate := 0; rotate < 360; rotate += 90 {
			t.Run(fmt.Sprint(matrix, " turned by ", rotate), func(t *testing.T) {
				draw := fmt.Sprintf("BT /F1 12 Tf %s %d %d Tm (nnnnnnnn) Tj ET\n", matrix, x, y)
				p := read(t, paper{pages: []leaf{{draw, fmt.Sprintf("/MediaBox [0 0 600 800] /Rotate %d", rotate)}}})
				shown := map[int]func(x, y float32) (float32, float32){
					0:   func(x, y float32) (float32, float32) { return x, 800 - y },
					90:  func(x, y float32) (float32, float32) { return y, x },
					180: func(x, y float32) (float32, float32) { return 600 - x, y },
					270: func(x, y float32) (float32, float32) { return 800 - y, 600 - x },
				}[rotate]
				for part, span := range map[float32]corpus.Span{0: {Start: 0, End: 4}, 1: {Start: 4, End: 8}} {
					// Helvetica: n 556 thousandths, so that half of the word is 26.7 points long.
					from, to := 26.7*part, 26.7*(part+1)
					x0, y0 := shown(x+from*ahead[0], y+from*ahead[1])
					x1, y1 := shown(x+to*ahead[0], y+to*ahead[1])
					cut := corpus.Narrow([]rune(p.Text), 0, p.Blocks[0].Segments, span)
					b := cut[0].Locator.(corpus.PDFLocator).Boxes[0]
					if long := max(b[2]-b[0], b[3]-b[1]); !b.Holds(x0, y0, 1) || !b.Holds(x1, y1, 1) || !near(long, 26.7, 1) {
						t.Errorf("half %v from %v %v to %v %v has the box %v", part, x0, y0, x1, y1, b)
					}
				}
			})
		}
	}
}

func TestPartOfAVerticalLineIsCutFromItsTop(t *testing.T) {
	doc := paper{cmap: "<41> <79BB>\n<42> <5FC3>\n<43> <6CF5>\n<44> <7AD9>\n"}
	column := ""
	for i, code := range []string{"A", "B", "C", "D"} {
		column += draw("F3", 100, 700-12*i, 12, code)
	}
	doc.pages = []leaf{{draw: column}}
	p := read(t, doc)
	cut := corpus.Narrow([]rune(p.Text), 0, p.Blocks[0].Segments, corpus.Span{Start: 1, End: 2})
	whole, part := placed(t, p, "离心泵站").Boxes[0], cut[0].Locator.(corpus.PDFLocator).Boxes[0]
	if part[0] != whole[0] || part[2] != whole[2] || !near(part[1]-whole[1], 12, 2) || !near(part[3]-part[1], 12, 2) {
		t.Errorf("the second character has the box %v of %v", part, whole)
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
