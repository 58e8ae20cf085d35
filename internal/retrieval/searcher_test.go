package retrieval_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

func TestQueryWithoutATermIsAnInputError(t *testing.T) {
	h := newHouse()
	s := searcher(h)
	for _, text := range []string{"", "  ", "？！", "...", "\u200b"} {
		_, err := s.Search(context.Background(), h.scope(t, "u", access.Request{}), retrieval.Query{Text: text})
		if problem.CodeOf(err) != "empty_query" || !problem.Is(err, problem.Invalid) {
			t.Errorf("%q gave %v", text, err)
		}
	}
}

func TestNoHitIsAValidResult(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "what the pump is for")
	s := searcher(h)
	for text, stopped := range map[string]bool{"helicopter": false, "天气": false, "what is the": true, "什么": true, "what is the helicopter": false} {
		if got := ask(t, h, s, "u", retrieval.Query{Text: text}); len(got.Hits) != 0 || got.More || got.Stopped != stopped {
			t.Errorf("%q gave %+v", text, got)
		}
	}
}

func TestOffsetOutOfBoundsIsAnInputError(t *testing.T) {
	h := newHouse()
	for _, offset := range []int{-1, retrieval.MaxOffset + 1} {
		_, err := searcher(h).Search(context.Background(), h.scope(t, "u", access.Request{}), retrieval.Query{Text: "pump", Offset: offset})
		if problem.CodeOf(err) != "invalid_offset" {
			t.Errorf("offset %d gave %v", offset, err)
		}
	}
}

func TestPageIsBounded(t *testing.T) {
	h := newHouse()
	texts := make([]string, 1100)
	for i := range texts {
		texts[i] = fmt.Sprintf("pump %d", i)
	}
	h.put(t, corpus.Document{ID: "a"}, texts...)
	s := searcher(h)
	for _, c := range []struct{ limit, offset, hits int }{{0, 0, retrieval.DefaultLimit}, {-3, 0, retrieval.DefaultLimit}, {5000, 0, retrieval.MaxLimit}, {7, 1000, 7}} {
		got := ask(t, h, s, "u", retrieval.Query{Text: "pump", Limit: c.limit, Offset: c.offset})
		if len(got.Hits) != c.hits {
			t.Errorf("limit %d at %d gave %d hits", c.limit, c.offset, len(got.Hits))
		}
		if want := c.offset+c.hits <= retrieval.MaxOffset; got.More != want {
			t.Errorf("limit %d at %d: more is %v", c.limit, c.offset, got.More)
		}
	}
}

func TestHitSaysWhereAndWhy(t *testing.T) {
	h := newHouse()
	h.add(t, corpus.Document{ID: "a", Title: "休假制度 Leave policy", Version: 3}, []corpus.Chunk{{
		ID: "c", Document: "a", No: 1, HeadingPath: []string{"休假", "Annual leave"},
		Text: "員工請假流程：先填 Form-12，再由 ＨＲ 批准。", Span: corpus.Span{Start: 10, End: 40},
		Locator: corpus.TextLocator{Format: "md", Line: 7},
	}})
	got := ask(t, h, searcher(h), "u", retrieval.Query{Text: "请假流程是什么 hr FORM-12 annual policies 火箭"})
	if len(got.Hits) != 1 {
		t.Fatalf("hits: %+v", got.Hits)
	}
	hit := got.Hits[0]
	want := retrieval.Hit{
		Document: hit.Document, Chunk: "c", HeadingPath: []string{"休假", "Annual leave"}, Locator: corpus.TextLocator{Format: "md", Line: 7},
		Span: corpus.Span{Start: 10, End: 40}, Snippet: "員工請假流程：先填 Form-12，再由 ＨＲ 批准。", Score: hit.Score,
		Ranks: retrieval.Ranks{Keyword: 1}, Matched: []string{"请假流程", "hr", "FORM-12", "annual", "policies"},
	}
	if diff := cmp.Diff(want, hit); diff != "" {
		t.Error(diff)
	}
	if hit.Score <= 0 || hit.Document.Version != 3 || !cmp.Equal(got.Legs, []string{"keyword"}) {
		t.Errorf("score %v, version %d, legs %v", hit.Score, hit.Document.Version, got.Legs)
	}
}

// snippetOf returns the snippet of the only chunk that a query finds.
func snippetOf(t fataler, c corpus.Chunk, title, query string) string {
	t.Helper()
	h := newHouse()
	c.ID, c.Document, c.No = "c", "a", 1
	h.add(t, corpus.Document{ID: "a", Title: title}, []corpus.Chunk{c})
	got := ask(t, h, searcher(h), "u", retrieval.Query{Text: query})
	if len(got.Hits) != 1 {
		t.Fatalf("%q found %d hits", query, len(got.Hits))
	}
	return got.Hits[0].Snippet
}

