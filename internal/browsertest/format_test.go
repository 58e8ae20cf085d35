package browsertest

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

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
				p.boxed(72, 842-714, 403.5, 842-696, 595, 842)
				p.shot("page-en-light")
			}
		})
	}
	p.t = t
}

// boxed holds the marks on the picture of a page, which are its only colours, against the place where its text
// stands: they lie around it, and nowhere else.
func (p *page) boxed(left, top, right, bottom, width, height float64) {
	p.t.Helper()
	at := eval[[]float64](p, `(async () => {
		const img = document.querySelector('aside[data-source] img'), c = new OffscreenCanvas(img.naturalWidth, img.naturalHeight), g = c.getContext('2d')
		await img.decode()
		g.drawImage(img, 0, 0)
		const {data, width: w, height: h} = g.getImageData(0, 0, c.width, c.height)
		let l = w, t = h, r = -1, b = -1
		for (let i = 0; i < data.length; i += 4) {
			if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) < 40) continue
			const x = i / 4 % w, y = Math.floor(i / 4 / w)
			l = Math.min(l, x); r = Math.max(r, x); t = Math.min(t, y); b = Math.max(b, y)
		}
		return [l / w, t / h, r / w, b / h]
	})()`)
	const slack = 0.03
	for i, want := range []float64{left / width, top / height, right / width, bottom / height} {
		if at[i] < want-slack || at[i] > want+slack {
			p.t.Errorf("the mark lies at %.3f, the text from %.3f, %.3f to %.3f, %.3f of the page", at, left/width, top/height, right/width, bottom/height)
			return
		}
	}
}

// A picture of a sign, whose text a program recognises, opens with a box around its words.
func TestAPictureOpensWithItsWordsMarked(t *testing.T) {
	chromium(t)
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Skip("tesseract is not installed, which recognises text on pictures")
	}
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB", width: 1000, height: 500})
	var sign []byte
	p.run(chromedp.Navigate("about:blank"), chromedp.Evaluate(`document.body.innerHTML = '<p style="position:absolute;left:100px;top:200px;margin:0;font:32px/40px sans-serif;white-space:nowrap" id=sign>The gate of the Alta quarry closes at 1930 hours.</p>'`, nil))
	box := eval[[]float64](p, `(() => { const r = document.getElementById('sign').getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom] })()`)
	p.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		sign, err = cdppage.CaptureScreenshot().WithFormat(cdppage.CaptureScreenshotFormatPng).Do(ctx)
		return err
	}))
	s.upload("carol", "kb-support", "sign.png", "", string(sign))
	p = open(t, s, look{lang: "en-GB"}).as("alice")
	p.ask("When does the gate of the Alta quarry close?")
	p.answered()
	p.click(`article [data-cite]`)
	p.says(`[data-excerpt] mark`, "1930 hours")
	p.click(`[data-view=document]`)
	p.until(`document.querySelector("aside[data-source] img")?.naturalWidth > 0`)
	p.boxed(box[0], box[1], box[2], box[3], 1000, 500)
}
