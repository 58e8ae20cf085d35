package docx_test

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
)

func mark(kind string) string { return `<w:r><w:fldChar w:fldCharType="` + kind + `"/></w:r>` }

func run(properties, text string) string {
	return `<w:r><w:rPr>` + properties + `</w:rPr><w:t xml:space="preserve">` + text + `</w:t></w:r>`
}

func code(text string) string { return `<w:r><w:instrText>` + text + `</w:instrText></w:r>` }

func TestFieldShowsItsResultAndNothingOfItsCode(t *testing.T) {
	inner := mark("begin") + code("MERGEFIELD Sum") + mark("separate") + run("", "500") + mark("end")
	for name, c := range map[string]struct{ runs, want string }{
		"a field in a field's code":   {mark("begin") + code("IF ") + inner + code(` > 1 "yes" "no"`) + mark("separate") + run("", "yes") + mark("end") + run("", " and on"), "yes and on"},
		"a field in a field's result": {mark("begin") + code("REF x") + mark("separate") + run("", "of ") + inner + mark("end"), "of 500"},
		"one that shows nothing":      {mark("begin") + code("XE x") + mark("end") + run("", "text"), "text"},
		"one that never ends":         {mark("begin") + code("X") + run("", "text"), "text"},
		"an end without a beginning":  {mark("end") + mark("separate") + run("", "text"), "text"},
		"a choice": {`<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="n"/><w:ddList><w:result w:val="1"/><w:listEntry w:val="红"/><w:listEntry w:val="green"/></w:ddList></w:ffData></w:fldChar></w:r>` +
			code("FORMDROPDOWN") + mark("end"), "green"},
		"a choice that was not made": {`<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:listEntry w:val="红"/><w:listEntry w:val="green"/></w:ddList></w:ffData></w:fldChar></w:r>` + mark("end"), "红"},
	} {
		t.Run(name, func(t *testing.T) { expect(t, parsed(t, `<w:p>`+c.runs+`</w:p>`), "paragraph "+c.want+" @p1") })
	}
	if p := parsed(t, `<w:p>`+mark("begin")+code("X")+`</w:p><w:p>`+inner+`</w:p>`); p.Text != "500" {
		t.Errorf("a field that never ends hides the next paragraph: %q", p.Text)
	}
	if p := parsed(t, `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="7"/><w:listEntry w:val="红"/></w:ddList></w:ffData></w:fldChar></w:r></w:p>`); p.Text != "" {
		t.Errorf("a choice that there is not shows %q", p.Text)
	}
}

const pale = `<w:color w:val="FFFFFF"/>`

func TestWhiteTextIsReadOnADarkGroundAlone(t *testing.T) {
	styles := part("styles", `<w:style w:type="table" w:styleId="Plain"><w:tblPr/></w:style><w:style w:type="table" w:styleId="Banded"><w:basedOn w:val="Deep"/></w:style>
		<w:style w:type="table" w:styleId="Deep"><w:tblStylePr w:type="firstRow"><w:tcPr><w:shd w:val="clear" w:fill="4472C4"/></w:tcPr></w:tblStylePr></w:style>
		<w:style w:type="table" w:styleId="Ring"><w:basedOn w:val="Ring"/></w:style>`)
	white := `<w:p>` + run(pale, "white") + `</w:p>`
	tabled := func(properties, cellProperties, content string) string {
		return `<w:tbl><w:tblPr>` + properties + `</w:tblPr><w:tr><w:tc><w:tcPr>` + cellProperties + `</w:tcPr>` + content + `</w:tc></w:tr></w:tbl>`
	}
	shade := func(fill string) string { return `<w:shd w:val="clear" w:fill="` + fill + `"/>` }
	for name, c := range map[string]struct {
		body string
		seen bool
	}{
		"on paper":                         {white, false},
		"nearly white":                     {`<w:p>` + run(`<w:color w:val="fEFdFc"/>`, "white") + `</w:p>`, false},
		"grey":                             {`<w:p>` + run(`<w:color w:val="F0F0F0"/>`, "white") + `</w:p>`, true},
		"of no colour":                     {`<w:p>` + run(`<w:color w:val="auto"/>`, "white") + `</w:p>`, true},
		"in a cell":                        {tabled("", "", white), false},
		"in a dark cell":                   {tabled("", shade("1F3864"), white), true},
		"in a cell of a theme's colour":    {tabled("", `<w:shd w:val="clear" w:fill="auto" w:themeFill="accent1"/>`, white), true},
		"in a white cell":                  {tabled("", shade("FFFFFF"), white), false},
		"in a dark table":                  {tabled(shade("000000"), "", white), true},
		"in a table of a style":            {tabled(`<w:tblStyle w:val="Banded"/>`, "", white), true},
		"in a table of a plain style":      {tabled(`<w:tblStyle w:val="Plain"/>`, "", white), false},
		"in a table of a style in a ring":  {tabled(`<w:tblStyle w:val="Ring"/>`, "", white), false},
		"in a row of its own look":         {`<w:tbl><w:tr><w:tblPrEx>` + shade("C00000") + `</w:tblPrEx><w:tc>` + white + `</w:tc></w:tr></w:tbl>`, true},
		"in a table in a dark cell":        {tabled("", shade("1F3864"), tabled("", "", white)+`<w:p/>`), true},
		"in the cell beside a dark one":    {`<w:tbl><w:tr><w:tc><w:tcPr>` + shade("1F3864") + `</w:tcPr><w:p/></w:tc><w:tc>` + white + `</w:tc></w:tr></w:tbl>`, false},
		"in a box, which may be a picture": {`<w:p><w:r><w:pict><w:txbxContent>` + white + `</w:txbxContent></w:pict></w:r></w:p>`, true},
	} {
		if got := strings.Contains(parsed(t, c.body, styles).Text, "white"); got != c.seen {
			t.Errorf("%s it is read: %t", name, got)
		}
	}
}

