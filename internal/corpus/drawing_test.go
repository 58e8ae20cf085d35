package corpus_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

func drawRegion(t *rapid.T, label string) corpus.Region {
	x, y := float64(rapid.IntRange(-90, 90).Draw(t, label+" x"))/8, float64(rapid.IntRange(-90, 90).Draw(t, label+" y"))/8
	return corpus.Region{x, y, x + float64(rapid.IntRange(0, 9).Draw(t, label+" width")), y + 1}
}

func drawDXF(t *rapid.T, label string, no int) corpus.DXFLocator {
	l := corpus.DXFLocator{
		Layer: rapid.SampledFrom([]string{"0", "管线-02", "names"}).Draw(t, label+" layer"), Entity: "TEXT", No: no,
		Handle: rapid.SampledFrom([]string{"", "1F3A"}).Draw(t, label+" handle"), Insert: &[2]float64{1.5, -2},
		Region: drawRegion(t, label), Shown: "model", Space: "model",
	}
	if rapid.Bool().Draw(t, label+" block") {
		l.Block, l.Space = "门", ""
	}
	return l
}

func drawSVG(t *rapid.T, label string, no int) corpus.SVGLocator {
	l := corpus.SVGLocator{Element: "text", No: no, ID: rapid.SampledFrom([]string{"", "a"}).Draw(t, label+" id"), X: "10"}
	if rapid.Bool().Draw(t, label+" seen") {
		r := drawRegion(t, label)
		l.Region = &r
	}
	return l
}

// drawDrawing is the texts of one drawing in the order in which they are read.
func drawDrawing(t *rapid.T) []corpus.Locator {
	svg := rapid.Bool().Draw(t, "svg")
	var out []corpus.Locator
	for i := range rapid.IntRange(1, 12).Draw(t, "texts") {
		label := fmt.Sprint("text ", i)
		if svg {
			out = append(out, drawSVG(t, label, i+1))
		} else {
			out = append(out, drawDXF(t, label, i+1))
		}
	}
	return out
}

func TestAPlaceInADrawingSurvivesJSONAndItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawDrawing(t)
		for _, l := range list {
			survivesJSON(t, l)
			if d := cmp.Diff(l, l.Through(l)); d != "" {
				t.Fatalf("through itself: %s", d)
			}
		}
		all := corpus.Cover(segmentsOf(list...))
		survivesJSON(t, all)
		if d := cmp.Diff(all, all.Through(all)); d != "" {
			t.Fatalf("the place of all through itself: %s", d)
		}
	})
}

func TestAPlaceInADrawingIsOneFlatObjectWithTheNamesOfTheContract(t *testing.T) {
	for want, l := range map[string]corpus.Locator{
		`{"kind":"dxf","layer":"names","entity":"ATTRIB","handle":"2D2","no":7,"insert":[1,2.5],"space":"model","tag":"ROOM","region":[1,2,3,4],"shown":"model"}`: corpus.DXFLocator{
			Layer: "names", Entity: "ATTRIB", Handle: "2D2", No: 7, Insert: &[2]float64{1, 2.5}, Space: "model", Tag: "ROOM", Region: corpus.Region{1, 2, 3, 4}, Shown: "model",
		},
		`{"kind":"dxf","entity":"TEXT","no":1,"block":"B","region":[0,0,0,0],"shown":"paper","hidden":true}`: corpus.DXFLocator{Entity: "TEXT", No: 1, Block: "B", Shown: "paper", Hidden: true},
		`{"kind":"svg","element":"text","id":"t1","no":3,"x":"100","y":"150","layer":"L","region":[1,2,3,4]}`: corpus.SVGLocator{
			Element: "text", ID: "t1", No: 3, X: "100", Y: "150", Layer: "L", Region: &corpus.Region{1, 2, 3, 4},
		},
		`{"kind":"svg","element":"title","no":2}`: corpus.SVGLocator{Element: "title", No: 2},
	} {
		if got, err := json.Marshal(l); err != nil || string(got) != want {
			t.Errorf("it is %s (%v), want %s", got, err, want)
		}
	}
	for _, bad := range []string{`{"kind":"dxf","page":1}`, `{"kind":"svg","bbox":[1]}`, `{"kind":"dxf","region":"x"}`} {
		if l, err := corpus.ParseLocator([]byte(bad)); err == nil {
			t.Errorf("%s is %+v", bad, l)
		}
	}
}

