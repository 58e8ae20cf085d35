package parse_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/problem"
)

const (
	fontKey  = "http://www.idpf.org/2008/embedding"
	adobeKey = "http://ns.adobe.com/pdf/enc#RC"
	aes      = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
)

// encryption writes which files of a book are encrypted, and how.
func encryption(files ...[2]string) ooxmltest.Part {
	out := `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">`
	for _, f := range files {
		out += `<enc:EncryptedData><enc:EncryptionMethod Algorithm="` + f[0] + `"/><KeyInfo><EncryptedKey><enc:EncryptionMethod Algorithm="` + fontKey + `"/></EncryptedKey></KeyInfo><enc:CipherData><enc:CipherReference URI="` + f[1] + `"/></enc:CipherData></enc:EncryptedData>`
	}
	return ooxmltest.Part{Name: "META-INF/encryption.xml", Text: out + `</encryption>`}
}

func TestAProtectedBookIsRefused(t *testing.T) {
	book := func(part ooxmltest.Part) []byte {
		return epubtest.Book{
			Pages: []epubtest.Page{{Name: "1.xhtml", Body: `<p>Text.</p>`}}, Nav: `<ol><li><a href="1.xhtml">One</a></li></ol>`,
			Parts: []ooxmltest.Part{part, {Name: "OPS/font.otf", Text: "font"}},
		}.Bytes(t)
	}
	for name, c := range map[string]struct {
		part ooxmltest.Part
		code string
	}{
		"a page":                       {encryption([2]string{aes, "OPS/1.xhtml"}), "document_encrypted"},
		"a page as if it were a font":  {encryption([2]string{fontKey, "OPS/1.xhtml"}), "document_encrypted"},
		"a page by another spelling":   {encryption([2]string{adobeKey, "ops/./%31.xhtml"}), "document_encrypted"},
		"the contents":                 {encryption([2]string{fontKey, "OPS/nav.xhtml"}), "document_encrypted"},
		"a style sheet":                {encryption([2]string{fontKey, "OPS/a.css"}), "document_encrypted"},
		"a picture":                    {encryption([2]string{fontKey, "OPS/font.otf"}, [2]string{aes, "OPS/cover.png"}), "document_encrypted"},
		"in no known way":              {encryption([2]string{"", "OPS/font.otf"}), "document_encrypted"},
		"fonts alone":                  {encryption([2]string{fontKey, "OPS/font.otf"}, [2]string{adobeKey, "OPS/font2.otf"}), ""},
		"nothing":                      {encryption(), ""},
		"what can't be told":           {ooxmltest.Part{Name: "META-INF/encryption.xml", Text: `<encryption><enc`}, "xml_malformed"},
		"rights without an encryption": {ooxmltest.Part{Name: "META-INF/rights.xml", Text: `<rights/>`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := parse.Parse(context.Background(), parse.File{Name: "a.epub", Data: book(c.part)})
			switch {
			case c.code == "" && (err != nil || r.Parsed.Text != "Text."):
				t.Errorf("the text is %q (%v)", r.Parsed.Text, err)
			case c.code != "" && (problem.CodeOf(err) != c.code || !problem.Is(err, problem.Invalid)):
				t.Errorf("it ends with %v, want %q", err, c.code)
			}
		})
	}
}

