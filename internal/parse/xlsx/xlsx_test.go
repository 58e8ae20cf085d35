package xlsx_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/parse/xlsx"
)

func options() xlsx.Options {
	return xlsx.Options{Layout: layout.Limits{Places: 10_000, Bytes: 1 << 20}}
}

func parsed(t *testing.T, data []byte) corpus.Parsed {
	t.Helper()
	p, err := xlsx.Parse(context.Background(), data, options())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func outline(p corpus.Parsed) []string {
	return ooxmltest.Outline(p, func(l corpus.XLSXLocator) string {
		place := l.Sheet + "!" + l.Cell
		if l.Range != "" {
			place += "(" + l.Range + ")"
		}
		if l.Header != "" {
			place += "=" + l.Header
		}
		return place + l.Part
	})
}

func expect(t *testing.T, p corpus.Parsed, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, outline(p)); d != "" {
		t.Error(d)
	}
}

// rows writes rows from lines of cells, divided by "|". A cell that is a number is one.
func rows(lines ...string) string {
	var b strings.Builder
	b.WriteString("<sheetData>")
	for i, line := range lines {
		n := strconv.Itoa(i + 1)
		b.WriteString(`<row r="` + n + `">`)
		for j, c := range strings.Split(line, "|") {
			ref := corpus.Cell(j+1, i+1)
			if _, err := strconv.ParseFloat(c, 64); err == nil {
				b.WriteString(`<c r="` + ref + `"><v>` + c + `</v></c>`)
			} else if c != "" {
				b.WriteString(`<c r="` + ref + `" t="inlineStr"><is><t>` + c + `</t></is></c>`)
			}
		}
		b.WriteString(`</row>`)
	}
	return b.String() + "</sheetData>"
}

func book(t *testing.T, sheet string, parts ...ooxmltest.Part) []byte {
	t.Helper()
	return ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "S", Text: sheet}}, parts...)
}

func TestSheetsAreHeadingsAndTablesKeepTheirHeads(t *testing.T) {
	p := parsed(t, ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "库存", Text: rows("编号|名称", "P-1|泵", "P-2|阀")}, {Name: "-secret", Text: rows("HIDDEN")}, {Name: "B", Text: rows("x|y", "1|2")}}))
	expect(t, p, "heading 库存 @库存!", "table_head 编号 | 名称 @库存!A1 @库存!B1", "table_row P-1 | 泵 @库存!A2=编号 @库存!B2=名称", "table_row P-2 | 阀 @库存!A3=编号 @库存!B3=名称",
		"heading B @B!", "table_head x | y @B!A1 @B!B1", "table_row 1 | 2 @B!A2=x @B!B2=y")
	if !slices.Contains(p.Notices, layout.HiddenLeftOut) {
		t.Errorf("the notices are %v", p.Notices)
	}
}

func TestHeadOfTwoRowsNamesTheColumnsByBoth(t *testing.T) {
	p := parsed(t, book(t, rows("类别|价格|", "|含税|不含税", "阀门|226|200", "|113|100")+`<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="A3:A4"/></mergeCells>`))
	expect(t, p, "heading S @S!", "table_head 类别 | 价格⏎含税 | 不含税 @S!A1(A1:A2) @S!B1(B1:C1) @S!B2 @S!C2",
		"table_row 阀门 | 226 | 200 @S!A3(A3:A4)=类别 @S!B3=价格/含税 @S!C3=价格/不含税",
		"table_row 阀门 | 113 | 100 @S!A3(A3:A4)=类别 @S!B4=价格/含税 @S!C4=价格/不含税")
}

func TestTitlesStandBeforeTheirTableAndEmptyRowsDivide(t *testing.T) {
	expect(t, parsed(t, book(t, rows("报表", "", "年|数", "2022|7", "", "2023|8", "", "name|size", "a|1"))), "heading S @S!", "paragraph 报表 @S!A1",
		"table_head 年 | 数 @S!A3 @S!B3", "table_row 2022 | 7 @S!A4=年 @S!B4=数", "table_row 2023 | 8 @S!A6=年 @S!B6=数",
		"table_head name | size @S!A8 @S!B8", "table_row a | 1 @S!A9=name @S!B9=size")
}

