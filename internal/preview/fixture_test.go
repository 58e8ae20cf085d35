package preview_test

import (
	"context"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/preview/previewtest"
)

// fataler is what tests and properties have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// read parses a file as it is stored.
func read(t fataler, name string, data []byte) corpus.Stretch {
	t.Helper()
	result, err := parse.Parse(context.Background(), parse.File{Name: name, Data: data})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return stored(result.Parsed)
}

// stored is all of a document.
func stored(p corpus.Parsed) corpus.Stretch {
	n := utf8.RuneCountInString(p.Text)
	return corpus.Stretch{Text: p.Text, Span: corpus.Span{End: n}, Total: n, Blocks: p.Blocks}
}

// reached is what a store gives of a document for a window.
func reached(doc corpus.Stretch, w preview.Window) corpus.Stretch {
	text, span := []rune(doc.Text), preview.Reach(w)
	span.Start, span.End = min(max(span.Start, 0), len(text)), min(max(span.End, 0), len(text))
	out := corpus.Stretch{Text: string(text[span.Start:span.End]), Span: span, Total: len(text)}
	for i, b := range doc.Blocks {
		if b.Span.Overlap(span) > 0 {
			if out.Blocks == nil {
				out.First = i
			}
			out.Blocks = append(out.Blocks, b)
		}
	}
	return out
}

// whole renders a document, page after page, and holds every page against its text.
func whole(t fataler, doc corpus.Stretch) []preview.Fragment {
	t.Helper()
	var pages []preview.Fragment
	text, at := []rune(doc.Text), 0
	for w := (&preview.Window{}); w != nil; {
		f, err := preview.Render(reached(doc, *w), *w)
		if err != nil {
			t.Fatalf("%+v: %v", *w, err)
		}
		if f.Span.Start != at || f.Span.End < at || f.Total != len(text) || f.Span.End == at && at < len(text) {
			t.Fatalf("the page %v of %d does not go on from %d", f.Span, f.Total, at)
		}
		faithful(t, text, f)
		pages, at, w = append(pages, f), f.Span.End, f.Next
	}
	if at != len(text) {
		t.Fatalf("the pages end at %d of %d", at, len(text))
	}
	return pages
}

// faithful holds the places of a fragment against the text: each holds its span and nothing else.
func faithful(t fataler, text []rune, f preview.Fragment) {
	t.Helper()
	placed, err := previewtest.PlacedIn(f.HTML)
	if err != nil || len(placed) == 0 {
		t.Fatalf("%d places: %v", len(placed), err)
	}
	if root := placed[0]; root.Start != f.Span.Start || root.End != f.Span.End || root.Text != previewtest.Text(previewtest.Tree(f.HTML)) {
		t.Fatalf("the fragment is of %v, and holds %d to %d", f.Span, root.Start, root.End)
	}
	for _, p := range placed {
		if p.Start < f.Span.Start || p.End > f.Span.End || p.Start > p.End {
			t.Fatalf("%s %s holds %d to %d, outside of %v", p.Name, p.ID, p.Start, p.End, f.Span)
		}
		if want := kept(t, text, p); !shows(p.Text, want) {
			t.Fatalf("%s %s from %d to %d shows %q, and the text is %q", p.Name, p.ID, p.Start, p.End, p.Text, string(want))
		}
	}
	for _, fault := range previewtest.Faults(f.HTML) {
		t.Fatalf("%s in %.2000s", fault, f.HTML)
	}
}

// kept is the text of a place without what the fragment says that it leaves out, and where.
func kept(t fataler, text []rune, p previewtest.Placed) []rune {
	t.Helper()
	var out []rune
	at := p.Start
	for _, g := range p.Gaps {
		if g.Start < at || g.End <= g.Start || g.End > p.End {
			t.Fatalf("%s %s from %d to %d leaves out %d to %d, after %d", p.Name, p.ID, p.Start, p.End, g.Start, g.End, at)
		}
		if out = append(out, text[at:g.Start]...); len(out) != g.After {
			t.Fatalf("%s %s from %d leaves out %d to %d, and shows %d before that", p.Name, p.ID, p.Start, g.Start, g.End, g.After)
		}
		at = g.End
	}
	return append(out, text[at:p.End]...)
}

// shows reports whether a text is another, character by character, but for those that nobody sees.
func shows(got string, want []rune) bool {
	shown := []rune(got)
	if len(shown) != len(want) {
		return false
	}
	for i, c := range shown {
		odd := want[i] != ' ' && (!unicode.IsGraphic(want[i]) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, want[i]) || unicode.Is(unicode.Variation_Selector, want[i]))
		stands := c == '\ufffd' || c >= 0x2400 && c <= 0x2421 || want[i] == '\r' && (c == ' ' || c == '\n')
		if c != want[i] && !(odd && stands) {
			return false
		}
	}
	return true
}

// page renders the first page of a document of one format.
func page(t *testing.T, name, text string) string {
	t.Helper()
	f, err := preview.Render(read(t, name, []byte(text)), preview.Window{})
	if err != nil {
		t.Fatal(err)
	}
	return f.HTML
}

// plainly returns a fragment without places and marks, as it looks with those hidden.
func plainly(html string) string {
	for _, cut := range []string{` data-start="`, ` data-end="`, ` id="`, ` title="`} {
		for {
			before, rest, ok := strings.Cut(html, cut)
			if !ok {
				break
			}
			_, after, _ := strings.Cut(rest, `"`)
			html = before + after
		}
	}
	for {
		before, rest, ok := strings.Cut(html, `<span class="doc-mark">`)
		if !ok {
			break
		}
		_, after, _ := strings.Cut(rest, "</span>")
		html = before + after
	}
	html = strings.ReplaceAll(html, "<span>", "\x00")
	for {
		before, rest, ok := strings.Cut(html, "\x00")
		if !ok {
			break
		}
		html = before + unspanned(rest)
	}
	return html
}

// unspanned takes out the end of a span that was opened before, and keeps those inside it.
func unspanned(s string) string {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == 0 || strings.HasPrefix(s[i:], "<span"):
			depth++
		case strings.HasPrefix(s[i:], "</span>"):
			if depth == 0 {
				return s[:i] + s[i+len("</span>"):]
			}
			depth--
		}
	}
	return s
}
