package pptx_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/parse/pptx"
)

func options() pptx.Options {
	return pptx.Options{Layout: layout.Limits{Places: 10_000, Bytes: 1 << 20}}
}

func parsed(t *testing.T, slides []string, notes map[int]string) corpus.Parsed {
	t.Helper()
	p, err := pptx.Parse(context.Background(), ooxmltest.PPTX(t, slides, notes), options())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func place(l corpus.PPTXLocator) string {
	s := fmt.Sprintf("%d%s", l.Slide, l.Part)
	if l.Row > 0 {
		s += fmt.Sprintf(":%d,%d", l.Row, l.Col)
	}
	if l.Hidden {
		s += " hidden"
	}
	return s
}

func expect(t *testing.T, p corpus.Parsed, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, ooxmltest.Outline(p, place)); d != "" {
		t.Error(d)
	}
}

func body(paragraphs ...string) string {
	s := `<p:txBody>`
	for _, p := range paragraphs {
		s += `<a:p><a:r><a:t>` + p + `</a:t></a:r></a:p>`
	}
	return s + `</p:txBody>`
}

func at(x, y int) string {
	return fmt.Sprintf(`<p:spPr><a:xfrm><a:off x="%d" y="%d"/><a:ext cx="100" cy="100"/></a:xfrm></p:spPr>`, x, y)
}

func shape(content string) string {
	return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/></p:nvSpPr>` + content + `</p:sp>`
}

func holder(kind, content string) string {
	return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr>` + content + `</p:sp>`
}

func TestTitleIsTheHeadingOfItsSlideWhereverItStands(t *testing.T) {
	p := parsed(t, []string{shape(at(0, 500)+body("下", "第二段")) + holder("title", at(0, 900)+body("流程", "图")), shape(body("no title"))}, nil)
	expect(t, p, "heading 流程⏎图 @1title", "list_item 下 @1", "list_item 第二段 @1", "paragraph no title @2")
	if d := cmp.Diff([]string{"流程 图"}, p.Blocks[1].HeadingPath); d != "" || p.Title != "流程 图" || len(p.Blocks[3].HeadingPath) != 0 {
		t.Errorf("%s, title %q, %v", d, p.Title, p.Blocks[3].HeadingPath)
	}
}

func TestShapesAreReadAsTheyStandNotAsTheyLie(t *testing.T) {
	group := `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="g"/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="300"/><a:ext cx="500" cy="100"/></a:xfrm></p:grpSpPr>` +
		shape(at(9, 9)+body("in 2")) + `<p:grpSp>` + shape(at(1, 9)+body("in 1")) + `</p:grpSp></p:grpSp>`
	p := parsed(t, []string{group + shape(at(0, 600)+body("last")) + shape(at(200, 110)+body("right")) + shape(at(0, 100)+body("left")) + holder("body", body("without a place"))}, nil)
	var got []string
	for _, line := range ooxmltest.Outline(p, place) {
		got = append(got, strings.TrimSuffix(strings.TrimPrefix(line, "paragraph "), " @1"))
	}
	if d := cmp.Diff([]string{"without a place", "left", "right", "in 1", "in 2", "last"}, got); d != "" {
		t.Error(d)
	}
}

