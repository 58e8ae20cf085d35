package preview_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"html"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/preview/previewtest"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// cases are the hostile texts of third parties, and some of our own that need no data.
func cases(t *testing.T) []previewtest.Case {
	t.Helper()
	return append(sharedtest.Records[previewtest.Case](t, "security", "markdown_xss.jsonl"), own...)
}

var own = []previewtest.Case{
	{ID: "script", Markdown: "a <script>alert(1)</script> b", Never: []string{"<script"}},
	{ID: "handler", Markdown: `x" onmouseover="alert(1)`, Never: []string{` onmouseover="`}},
	{ID: "link", Markdown: "[x](javascript:alert(1)) <https://evil.invalid> [y]", Never: []string{"href"}},
	{ID: "picture", Markdown: "![x](https://evil.invalid/p.gif)", Never: []string{"<img", "src="}},
	{ID: "fence", Markdown: "```x\" onclick=\"y\n</code></pre><script>\n```", Never: []string{"<script", "onclick=\""}},
	{ID: "turned", Markdown: "付款给 \u202eecilA\u202c\u2066\u200e", Scope: "all", Never: []string{"\u202e", "\u202c", "\u2066", "\u200e"}},
	{ID: "hidden", Markdown: "批\u200b准\ufeff \U000e0041\U000e0100 a\u00adb", Scope: "all", Never: []string{"\u200b", "\ufeff", "\U000e0041", "\U000e0100", "\u00ad"}},
	{ID: "terminal", Markdown: "a\x1b[31m\x07\x00b", Scope: "all", Never: []string{"\x1b", "\x07", "\x00"}},
	{ID: "entity", Markdown: "&lt;script&gt; &#60;img src=x&#62; &amp;lt;b&amp;gt;", Never: []string{"<script", "<img", "<b>"}},
}

// judged holds a case against a rendering.
func judged(t *testing.T, c previewtest.Case, fragment string) {
	t.Helper()
	for _, fault := range previewtest.Judge(c, fragment) {
		t.Errorf("%s: %s in %.600q", c.ID, fault, fragment)
	}
}

// asText is a case for a format in which its Markdown is text: what Markdown would not show is there
// to be read, and what a format has no way to say is not demanded.
func asText(c previewtest.Case) previewtest.Case {
	c.Always = nil
	if c.Class == "comment_cdata" {
		c.Scope = ""
	}
	return c
}

// rendered renders a file page by page, or returns nothing for one that is refused.
func rendered(t *testing.T, name string, data []byte) (string, bool) {
	t.Helper()
	result, err := parse.Parse(context.Background(), parse.File{Name: name, Data: data})
	if err != nil {
		return "", false
	}
	var b strings.Builder
	for _, f := range whole(t, stored(result.Parsed)) {
		b.WriteString(f.HTML)
	}
	return b.String(), true
}