func TestHiddenRowsAndColumnsAreLeftOutAndFoldedGroupsAreNot(t *testing.T) {
	sheet := `<cols><col min="2" max="2" hidden="1"/><col min="3" max="3" hidden="1" outlineLevel="1"/></cols><sheetData>` +
		`<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>99</v></c><c r="C1"><v>3</v></c></row><row r="2" hidden="1"><c r="A2"><v>98</v></c></row><row r="3" hidden="1" outlineLevel="1"><c r="A3"><v>5</v></c></row></sheetData>`
	p := parsed(t, book(t, sheet))
	if strings.Contains(p.Text, "9") || !strings.Contains(p.Text, "5") || !strings.Contains(p.Text, "3") || !slices.Contains(p.Notices, layout.HiddenLeftOut) {
		t.Errorf("%q with %v", p.Text, p.Notices)
	}
}

func TestCellsWithoutAddressesAreCounted(t *testing.T) {
	expect(t, parsed(t, book(t, `<sheetData><row><c><v>1</v></c><c><v>2</v></c></row><row r="5"><c r="C5"><v>3</v></c><c><v>4</v></c></row></sheetData>`)),
		"heading S @S!", "paragraph 1 | 2 @S!A1 @S!B1", "paragraph 3 | 4 @S!C5 @S!D5")
}

func TestValuesAreThoseThatAreShown(t *testing.T) {
	formats := []string{`0.00%`, `#,##0.00`, `yyyy"年"m"月"d"日"`, `[h]:mm:ss`, `m/d/yy h:mm`, `;;;`, `"¥"#,##0`, `[$-409]h:mm:ss AM/PM`, `0.##`, `0.00E+00`, `mmm-yy`, `#,##0,`, `@`, `0"元"`, `[Red]0;[Blue]-0`, `0%`, `mm:ss.0`, `¥#,##0`, `0.00\ \€_€`, `#,##0 元`}
	var styles strings.Builder
	styles.WriteString(`<styleSheet ` + ooxmltest.Sheet + `><numFmts>`)
	for i, f := range formats {
		styles.WriteString(`<numFmt numFmtId="` + strconv.Itoa(200+i) + `" formatCode="` + strings.ReplaceAll(f, `"`, "&quot;") + `"/>`)
	}
	styles.WriteString(`</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="3"/>`)
	for i := range formats {
		styles.WriteString(`<xf numFmtId="` + strconv.Itoa(200+i) + `"/>`)
	}
	styles.WriteString(`</cellXfs></styleSheet>`)
	shared := `<sst ` + ooxmltest.Sheet + ` count="4294967295"><si><t>plain</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>READING</t></rPh></si></sst>`
	own := func(i int) string { return ` s="` + strconv.Itoa(3+i) + `"` }
	for name, c := range map[string]struct{ cell, want string }{
		"whole":                {`><v>8595602512225</v>`, "8595602512225"},
		"fifteen digits":       {`><v>0.30000000000000004</v>`, "0.3"},
		"power of ten":         {`><v>8.595602512225E12</v>`, "8595602512225"},
		"shared":               {` t="s"><v>0</v>`, "plain"},
		"rich":                 {` t="s"><v>1</v>`, "rich"},
		"inline":               {` t="inlineStr"><is><r><t>a_x000d_</t></r><r><t>b</t></r></is>`, "a⏎b"},
		"true":                 {` t="b"><v>1</v>`, "TRUE"},
		"error":                {` t="e"><v>#DIV/0!</v>`, "#DIV/0!"},
		"formula's value":      {`><f>SUM(A2:A9)</f><v>42</v>`, "42"},
		"formula's text":       {` t="str"><f>HYPERLINK("http://x.invalid")</f><v>=cmd</v>`, "=cmd"},
		"built-in date":        {` s="1"><v>43363</v>`, "2018-09-20"},
		"built-in thousands":   {` s="2"><v>1234567.6</v>`, "1,234,568"},
		"percent":              {own(0) + `><v>0.985</v>`, "98.50%"},
		"thousands":            {own(1) + `><v>-1599.987</v>`, "-1,599.99"},
		"Chinese date":         {own(2) + `><v>46206</v>`, "2026-07-03"},
		"elapsed":              {own(3) + `><v>1.5</v>`, "36:00:00"},
		"date and time":        {own(4) + `><v>46207.75</v>`, "2026-07-04 18:00"},
		"currency":             {own(6) + `><v>1200</v>`, "¥1,200"},
		"time":                 {own(7) + `><v>0.5</v>`, "12:00:00"},
		"optional decimals":    {own(8) + `><v>2.5</v>`, "2.5"},
		"scientific":           {own(9) + `><v>8595602512225</v>`, "8595602512225"},
		"month":                {own(10) + `><v>46206</v>`, "2026-07"},
		"shown in thousands":   {own(11) + `><v>1234567</v>`, "1234567"},
		"text format":          {own(12) + `><v>7</v>`, "7"},
		"unit":                 {own(13) + `><v>650</v>`, "650元"},
		"colour":               {own(14) + `><v>3</v>`, "3"},
		"whole percent":        {own(15) + `><v>0.5</v>`, "50%"},
		"day that never was":   {` s="1"><v>60</v>`, "1900-02-29"},
		"before that day":      {` s="1"><v>59</v>`, "1900-02-28"},
		"beyond all days":      {` s="1"><v>99999999</v>`, "99999999"},
		"minutes and seconds":  {own(16) + `><v>0.5</v>`, "12:00:00.0"},
		"sign without quotes":  {own(17) + `><v>1200</v>`, "¥1,200"},
		"sign after a stroke":  {own(18) + `><v>1.5</v>`, "1.50 €"},
		"unit without quotes":  {own(19) + `><v>1650</v>`, "1,650 元"},
		"unknown style":        {` s="999"><v>7</v>`, "7"},
		"not a number":         {`><v>abc</v>`, "abc"},
		"beyond all numbers":   {`><v>1e400</v>`, "1e400"},
		"date by its own type": {` t="d"><v>2026-01-02</v>`, "2026-01-02"},
	} {
		t.Run(name, func(t *testing.T) {
			p := parsed(t, book(t, `<sheetData><row r="1"><c r="A1"`+c.cell+`</c></row></sheetData>`,
				ooxmltest.Part{Name: "xl/styles.xml", Text: styles.String()}, ooxmltest.Part{Name: "xl/sharedStrings.xml", Text: shared}))
			expect(t, p, "heading S @S!", "paragraph "+c.want+" @S!A1")
		})
	}
	for _, cell := range []string{own(5) + `><v>7</v>`, `><f>A9</f>`, ` t="s"><v></v>`, `>`} {
		if p := parsed(t, book(t, `<sheetData><row r="1"><c r="A1"`+cell+`</c></row></sheetData>`, ooxmltest.Part{Name: "xl/styles.xml", Text: styles.String()})); p.Text != "" {
			t.Errorf("%s shows %q", cell, p.Text)
		}
	}
}