func TestWhiteTextIsReadOnDarkPages(t *testing.T) {
	for colour, seen := range map[string]bool{"1F1F1F": true, "FFFFFF": false} {
		body := `</w:body><w:background w:color="` + colour + `"/><w:body><w:p>` + run(pale, "white") + `</w:p>`
		if p := parsed(t, body); strings.Contains(p.Text, "white") != seen {
			t.Errorf("on pages of %s it reads %q", colour, p.Text)
		}
	}
}

func TestDeletedCellIsLeftOutAndKeepsItsColumn(t *testing.T) {
	p := parsed(t, table(row("a", "b", "c"), `<w:tr>`+cell(`<w:cellDel w:id="1"/>`, "gone")+cell("", "2")+cell("", "3")+`</w:tr>`))
	if strings.Contains(p.Text, "gone") {
		t.Errorf("it reads %q", p.Text)
	}
	expect(t, p, "table_head a | b | c @t1:1,1 @t1:1,2 @t1:1,3", "table_row 2 | 3 @t1:2,2=b @t1:2,3=c")
}

func TestChartsAndDiagramsStandAfterTheParagraphThatShowsThem(t *testing.T) {
	shown := `<w:p><w:r><w:t>See:</w:t></w:r><w:r><w:drawing><c:chart xmlns:c="c" r:id="id-chart1"/></w:drawing></w:r><w:r><w:drawing><dgm:relIds xmlns:dgm="d" r:dm="id-diagramData1"/></w:drawing></w:r><w:r><w:drawing><c:chart xmlns:c="c" r:id="none"/></w:drawing></w:r></w:p>`
	chart := ooxmltest.Part{Name: "word/chart1.xml", Text: `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>年度</a:t></a:r><a:r><a:t>销售</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>
		<c:ser><c:tx><c:strRef><c:f>Sheet1!$B$1</c:f><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>4.3</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>
		<c:ser><c:tx><c:v>South</c:v></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:strCache></c:strRef></c:cat></c:ser></c:barChart>
		<c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Tonnes</a:t></a:r></a:p></c:rich></c:tx></c:title><c:txPr><a:p><a:r><a:t>NO</a:t></a:r></a:p></c:txPr></c:valAx></c:plotArea></c:chart></c:chartSpace>`}
	diagram := ooxmltest.Part{Name: "word/diagramData1.xml", Text: `<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>执行</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`}
	expect(t, parsed(t, shown, chart, diagram), "paragraph See: @p1",
		"paragraph 年度销售 @chart1(1,0)p1", "paragraph Tonnes @chart1(1,0)p2", "paragraph North; South @chart1(1,0)p3", "paragraph Q1; Q2 @chart1(1,0)p4",
		"paragraph Plan @smartart1(1,0)p1", "paragraph 执行 @smartart1(1,0)p2")
}

func TestPartInUTF16IsRead(t *testing.T) {
	header := []rune(`<?xml version="1.0" encoding="UTF-16"?><w:hdr ` + ooxmltest.Word + `>` + para("页眉 head") + `</w:hdr>`)
	for name, order := range map[string][2]int{"little": {0, 8}, "big": {8, 0}} {
		var b strings.Builder
		for _, c := range append([]rune{0xfeff}, header...) {
			b.WriteByte(byte(c >> order[0]))
			b.WriteByte(byte(c >> order[1]))
		}
		p := parsed(t, para("body"), ooxmltest.Part{Name: "word/header1.xml", Text: b.String()})
		if p.Text != "body\n\n页眉 head" {
			t.Errorf("%s end first: %q", name, p.Text)
		}
	}
}
