package preview_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/preview"
)

// novel is a book of three chapters and notes, the second of which is longer than a page of a preview.
func novel(t *testing.T) corpus.Stretch {
	t.Helper()
	return read(t, "a.epub", epubtest.Book{Pages: []epubtest.Page{
		{Name: "1.xhtml", Body: `<h1>One</h1><p>First &lt;b&gt; words.</p>`},
		{Name: "2.xhtml", Body: `<h1>Two</h1>` + strings.Repeat("<p>"+strings.Repeat("long ", 100)+"</p>", 60)},
		{Name: "empty.xhtml", Body: `<img alt="" src="x"/>`},
		{Name: "3.xhtml", Body: `<h1>Three</h1><p>Last words.</p>`},
		{Name: "notes.xhtml", Body: `<p>A note.</p>`, Aside: true},
	}}.Bytes(t))
}

func TestAChapterIsASectionWithItsAnchors(t *testing.T) {
	doc := novel(t)
	f, err := preview.Render(doc, preview.Window{To: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`<div data-start="0"`, ` class="doc doc-epub"><section id="doc-chapter-1" data-start="0" data-end="5" class="doc-chapter"><h1 data-start="0" data-end="3">`,
	} {
		if !strings.Contains(f.HTML, part) {
			t.Errorf("%s is not in %s", part, f.HTML)
		}
	}
	at := slices.IndexFunc(doc.Blocks, func(b corpus.Block) bool { return b.Segments[0].Locator.(corpus.EPUBLocator).Aside })
	last, err := preview.Render(doc, preview.Window{From: doc.Blocks[at].Span.Start})
	if err != nil || !strings.Contains(last.HTML, `<section id="doc-chapter-5" data-start="`) || !strings.Contains(last.HTML, `class="doc-chapter doc-aside"`) {
		t.Errorf("%s (%v)", last.HTML, err)
	}
}

func TestAnAnchorOfABookOpensInItsChapter(t *testing.T) {
	doc := novel(t)
	starts := map[int]int{}
	for _, b := range doc.Blocks {
		if n := b.Segments[0].Locator.(corpus.EPUBLocator).Spine; starts[n] == 0 {
			starts[n] = b.Span.Start
		}
	}
	last := doc.Blocks[len(doc.Blocks)-2].Segments[0]
	middle := doc.Blocks[40].Segments[0]
	for anchor, want := range map[string]int{
		"doc-chapter-1": 0, "doc-chapter-2": starts[2], "doc-chapter-4": starts[4], "doc-chapter-3": starts[2],
		preview.Anchor(last.Locator): starts[4], preview.Anchor(middle.Locator): middle.Span.Start - 2000,
	} {
		if w, err := preview.Locate(doc.Blocks, anchor); err != nil || w.From != want {
			t.Errorf("%s opens at %d (%v), want %d", anchor, w.From, err, want)
		}
	}
	if w, err := preview.Locate(doc.Blocks, "doc-chapter-0"); err == nil {
		t.Errorf("a chapter that is not there opens at %v", w)
	}
}

func TestABookIsReadChapterByChapter(t *testing.T) {
	doc := novel(t)
	var forward []int
	var w *preview.Window
	for at := (preview.Window{}); ; at = *w {
		f, err := preview.Render(doc, at)
		if err != nil {
			t.Fatal(err)
		}
		forward = append(forward, f.Span.Start)
		if _, w = preview.Chapters(doc.Blocks, f.Span); w == nil {
			break
		}
	}
	if len(forward) != 4 || !slices.IsSorted(forward) || forward[0] != 0 {
		t.Fatalf("the chapters begin at %v", forward)
	}
	back := []int{forward[3]}
	for w = (&preview.Window{From: forward[3]}); ; {
		f, err := preview.Render(doc, *w)
		if err != nil {
			t.Fatal(err)
		}
		if w, _ = preview.Chapters(doc.Blocks, f.Span); w == nil {
			break
		}
		back = append([]int{w.From}, back...)
	}
	if d := cmp.Diff(forward, back); d != "" {
		t.Error(d)
	}
	// Within a long chapter both lead out of it.
	inside := corpus.Span{Start: forward[1] + 9000, End: forward[1] + 9100}
	previous, next := preview.Chapters(doc.Blocks, inside)
	if previous == nil || next == nil || previous.From != forward[0] || next.From != forward[2] {
		t.Errorf("beside the second chapter are %v and %v", previous, next)
	}
	if previous, next := preview.Chapters(doc.Blocks, corpus.Span{Start: doc.Total, End: doc.Total}); previous != nil || next != nil {
		t.Errorf("behind the end are %v and %v", previous, next)
	}
	if !preview.InChapters(doc.Blocks) || preview.InChapters(nil) || preview.InChapters(read(t, "a.txt", []byte("x")).Blocks) {
		t.Error("a book is told from something else wrongly")
	}
}