func TestTableHasItsHeadAndMergedCellsOnce(t *testing.T) {
	cell := func(attributes, text string) string {
		return `<a:tc ` + attributes + `>` + strings.ReplaceAll(body(text), "p:txBody", "a:txBody") + `</a:tc>`
	}
	table := `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="t"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>` +
		`<a:tr>` + cell("", "名") + cell("", "数") + `</a:tr><a:tr>` + cell(`rowSpan="2"`, "泵") + cell("", "1") + `</a:tr><a:tr>` + cell(`vMerge="1"`, "UNDER") + cell("", "2") + `</a:tr>` +
		`<a:tr>` + cell(`gridSpan="2"`, "合计") + cell(`hMerge="1"`, "UNDER") + `</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
	expect(t, parsed(t, []string{table}, nil), "table_head 名 | 数 @1table:1,1 @1table:1,2", "table_row 泵 | 1 @1table:2,1 @1table:2,2",
		"table_row 泵 | 2 @1table:2,1 @1table:3,2", "table_row 合计 @1table:4,1")
}

func TestNotesFollowTheirSlideAndHiddenSlidesAreMarked(t *testing.T) {
	p := parsed(t, []string{"-" + shape(body("secret plan")), shape(body("b"))}, map[int]string{
		1: holder("sldImg", "") + holder("body", body("say this")) + holder("sldNum", body("1")), 2: holder("body", body("and that")),
	})
	expect(t, p, "paragraph secret plan @1 hidden", "paragraph say this @1notes hidden", "paragraph b @2", "paragraph and that @2notes")
}

func TestWhatEverySlideRepeatsAndWhatIsHiddenIsLeftOut(t *testing.T) {
	hidden := strings.Replace(shape(body("HIDDEN")), `name="x"`, `name="x" hidden="1"`, 1)
	p := parsed(t, []string{holder("ftr", body("FOOTER")) + holder("dt", body("DATE")) + holder("sldNum", body("7")) + hidden +
		shape(`<p:txBody><a:p><a:r><a:t>page </a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld><a:br/><a:r><a:t>x</a:t></a:r></a:p></p:txBody>`) +
		`<mc:AlternateContent><mc:Choice>` + shape(body("once")) + `</mc:Choice><mc:Fallback>` + shape(body("TWICE")) + `</mc:Fallback></mc:AlternateContent>`}, nil)
	expect(t, p, "paragraph page ⏎x @1", "paragraph once @1")
}

func packed(t *testing.T, list []ooxmltest.Relation, parts ...ooxmltest.Part) []byte {
	return presentation(t, `<dgm:relIds xmlns:dgm="d" r:dm="dm"/>`, list, parts...)
}

// presentation is one of a slide with a graphic, whose relations are given.
func presentation(t *testing.T, graphic string, list []ooxmltest.Relation, parts ...ooxmltest.Part) []byte {
	slide := `<p:sld ` + ooxmltest.Slide + `><p:cSld><p:spTree><p:graphicFrame><a:graphic><a:graphicData>` + graphic + `</a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:sld>`
	return ooxmltest.Zip(t, append([]ooxmltest.Part{
		{Name: "[Content_Types].xml", Text: "<Types/>"},
		{Name: "_rels/.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "r", Type: "officeDocument", Target: "ppt/presentation.xml"})},
		{Name: "ppt/presentation.xml", Text: `<p:presentation ` + ooxmltest.Slide + `><p:sldIdLst><p:sldId r:id="s"/><p:sldId r:id="gone"/></p:sldIdLst></p:presentation>`},
		{Name: "ppt/_rels/presentation.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "s", Type: "slide", Target: "slides/s.xml"})},
		{Name: "ppt/slides/s.xml", Text: slide},
		{Name: "ppt/slides/_rels/s.xml.rels", Text: ooxmltest.Relations(list...)},
	}, parts...)...)
}

func TestDiagramsAndCommentsAreReadFromTheirParts(t *testing.T) {
	data := packed(t, []ooxmltest.Relation{{ID: "dm", Type: "diagramData", Target: "../d.xml"}, {ID: "c", Type: "comments", Target: "../c.xml"}, {ID: "n", Type: "comments", Target: "../n.xml"}, {ID: "m", Type: "video", Target: "http://evil.invalid/x.mp4"}},
		ooxmltest.Part{Name: "ppt/d.xml", Text: `<d ` + ooxmltest.Slide + `><pt><t><a:p><a:r><a:t>步骤</a:t></a:r></a:p></t></pt></d>`},
		ooxmltest.Part{Name: "ppt/c.xml", Text: `<p:cmLst ` + ooxmltest.Slide + `><p:cm><p:text>old form</p:text></p:cm></p:cmLst>`},
		ooxmltest.Part{Name: "ppt/n.xml", Text: `<c ` + ooxmltest.Slide + `><cm><txBody><a:p><a:r><a:t>new form</a:t></a:r></a:p></txBody></cm></c>`})
	p, err := pptx.Parse(context.Background(), data, options())
	if err != nil {
		t.Fatal(err)
	}
	expect(t, p, "paragraph 步骤 @1smartart", "paragraph old form @1comment", "paragraph new form @1comment")
	if !slices.Equal(p.Notices, []string{ooxml.PartLeftOut}) { // of the slide that is listed and not there
		t.Errorf("the notices are %v", p.Notices)
	}
}

func TestDamagedSlideIsLeftOutAndDangerRefusesTheFile(t *testing.T) {
	for text, code := range map[string]string{"<p:sld": "", `<!DOCTYPE x><p:sld ` + ooxmltest.Slide + `/>`: "xml_doctype"} {
		data := packed(t, []ooxmltest.Relation{{ID: "dm", Type: "diagramData", Target: "../d.xml"}}, ooxmltest.Part{Name: "ppt/d.xml", Text: text})
		_, err := pptx.Parse(context.Background(), data, options())
		var r *ooxml.Refusal
		if errors.As(err, &r) != (code != "") || r != nil && r.Code != code {
			t.Errorf("%s ends with %v", text, err)
		}
	}
	p := parsed(t, []string{shape(body("slide"))}, map[int]string{1: "<p:sp"})
	if p.Text != "slide" || !slices.Equal(p.Notices, []string{ooxml.PartLeftOut}) {
		t.Errorf("with damaged notes: %q, %v", p.Text, p.Notices)
	}
	if p := parsed(t, []string{shape(body("whole"))}, nil); p.Notices != nil {
		t.Errorf("of a whole presentation is said %v", p.Notices)
	}
}

func TestLimitsAndContextEndTheReading(t *testing.T) {
	data := ooxmltest.PPTX(t, []string{strings.Repeat(shape(body("x")), 30)}, nil)
	o := options()
	o.Layout.Places = 20
	if _, err := pptx.Parse(context.Background(), data, o); !errors.Is(err, layout.ErrFull) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := pptx.Parse(ctx, data, options()); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