func TestThroughCoversTheRegionsOfADrawing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawDrawing(t)
		switch all := corpus.Cover(segmentsOf(list...)).(type) {
		case corpus.DXFLocator:
			layers := map[string]bool{}
			for _, l := range list {
				d := l.(corpus.DXFLocator)
				layers[d.Layer] = true
				holdsRegion(t, all.Region, d.Region)
			}
			if (all.Layer != "") != (len(layers) == 1) {
				t.Fatalf("the layer of texts on %v is %q", layers, all.Layer)
			}
			if len(list) > 1 && (all.No != 0 || all.Handle != "" || all.Block != "") {
				t.Fatalf("the place of several texts names one of them: %+v", all)
			}
		case corpus.SVGLocator:
			for _, l := range list {
				if r := l.(corpus.SVGLocator).Region; r != nil {
					holdsRegion(t, *all.Region, *r)
				}
			}
		}
	})
}

func holdsRegion(t *rapid.T, all, part corpus.Region) {
	if all[0] > part[0] || all[1] > part[1] || all[2] < part[2] || all[3] < part[3] {
		t.Fatalf("%v does not hold %v", all, part)
	}
}

func TestFindOpensWhatCoverClosedInADrawing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := segmentsOf(drawDrawing(t)...)
		from := rapid.IntRange(0, len(list)-1).Draw(t, "from")
		if got, ok := corpus.Find(list, list[from].Locator); !ok || got != list[from].Span {
			t.Fatalf("%+v opens to %v, %v", list[from], got, ok)
		}
		cover := corpus.Cover(list[from:])
		got, ok := corpus.Find(list, cover)
		if again := corpus.Cover(corpus.Within(list, got)); !ok || !cmp.Equal(again, cover) {
			t.Fatalf("the cover from %d on opens to %v, %v, which is at %+v and not %+v", from, got, ok, again, cover)
		}
	})
}

func TestWhatIsHiddenInADrawingIsReadApart(t *testing.T) {
	seen, hidden := corpus.DXFLocator{Shown: "model", No: 1, Entity: "TEXT"}, corpus.DXFLocator{Shown: "model", No: 2, Entity: "TEXT", Hidden: true}
	paper := corpus.DXFLocator{Shown: "A1", No: 3, Entity: "TEXT"}
	strands := []string{corpus.Strand(seen), corpus.Strand(hidden), corpus.Strand(paper)}
	slices.Sort(strands)
	if len(slices.Compact(strands)) != 3 {
		t.Errorf("the strands are %q", strands)
	}
	for _, other := range []corpus.Locator{hidden, paper, corpus.SVGLocator{No: 1}} {
		if got := seen.Through(other); got != corpus.Locator(seen) {
			t.Errorf("through %+v it is %+v", other, got)
		}
	}
	if path, ok := corpus.Headings(corpus.DXFLocator{Layer: "names"}); !ok || !slices.Equal(path, []string{"names"}) {
		t.Errorf("the headings are %v", path)
	}
	if path, ok := corpus.Headings(corpus.SVGLocator{}); !ok || path == nil || len(path) != 0 {
		t.Errorf("the headings are %v, %v", path, ok)
	}
}

func TestPlacesInDrawingsAreSaidInBothLanguages(t *testing.T) {
	for _, c := range []struct {
		l      corpus.Locator
		zh, en string
	}{
		{corpus.DXFLocator{Layer: "管线", Handle: "1F3A", Entity: "TEXT", Region: corpus.Region{1, 2, 3.5, 4}, Shown: "model"}, "图层 管线 · 对象 1F3A · (1, 2)–(3.5, 4)", "layer 管线 · object 1F3A · (1, 2)–(3.5, 4)"},
		{corpus.DXFLocator{Layer: "0", Entity: "ATTRIB", Tag: "ROOM", Shown: "paper"}, "图纸空间 · 图层 0 · ATTRIB ROOM · (0, 0)–(0, 0)", "paper space · layer 0 · ATTRIB ROOM · (0, 0)–(0, 0)"},
		{corpus.DXFLocator{Shown: "A1", Block: "B", Hidden: true}, "A1 · 图块 B · (0, 0)–(0, 0) · 已隐藏", "A1 · block B · (0, 0)–(0, 0) · hidden"},
		{corpus.SVGLocator{Element: "text", ID: "t1", Layer: "L", Region: &corpus.Region{0, 0, 9, 9}}, "图层 L · text #t1 · (0, 0)–(9, 9)", "layer L · text #t1 · (0, 0)–(9, 9)"},
		{corpus.SVGLocator{Element: "title"}, "title", "title"},
	} {
		if zh, en := corpus.InWords(c.l, true), corpus.InWords(c.l, false); zh != c.zh || en != c.en {
			t.Errorf("%+v is %q and %q", c.l, zh, en)
		}
	}
}
