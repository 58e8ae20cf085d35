package corpus_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

func drawEPUB(t *rapid.T, label string) corpus.EPUBLocator {
	char := rapid.IntRange(0, 900).Draw(t, label+" char")
	l := corpus.EPUBLocator{
		Spine: rapid.IntRange(1, 9).Draw(t, label+" spine"), Href: "OPS/章.xhtml", Heading: drawHeading(t, label), Char: [2]int{char, char + rapid.IntRange(0, 90).Draw(t, label+" length")},
		Element: rapid.SampledFrom([]string{"", "body[1]", "body[1]/p[1]", "body[1]/p[10]"}).Draw(t, label+" element"), Aside: rapid.Bool().Draw(t, label+" aside"),
	}
	if n := rapid.IntRange(0, 3).Draw(t, label+" pages"); n > 0 {
		l.SpineEnd, l.Element = l.Spine+n, ""
	}
	return l
}

func TestAPlaceInABookSurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { survivesJSON(t, drawEPUB(t, "place")) })
	const want = `{"kind":"epub","spine":3,"href":"OPS/二.xhtml","heading":["第二章"],"char":[10,20],"element":"body[1]/p[1]"}`
	l := corpus.EPUBLocator{Spine: 3, Href: "OPS/二.xhtml", Heading: []string{"第二章"}, Char: [2]int{10, 20}, Element: "body[1]/p[1]"}
	if raw, err := json.Marshal(l); err != nil || string(raw) != want {
		t.Errorf("got %s, %v, want %s", raw, err, want)
	}
	for _, raw := range []string{`{"kind":"epub","page":3}`, `{"kind":"epub","spine":"3"}`} {
		if l, err := corpus.ParseLocator([]byte(raw)); err == nil {
			t.Errorf("%s was read as %+v", raw, l)
		}
	}
}

func TestThroughCoversBothPlacesOfABook(t *testing.T) {
	last := func(l corpus.EPUBLocator) int { return max(l.Spine, l.SpineEnd) }
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawEPUB(t, "first"), drawEPUB(t, "last")
		b.Spine = max(a.Spine, b.Spine)
		if b.SpineEnd != 0 {
			b.SpineEnd = max(b.SpineEnd, b.Spine+1)
		}
		if b.Spine == a.Spine {
			b.Char[0] = max(a.Char[0], b.Char[0])
			b.Char[1] = max(b.Char[0], b.Char[1])
		}
		got := a.Through(b).(corpus.EPUBLocator)
		if got.Spine != a.Spine || got.Href != a.Href || got.Char[0] != a.Char[0] || last(got) != max(last(a), last(b)) || got.SpineEnd == got.Spine {
			t.Fatalf("%+v through %+v is %+v", a, b, got)
		}
		for _, l := range []corpus.EPUBLocator{a, b} {
			if last(l) == last(got) && got.Char[1] < l.Char[1] {
				t.Fatalf("%+v ends before %+v", got, l)
			}
			if got.Element != "" && l.Element != got.Element && !strings.HasPrefix(l.Element, got.Element+"/") {
				t.Fatalf("the element %q does not hold %q", got.Element, l.Element)
			}
			for i, h := range got.Heading {
				if l.Heading[i] != h {
					t.Fatalf("the path %v does not begin %v", got.Heading, l.Heading)
				}
			}
		}
		if got.SpineEnd != 0 && got.Element != "" || got.Aside != (a.Aside && b.Aside) {
			t.Fatalf("%+v through %+v is %+v", a, b, got)
		}
		if d := cmp.Diff(corpus.Locator(a), a.Through(a)); d != "" {
			t.Fatalf("through itself: %s", d)
		}
		if d := cmp.Diff(corpus.Locator(a), a.Through(corpus.TextLocator{})); d != "" {
			t.Fatalf("through another kind: %s", d)
		}
	})
}

func TestAPlaceInABookIsSaidInBothLanguages(t *testing.T) {
	for _, c := range []struct {
		l      corpus.EPUBLocator
		zh, en string
	}{
		{corpus.EPUBLocator{Spine: 3, Heading: []string{"第二章", "价格"}}, "第二章 › 价格 · 书中文件 3", "第二章 › 价格 · file 3"},
		{corpus.EPUBLocator{Spine: 3, SpineEnd: 5}, "书中文件 3–5", "files 3–5"},
		{corpus.EPUBLocator{Spine: 9, Aside: true}, "书中文件 9 · 正文之外", "file 9 · beside the text"},
	} {
		if zh, en := corpus.InWords(c.l, true), corpus.InWords(c.l, false); zh != c.zh || en != c.en {
			t.Errorf("%+v is %q and %q, want %q and %q", c.l, zh, en, c.zh, c.en)
		}
		if first, last := corpus.Numbers(c.l); first != c.l.Spine || last != max(c.l.Spine, c.l.SpineEnd) {
			t.Errorf("%+v has the numbers %d and %d", c.l, first, last)
		}
	}
}

func TestTextOfTwoPagesOfABookDoesNotReadOn(t *testing.T) {
	a, b := corpus.EPUBLocator{Spine: 1, Char: [2]int{0, 9}}, corpus.EPUBLocator{Spine: 1, Char: [2]int{20, 29}}
	if corpus.Strand(a) != corpus.Strand(b) || corpus.Strand(a) == corpus.Strand(corpus.EPUBLocator{Spine: 2}) || corpus.Strand(a) == "" {
		t.Errorf("the strands are %q and %q", corpus.Strand(a), corpus.Strand(b))
	}
	long := corpus.EPUBLocator{Heading: []string{"12345"}, Element: "body[1]", Href: "a/b.x"}
	if n := corpus.NameBytes(long); n != 17 {
		t.Errorf("the names of %+v have %d bytes", long, n)
	}
	if path, ok := corpus.Headings(corpus.Under(long, []string{"x"})); !ok || len(path) != 1 || path[0] != "x" {
		t.Errorf("the headings are %v, %v", path, ok)
	}
}

func TestAPlaceInABookIsCutByCharacters(t *testing.T) {
	whole := corpus.Segment{Span: corpus.Span{Start: 100, End: 110}, Locator: corpus.EPUBLocator{Spine: 2, Char: [2]int{40, 50}}}
	text := []rune("一二三四五六七八九十")
	got := corpus.Narrow(text, 100, []corpus.Segment{whole}, corpus.Span{Start: 103, End: 105})
	want := []corpus.Segment{{Span: corpus.Span{Start: 103, End: 105}, Locator: corpus.EPUBLocator{Spine: 2, Char: [2]int{43, 45}}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	// Where one character stands for several, and where a place goes on to another page, it stays whole.
	for _, l := range []corpus.EPUBLocator{{Spine: 2, Char: [2]int{40, 54}}, {Spine: 2, SpineEnd: 3, Char: [2]int{40, 50}}} {
		s := corpus.Segment{Span: whole.Span, Locator: l}
		if d := cmp.Diff([]corpus.Segment{s}, corpus.Narrow(text, 100, []corpus.Segment{s}, corpus.Span{Start: 103, End: 105})); d != "" {
			t.Error(d)
		}
		cut := corpus.Cut(s, corpus.Span{Start: 103, End: 105})
		if d := cmp.Diff(corpus.Segment{Span: corpus.Span{Start: 103, End: 105}, Locator: l}, cut); d != "" {
			t.Error(d)
		}
	}
}