func TestWhatIsNoBookIsRefusedWithItsCause(t *testing.T) {
	page := []epubtest.Page{{Name: "1.xhtml", Body: `<p>Text.</p>`}}
	part := func(name, text string) []byte {
		return epubtest.Book{Pages: page, Parts: []ooxmltest.Part{{Name: name, Text: text}}}.Bytes(t)
	}
	const opf = "OPS/package.opf"
	manifest := func(href string) string {
		return `<package><manifest><item id="a" href="` + href + `" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`
	}
	whole := epubtest.Book{Pages: page}.Bytes(t)
	for name, c := range map[string]struct {
		data []byte
		code string
	}{
		"text":                            {[]byte("Text."), "content_mismatch"},
		"a PDF document":                  {[]byte("%PDF-1.7"), "content_mismatch"},
		"a Word document":                 {ooxmltest.DOCX(t, `<w:p/>`), "content_mismatch"},
		"an archive of files":             {ooxmltest.Zip(t, ooxmltest.Part{Name: "a.txt", Text: "a"}), "content_mismatch"},
		"what says it is another":         {part("mimetype", "application/zip"), "content_mismatch"},
		"cut off":                         {whole[:len(whole)/2], "archive_malformed"},
		"no container":                    {part("META-INF/container.xml", ""), "archive_malformed"},
		"a container that names nothing":  {part("META-INF/container.xml", `<container><rootfiles><rootfile full-path="x" media-type="application/pdf"/></rootfiles></container>`), "archive_malformed"},
		"a container that leads out":      {part("META-INF/container.xml", `<container><rootfiles><rootfile full-path="../../etc/passwd" media-type="application/oebps-package+xml"/></rootfiles></container>`), "archive_bad_name"},
		"a container that is no XML":      {part("META-INF/container.xml", `<container>&`), "xml_malformed"},
		"no package document":             {part(opf, ""), "archive_malformed"},
		"another package document":        {part(opf, `<html/>`), "archive_malformed"},
		"no page":                         {part(opf, `<package><spine/></package>`), "archive_malformed"},
		"a page outside":                  {part(opf, manifest("../../etc/passwd")), "archive_bad_name"},
		"a page outside, percent-encoded": {part(opf, manifest("%2e%2e/%2E%2E/etc/passwd")), "archive_bad_name"},
		"entities":                        {part(opf, `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><package>&b;</package>`), "xml_doctype"},
		"entities in the contents":        {epubtest.Book{Pages: page, NCX: `x`, Parts: []ooxmltest.Part{{Name: "OPS/toc.ncx", Text: `<!DOCTYPE ncx [<!ENTITY a SYSTEM "file:///etc/passwd">]><ncx><navMap>&a;</navMap></ncx>`}}}.Bytes(t), "xml_doctype"},
		"nested without end":              {part(opf, `<package>`+strings.Repeat("<metadata><dc-metadata>", 400)), "xml_depth_limit"},
		"contents nested without end":     {epubtest.Book{Pages: page, Nav: strings.Repeat("<ol><li>", 400)}.Bytes(t), "xml_depth_limit"},
		"a page that expands":             {part("OPS/1.xhtml", "<p>"+strings.Repeat(" ", 12<<20)+"</p>"), "archive_expansion_limit"},
		"a page that is too long":         {epubtest.Book{Pages: page, Parts: []ooxmltest.Part{{Name: "OPS/1.xhtml", Text: strings.Repeat("没有标点的一行字，", 1<<20)}}}.Bytes(t), "archive_expansion_limit"},
		"two files of one name":           {epubtest.Book{Pages: []epubtest.Page{page[0], page[0]}}.Bytes(t), "archive_duplicate_name"},
		"hidden elements without end":     {part("OPS/1.xhtml", strings.Repeat("<b>", 3000)+`<p hidden="">x</p>`), "too_deep"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse.Parse(context.Background(), parse.File{Name: "a.epub", Data: c.data})
			if problem.CodeOf(err) != c.code || !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), "a.epub") {
				t.Errorf("it ends with %v, want %s", err, c.code)
			}
			if _, err := (parse.Limits{}).Resolve(context.Background(), parse.File{Name: "a.epub", Data: c.data}, nil); err == nil {
				t.Error("nothing was resolved, and there is no error")
			}
		})
	}
	for _, name := range []string{"a.docx", "a.xlsx", "a.txt"} {
		if _, err := parse.Parse(context.Background(), parse.File{Name: name, Data: whole}); problem.CodeOf(err) != "content_mismatch" {
			t.Errorf("a book as %s: %v", name, err)
		}
	}
}

func TestABookIsBoundedAsAWhole(t *testing.T) {
	var b epubtest.Book
	for i := range 30 {
		b.Pages = append(b.Pages, epubtest.Page{Name: string(rune('a'+i%26)) + strings.Repeat("x", i) + ".xhtml", Body: strings.Repeat("<p>a</p>", 40)})
	}
	data := b.Bytes(t)
	for places, full := range map[int]bool{30 * 40: false, 30*40 - 1: true, 20: true} {
		_, err := parse.Limits{Places: places}.Parse(context.Background(), parse.File{Name: "a.epub", Data: data})
		if full && problem.CodeOf(err) != "too_large" || !full && err != nil {
			t.Errorf("with %d places it ends with %v", places, err)
		}
	}
	// A page that the spine names ten thousand times is there once.
	again := `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>` + strings.Repeat(`<itemref idref="a"/>`, 10_000) + `</spine></package>`
	r := readBook(t, epubtest.Book{Pages: b.Pages[:1], Parts: []ooxmltest.Part{{Name: "OPS/package.opf", Text: again}}})
	if len(r.Parsed.Blocks) != 40 || len(r.Parsed.Notices) != 0 {
		t.Errorf("it has %d blocks and the notices %v", len(r.Parsed.Blocks), r.Parsed.Notices)
	}
}
