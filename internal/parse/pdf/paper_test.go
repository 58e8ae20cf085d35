package pdf_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/pdf"
)

// paper writes small PDF documents. Object 1 is the catalog, 2 the tree of pages, 3 to 5 are fonts:
// F1 is plain, F2 bold, F3 a font whose codes mean what the map of each test says.
type paper struct {
	catalog string // more entries
	trailer string
	cmap    string // of F3: lines of bfchar
	pages   []leaf
	more    []string // objects after those of the pages
}

// leaf is a page: what is drawn, and more entries of its dictionary.
type leaf struct{ draw, entries string }

// firstPage is the number of the first page's object; its content is the next one.
const firstPage = 7

func (p paper) bytes() []byte {
	kids := make([]string, len(p.pages))
	for i := range p.pages {
		kids[i] = fmt.Sprintf("%d 0 R", firstPage+2*i)
	}
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R " + p.catalog + " >>",
		fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids)),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
		stream("", "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange "+
			fmt.Sprint(strings.Count(p.cmap, "\n"))+" beginbfchar\n"+p.cmap+"endbfchar endcmap end"),
	}
	for i, l := range p.pages {
		entries := l.entries
		if !strings.Contains(entries, "/MediaBox") {
			entries += " /MediaBox [0 0 600 800]"
		}
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> /ExtGState << /Clear << /ca 0 >> /Pale << /ca 0.02 >> >> >> %s >>", firstPage+2*i+1, entries),
			stream("", l.draw))
	}
	return assemble(append(objects, p.more...), p.trailer)
}

func stream(entries, body string) string {
	return fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(body), entries, body)
}

func assemble(objects []string, trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, start)
	return b.Bytes()
}

// at draws text of a size with its base line at a place.
func at(x, y, size int, text string) string { return draw("F1", x, y, size, text) }

func draw(font string, x, y, size int, text string) string {
	text = strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`).Replace(text)
	return fmt.Sprintf("BT /%s %d Tf 1 0 0 1 %d %d Tm (%s) Tj ET\n", font, size, x, y, text)
}

// page is a document of one page.
func page(draw ...string) paper { return paper{pages: []leaf{{draw: strings.Join(draw, "")}}} }

var shared = sync.OnceValue(func() *pdf.Engine {
	base, err := os.UserCacheDir()
	if err != nil {
		return &pdf.Engine{}
	}
	return &pdf.Engine{Dir: filepath.Join(base, "kaoju", "pdfium")}
})

func read(t testing.TB, p paper) corpus.Parsed {
	t.Helper()
	parsed, err := shared().Parse(t.Context(), p.bytes(), pdf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// blocks writes each block with its kind.
func blocks(p corpus.Parsed) []string {
	text := []rune(p.Text)
	out := make([]string, len(p.Blocks))
	for i, b := range p.Blocks {
		out[i] = fmt.Sprintf("%s: %s", b.Kind, string(text[b.Span.Start:b.Span.End]))
	}
	return out
}

// placed returns the place of the segment that has exactly this text.
func placed(t testing.TB, p corpus.Parsed, text string) corpus.PDFLocator {
	t.Helper()
	all := []rune(p.Text)
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			if string(all[s.Span.Start:s.Span.End]) == text {
				return s.Locator.(corpus.PDFLocator)
			}
		}
	}
	t.Fatalf("no segment is %q in %q", text, p.Text)
	return corpus.PDFLocator{}
}
