package parse_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
)

// styled is a book of one page with links to style sheets.
func styled(links string, body string, sheets ...ooxmltest.Part) epubtest.Book {
	return epubtest.Book{
		Pages: []epubtest.Page{{Name: "1.xhtml", Body: `<html xmlns="http://www.w3.org/1999/xhtml"><head>` + links + `</head><body>` + body + `</body></html>`}}, Parts: sheets,
	}
}

func link(href string) string { return `<link rel="stylesheet" href="` + href + `"/>` }

func TestTheLastStyleSheetDecides(t *testing.T) {
	sheets := []ooxmltest.Part{{Name: "OPS/a.css", Text: `.x{display:none}`}, {Name: "OPS/b.css", Text: `.x{display:block}.y{display:none}`}}
	const body = `<p class="x">First.</p><p class="y">Second.</p><p>Third.</p>`
	for links, want := range map[string]string{
		link("a.css"): "Second.\n\nThird.", link("a.css") + link("b.css"): "First.\n\nThird.", link("b.css") + link("a.css"): "Third.",
		link("a.css") + link("b.css") + link("a.css#again"):                               "Third.",
		link("a.css") + link("b.css") + link("./a.css") + link("b.css"):                   "First.\n\nThird.",
		link("a.css") + `<style>.x{display:block}</style>` + link("b.css") + link("none"): "First.\n\nThird.",
		`<style>.x{display:block}</style>` + link("a.css"):                                "Second.\n\nThird.",
	} {
		r, err := parse.Parse(t.Context(), parse.File{Name: "a.epub", Data: styled(links, body, sheets...).Bytes(t)})
		if err != nil || r.Parsed.Text != want {
			t.Errorf("%s: %q, %v; want %q", links, r.Parsed.Text, err, want)
		}
	}
}

func TestADamagedStyleSheetIsSaid(t *testing.T) {
	book := styled(link("a.css"), `<p class="x">Text.</p>`, ooxmltest.Part{Name: "OPS/a.css", Text: `.x{display:none}` + strings.Repeat(" ", 1<<20)})
	r, err := parse.Parse(t.Context(), parse.File{Name: "a.epub", Data: book.Bytes(t)})
	if err != nil || !slices.Contains(r.Parsed.Notices, "part_left_out") {
		t.Errorf("%q, %v, %v", r.Parsed.Text, r.Parsed.Notices, err)
	}
}

// TestAStyleSheetIsReadOnceHoweverOftenItIsReferredTo has no clock: a sheet of a million bytes that is read for each of
// two hundred thousand references would not end in the test's time.
func TestAStyleSheetIsReadOnceHoweverOftenItIsReferredTo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // so that the archive does not look like a bomb
	var css, links strings.Builder
	for css.Len() < 1_000_000 {
		fmt.Fprintf(&css, ".c%x{color:#%06x;display:none}\n", random.Uint64(), random.Uint32N(1<<24))
	}
	for range 200_000 {
		fmt.Fprintf(&links, "<link rel='stylesheet' href='a.css#%x'/>", random.Uint64())
	}
	css.WriteString(".x{display:none}")
	book := styled(links.String(), `<p class="x">Secret.</p><p>Seen.</p>`, ooxmltest.Part{Name: "OPS/a.css", Text: css.String()})
	r, err := parse.Parse(context.Background(), parse.File{Name: "a.epub", Data: book.Bytes(t)})
	if err != nil || r.Parsed.Text != "Seen." {
		t.Errorf("%.200q, %v", r.Parsed.Text, err)
	}
}

func TestNamesOfChaptersAreBoundedInDepth(t *testing.T) {
	const deep = 60
	var nav strings.Builder
	for i := range deep {
		fmt.Fprintf(&nav, `<ol><li><a href="1.xhtml#p%d">Part %d</a>`, i, i)
	}
	nav.WriteString(strings.Repeat(`</li></ol>`, deep))
	var body strings.Builder
	for i := range deep {
		fmt.Fprintf(&body, `<p id="p%d">Text %d.</p>`, i, i)
	}
	var points strings.Builder
	for i := range deep {
		fmt.Fprintf(&points, `<navPoint><navLabel><text>Part %d</text></navLabel><content src="1.xhtml#p%d"/>`, i, i)
	}
	points.WriteString(strings.Repeat(`</navPoint>`, deep))
	for name, book := range map[string]epubtest.Book{"nav": {Nav: nav.String()}, "ncx": {NCX: points.String()}} {
		book.Pages = []epubtest.Page{{Name: "1.xhtml", Body: body.String()}}
		r, err := parse.Parse(t.Context(), parse.File{Name: "a.epub", Data: book.Bytes(t)})
		if err != nil || len(r.Parsed.Blocks) != deep {
			t.Fatalf("%s: %d blocks, %v", name, len(r.Parsed.Blocks), err)
		}
		for i, b := range r.Parsed.Blocks {
			if want := min(i+1, 20); len(b.HeadingPath) != want {
				t.Errorf("%s: the path of block %d has %d names, want %d", name, i, len(b.HeadingPath), want)
			}
		}
	}
}
