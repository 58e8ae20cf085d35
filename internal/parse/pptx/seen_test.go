package pptx_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/parse/pptx"
)

func TestChartIsReadFromItsPart(t *testing.T) {
	data := presentation(t, `<c:chart xmlns:c="c" r:id="c"/>`, []ooxmltest.Relation{{ID: "c", Type: "chart", Target: "../chart.xml"}},
		ooxmltest.Part{Name: "ppt/chart.xml", Text: `<c xmlns:a="a"><chart><title><tx><rich><a:p><a:r><a:t>份额</a:t></a:r></a:p></rich></tx></title><ser><tx><v>2024</v></tx><cat><pt><v>East</v></pt><pt><v>West</v></pt></cat>` +
			`<dLbls><dLbl><tx><rich><a:p><a:r><a:t>best year</a:t></a:r></a:p></rich></tx></dLbl></dLbls><val><numCache><pt><v>12</v></pt></numCache></val></ser></chart></c>`})
	p, err := pptx.Parse(context.Background(), data, options())
	if err != nil {
		t.Fatal(err)
	}
	expect(t, p, "paragraph 份额 @1chart", "paragraph best year @1chart", "paragraph 2024 @1chart", "paragraph East; West @1chart")
}

// sized is a presentation of one slide, 1,000 wide and 500 high.
func sized(t *testing.T, tree, notes string) []byte {
	t.Helper()
	return ooxmltest.Zip(t,
		ooxmltest.Part{Name: "[Content_Types].xml", Text: "<Types/>"},
		ooxmltest.Part{Name: "_rels/.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "r", Type: "officeDocument", Target: "ppt/presentation.xml"})},
		ooxmltest.Part{Name: "ppt/presentation.xml", Text: `<p:presentation ` + ooxmltest.Slide + `><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst><p:sldSz cx="1000" cy="500"/></p:presentation>`},
		ooxmltest.Part{Name: "ppt/_rels/presentation.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "s", Type: "slide", Target: "slides/s.xml"})},
		ooxmltest.Part{Name: "ppt/slides/s.xml", Text: `<p:sld ` + ooxmltest.Slide + `><p:cSld><p:spTree>` + tree + `</p:spTree></p:cSld></p:sld>`},
		ooxmltest.Part{Name: "ppt/slides/_rels/s.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "n", Type: "notesSlide", Target: "../n.xml"})},
		ooxmltest.Part{Name: "ppt/n.xml", Text: `<p:notes ` + ooxmltest.Slide + `><p:cSld><p:spTree>` + notes + `</p:spTree></p:cSld></p:notes>`})
}

func TestShapeThatLiesBesideTheSlideIsLeftOut(t *testing.T) {
	// Shapes are 100 by 100.
	for name, c := range map[string]struct {
		x, y int
		seen bool
	}{
		"in the middle": {450, 200, true}, "half out": {-50, -50, true}, "half out at the end": {950, 450, true},
		"to the left": {-101, 0, false}, "above": {0, -101, false}, "to the right": {1001, 0, false}, "below": {0, 501, false},
	} {
		p, err := pptx.Parse(context.Background(), sized(t, shape(at(c.x, c.y)+body("text"))+shape(body("unplaced")), shape(at(5000, 5000)+body("a note"))), options())
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(p.Text, "text") != c.seen || slices.Contains(p.Notices, layout.HiddenLeftOut) == c.seen || !strings.Contains(p.Text, "unplaced") || !strings.Contains(p.Text, "a note") {
			t.Errorf("%s: %q, %v", name, p.Text, p.Notices)
		}
	}
}

func TestLettersOfNoSizeAreLeftOut(t *testing.T) {
	run := func(size, text string) string { return `<a:r><a:rPr sz="` + size + `"/><a:t>` + text + `</a:t></a:r>` }
	p := parsed(t, []string{shape(`<p:txBody><a:p>` + run("1800", "seen ") + run("200", "TINY") + run("201", "small") + `<a:r><a:t> and usual</a:t></a:r></a:p></p:txBody>`)}, nil)
	expect(t, p, "paragraph seen small and usual @1")
	if !slices.Contains(p.Notices, layout.HiddenLeftOut) {
		t.Errorf("the notices are %v", p.Notices)
	}
}
