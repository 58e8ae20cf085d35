package preview

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

// drawn writes the look of each character of a line of inline Markdown under it: "." for text, "m" for a
// mark, "a" for an address.
func drawn(text string) string {
	runes := []rune(text)
	r := newRenderer(document{text: text, total: len(runes)}, corpus.Span{End: len(runes)})
	out := []byte(strings.Repeat(".", len(runes)))
	for _, run := range r.inline([]corpus.Span{{End: len(runes)}}) {
		for i := run.span.Start; i < run.span.End; i++ {
			switch {
			case run.kind == mark:
				out[i] = 'm'
			case run.kind == address:
				out[i] = 'a'
			}
		}
	}
	return string(out)
}

func TestLooksOfInlineMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"a *b* c":                "..m.m..",
		"上限 [住宿](u) 元":           "...m..maaa..",
		"[a](<b c> 'd') e":       "m.maaaaaaaaaaa..",
		"![a](b)[c](d)":          "mm.maaam.maaa",
		"[*a*](b)":               "mm.mmaaa",
		"a <i>b</i>":             "..........",
		"<https://a.b> c":        "m...........m..",
		`\*a\*`:                  "m..m.",
		"``a ` b``":              "mm.....mm",
		"`\\*`":                  "m..m",
		"***a***":                "mmm.mmm",
		"~~a~~ ~b":               "mm.mm...",
		"[a] [b][c] ](":          ".............",
		"*a":                     "..",
		"&lt;b&gt; &amp;":        "...............",
		"[a](javascript:x)":      "m.maaaaaaaaaaaaaa",
		"![x](data:text/html,1)": "mm.maaaaaaaaaaaaaaaaaa",
	} {
		if d := cmp.Diff(want, drawn(text)); d != "" {
			t.Errorf("%s\n%s", text, d)
		}
	}
}

func TestElementsOfInlineMarkdown(t *testing.T) {
	tagsOf := func(text, word string) tags {
		runes := []rune(text)
		r := newRenderer(document{text: text, total: len(runes)}, corpus.Span{End: len(runes)})
		at := len([]rune(text[:strings.Index(text, word)]))
		for _, run := range r.inline([]corpus.Span{{End: len(runes)}}) {
			if run.span.Start <= at && at < run.span.End {
				return run.tags
			}
		}
		return 0
	}
	for _, c := range []struct {
		text, word string
		want       tags
	}{
		{"*甲* b", "甲", emphasised}, {"*甲* b", "b", 0}, {"**甲**", "甲", strong}, {"~~甲~~", "甲", deleted}, {"`甲`", "甲", code},
		{"**a *甲* b**", "甲", strong | emphasised}, {"**a *甲* b**", "b", strong}, {"~~**甲**~~", "甲", deleted | strong}, {"*`甲`*", "甲", emphasised | code},
		{"[*甲*](u)", "甲", emphasised}, {"a_甲_b", "甲", 0},
	} {
		if got := tagsOf(c.text, c.word); got != c.want {
			t.Errorf("%s in %s is in %b, want %b", c.word, c.text, got, c.want)
		}
	}
}

func TestLongTextIsNotReadAsInlineMarkdown(t *testing.T) {
	for n, want := range map[int]bool{inlineLimit: true, inlineLimit + 1: false} {
		text := "*a*" + strings.Repeat("x", n-3)
		r := newRenderer(document{text: text, total: n}, corpus.Span{End: n})
		if got := r.inline([]corpus.Span{{End: n}}) != nil; got != want {
			t.Errorf("of %d bytes: %v", n, got)
		}
	}
}

func TestWovenRunsKeepTheEarlierListAndLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, l look) (out []run, at [60]look) {
			from := 0
			for from < 50 && rapid.Bool().Draw(t, name+" goes on") {
				from += rapid.IntRange(0, 4).Draw(t, name+" gap")
				to := from + rapid.IntRange(1, 6).Draw(t, name+" length")
				if to > 60 {
					break
				}
				out = append(out, run{corpus.Span{Start: from, End: to}, l})
				for i := from; i < to; i++ {
					at[i] = l
				}
				from = to
			}
			return out, at
		}
		first, want := draw("first", look{kind: mark})
		second, more := draw("second", look{tags: strong})
		for i, l := range more {
			if want[i] == (look{}) {
				want[i] = l
			}
		}
		var got [60]look
		at := 0
		for _, r := range weave(first, second) {
			if r.span.Start < at || r.span.Len() <= 0 {
				t.Fatalf("%v stands before %d", r.span, at)
			}
			for at = r.span.Start; at < r.span.End; at++ {
				got[at] = r.look
			}
		}
		if got != want {
			t.Fatalf("%v and %v became %v", first, second, weave(first, second))
		}
	})
}