func TestIndexesThatNoSheetHasAreRefused(t *testing.T) {
	for _, data := range []string{
		`<row r="2147483647"/>`, `<row r="-1"/>`, `<row r="x"/>`, `<row r="1"><c r="XFE1"><v>1</v></c></row>`, `<row r="1"><c r="A2"><v>1</v></c></row>`,
		`<row r="1"><c r="1A"><v>1</v></c></row>`, `<row r="1"><c t="s"><v>-1</v></c></row>`, `<row r="1"><c t="s"><v>999999999</v></c></row>`,
	} {
		_, err := xlsx.Parse(context.Background(), book(t, `<sheetData>`+data+`</sheetData>`), options())
		var r *ooxml.Refusal
		if !errors.As(err, &r) || r.Code != "sheet_index_invalid" {
			t.Errorf("%s ends with %v", data, err)
		}
	}
}

func TestLargeSheetsAreCutAndSaySo(t *testing.T) {
	o := options()
	o.Rows, o.Columns, o.Cells = 3, 2, 50
	for name, c := range map[string]struct{ sheet, notice string }{
		"rows":    {rows("1", "2", "3", "4", "5"), xlsx.RowLimit},
		"columns": {rows("1|2|3"), xlsx.ColumnLimit},
		"merges":  {rows("1") + `<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>`, xlsx.CellLimit},
	} {
		p, err := xlsx.Parse(context.Background(), book(t, c.sheet), o)
		if err != nil || !slices.Equal(p.Notices, []string{c.notice}) || strings.Contains(p.Text, "4") || len(p.Blocks) == 0 {
			t.Errorf("%s: %v, %q, %v", name, p.Notices, p.Text, err)
		}
	}
	o.Layout.Places = 4
	p, err := xlsx.Parse(context.Background(), book(t, rows("a|b", "1|2", "3|4")), o)
	if err != nil || !slices.Equal(p.Notices, []string{xlsx.CellLimit}) || p.Text != "S\n\na | b" {
		t.Errorf("cells: %v, %q, %v", p.Notices, p.Text, err)
	}
}

