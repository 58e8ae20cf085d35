package parse_test

import (
	"context"
	"testing"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/problem"
)

// FuzzOfficePackage reads bytes that are hardly ever a package, under each of the names.
func FuzzOfficePackage(f *testing.F) {
	f.Add(ooxmltest.DOCX(f, `<w:p><w:r><w:t>a</w:t></w:r></w:p>`))
	f.Add(ooxmltest.XLSX(f, []ooxmltest.Part{{Name: "S", Text: `<sheetData><row><c><v>1</v></c></row></sheetData>`}}))
	f.Add(ooxmltest.PPTX(f, []string{`<p:sp/>`}, nil))
	f.Add(epubtest.Book{Pages: []epubtest.Page{{Name: "1.xhtml", Body: "<p>a</p>"}}, Nav: `<ol><li><a href="1.xhtml">a</a></li></ol>`}.Bytes(f))
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"a.docx", "a.xlsx", "a.pptx", "a.epub"} {
			fuzzed(t, name, data)
		}
	})
}

func FuzzDOCX(f *testing.F) {
	f.Add(`<w:p><w:pPr><w:pStyle w:val="1"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>a</w:t><w:footnoteReference w:id="1"/></w:r></w:p><w:p/>`,
		`<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/><w:basedOn w:val="1"/></w:style>`,
		`<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="1"><w:lvlText w:val="%1.%2%9"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`)
	f.Add(`<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/><w:gridSpan w:val="9"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:tbl><w:tr><w:tc/></w:tr></w:tbl></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr></w:tc></w:tr></w:tbl>`, "", "")
	f.Add(`<w:p><w:r><w:pict><w:txbxContent><w:p><w:r><w:t>b</w:t><w:sym w:char="F0"/></w:r></w:p></w:txbxContent></w:pict></w:r></w:p><w:sdt><w:sdtContent><w:p/></w:sdtContent></w:sdt>`, "<", ">")
	f.Fuzz(func(t *testing.T, body, styles, numbering string) {
		fuzzed(t, "a.docx", ooxmltest.DOCX(t, body,
			ooxmltest.Part{Name: "word/styles.xml", Text: `<w:styles ` + ooxmltest.Word + `>` + styles + `</w:styles>`},
			ooxmltest.Part{Name: "word/numbering.xml", Text: `<w:numbering ` + ooxmltest.Word + `>` + numbering + `</w:numbering>`}))
	})
}

func FuzzXLSX(f *testing.F) {
	f.Add(`<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="0"><v>46206</v></c></row><row r="2"><c r="A2"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:A2"/></mergeCells>`, `<si><t>a_x000d_</t></si>`, `yyyy"年"m[h]`)
	f.Add(`<cols><col min="1" max="3" hidden="1"/></cols><sheetData><row><c t="inlineStr"><is><t>x</t></is></c></row><row r="1048576"><c r="XFD1048576"><v>-1e308</v></c></row></sheetData>`, "", `0.00%;;[Red]#,##0,`)
	f.Fuzz(func(t *testing.T, sheet, texts, format string) {
		fuzzed(t, "a.xlsx", ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "S", Text: sheet}, {Name: "T", Text: sheet}},
			ooxmltest.Part{Name: "xl/sharedStrings.xml", Text: `<sst ` + ooxmltest.Sheet + `>` + texts + `</sst>`},
			ooxmltest.Part{Name: "xl/styles.xml", Text: `<styleSheet ` + ooxmltest.Sheet + `><numFmts><numFmt numFmtId="200" formatCode="` + escaped(format) + `"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`}))
	})
}

// FuzzGraphic reads what lies over the cells of a sheet, and the chart or diagram there.
func FuzzGraphic(f *testing.F) {
	f.Add(`<xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>2</xdr:row></xdr:from><xdr:sp><xdr:nvSpPr><xdr:cNvPr hidden="0"/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>a</a:t></a:r><a:br/></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor>`, "")
	f.Add(`<xdr:oneCellAnchor><xdr:graphicFrame><c:chart r:id="c"/></xdr:graphicFrame></xdr:oneCellAnchor>`, `<c:title><a:p><a:r><a:t>a</a:t></a:r></a:p></c:title><c:ser><c:tx><c:v>b</c:v></c:tx><c:cat><c:pt><c:v>c</c:v></c:pt></c:cat></c:ser>`)
	f.Add(`<xdr:absoluteAnchor><xdr:grpSp><xdr:graphicFrame><dgm:relIds r:dm="d"/></xdr:graphicFrame></xdr:grpSp></xdr:absoluteAnchor>`, `<dgm:pt><dgm:t><a:p><a:r><a:t>a</a:t></a:r></a:p></dgm:t></dgm:pt>`)
	f.Fuzz(func(t *testing.T, drawing, graphic string) {
		fuzzed(t, "a.xlsx", ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "S", Text: `<sheetData><row><c><v>1</v></c></row></sheetData><drawing r:id="d"/>`}},
			ooxmltest.Part{Name: "xl/worksheets/_rels/sheet1.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "d", Type: "drawing", Target: "../drawings/d.xml"})},
			ooxmltest.Part{Name: "xl/drawings/d.xml", Text: `<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:c="c" xmlns:dgm="d" ` + ooxmltest.Sheet + `>` + drawing + `</xdr:wsDr>`},
			ooxmltest.Part{Name: "xl/drawings/_rels/d.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "c", Type: "chart", Target: "../g.xml"}, ooxmltest.Relation{ID: "d", Type: "diagramData", Target: "../g.xml"})},
			ooxmltest.Part{Name: "xl/g.xml", Text: `<c:g xmlns:a="a" xmlns:c="c" xmlns:dgm="d">` + graphic + `</c:g>`}))
	})
}

