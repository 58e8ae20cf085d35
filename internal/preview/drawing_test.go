package preview_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/problem"
)

// building is a drawing with two layers, a title block, a table, a sheet of paper and a block that stands nowhere.
func building() string {
	attribute := func(tag, value string, y float64) string {
		return dxftest.Tags(0, "ATTRIB", 5, "A", 8, "图框", 10, 500, 20, y, 40, 1, 1, value, 2, tag)
	}
	cell := func(text string, x, y float64) string {
		return dxftest.Tags(0, "MTEXT", 5, "C", 8, "表", 10, x, 20, y, 40, 1, 71, 5, 1, text)
	}
	return dxftest.Drawing(
		dxftest.Text("1", "房间", "厨房 <b>", 0, 100)+dxftest.Text("2", "房间", "12.5 m²", 0, 98.4)+dxftest.Text("3", "PIPE-02", "DN50", 50, 50)+
			dxftest.Insert("图框", "TITLE", 500, 0)+attribute("图号", "A-101", 10)+attribute("比例", "1:100", 8)+dxftest.Tags(0, "SEQEND")+
			dxftest.Tags(0, "ACAD_TABLE", 8, "表", 2, "*T1", 10, 0, 20, 0, 11, 1, 21, 0)+dxftest.Text("9", "0", "on paper", 0, 0, 67, 1),
		dxftest.Section("BLOCKS", dxftest.Block("*T1", cell("名称", 0, 0), cell("数量", 50, 0), cell("泵", 0, -5), cell("2", 50, -5)), dxftest.Block("old", dxftest.Text("8", "0", "nowhere", 0, 0))))
}

func TestADrawingIsShownUnderItsSheetsAndLayers(t *testing.T) {
	want := `<div class="doc doc-dxf"><section class="doc-sheet"><section class="doc-layer"><h1>房间</h1>` + "\n\n" + `<p>厨房 &lt;b&gt;</p>` + "\n" + `<p>12.5 m²</p>` + "\n\n</section>" +
		`<section class="doc-layer"><h1>PIPE-02</h1>` + "\n\n" + `<p>DN50</p>` + "\n\n</section>" +
		`<section class="doc-layer"><h1>图框</h1>` + "\n\n" + `<p>图号: A-101</p>` + "\n" + `<p>比例: 1:100</p>` + "\n\n</section>" +
		`<section class="doc-layer"><h1>表</h1>` + "\n\n" + `<table><tbody><tr><td>名称</td><td>数量</td></tr><tr><td>泵</td><td>2</td></tr></tbody></table>` + "\n\n</section></section>" +
		`<section class="doc-sheet"><h1>paper</h1>` + "\n\n" + `<section class="doc-layer"><h2>0</h2>` + "\n\n" + `<p>on paper</p>` + "\n\n</section></section>" +
		`<section class="doc-sheet doc-unseen"><h1>old</h1>` + "\n\n" + `<section class="doc-layer"><h2>0</h2>` + "\n\n" + `<p>nowhere</p></section></section></div>`
	if d := cmp.Diff(want, unshown(plainly(page(t, "a.dxf", building())))); d != "" {
		t.Error(d)
	}
}

func TestAGraphicIsShownUnderItsLayers(t *testing.T) {
	got := unshown(plainly(page(t, "a.svg", `<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="urn:i"><title>Pumps</title><text y="20">free</text><g i:groupmode="layer" i:label="管线"><text y="60"><tspan x="0" y="60">DN50</tspan><tspan x="0" y="75">&lt;i&gt;</tspan></text></g></svg>`)))
	want := `<div class="doc doc-svg"><section class="doc-drawing"><h1>Pumps</h1>` + "\n\n" + `<p>free</p>` + "\n\n" +
		`<section class="doc-layer"><h2>管线</h2>` + "\n\n" + `<p>DN50</p>` + "\n" + `<p>&lt;i&gt;</p></section></section></div>`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestAPassageOfADrawingOpensAtItsPlace asks for the page of every chunk and of every piece, by the anchor
// that its place has.
func TestAPassageOfADrawingOpensAtItsPlace(t *testing.T) {
	var many strings.Builder
	for i := range 3000 {
		many.WriteString(dxftest.Text(fmt.Sprintf("%X", i+1), fmt.Sprint("layer ", i/100), fmt.Sprintf("pump number %d of the plant", i), float64(i%10)*200, float64(-i)))
	}
	for name, text := range map[string]string{"building.dxf": building(), "plant.dxf": dxftest.Drawing(many.String())} {
		doc := read(t, name, []byte(text))
		for _, c := range chunk.Split(corpus.Parsed{Text: doc.Text, Blocks: doc.Blocks}, chunk.Options{}) {
			for _, l := range append([]corpus.Locator{c.Locator}, places(c)...) {
				w, err := preview.Locate(doc.Blocks, preview.Anchor(l))
				if err != nil {
					t.Fatalf("%s: %s of %+v: %v", name, preview.Anchor(l), l, err)
				}
				f, err := preview.Render(reached(doc, w), w)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(f.HTML, `id="`+preview.Anchor(l)+`"`) {
					t.Fatalf("%s: the page from %d on has no %s", name, w.From, preview.Anchor(l))
				}
			}
		}
	}
}

func places(c corpus.Chunk) (out []corpus.Locator) {
	for _, s := range c.Segments {
		out = append(out, s.Locator)
	}
	return out
}

func TestAPlaceThatADrawingDoesNotHaveIsUnknown(t *testing.T) {
	doc := read(t, "a.dxf", []byte(building()))
	for _, anchor := range []string{"doc-sheet-model-layer-nope", "doc-sheet-nope", "doc-element-1", "doc-layer-0", "doc-drawing", "doc-entity-0"} {
		if w, err := preview.Locate(doc.Blocks, anchor); problem.CodeOf(err) != "unknown_place" {
			t.Errorf("%s leads to %+v, %v", anchor, w, err)
		}
	}
}

// TestChunksOfADrawingKeepTogetherWhatIsReadTogether holds the chunks of the building: attributes of one
// object and rows of one table in one piece, and what nobody sees apart.
func TestChunksOfADrawingKeepTogetherWhatIsReadTogether(t *testing.T) {
	doc := read(t, "a.dxf", []byte(building()))
	chunks := chunk.Split(corpus.Parsed{Text: doc.Text, Blocks: doc.Blocks}, chunk.Options{})
	for _, together := range [][]string{{"厨房 <b>", "12.5 m²"}, {"图号: A-101", "比例: 1:100"}, {"名称 | 数量", "泵 | 2"}} {
		if !slices.ContainsFunc(chunks, func(c corpus.Chunk) bool {
			return !slices.ContainsFunc(together, func(s string) bool { return !strings.Contains(c.Text, s) })
		}) {
			t.Errorf("no chunk holds all of %q", together)
		}
	}
	for _, c := range chunks {
		l := c.Locator.(corpus.DXFLocator)
		if strings.Contains(c.Text, "nowhere") != l.Hidden || l.Hidden && strings.Contains(c.Text, "paper") || strings.Contains(c.Text, "on paper") != (l.Shown == "paper") {
			t.Errorf("the chunk %q is at %+v", c.Text, l)
		}
	}
}
