// Package epubtest writes books for tests, valid ones and others.
package epubtest

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
)

// Page is a page of a book. Its name is that of a file in the folder OPS. A body that begins with "<?xml"
// or "<html" is the whole file.
type Page struct {
	Name, Body string
	Aside      bool // not in the order of reading
}

// Book is a book to be written.
type Book struct {
	Title string
	Pages []Page
	// Nav is what stands in the <nav> of the contents, NCX in the navMap of an older book's; "" for none.
	Nav, NCX string
	// NavInSpine puts the contents before the pages.
	NavInSpine bool
	// Parts are further entries of the archive, by their whole names. One that has the name of an entry
	// that would be written stands for it; one without text leaves it out.
	Parts []ooxmltest.Part
	// Items are further lines of the manifest.
	Items string
}

// Bytes writes the book.
func (b Book) Bytes(t testing.TB) []byte {
	t.Helper()
	parts := []ooxmltest.Part{
		{Name: "mimetype", Text: "application/epub+zip"},
		{Name: "META-INF/container.xml", Text: `<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`},
		{Name: "OPS/package.opf", Text: b.opf()},
	}
	if b.Nav != "" {
		parts = append(parts, ooxmltest.Part{Name: "OPS/nav.xhtml", Text: `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head><body><nav epub:type="landmarks"><ol><li><a href="nav.xhtml">landmark</a></li></ol></nav><nav epub:type="toc" id="toc"><h2>Contents of the book</h2>` + b.Nav + `</nav></body></html>`})
	}
	if b.NCX != "" {
		parts = append(parts, ooxmltest.Part{Name: "OPS/toc.ncx", Text: `<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>` + b.NCX + `</navMap></ncx>`})
	}
	for _, p := range b.Pages {
		parts = append(parts, ooxmltest.Part{Name: "OPS/" + p.Name, Text: whole(p.Body)})
	}
	return ooxmltest.Zip(t, replaced(parts, b.Parts)...)
}

func replaced(parts, by []ooxmltest.Part) []ooxmltest.Part {
	var out []ooxmltest.Part
	given := map[string]bool{}
	for _, p := range by {
		given[p.Name] = true
	}
	for _, p := range parts {
		if !given[p.Name] {
			out = append(out, p)
		}
	}
	for _, p := range by {
		if p.Text != "" {
			out = append(out, p)
		}
	}
	return out
}

func whole(body string) string {
	if strings.HasPrefix(body, "<?xml") || strings.HasPrefix(body, "<html") {
		return body
	}
	return `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>t</title></head><body>` + body + `</body></html>`
}

// opf writes the package document, with the manifest in another order than the spine.
func (b Book) opf() string {
	manifest, spine, toc := "", "", ""
	for i, p := range b.Pages {
		id := "p" + strconv.Itoa(i+1)
		address := (&url.URL{Path: p.Name}).EscapedPath()
		manifest = `<item id="` + id + `" href="` + address + `" media-type="application/xhtml+xml"/>` + manifest
		linear := ""
		if p.Aside {
			linear = ` linear="no"`
		}
		spine += `<itemref idref="` + id + `"` + linear + `/>`
	}
	if b.Nav != "" {
		manifest += `<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>`
	}
	if b.NavInSpine {
		spine = `<itemref idref="nav"/>` + spine
	}
	if b.NCX != "" {
		manifest += `<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`
		toc = ` toc="ncx"`
	}
	return `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>` + b.Title + `</dc:title><dc:title>Subtitle</dc:title></metadata><manifest>` + manifest + b.Items + `</manifest><spine` + toc + `>` + spine + `</spine></package>`
}