func TestSnippetShowsWhereTheTermsStandTogether(t *testing.T) {
	filler := strings.Repeat("Nothing of note is written in this sentence. ", 10)
	chinese := strings.Repeat("这里没有写什么值得注意的内容。", 30)
	for _, c := range []struct{ name, text, query, holds string }{
		{"english cluster", "The pump is old. " + filler + "Replace the gasket of the pump yearly. " + filler, "pump gasket", "Replace the gasket of the pump yearly."},
		{"chinese cluster", "员工须知。" + chinese + "员工请假流程由人事部批准。" + chinese, "请假流程", "员工请假流程由人事部批准。"},
		{"traditional text", chinese + "員工請假流程由人事部批准。" + chinese, "请假流程", "員工請假流程由人事部批准。"},
		{"identifier", "ERR 12. " + filler + "It logs ERR-1042 then. " + filler, "err-1042", "It logs ERR-1042 then."},
		{"at the end", filler + "The last word is turbine", "turbine", "The last word is turbine"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := snippetOf(t, corpus.Chunk{Text: c.text}, "", c.query)
			if !strings.Contains(got, c.holds) {
				t.Errorf("snippet %q lacks %q", got, c.holds)
			}
			if n := utf8.RuneCountInString(got); n > 162 {
				t.Errorf("the snippet has %d characters", n)
			}
		})
	}
}

func TestSnippetCollapsesWhiteSpaceAndMarksCuts(t *testing.T) {
	long := strings.Repeat("alphabet ", 40)
	if got := snippetOf(t, corpus.Chunk{Text: "one\n\n two\t pump"}, "", "pump"); got != "one two pump" {
		t.Errorf("snippet %q", got)
	}
	got := snippetOf(t, corpus.Chunk{Text: long + "pump " + long}, "", "pump")
	if !strings.HasPrefix(got, "…alphabet") || !strings.HasSuffix(got, "alphabet…") {
		t.Errorf("snippet %q tears words or does not mark its cuts", got)
	}
}

func TestSnippetComesFromTheChunkAloneAndNotFromItsContext(t *testing.T) {
	got := snippetOf(t, corpus.Chunk{Context: "| pump | price |\n", Text: "| x | 12 |"}, "", "pump")
	if got != "| x | 12 |" {
		t.Errorf("snippet %q", got)
	}
	if got := snippetOf(t, corpus.Chunk{Text: "Only the title says it."}, "Pump manual", "pump"); got != "Only the title says it." {
		t.Errorf("snippet %q", got)
	}
}

func TestSnippetIsAPieceOfTheText(t *testing.T) {
	letters := rapid.RuneFrom([]rune("ab 文件pump.\n-é\u0301_1，"))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(letters, 0, 400, -1).Draw(t, "before") + " pump " + rapid.StringOfN(letters, 0, 400, -1).Draw(t, "after")
		got := snippetOf(t, corpus.Chunk{Text: text}, "", "pump 文件")
		n := utf8.RuneCountInString(got)
		inner := strings.TrimSuffix(strings.TrimPrefix(got, "…"), "…")
		if !strings.Contains(strings.Join(strings.Fields(text), " "), inner) || n > 162 {
			t.Fatalf("snippet %q (%d characters) is no piece of %q", got, n, text)
		}
		if !strings.Contains(inner, "pump") && !strings.Contains(inner, "文") {
			t.Fatalf("snippet %q shows no match of %q", got, text)
		}
	})
}

// lostTexts has lost every chunk.
type lostTexts struct{ *house }

func (lostTexts) Chunk(context.Context, access.Scope, corpus.ChunkID) (corpus.Chunk, corpus.Document, error) {
	return corpus.Chunk{}, corpus.Document{}, problem.Missing()
}

func TestARowThatIsGoneEndsTheSearchAsStaleUnlessTheScopeHasNoEpoch(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump")
	s := retrieval.NewSearcher(retrieval.NewLocal(h), lostTexts{h})
	if _, err := s.Search(context.Background(), h.scope(t, "u", access.Request{}), retrieval.Query{Text: "pump"}); problem.CodeOf(err) != "scope_stale" {
		t.Errorf("a scope with an epoch gave %v", err)
	}
	if got, err := s.Search(context.Background(), unscoped.Scope(tenant), retrieval.Query{Text: "pump"}); err != nil || len(got.Hits) != 0 {
		t.Errorf("an unbounded scope gave %+v, %v", got.Hits, err)
	}
}

func TestErrorsOfTheIndexAndTheTextsComeThrough(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump")
	old := h.scope(t, "u", access.Request{})
	h.change(func() {})
	if _, err := searcher(h).Search(context.Background(), old, retrieval.Query{Text: "pump"}); problem.CodeOf(err) != "scope_stale" {
		t.Errorf("an old scope gave %v", err)
	}
}
