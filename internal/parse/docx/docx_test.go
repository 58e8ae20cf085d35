package docx_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/docx"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
)

func options() docx.Options {
	return docx.Options{Layout: layout.Limits{Places: 10_000, Bytes: 1 << 20}}
}

func parsed(t *testing.T, body string, parts ...ooxmltest.Part) corpus.Parsed {
	t.Helper()
	p, err := docx.Parse(context.Background(), ooxmltest.DOCX(t, body, parts...), options())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func place(l corpus.DOCXLocator) string {
	s := ""
	if l.Part != "" {
		s = fmt.Sprintf("%s%s(%d,%d)", l.Part, l.ID, l.AnchorParagraph, l.AnchorTable)
	}
	if l.Paragraph > 0 {
		s += fmt.Sprintf("p%d", l.Paragraph)
	}
	if l.Table > 0 {
		s += fmt.Sprintf("t%d:%d,%d", l.Table, l.Row, l.Col)
	}
	if l.ColSpan > 1 || l.RowSpan > 1 {
		s += fmt.Sprintf("[%dx%d]", max(l.RowSpan, 1), max(l.ColSpan, 1))
	}
	if l.Header != "" {
		s += "=" + l.Header
	}
	return s
}

func expect(t *testing.T, p corpus.Parsed, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, ooxmltest.Outline(p, place)); d != "" {
		t.Error(d)
	}
}

func para(text string) string {
	return `<w:p><w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
}

func styled(style, text string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func part(name, content string) ooxmltest.Part {
	root := strings.TrimRight(name, "0123456789")
	switch root {
	case "header":
		root = "hdr"
	case "footer":
		root = "ftr"
	}
	return ooxmltest.Part{Name: "word/" + name + ".xml", Text: `<w:` + root + ` ` + ooxmltest.Word + `>` + content + `</w:` + root + `>`}
}

const headings = `<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="2"><w:name w:val="heading 2"/><w:basedOn w:val="1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="own"><w:name w:val="条款"/><w:basedOn w:val="2"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="ring"><w:name w:val="ring"/><w:basedOn w:val="ring"/></w:style>`

func TestHeadingsComeFromStylesAndOutlineLevels(t *testing.T) {
	p := parsed(t, styled("T", "手册")+styled("1", "范围")+styled("own", "术语")+para("正文。")+styled("ring", "环")+
		`<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>直接</w:t></w:r></w:p>`+
		`<w:p><w:pPr><w:pStyle w:val="1"/><w:outlineLvl w:val="9"/></w:pPr><w:r><w:t>not a heading</w:t></w:r></w:p>`+
		styled("1", "  "), part("styles", headings))
	expect(t, p, "heading 手册 @p1", "heading 范围 @p2", "heading 术语 @p3", "paragraph 正文。 @p4", "paragraph 环 @p5", "heading 直接 @p6", "paragraph not a heading @p7")
	if d := cmp.Diff([]string{"范围", "术语"}, p.Blocks[3].HeadingPath); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"范围", "直接"}, p.Blocks[6].HeadingPath); d != "" {
		t.Error(d)
	}
	if p.Title != "手册" {
		t.Errorf("the title is %q", p.Title)
	}
}

func TestParagraphsAreCountedWithEmptyOnesAndWithoutTables(t *testing.T) {
	p := parsed(t, para("a")+`<w:p/>`+table(row("x", "y"))+`<w:sdt><w:sdtPr><w:alias w:val="no text"/></w:sdtPr><w:sdtContent>`+para("b")+`<w:customXml>`+para("c")+`</w:customXml></w:sdtContent></w:sdt>`+para("d"))
	expect(t, p, "paragraph a @p1", "table_row x | y @t1:1,1 @t1:1,2", "paragraph b @p3", "paragraph c @p4", "paragraph d @p5")
}