func FuzzPPTX(f *testing.F) {
	f.Add(`<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></p:txBody></p:sp><p:grpSp><p:sp><p:spPr><a:xfrm><a:off x="1" y="-1"/></a:xfrm></p:spPr><p:txBody><a:p><a:r><a:t>b</a:t></a:r></a:p></p:txBody></p:sp></p:grpSp>`, `<p:sp><p:txBody><a:p/></p:txBody></p:sp>`)
	f.Add(`<p:graphicFrame><a:tbl><a:tr><a:tc rowSpan="3" gridSpan="2"><a:txBody><a:p><a:r><a:t>c</a:t></a:r></a:p></a:txBody></a:tc></a:tr><a:tr><a:tc/></a:tr></a:tbl></p:graphicFrame>`, "")
	f.Fuzz(func(t *testing.T, slide, notes string) {
		fuzzed(t, "a.pptx", ooxmltest.PPTX(t, []string{slide, "-" + slide}, map[int]string{1: notes}))
	})
}

func FuzzEPUB(f *testing.F) {
	f.Add(`<h1 id="a">a</h1><p>b</p><aside>c</aside><table><tr><th>d</th><td>e</td></tr></table>`, `<ol><li><a href="1.xhtml#a">a</a><ol><li><a href="2.xhtml">b</a></li></ol></li></ol>`, `<encryption/>`)
	f.Add(`<?xml version="1.0"?><html><head><title/><script/></head><body><p hidden=""/><![CDATA[<p>&]]><a id="a"/>b`, `<li><a href="%31.xhtml#a">x`, `<encryption><EncryptedData><CipherReference URI="OPS/f"/></EncryptedData></encryption>`)
	f.Add(`<p>a<br/><br/>b</p>`, `<ol><li><span>a</span><ol><li><a href="../../x">b</a></li></ol></li></ol>`, "")
	f.Fuzz(func(t *testing.T, page, nav, encryption string) {
		fuzzed(t, "a.epub", epubtest.Book{
			Pages: []epubtest.Page{{Name: "1.xhtml", Body: page}, {Name: "2.xhtml", Body: page, Aside: true}}, Nav: nav, NavInSpine: true,
			Parts: []ooxmltest.Part{{Name: "META-INF/encryption.xml", Text: encryption}},
		}.Bytes(t))
	})
}

func escaped(s string) string {
	out := ""
	for _, r := range s {
		switch r {
		case '"':
			out += "&quot;"
		case '<':
			out += "&lt;"
		case '&':
			out += "&amp;"
		default:
			out += string(r)
		}
	}
	return out
}

// TestMediaTypeTellsAnOfficeDocumentWithoutAName holds what reading an archived version again needs.
func TestMediaTypeTellsAnOfficeDocumentWithoutAName(t *testing.T) {
	for name, data := range map[string][]byte{
		"docx": ooxmltest.DOCX(t, `<w:p><w:r><w:t>正文</w:t></w:r></w:p>`),
		"xlsx": ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "S", Text: `<sheetData><row><c><v>1</v></c></row></sheetData>`}}),
		"pptx": ooxmltest.PPTX(t, []string{`<p:sp><p:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></p:txBody></p:sp>`}, nil),
		"epub": epubtest.Book{Pages: []epubtest.Page{{Name: "1.xhtml", Body: "<p>a</p>"}}}.Bytes(t),
	} {
		r, err := parse.Parse(context.Background(), parse.File{Name: "x." + name, Data: data})
		if err != nil || r.Format != name || r.Encoding != "" {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		again, err := parse.Parse(context.Background(), parse.File{MediaType: r.MediaType, Data: data})
		if err != nil || again.Format != name || again.Parsed.Text != r.Parsed.Text {
			t.Errorf("%s as %s: %+v, %v", name, r.MediaType, again, err)
		}
		for _, other := range []string{"a.docx", "a.xlsx", "a.pptx", "a.epub"} {
			if _, err := parse.Parse(context.Background(), parse.File{Name: other, Data: data}); other != "a."+name && problem.CodeOf(err) != "content_mismatch" {
				t.Errorf("%s as %s: %v", name, other, err)
			}
		}
	}
}

// TestOfficeDocumentWithoutTextSaysSo holds the notice that every format has.
func TestOfficeDocumentWithoutTextSaysSo(t *testing.T) {
	for name, data := range map[string][]byte{
		"a.docx": ooxmltest.DOCX(t, `<w:p/>`), "a.xlsx": ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "S", Text: `<sheetData/>`}}), "a.pptx": ooxmltest.PPTX(t, []string{`<p:pic/>`}, nil),
	} {
		r, err := parse.Parse(context.Background(), parse.File{Name: name, Data: data})
		if err != nil || len(r.Parsed.Blocks) != 0 || len(r.Parsed.Notices) != 1 || r.Parsed.Notices[0] != parse.NoTextLayer {
			t.Errorf("%s: %+v, %v", name, r.Parsed, err)
		}
	}
}