func TestHostileMarkdownIsHarmlessInEveryFormat(t *testing.T) {
	formats := map[string]func(t *testing.T, s string) (string, []byte){
		"md":      func(_ *testing.T, s string) (string, []byte) { return "a.md", []byte(s) },
		"md item": func(_ *testing.T, s string) (string, []byte) { return "a.md", []byte("- " + s) },
		"md cell": func(_ *testing.T, s string) (string, []byte) {
			return "a.md", []byte("| a | b |\n|---|---|\n| " + s + " | c |\n")
		},
		"md title": func(_ *testing.T, s string) (string, []byte) { return "a.md", []byte("# " + s) },
		"md quote": func(_ *testing.T, s string) (string, []byte) { return "a.md", []byte("> " + s) },
		"txt":      func(_ *testing.T, s string) (string, []byte) { return "a.txt", []byte(s) },
		"html":     func(_ *testing.T, s string) (string, []byte) { return "a.html", []byte("<p>x</p>" + s + "<p>y</p>") },
		"html text": func(_ *testing.T, s string) (string, []byte) {
			return "a.html", []byte("<p>" + html.EscapeString(s) + "</p>")
		},
		"csv": func(t *testing.T, s string) (string, []byte) { return "a.csv", separated(t, s) },
		"eml": func(_ *testing.T, s string) (string, []byte) {
			return "a.eml", []byte("Subject: s\n\n" + s)
		},
		"eml html": func(_ *testing.T, s string) (string, []byte) {
			return "a.eml", []byte("Subject: s\nContent-Type: text/html\n\n<p>x</p>" + s + "<p>y</p>")
		},
		"eml header": func(_ *testing.T, s string) (string, []byte) {
			s = s[:min(len(s), 2000)] // an encoded word is no longer
			word := "=?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
			return "a.eml", []byte("Subject: " + word + "\nContent-Type: application/x; name=\"" + word + "\"\n\n?")
		},
		"docx": func(t *testing.T, s string) (string, []byte) {
			return "a.docx", ooxmltest.DOCX(t, `<w:p><w:r><w:t xml:space="preserve">`+escaped(s)+`</w:t></w:r></w:p>`)
		},
		"xlsx": func(t *testing.T, s string) (string, []byte) {
			cell := `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>` + escaped(s) + `</t></is></c><c r="B1"><v>1</v></c></row></sheetData>`
			return "a.xlsx", ooxmltest.XLSX(t, []ooxmltest.Part{{Name: escaped(s), Text: cell}})
		},
		"epub": func(t *testing.T, s string) (string, []byte) {
			return "a.epub", epubtest.Book{Pages: []epubtest.Page{{Name: "1.xhtml", Body: "<p>x</p>" + s + "<p>y</p>"}, {Name: "2.xhtml", Body: "<p>" + escaped(s) + "</p>"}}}.Bytes(t)
		},
		"pptx": func(t *testing.T, s string) (string, []byte) {
			return "a.pptx", ooxmltest.PPTX(t, []string{`<p:sp><p:nvSpPr><p:cNvPr id="2" name="T"/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>` + escaped(s) + `</a:t></a:r></a:p></p:txBody></p:sp>`}, nil)
		},
		"dxf": func(_ *testing.T, s string) (string, []byte) {
			s = strings.NewReplacer("\r", "^M", "\n", "^J", "\x00", "").Replace(s)
			return "a.dxf", []byte(dxftest.Drawing(dxftest.Text(s, s, s, 1, 2) + dxftest.Insert("0", "B", 0, 0) + dxftest.Tags(0, "ATTRIB", 2, s, 1, "v", 10, 1, 20, 1)))
		},
		"svg": func(_ *testing.T, s string) (string, []byte) {
			s = escaped(s)
			return "a.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="urn:i"><g i:groupmode="layer" i:label="` + s + `"><text id="` + s + `" x="` + s + `" y="20">` + s + `</text></g></svg>`)
		},
		"svg title": func(_ *testing.T, s string) (string, []byte) {
			return "a.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><title>` + escaped(s) + `</title><text y="20">x</text></svg>`)
		},
		"svg inside": func(_ *testing.T, s string) (string, []byte) {
			return "a.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><text y="20">` + s + `</text></svg>`)
		},
	}
	mostlyRefused := map[string]bool{"svg inside": true} // what is no well-formed XML
	all := cases(t)
	for name, file := range formats {
		t.Run(name, func(t *testing.T) {
			seen := 0
			for _, c := range all {
				if name != "md" {
					c = asText(c)
				}
				fileName, data := file(t, c.Markdown)
				if fragment, ok := rendered(t, fileName, data); ok {
					seen++
					judged(t, c, fragment)
				}
			}
			t.Logf("%d of %d cases were rendered; the others are refused as files", seen, len(all))
			if seen < len(all)*9/10 && !mostlyRefused[name] || seen == 0 {
				t.Errorf("only %d of %d cases were rendered", seen, len(all))
			}
		})
	}
}

// escaped is a text as XML, without what XML has no way to say.
func escaped(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == utf8.RuneError || r == 0xfffe {
			return -1
		}
		return r
	}, s))
}

func separated(t *testing.T, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll([][]string{{"h", s}, {s, "x"}}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHostileMarkdownIsHarmlessAsStoredText(t *testing.T) {
	for _, c := range cases(t) {
		for _, kind := range []corpus.BlockKind{corpus.Paragraph, corpus.Heading, corpus.ListItem, corpus.Code, corpus.Quote, corpus.TableHead, corpus.TableRow, "unknown"} {
			if len(c.Markdown) > 1000 && kind != corpus.Paragraph && kind != corpus.TableRow {
				continue // what costs time is judged in each format
			}
			text := []rune(strings.ToValidUTF8(c.Markdown, "\ufffd"))
			for _, l := range []corpus.Locator{
				corpus.TextLocator{Format: "md", Line: 1}, corpus.TextLocator{Format: "html", Line: 1, Element: c.Markdown}, corpus.CSVLocator{Row: 1, Col: 2, Header: c.Markdown, Range: c.Markdown},
				corpus.DOCXLocator{Paragraph: 1, Part: c.Markdown, ID: c.Markdown}, corpus.XLSXLocator{Sheet: c.Markdown, Cell: c.Markdown, Range: c.Markdown, Row: 1, Col: 1},
				corpus.DXFLocator{Layer: c.Markdown, Shown: c.Markdown, Hidden: true}, corpus.DXFLocator{Layer: c.Markdown, No: 1, Handle: c.Markdown, Shown: "model"},
				corpus.SVGLocator{Layer: c.Markdown, Element: c.Markdown, ID: c.Markdown},
				corpus.PPTXLocator{Slide: 1, Part: c.Markdown}, corpus.EPUBLocator{Spine: 1, Href: c.Markdown, Element: c.Markdown},
			} {
				span := corpus.Span{End: len(text)}
				doc := stored(corpus.Parsed{Text: string(text), Blocks: []corpus.Block{{Kind: kind, Level: 2, Head: -1, Span: span, Segments: []corpus.Segment{{Span: span, Locator: l}}}}})
				var b strings.Builder
				for _, f := range whole(t, doc) {
					b.WriteString(f.HTML)
				}
				judged(t, asText(c), b.String())
			}
		}
	}
}
