package epub_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/epub"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// plain reads a page of lines: "#N name" is a heading, "@id" a mark, anything else a paragraph.
type plain struct {
	pages []string
	// also is called with each page, and its error is the reader's.
	also func(epub.Page) error
}

func (r *plain) Read(_ context.Context, p epub.Page) (corpus.Parsed, error) {
	r.pages = append(r.pages, p.Name)
	if r.also != nil {
		if err := r.also(p); err != nil {
			return corpus.Parsed{}, err
		}
	}
	var out corpus.Parsed
	path := []string{}
	at := 0
	_, body, _ := strings.Cut(string(p.Data), "<body>")
	body, _, _ = strings.Cut(body, "</body>")
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if id, ok := strings.CutPrefix(line, "@"); ok {
			if _, wanted := p.Marks[id]; wanted {
				p.Marks[id] = at
			}
			continue
		}
		b := corpus.Block{Kind: corpus.Paragraph, Head: -1, Span: corpus.Span{Start: at, End: at + utf8.RuneCountInString(line)}}
		if strings.HasPrefix(line, "#") {
			level := int(line[1] - '0')
			b.Kind, b.Level = corpus.Heading, level
			path = append(slices.Clip(path[:min(level-1, len(path))]), line[3:])
		}
		b.HeadingPath = path
		b.Segments = []corpus.Segment{{Span: b.Span, Locator: corpus.TextLocator{Format: "html", Heading: path, Char: [2]int{b.Span.Start, b.Span.End}}}}
		out.Blocks = append(out.Blocks, b)
		out.Text += line + "\n"
		at = b.Span.End + 1
	}
	return out, nil
}

func (r *plain) Find(_ context.Context, p epub.Page, char [2]int) (string, error) {
	if r.also != nil {
		return "", r.also(p)
	}
	return p.Name, nil
}

func options(r epub.Reader) epub.Options {
	return epub.Options{Layout: layout.Limits{Places: 10_000, Bytes: 1 << 20}, Reader: r}
}

func threePages(t testing.TB) []byte {
	return epubtest.Book{Pages: []epubtest.Page{{Name: "a.xhtml", Body: "<p>a</p>"}, {Name: "b.xhtml", Body: "<p>b</p>"}, {Name: "c.xhtml", Body: "<p>c</p>"}}}.Bytes(t)
}

func TestReadingStopsBetweenPagesWhenItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := &plain{also: func(epub.Page) error { cancel(); return nil }}
	if _, err := epub.Parse(ctx, threePages(t), options(r)); !errors.Is(err, context.Canceled) || len(r.pages) != 1 {
		t.Errorf("after %v it ends with %v", r.pages, err)
	}
}

func TestWhatAPageIsRefusedForRefusesTheBook(t *testing.T) {
	refusal := ooxml.Refuse("too_deep", "has something")
	for _, want := range []error{refusal, layout.ErrFull, context.DeadlineExceeded} {
		r := &plain{also: func(p epub.Page) error {
			if p.Name == "OPS/b.xhtml" {
				return want
			}
			return nil
		}}
		if _, err := epub.Parse(context.Background(), threePages(t), options(r)); !errors.Is(err, want) || len(r.pages) != 2 {
			t.Errorf("it ends with %v, want %v", err, want)
		}
		at := corpus.EPUBLocator{Spine: 2, Href: "OPS/b.xhtml", Char: [2]int{0, 9}}
		if _, _, err := epub.Resolve(context.Background(), threePages(t), options(r), at); !errors.Is(err, want) {
			t.Errorf("the place ends with %v, want %v", err, want)
		}
	}
}

func TestAPageThatIsNoTextIsLeftOut(t *testing.T) {
	r := &plain{also: func(p epub.Page) error {
		if p.Name == "OPS/b.xhtml" {
			return epub.ErrUnreadable
		}
		return nil
	}}
	p, err := epub.Parse(context.Background(), threePages(t), options(r))
	if err != nil || len(r.pages) != 3 || !slices.Equal(p.Notices, []string{ooxml.PartLeftOut}) {
		t.Errorf("pages %v, notices %v: %v", r.pages, p.Notices, err)
	}
	at := corpus.EPUBLocator{Spine: 2, Href: "OPS/b.xhtml", Char: [2]int{0, 9}}
	if text, ok, err := epub.Resolve(context.Background(), threePages(t), options(r), at); text != "" || ok || err != nil {
		t.Errorf("a place on it opens to %q, %v, %v", text, ok, err)
	}
}

