package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
)

// paper is a PDF file of one page with one line of text.
func paper(line string) string {
	content := "BT /F1 14 Tf 72 700 Td (" + line + ") Tj ET"
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(content), content),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
	}
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	places := make([]int, len(objects))
	for i, o := range objects {
		places[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj%s endobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, p := range places {
		fmt.Fprintf(&b, "%010d 00000 n \n", p)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, at)
	return b.String()
}

// Each kind of document opens beside the answer, is named by its place in words, and is marked there.
func TestEachKindOfSourceOpensAtItsPlace(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	cell := func(ref, text string) string {
		return `<c r="` + ref + `" t="inlineStr"><is><t>` + text + `</t></is></c>`
	}
	shape := `<p:sp><p:nvSpPr><p:cNvPr id="2" name="T"/><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>%s</a:t></a:r></a:p></p:txBody></p:sp>`
	kinds := []struct{ name, text, question, quote, place string }{
		{"gasket.docx", string(ooxmltest.DOCX(t, `<w:p><w:r><w:t>The gasket torque of the Orlov pump is 41 newton metres.</w:t></w:r></w:p>`)),
			"What is the gasket torque of the Orlov pump?", "41 newton metres", "Paragraph 1"},
		{"quota.xlsx", string(ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "Quotas", Text: `<sheetData><row r="1">` + cell("A1", "Quota") + cell("B1", "Amount") + `</row><row r="2">` +
			cell("A2", "The zebra feed quota in Lima") + cell("B2", "77 bales") + `</row></sheetData>`}})),
			"What is the zebra feed quota in Lima?", "77 bales", "Sheet Quotas"},
		{"launch.pptx", string(ooxmltest.PPTX(t, []string{fmt.Sprintf(shape, "Agenda"), fmt.Sprintf(shape, "The launch of the Marigold sensor is on 14 March 2027.")}, nil)),
			"When is the launch of the Marigold sensor?", "14 March 2027", "Slide 2"},
		{"keepers.epub", string(epubtest.Book{Title: "Keepers", Nav: `<ol><li><a href="1.xhtml">Lights</a></li><li><a href="2.xhtml">Horns</a></li></ol>`, Pages: []epubtest.Page{
			{Name: "1.xhtml", Body: `<p>Of lights.</p>`}, {Name: "2.xhtml", Body: `<p>The foghorn of the Skerry rock sounds every 95 seconds.</p>`},
		}}.Bytes(t)), "How often does the foghorn of the Skerry rock sound?", "95 seconds", "Horns"},
		{"valve.pdf", paper("The service interval of the Kestrel valve is 18 months."), "What is the service interval of the Kestrel valve?", "18 months", "Page 1"},
		{"plant.dxf", dxftest.Drawing(dxftest.Text("1F3A", "PIPE-02", "The design pressure of the Osprey line is 16 bar.", 10, 20)),
			"What is the design pressure of the Osprey line?", "16 bar", "Layer PIPE-02, object 1F3A"},
		{"flow.svg", `<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 900 100"><g i:groupmode="layer" i:label="Cooling"><text y="20">The flow of the Petrel cooler is 12 litres a minute.</text></g></svg>`,
			"What is the flow of the Petrel cooler?", "12 litres a minute", "Layer Cooling"},
		{"crane.csv", "item,limit\nLoad limit of the Heron crane,6400 kg\nLoad limit of the Stork crane,900 kg\n", "What is the load limit of the Heron crane?", "6400 kg", "Row"},
		{"badge.html", "<!doctype html><title>Badges</title><h1>Badges</h1><p>A lost badge of the Tallinn office costs 35 euros.</p>", "What does a lost badge of the Tallinn office cost?", "35 euros", "Badges"},
		{"depot.md", "# Depot\n\n## Keys\n\nThe keys of the Tromso depot are with the porter of hall 7.\n", "With whom are the keys of the Tromso depot?", "porter of hall 7", "Depot › Keys"},
		{"offer.eml", "From: Ida <ida@example.org>\r\nTo: Ole <ole@example.org>\r\nSubject: Tender for Kiruna\r\nDate: Fri, 1 May 2026 10:00:00 +0000\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nThe tender for the Kiruna bridge closes on 9 June 2026.\r\n",
			"When does the tender for the Kiruna bridge close?", "9 June 2026", "Tender for Kiruna"},
		{"lamp.txt", "Lamps\n\nThe lamp of the Bergen lighthouse has 1200 watts.\n", "How many watts has the lamp of the Bergen lighthouse?", "1200 watts", "Line 3"},
	}
	for _, k := range kinds {
		s.upload("carol", "kb-support", k.name, "", k.text)
	}
	p := open(t, s, look{lang: "en-GB"}).as("alice")
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			p.t = t
			p.visit("/")
			p.ask(k.question)
			p.answered()
			p.click(`article [data-cite]`)
			p.says(`[data-excerpt] mark`, k.quote)
			p.says(`aside[data-source] header`, k.place)
			p.click(`[data-view=document]`)
			p.says(`[data-document] mark`, k.quote)
			if strings.HasSuffix(k.name, ".epub") {
				p.click(`[data-document] nav button`)
				p.until(`document.querySelector("[data-document] .doc-chapter").innerText.includes("Of lights.")`)
				p.click(`[data-document] nav button:not(:disabled)`)
				p.says(`[data-document] .doc-chapter mark`, k.quote)
			}
			if strings.HasSuffix(k.name, ".pdf") {
				p.until(`[...document.querySelectorAll("aside[data-source] img")].some((i) => i.naturalWidth === 1200)`)
				p.shot("page-en-light")
			}
		})
	}
	p.t = t
}