func TestCommentsStandAfterTheCellsOfTheirSheet(t *testing.T) {
	data := book(t, rows("x"),
		ooxmltest.Part{Name: "xl/worksheets/_rels/sheet1.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "1", Type: "comments", Target: "../comments1.xml"}, ooxmltest.Relation{ID: "2", Type: "threadedComment", Target: "../threads/t1.xml"})},
		ooxmltest.Part{Name: "xl/threads/t1.xml", Text: `<ThreadedComments><threadedComment ref="A1"><text>why?</text></threadedComment></ThreadedComments>`},
		ooxmltest.Part{Name: "xl/comments1.xml", Text: `<comments ` + ooxmltest.Sheet + `><commentList><comment ref="A1"><text><t>[Threaded comment] old</t></text></comment><comment ref="B2"><text><r><t>note</t></r></text></comment></commentList></comments>`})
	p := parsed(t, data)
	got := outline(p)
	if len(got) != 4 || !slices.Contains(got, "paragraph why? @S!A1comment") || !slices.Contains(got, "paragraph note @S!B2comment") {
		t.Errorf("it reads %v", got)
	}
}

func TestValuesUnderAMergedCellAreNotShown(t *testing.T) {
	expect(t, parsed(t, book(t, rows("a|UNDER|c", "1|2|3")+`<mergeCells><mergeCell ref="A1:B1"/></mergeCells>`)), "heading S @S!",
		"table_head a | c @S!A1(A1:B1) @S!C1", "table_row 1 | 2 | 3 @S!A2=a @S!B2=a @S!C2=c")
}

func TestDamagedCommentsLeaveTheCellsReadable(t *testing.T) {
	p := parsed(t, book(t, rows("x"), ooxmltest.Part{Name: "xl/worksheets/_rels/sheet1.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "1", Type: "comments", Target: "../c/c.xml"})},
		ooxmltest.Part{Name: "xl/c/c.xml", Text: `<comments ` + ooxmltest.Sheet + `><commentList>`}))
	expect(t, p, "heading S @S!", "paragraph x @S!A1")
	if !slices.Equal(p.Notices, []string{ooxml.PartLeftOut}) {
		t.Errorf("the notices are %v", p.Notices)
	}
}

func TestASheetThatIsListedAndNotThereIsSaid(t *testing.T) {
	parts := func(sheets ...ooxmltest.Part) []byte {
		return ooxmltest.Zip(t, append([]ooxmltest.Part{
			{Name: "_rels/.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "r", Type: "officeDocument", Target: "xl/workbook.xml"})},
			{Name: "xl/workbook.xml", Text: `<workbook ` + ooxmltest.Sheet + `><sheets><sheet name="S" r:id="s"/></sheets></workbook>`},
			{Name: "xl/_rels/workbook.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "s", Type: "worksheet", Target: "s.xml"})},
		}, sheets...)...)
	}
	if p := parsed(t, parts()); !slices.Equal(p.Notices, []string{ooxml.PartLeftOut}) {
		t.Errorf("the notices are %v", p.Notices)
	}
	if p := parsed(t, parts(ooxmltest.Part{Name: "xl/s.xml", Text: `<worksheet ` + ooxmltest.Sheet + `>` + rows("1") + `</worksheet>`})); p.Notices != nil {
		t.Errorf("of a whole workbook is said %v", p.Notices)
	}
}

func TestWorkbookOf1904CountsFromThere(t *testing.T) {
	data := ooxmltest.Zip(t, ooxmltest.Part{Name: "[Content_Types].xml", Text: "<Types/>"}, ooxmltest.Part{Name: "_rels/.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "r", Type: "officeDocument", Target: "xl/workbook.xml"})},
		ooxmltest.Part{Name: "xl/workbook.xml", Text: `<workbook ` + ooxmltest.Sheet + `><workbookPr date1904="1"/><sheets><sheet name="S" r:id="s"/></sheets></workbook>`},
		ooxmltest.Part{Name: "xl/_rels/workbook.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "s", Type: "worksheet", Target: "s.xml"}, ooxmltest.Relation{ID: "t", Type: "styles", Target: "styles.xml"})},
		ooxmltest.Part{Name: "xl/styles.xml", Text: `<styleSheet ` + ooxmltest.Sheet + `><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>`},
		ooxmltest.Part{Name: "xl/s.xml", Text: `<worksheet ` + ooxmltest.Sheet + `><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`})
	expect(t, parsed(t, data), "heading S @S!", "paragraph 1904-01-02 @S!A1")
}