func TestTextOfAParagraphIsWhatIsPrinted(t *testing.T) {
	run := func(s string) string { return `<w:r>` + s + `</w:r>` }
	for name, c := range map[string]struct{ in, want string }{
		"across runs":    {run(`<w:t xml:space="preserve">one </w:t>`) + `<w:hyperlink>` + run(`<w:t>two</w:t>`) + `</w:hyperlink>`, "one two"},
		"marks":          {run(`<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t>`), "a\tb⏎c-de"},
		"inserted":       {`<w:ins>` + run(`<w:t>new</w:t>`) + `</w:ins><w:moveTo>` + run(`<w:t>here</w:t>`) + `</w:moveTo>`, "newhere"},
		"deleted":        {run(`<w:t>kept</w:t>`) + `<w:del>` + run(`<w:delText>DELETED</w:delText>`) + run(`<w:t>GONE</w:t>`) + `</w:del><w:moveFrom>` + run(`<w:t>AWAY</w:t>`) + `</w:moveFrom>`, "kept"},
		"hidden":         {run(`<w:t>seen</w:t>`) + run(`<w:rPr><w:vanish/></w:rPr><w:t>HIDDEN</w:t>`) + run(`<w:rPr><w:vanish w:val="0"/></w:rPr><w:t>!</w:t>`), "seen!"},
		"hidden style":   {run(`<w:rPr><w:rStyle w:val="secret"/></w:rPr><w:t>HIDDEN</w:t>`) + run(`<w:rPr><w:rStyle w:val="secret"/><w:vanish w:val="false"/></w:rPr><w:t>shown</w:t>`), "shown"},
		"white and tiny": {run(`<w:t>a</w:t>`) + run(`<w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>WHITE</w:t>`) + run(`<w:rPr><w:sz w:val="2"/></w:rPr><w:t>TINY</w:t>`), "a"},
		"white on black": {run(`<w:rPr><w:color w:val="ffffff"/><w:shd w:val="clear" w:fill="000000"/></w:rPr><w:t>seen</w:t>`), "seen"},
		"field":          {run(`<w:fldChar w:fldCharType="begin"/>`) + run(`<w:instrText>PAGEREF x</w:instrText>`) + run(`<w:fldChar w:fldCharType="separate"/>`) + run(`<w:t>12</w:t>`) + run(`<w:fldChar w:fldCharType="end"/>`), "12"},
		"ruby":           {run(`<w:ruby><w:rubyPr/><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby>`), "東"},
		"symbols":        {run(`<w:sym w:font="X" w:char="00B0"/><w:sym w:font="Wingdings" w:char="F0FC"/><w:t>C</w:t>`), "°C"},
		"formula":        {`<m:oMath xmlns:m="m"><m:r><m:t>E=m</m:t></m:r></m:oMath>`, "E=m"},
		"alternatives":   {run(`<mc:AlternateContent><mc:Choice><w:t>once</w:t></mc:Choice><mc:Fallback><w:t>TWICE</w:t></mc:Fallback></mc:AlternateContent>`), "once"},
	} {
		t.Run(name, func(t *testing.T) {
			secret := `<w:style w:type="character" w:styleId="secret"><w:name w:val="s"/><w:rPr><w:vanish/></w:rPr></w:style>`
			expect(t, parsed(t, `<w:p>`+c.in+`</w:p>`, part("styles", secret)), "paragraph "+c.want+" @p1")
		})
	}
}