func TestTextBeyondTheLimitIsRefused(t *testing.T) {
	for bytes, full := range map[int]bool{20: false, 19: true, 1: true} {
		o := options(&plain{})
		o.Layout.Bytes = bytes
		_, err := epub.Parse(context.Background(), epubtest.Book{Pages: []epubtest.Page{{Name: "a.xhtml", Body: "12345678"}, {Name: "b.xhtml", Body: "12345678"}}}.Bytes(t), o)
		if full != errors.Is(err, layout.ErrFull) || !full && err != nil {
			t.Errorf("with %d bytes it ends with %v", bytes, err)
		}
	}
}

// drawnBook is a book with random headings, and contents that lead to random places of it.
func drawnBook(t *rapid.T) epubtest.Book {
	names := rapid.SampledFrom([]string{"Chapter 1", "Chapter 10", "第一章", "第一章 总则", "Terms", "terms:", "1"})
	var b epubtest.Book
	for i := range rapid.IntRange(1, 4).Draw(t, "pages") {
		body := "\n"
		for j := range rapid.IntRange(1, 6).Draw(t, "lines") {
			switch rapid.IntRange(0, 3).Draw(t, "line") {
			case 0:
				body += "#" + strconv.Itoa(rapid.IntRange(1, 3).Draw(t, "level")) + " " + names.Draw(t, "heading") + "\n"
			case 1:
				body += "@m" + strconv.Itoa(j) + "\n"
			default:
				body += "text\n"
			}
		}
		b.Pages = append(b.Pages, epubtest.Page{Name: strconv.Itoa(i) + ".xhtml", Body: body, Aside: rapid.Bool().Draw(t, "aside")})
	}
	for range rapid.IntRange(0, 6).Draw(t, "entries") {
		href := strconv.Itoa(rapid.IntRange(0, 4).Draw(t, "page")) + ".xhtml"
		if rapid.Bool().Draw(t, "marked") {
			href += "#m" + strconv.Itoa(rapid.IntRange(0, 6).Draw(t, "mark"))
		}
		b.Nav += `<li><a href="` + href + `">` + names.Draw(t, "name") + `</a></li>`
	}
	if b.Nav != "" {
		b.Nav = "<ol>" + b.Nav + "</ol>"
	}
	return b
}

func TestAHeadingIsTheLastOfItsOwnPathWhateverTheContentsSay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, err := epub.Parse(context.Background(), drawnBook(rt).Bytes(t), options(&plain{}))
		if err != nil {
			rt.Fatal(err)
		}
		text := []rune(p.Text)
		for _, b := range p.Blocks {
			own := string(text[b.Span.Start:b.Span.End])
			if l := b.Segments[0].Locator.(corpus.EPUBLocator); !slices.Equal(l.Heading, b.HeadingPath) || l.Heading == nil {
				rt.Fatalf("%q stands under %v, and its place under %v", own, b.HeadingPath, l.Heading)
			}
			switch n := len(b.HeadingPath); {
			case b.Kind != corpus.Heading && own != "text":
				rt.Fatalf("a paragraph is %q", own)
			case b.Kind == corpus.Heading && (n == 0 || !strings.HasSuffix(own, " "+b.HeadingPath[n-1])):
				rt.Fatalf("the heading %q stands under %v", own, b.HeadingPath)
			}
		}
	})
}

func TestWithoutContentsAPathIsThatOfThePage(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := drawnBook(rt)
		b.Nav = ""
		r := &plain{}
		whole, err := epub.Parse(context.Background(), b.Bytes(t), options(r))
		if err != nil {
			rt.Fatal(err)
		}
		var own [][]string
		for _, p := range b.Pages {
			page, _ := r.Read(context.Background(), epub.Page{Data: []byte("<body>" + p.Body + "</body>")})
			for _, block := range page.Blocks {
				own = append(own, block.HeadingPath)
			}
		}
		for i, block := range whole.Blocks {
			if !slices.Equal(block.HeadingPath, own[i]) {
				rt.Fatalf("block %d stands under %v, want %v", i, block.HeadingPath, own[i])
			}
		}
		if len(own) != len(whole.Blocks) {
			rt.Fatalf("%d blocks of %d", len(whole.Blocks), len(own))
		}
	})
}
