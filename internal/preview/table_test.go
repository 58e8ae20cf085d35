package preview_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/preview"
)

// cell writes a cell of a Word table with its properties.
func cell(text, properties string) string {
	return `<w:tc><w:tcPr>` + properties + `</w:tcPr><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:tc>`
}

func tableOf(rows ...string) string {
	return `<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/><w:gridCol/></w:tblGrid><w:tr>` + strings.Join(rows, `</w:tr><w:tr>`) + `</w:tr></w:tbl>`
}

// shown renders a document and hides places and marks.
func shown(t *testing.T, doc corpus.Stretch) string {
	t.Helper()
	var b strings.Builder
	for _, f := range whole(t, doc) {
		b.WriteString(unshown(plainly(f.HTML)))
	}
	return b.String()
}

func TestMergedCellsOfAWordTableCoverWhatTheyCovered(t *testing.T) {
	body := tableOf(
		cell("地区", "")+cell("限额", `<w:gridSpan w:val="2"/>`),
		cell("上海", `<w:vMerge w:val="restart"/>`)+cell("酒店", "")+cell("650", ""),
		cell("", `<w:vMerge/>`)+cell("餐费", "")+cell("100", ""),
		cell("北京", "")+cell("酒店", "")+cell("600", ""),
	)
	got := shown(t, read(t, "a.docx", ooxmltest.DOCX(t, body)))
	want := `<div class="doc doc-docx"><table><thead><tr><th>地区</th><th colspan="2">限额</th></tr></thead><tbody>` +
		`<tr><td rowspan="2">上海</td><td>酒店</td><td>650</td></tr>` + `<tr><td>餐费</td><td>100</td></tr>` +
		`<tr><td>北京</td><td>酒店</td><td>600</td></tr></tbody></table></div>`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestTwoMergedCellsInARowAreBothSaidOnce(t *testing.T) {
	body := tableOf(
		cell("a", "")+cell("b", "")+cell("c", ""),
		cell("x", `<w:vMerge w:val="restart"/>`)+cell("y", `<w:vMerge w:val="restart"/>`)+cell("1", ""),
		cell("", `<w:vMerge/>`)+cell("", `<w:vMerge/>`)+cell("2", ""),
	)
	got := shown(t, read(t, "a.docx", ooxmltest.DOCX(t, body)))
	if !strings.Contains(got, `<tr><td rowspan="2">x</td><td rowspan="2">y</td><td>1</td></tr><tr><td>2</td></tr>`) {
		t.Error(got)
	}
}

func TestLongMergedCellLeavesNoHoleBelowIt(t *testing.T) {
	long := strings.Repeat("长", 130)
	body := tableOf(
		cell("a", "")+cell("b", "")+cell("c", ""),
		cell(long, `<w:vMerge w:val="restart"/>`)+cell("p", "")+cell("1", ""),
		cell("", `<w:vMerge/>`)+cell("q", "")+cell("2", ""),
		cell("z", "")+cell("", "")+cell("3", ""),
	)
	got := shown(t, read(t, "a.docx", ooxmltest.DOCX(t, body)))
	if !strings.Contains(got, `<tr><td rowspan="2">`+long+`</td><td>p</td><td>1</td></tr><tr><td>q</td><td>2</td></tr><tr><td>z</td><td></td><td>3</td></tr>`) {
		t.Error(got)
	}
}

func TestSheetIsAGridWithTheNamesOfItsCells(t *testing.T) {
	inline := func(at, text string) string {
		return `<c r="` + at + `" t="inlineStr"><is><t>` + text + `</t></is></c>`
	}
	sheet := `<sheetData><row r="2">` + inline("B2", "项目") + inline("C2", "a") + inline("E2", "限额") + `</row><row r="3">` + inline("B3", "酒店") + inline("E3", "650") +
		`</row><row r="4">` + inline("C4", "x") + inline("E4", "7") + `</row></sheetData><mergeCells count="1"><mergeCell ref="B3:B4"/></mergeCells>`
	f, err := preview.Render(read(t, "a.xlsx", ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "价格 1", Text: sheet}})), preview.Window{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<section id="doc-sheet-_e4_bb_b7_e6_a0_bc_201" data-start="0"`, `class="doc-sheet"`, `<tr id="doc-sheet-_e4_bb_b7_e6_a0_bc_201-row-2"`,
		`title="E2"`, `id="doc-sheet-_e4_bb_b7_e6_a0_bc_201-E3"`,
	} {
		if !strings.Contains(f.HTML, want) {
			t.Errorf("there is no %s in %s", want, f.HTML)
		}
	}
	grid := unshown(plainly(f.HTML))
	want := `<table><thead><tr><th>项目</th><th>a</th><th></th><th>限额</th></tr></thead><tbody><tr><td rowspan="2">酒店</td><td colspan="2"></td><td>650</td></tr>` +
		`<tr><td>x</td><td></td><td>7</td></tr></tbody></table>`
	if !strings.Contains(grid, want) {
		t.Errorf("the grid is %s", grid)
	}
}

func TestSlidesAndTheirNotesStandTogether(t *testing.T) {
	shape := func(n, kind, text string) string {
		return `<p:sp><p:nvSpPr><p:cNvPr id="` + n + `" name="S"/><p:nvPr>` + kind + `</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:txBody></p:sp>`
	}
	title := `<p:ph type="title"/>`
	deck := ooxmltest.PPTX(t, []string{shape("2", title, "一") + shape("3", "", "甲"), shape("2", title, "二")}, map[int]string{1: shape("2", `<p:ph type="body"/>`, "备注")})
	f, err := preview.Render(read(t, "a.pptx", deck), preview.Window{})
	if err != nil {
		t.Fatal(err)
	}
	first, second, ok := strings.Cut(f.HTML, `<section id="doc-slide-2"`)
	if !ok || !strings.Contains(first, `<section id="doc-slide-1"`) || !strings.Contains(first, "甲") || !strings.Contains(second, "二") {
		t.Fatal(f.HTML)
	}
	if _, notes, ok := strings.Cut(first, `<section id="doc-slide-1-notes"`); !ok || !strings.Contains(notes, `class="doc-part doc-notes"`) || !strings.Contains(notes, "备注") {
		t.Error(first)
	}
	if strings.Count(f.HTML, "<section") != strings.Count(f.HTML, "</section>") {
		t.Error("a section is not closed")
	}
}

func TestCellOfSeveralPiecesIsOneElement(t *testing.T) {
	long := strings.Repeat("字，", 200)
	f, err := preview.Render(read(t, "a.csv", []byte("h,k\n\""+long+"\",1\n")), preview.Window{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(f.HTML, `<span id="doc-row-2-col-1" data-start="6" data-end="406">`) {
		t.Error(f.HTML)
	}
}

func TestTableGoesOnOnTheNextPage(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("name,limit\n")
	for range 3000 {
		rows.WriteString("上海酒店,650\n")
	}
	pages := whole(t, read(t, "a.csv", []byte(rows.String())))
	if len(pages) < 2 {
		t.Fatalf("%d pages", len(pages))
	}
	for _, f := range pages {
		if strings.Count(f.HTML, "<table") != 1 || strings.Count(f.HTML, "<tr") < 100 {
			t.Errorf("the page %v has %d tables", f.Span, strings.Count(f.HTML, "<table"))
		}
	}
}

func TestWideLineOfMarkdownHasABoundedNumberOfCells(t *testing.T) {
	wide := strings.Repeat("|a", 3000) + "\n" + strings.Repeat("|-", 3000) + "\n"
	got := page(t, "a.md", wide)
	if n := strings.Count(got, "<th"); n > 1002 || n < 900 {
		t.Errorf("%d cells", n)
	}
}
