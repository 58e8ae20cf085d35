package xlsx_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
)

// drawn is a sheet of one cell with a drawing over it.
func drawn(t *testing.T, drawing string, relations []ooxmltest.Relation, parts ...ooxmltest.Part) corpus.Parsed {
	t.Helper()
	return parsed(t, book(t, rows("x")+`<drawing r:id="d"/>`, append([]ooxmltest.Part{
		{Name: "xl/worksheets/_rels/sheet1.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "d", Type: "drawing", Target: "../drawings/d.xml"}, ooxmltest.Relation{ID: "other", Type: "drawing", Target: "../drawings/other.xml"})},
		{Name: "xl/drawings/d.xml", Text: `<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:c="c" ` + ooxmltest.Sheet + `>` + drawing + `</xdr:wsDr>`},
		{Name: "xl/drawings/_rels/d.xml.rels", Text: ooxmltest.Relations(relations...)},
	}, parts...)...))
}

// over is an anchor with what hangs on it.
func over(row, col, shape string) string {
	return `<xdr:twoCellAnchor><xdr:from><xdr:col>` + col + `</xdr:col><xdr:row>` + row + `</xdr:row></xdr:from><xdr:to><xdr:col>9</xdr:col><xdr:row>9</xdr:row></xdr:to>` + shape + `</xdr:twoCellAnchor>`
}

func written(attributes string, paragraphs ...string) string {
	s := `<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1" ` + attributes + `/></xdr:nvSpPr><xdr:txBody>`
	for _, p := range paragraphs {
		s += `<a:p><a:r><a:rPr/><a:t>` + p + `</a:t></a:r></a:p>`
	}
	return s + `</xdr:txBody></xdr:sp>`
}

func TestWhatLiesOverTheCellsStandsAfterThemAtItsCell(t *testing.T) {
	chart := ooxmltest.Part{Name: "xl/charts/c.xml", Text: `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>流量</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:v>Pump A</c:v></c:tx><c:val><c:numCache><c:pt><c:v>9</c:v></c:pt></c:numCache></c:val></c:ser></c:chart></c:chartSpace>`}
	frame := `<xdr:graphicFrame><xdr:nvGraphicFramePr><xdr:cNvPr id="3"/></xdr:nvGraphicFramePr><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></xdr:graphicFrame>`
	group := `<xdr:grpSp><xdr:nvGrpSpPr><xdr:cNvPr id="4"/></xdr:nvGrpSpPr>` + written("", "in a group") + `<xdr:grpSp>` + written("", "deep") + `</xdr:grpSp></xdr:grpSp>`
	p := drawn(t, over("1", "4", written("", "Box", "两行"))+over("2", "0", frame)+over("x", "-1", group)+over("99999999", "99999999", written("", "beyond")),
		[]ooxmltest.Relation{{ID: "c", Type: "chart", Target: "../charts/c.xml"}}, chart)
	expect(t, p, "heading S @S!", "paragraph x @S!A1", "paragraph Box⏎两行 @S!E2textbox", "paragraph 流量⏎Pump A @S!A3chart",
		"paragraph in a group @S!A1textbox", "paragraph deep @S!A1textbox", "paragraph beyond @S!XFD1048576textbox")
	ids := map[string]bool{}
	for _, b := range p.Blocks {
		if l, _ := b.Segments[0].Locator.(corpus.XLSXLocator); l.Part != "" {
			ids[l.ID] = true
		}
	}
	if len(ids) != 5 {
		t.Errorf("five have the numbers %v", ids)
	}
}

func TestWhatIsHiddenOverTheCellsIsLeftOutAndSaid(t *testing.T) {
	hidden := `<xdr:grpSp><xdr:nvGrpSpPr><xdr:cNvPr id="4" hidden="1"/></xdr:nvGrpSpPr>` + written("", "SECRET") + `</xdr:grpSp>`
	for name, shape := range map[string]string{"a box": written(`hidden="1"`, "SECRET"), "a group": hidden} {
		p := drawn(t, over("0", "0", shape), nil)
		if strings.Contains(p.Text, "SECRET") || !slices.Contains(p.Notices, layout.HiddenLeftOut) {
			t.Errorf("%s: %q, %v", name, p.Text, p.Notices)
		}
	}
}

func TestDamagedDrawingLeavesTheCellsReadable(t *testing.T) {
	p := drawn(t, over("0", "0", written("", "kept"))+`<a><b></a>`, nil)
	if !strings.HasPrefix(p.Text, "S\n\nx") || !strings.Contains(p.Text, "kept") || len(p.Notices) != 1 {
		t.Errorf("%q, %v", p.Text, p.Notices)
	}
}

func TestRowsAndColumnsWithoutSizeAreHidden(t *testing.T) {
	cell := func(ref, text string) string {
		return `<c r="` + ref + `" t="inlineStr"><is><t>` + text + `</t></is></c>`
	}
	sheet := `<cols><col min="2" max="2" width="0" customWidth="1"/><col min="3" max="3" width="0"/></cols><sheetData>` +
		`<row r="1">` + cell("A1", "a") + cell("B1", "NARROW") + cell("C1", "c") + `</row><row r="2" ht="0" customHeight="1">` + cell("A2", "LOW") + `</row><row r="3" ht="0">` + cell("A3", "by itself") + `</row></sheetData>`
	p := parsed(t, book(t, sheet))
	if strings.Contains(p.Text, "NARROW") || strings.Contains(p.Text, "LOW") || !strings.Contains(p.Text, "c") || !strings.Contains(p.Text, "by itself") || !slices.Contains(p.Notices, layout.HiddenLeftOut) {
		t.Errorf("%q, %v", p.Text, p.Notices)
	}
	sheet = `<sheetFormatPr zeroHeight="1"/><sheetData><row r="1">` + cell("A1", "NOT SAID") + `</row><row r="2" ht="15">` + cell("A2", "high") + `</row><row r="3" hidden="0">` + cell("A3", "shown") + `</row></sheetData>`
	if p := parsed(t, book(t, sheet)); strings.Contains(p.Text, "NOT SAID") || !strings.Contains(p.Text, "high") || !strings.Contains(p.Text, "shown") {
		t.Errorf("of a sheet whose rows are hidden: %q", p.Text)
	}
}

func TestConditionsChooseTheSectionOfAFormat(t *testing.T) {
	styles := func(code string) ooxmltest.Part {
		code = strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(code)
		return ooxmltest.Part{Name: "xl/styles.xml", Text: `<styleSheet ` + ooxmltest.Sheet + `><numFmts><numFmt numFmtId="200" formatCode="` + code + `"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>`}
	}
	for _, c := range []struct{ code, value, want string }{
		{`[>=1000]#,##0;[<0]"loss "0;0.00`, "1500", "1,500"},
		{`[>=1000]#,##0;[<0]"loss "0;0.00`, "0.25", "0.25"},
		{`[>=1000]#,##0;[<0]"loss "0;0.00`, "-3", "loss -3"},
		{`[=1]"one;only";[<>5]0.0;"five "0`, "5", "five 5"},
		{`[=1]"one;"0;[<>5]0.0;"five "0`, "1", "one;1"},
		{`[=1]"one;"0;[<>5]0.0;"five "0`, "2", "2.0"},
		{`[Red][<=10]0;[>20]0.0;0.00`, "10", "10"},
		{`[Red][<=10]0;[>20]0.0;0.00`, "20", "20.00"},
		{`[Red][<=10]0;[>20]0.0;0.00`, "21", "21.0"},
		{`0.0;[`, "0.25", "0.3"}, // halves are rounded away from zero
		{`0`, "2.5", "3"},
		{`0`, "-2.5", "-3"},
		{`0.00`, "1.005", "1.01"},
		{`0%`, "0.125", "13%"},
	} {
		p := parsed(t, book(t, `<sheetData><row r="1"><c r="A1" s="1"><v>`+c.value+`</v></c></row></sheetData>`, styles(c.code)))
		if got := strings.TrimPrefix(p.Text, "S\n\n"); got != c.want {
			t.Errorf("%s shows %s as %q, want %q", c.code, c.value, got, c.want)
		}
	}
}