func numbered(id, level, text string) string {
	return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + id + `"/></w:numPr></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func lvl(n, format, text, more string) string {
	return `<w:lvl w:ilvl="` + n + `"><w:start w:val="1"/><w:numFmt w:val="` + format + `"/><w:lvlText w:val="` + text + `"/>` + more + `</w:lvl>`
}

func TestNumbersArePrintedAsWordPrintsThem(t *testing.T) {
	lists := part("numbering", `<w:abstractNum w:abstractNumId="7">`+lvl("0", "decimal", "%1.", "")+lvl("1", "lowerLetter", "%1.%2)", "")+lvl("2", "chineseCounting", "第%3条", "")+lvl("3", "upperRoman", "%1-%4", "<w:isLgl/>")+`</w:abstractNum>`+
		`<w:abstractNum w:abstractNumId="8">`+lvl("0", "bullet", "", "")+`</w:abstractNum><w:abstractNum w:abstractNumId="9">`+lvl("0", "none", "", "")+`</w:abstractNum>`+
		`<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="9"/></w:num>`+
		`<w:num w:numId="4"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>`)
	p := parsed(t, numbered("1", "0", "a")+numbered("1", "1", "b")+numbered("1", "1", "c")+numbered("1", "2", "d")+numbered("1", "0", "e")+numbered("1", "1", "f")+numbered("1", "3", "g")+
		numbered("2", "0", "dot")+numbered("3", "0", "none")+numbered("0", "0", "out")+numbered("99", "0", "no list")+numbered("4", "0", "five")+numbered("4", "0", "six")+numbered("1", "0", ""), lists)
	expect(t, p, "list_item 1. a @p1", "list_item 1.a) b @p2", "list_item 1.b) c @p3", "list_item 第一条 d @p4", "list_item 2. e @p5", "list_item 2.a) f @p6", "list_item 2-1 g @p7",
		"list_item • dot @p8", "list_item none @p9", "paragraph out @p10", "list_item no list @p11", "list_item 5. five @p12", "list_item 6. six @p13")
}

func TestNumberedHeadingIsAHeadingWithItsNumberInTheText(t *testing.T) {
	style := `<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`
	lists := `<w:abstractNum w:abstractNumId="1">` + lvl("0", "decimal", "%1", `<w:pStyle w:val="1"/>`) + lvl("1", "decimal", "%1.%2", `<w:pStyle w:val="2"/>`) + `</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`
	p := parsed(t, styled("1", "范围")+styled("2", "术语")+styled("2", "缩写")+para("x"), part("styles", style), part("numbering", lists))
	expect(t, p, "heading 1 范围 @p1", "heading 1.1 术语 @p2", "heading 1.2 缩写 @p3", "paragraph x @p4")
	if d := cmp.Diff([]string{"范围", "缩写"}, p.Blocks[3].HeadingPath); d != "" {
		t.Errorf("names in a path have no numbers: %s", d)
	}
}

func row(cells ...string) string {
	s := `<w:tr>`
	for _, c := range cells {
		s += cell("", c)
	}
	return s + `</w:tr>`
}

func cell(properties, text string) string {
	return `<w:tc><w:tcPr>` + properties + `</w:tcPr>` + para(text) + `</w:tc>`
}

func table(rows ...string) string { return `<w:tbl><w:tblPr/>` + strings.Join(rows, "") + `</w:tbl>` }

func TestMergedCellIsOneCellAndStandsInEachOfItsRows(t *testing.T) {
	p := parsed(t, table(row("类别", "名称", "数量"),
		`<w:tr>`+cell(`<w:vMerge w:val="restart"/>`, "阀门")+cell("", "球阀")+cell("", "1")+`</w:tr>`,
		`<w:tr>`+cell(`<w:vMerge/>`, "")+cell("", "蝶阀")+cell("", "2")+`</w:tr>`,
		`<w:tr>`+cell(`<w:gridSpan w:val="2"/>`, "合计")+cell("", "3")+`</w:tr>`))
	expect(t, p, "table_head 类别 | 名称 | 数量 @t1:1,1 @t1:1,2 @t1:1,3",
		"table_row 阀门 | 球阀 | 1 @t1:2,1[2x1]=类别 @t1:2,2=名称 @t1:2,3=数量",
		"table_row 阀门 | 蝶阀 | 2 @t1:2,1[2x1]=类别 @t1:3,2=名称 @t1:3,3=数量",
		"table_row 合计 | 3 @t1:4,1[1x2]=类别 @t1:4,3=数量")
}

func TestRowsThatAreMarkedAsHeadAreTheHead(t *testing.T) {
	head := func(cells string) string { return `<w:tr><w:trPr><w:tblHeader/></w:trPr>` + cells + `</w:tr>` }
	p := parsed(t, table(head(cell("", "No.")+cell(`<w:gridSpan w:val="2"/>`, "价格")), head(cell("", "")+cell("", "含税")+cell("", "不含税")), row("1", "226", "200")))
	expect(t, p, "table_head No. | 价格⏎含税 | 不含税 @t1:1,1 @t1:1,2[1x2] @t1:2,2 @t1:2,3", "table_row 1 | 226 | 200 @t1:3,1=No. @t1:3,2=价格/含税 @t1:3,3=价格/不含税")
}

func TestDeletedRowIsLeftOutAndNestedTableIsPartOfItsCell(t *testing.T) {
	nested := `<w:tc>` + para("before") + table(row("n1", "n2"), row("n3", "n4")) + `</w:tc>`
	p := parsed(t, table(row("h1", "h2"), `<w:tr><w:trPr><w:del/></w:trPr>`+cell("", "DELETED")+cell("", "x")+`</w:tr>`, `<w:tr>`+nested+cell("", "y")+`</w:tr>`))
	expect(t, p, "table_head h1 | h2 @t1:1,1 @t1:1,2", "table_row before⏎n1 | n2⏎n3 | n4 | y @t1:3,1=h1 @t1:3,2=h2")
}

func TestARowOfManyCellsIsJoinedOnce(t *testing.T) {
	const cells = 20_000
	inner := `<w:tr>` + strings.Repeat(`<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>`, cells) + `</w:tr>`
	data := ooxmltest.DOCX(t, table(`<w:tr><w:tc>`+table(inner)+`</w:tc></w:tr>`))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, err := docx.Parse(context.Background(), data, options())
	runtime.ReadMemStats(&after)
	if want := strings.TrimSuffix(strings.Repeat("a | ", cells), " | "); err != nil || p.Text != want {
		t.Fatalf("%d bytes, %v", len(p.Text), err)
	}
	// To write the row again with each cell takes 800 MB.
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 200 {
		t.Errorf("it took %d MB", took)
	}
}

func TestNotesAndBoxesOfARowThatIsNotShownAreNotShown(t *testing.T) {
	said := `<w:tc><w:p><w:r><w:t>GONE</w:t><w:footnoteReference w:id="2"/><w:pict><w:txbxContent>` + para("BOX") + `</w:txbxContent></w:pict></w:r></w:p></w:tc>`
	for _, mark := range []string{"del", "hidden"} {
		p := parsed(t, table(row("a"), `<w:tr><w:trPr><w:`+mark+`/></w:trPr>`+said+`</w:tr>`, `<w:tr><w:tc><w:p><w:r><w:t>b</w:t><w:footnoteReference w:id="3"/></w:r></w:p></w:tc></w:tr>`),
			part("footnotes", note("footnote", "2", "GONE TOO")+note("footnote", "3", "kept")))
		expect(t, p, "table_row a @t1:1,1", "table_row b @t1:3,1", "paragraph kept @footnote3(0,1)p1")
	}
}

func note(kind, id, text string) string {
	return `<w:` + kind + ` w:id="` + id + `">` + para(text) + `</w:` + kind + `>`
}

func TestNotesCommentsAndBoxesStandAfterWhatTheyHangOn(t *testing.T) {
	p := parsed(t, styled("1", "许可")+`<w:p><w:r><w:t>可以使用</w:t><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r></w:p>`+
		`<w:p><w:r><w:pict><w:txbxContent>`+para("in a box")+para("second")+`</w:txbxContent></w:pict><w:endnoteReference w:id="2"/></w:r></w:p>`+
		table(`<w:tr><w:tc><w:p><w:r><w:t>cell</w:t><w:footnoteReference w:id="3"/></w:r></w:p></w:tc></w:tr>`)+para("end"),
		part("styles", headings),
		part("footnotes", `<w:footnote w:id="0" w:type="separator">`+para("LINE")+`</w:footnote>`+note("footnote", "2", "出口除外")+note("footnote", "3", "of the cell")+note("footnote", "4", "NOBODY REFERS TO")),
		part("endnotes", note("endnote", "2", "at the end")), part("comments", note("comment", "0", "why?")))
	expect(t, p, "heading 许可 @p1", "paragraph 可以使用 @p2", "paragraph 出口除外 @footnote2(2,0)p1", "paragraph why? @comment0(2,0)p1",
		"paragraph in a box @textbox1(3,0)p1", "paragraph second @textbox1(3,0)p2", "paragraph at the end @endnote2(3,0)p1",
		"table_row cell @t1:1,1", "paragraph of the cell @footnote3(0,1)p1", "paragraph end @p4")
	if h := p.Blocks[2].HeadingPath; len(h) != 1 || h[0] != "许可" {
		t.Errorf("the note stands under %v", h)
	}
}

func TestHeadersAndFootersStandOnceAfterTheBody(t *testing.T) {
	p := parsed(t, styled("1", "A")+para("body"), part("styles", headings), part("header1", table(row("QMS-017", "v2"))+para("公司")), part("footer1", para("内部")))
	expect(t, p, "heading A @p1", "paragraph body @p2", "table_row QMS-017 | v2 @header1(0,0)t1:1,1 @header1(0,0)t1:1,2", "paragraph 公司 @header1(0,0)p1", "paragraph 内部 @footer1(0,0)p1")
	if h := p.Blocks[2].HeadingPath; len(h) != 0 {
		t.Errorf("the header stands under %v", h)
	}
}

func TestDamagedSecondaryPartLeavesTheBodyReadable(t *testing.T) {
	for _, damaged := range []ooxmltest.Part{
		{Name: "word/styles.xml", Text: "<w:styles"}, {Name: "word/numbering.xml", Text: "<w:numbering"}, {Name: "word/footnotes.xml", Text: ""}, {Name: "word/footer1.xml", Text: "<w:ftr"},
	} {
		p := parsed(t, para("body"), damaged)
		expect(t, p, "paragraph body @p1")
		if d := cmp.Diff([]string{ooxml.PartLeftOut}, p.Notices); d != "" {
			t.Errorf("%s: %s", damaged.Name, d)
		}
	}
	if p := parsed(t, para("body"), part("styles", headings), part("footnotes", "")); p.Notices != nil {
		t.Errorf("of a whole document is said %v", p.Notices)
	}
}

func TestDangerInASecondaryPartRefusesTheFile(t *testing.T) {
	data := ooxmltest.DOCX(t, para("body"), ooxmltest.Part{Name: "word/styles.xml", Text: `<!DOCTYPE a><w:styles ` + ooxmltest.Word + `/>`})
	_, err := docx.Parse(context.Background(), data, options())
	var r *ooxml.Refusal
	if !errors.As(err, &r) || r.Code != "xml_doctype" {
		t.Errorf("the error is %v", err)
	}
}

func TestLimitsAndContextEndTheReading(t *testing.T) {
	data := ooxmltest.DOCX(t, strings.Repeat(para("x"), 50))
	o := options()
	o.Layout.Places = 20
	if _, err := docx.Parse(context.Background(), data, o); !errors.Is(err, layout.ErrFull) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := docx.Parse(ctx, data, options()); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestEmbeddedPageIsReadThroughTheReaderThatIsGiven(t *testing.T) {
	data := ooxmltest.DOCX(t, para("a")+`<w:altChunk r:id="id-chunk1"/>`, ooxmltest.Part{Name: "word/chunk1.xml", Text: "<p>x"})
	o := options()
	o.Embedded = func(name string, data []byte) (corpus.Parsed, error) {
		if name != "word/chunk1.xml" || string(data) != "<p>x" {
			t.Errorf("it was asked to read %s: %s", name, data)
		}
		return corpus.Parsed{Text: "页面", Blocks: []corpus.Block{{Kind: corpus.Heading, Span: corpus.Span{Start: 0, End: 2}}}}, nil
	}
	p, err := docx.Parse(context.Background(), data, o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, p, "paragraph a @p1", "paragraph 页面 @altchunk1(1,0)p1")
	o.Embedded = func(string, []byte) (corpus.Parsed, error) { return corpus.Parsed{}, errors.New("unreadable") }
	p, err = docx.Parse(context.Background(), data, o)
	if err != nil || p.Text != "a" || !slices.Equal(p.Notices, []string{ooxml.PartLeftOut}) {
		t.Errorf("with a page that can't be read: %q, %v, %v", p.Text, p.Notices, err)
	}
}
