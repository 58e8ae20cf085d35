package toolkit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
	"pgregory.net/rapid"
)

const travel = "# 住宿\n上海住宿上限为每晚650元。\n\n# 交通\n高铁二等座。\n"

func chunksOf(r tool.Result) []corpus.ChunkID {
	out := []corpus.ChunkID{}
	for _, h := range r.Hits {
		out = append(out, h.Chunk)
	}
	return out
}

func TestASearchShowsCandidatesWithoutTheirText(t *testing.T) {
	w := newWorld()
	w.add("travel", travel)
	w.ranked = []corpus.ChunkID{"c-travel-1"}
	r, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "上海　住宿"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"ok": true, "query": "上海　住宿", "page": 1.0, "has_more": false,
		"hits": []any{map[string]any{
			"document_id": "travel", "doc_key": "key-travel", "knowledge_base_id": "kb", "knowledge_base": "Handbook", "title": "Title of travel", "version": 2.0, "heading_path": []any{"住宿"},
			"snippet": "snippet of c-travel-1", "updated_at": "2026-10-01T08:00:00Z",
			"locator": map[string]any{"kind": "md", "heading": []any{"住宿"}, "line": 1.0, "line_end": 2.0, "char": []any{0.0, 19.0}},
		}},
	}
	if diff := cmp.Diff(want, object(t, r)); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
	if strings.Contains(string(r.Content), "650") {
		t.Error("the answer to a search holds the text")
	}
	if diff := cmp.Diff(&tool.Search{Query: "上海 住宿", Page: 1, Hits: 1}, r.Search); diff != "" {
		t.Errorf("search (-want +got):\n%s", diff)
	}
	p := r.Hits[0].Passage
	if p.Text != "# 住宿\n上海住宿上限为每晚650元。" || p.TruncatedBefore || !p.TruncatedAfter || p.Chunk != "c-travel-1" || p.Status != access.StatusPublished {
		t.Errorf("passage %+v", p)
	}
}

func TestASearchWhoseMeaningFailedSaysSo(t *testing.T) {
	for reason, said := range map[retrieval.Reason]bool{
		"": false, retrieval.Failed: true, retrieval.TooSlow: true, retrieval.Rebuild: true, retrieval.Language: false, retrieval.LocalOnly: false,
	} {
		w := newWorld()
		w.add("travel", travel)
		w.ranked = []corpus.ChunkID{"c-travel-1"}
		if reason != "" {
			w.skipped = []retrieval.Skipped{{Leg: "semantic", Reason: reason}}
		}
		r, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "住宿"}`)
		if err != nil {
			t.Fatal(err)
		}
		if r.Search.WordsOnly != said || (object(t, r)["words_only"] == true) != said || len(r.Hits) != 1 {
			t.Errorf("%q: %+v, %s", reason, r.Search, r.Content)
		}
	}
}

func TestASearchWhoseRerankerFailedTellsTheRunAndNotTheModel(t *testing.T) {
	for reason, said := range map[retrieval.Reason]bool{retrieval.Failed: true, retrieval.TooSlow: true, retrieval.LocalOnly: false, retrieval.Nothing: false} {
		w := newWorld()
		w.add("travel", travel)
		w.ranked = []corpus.ChunkID{"c-travel-1"}
		w.skipped = []retrieval.Skipped{{Leg: "rerank", Reason: reason}}
		r, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "住宿"}`)
		if err != nil {
			t.Fatal(err)
		}
		if r.Search.NotReranked != said || r.Search.WordsOnly || strings.Contains(string(r.Content), "rerank") || len(r.Hits) != 1 {
			t.Errorf("%q: %+v, %s", reason, r.Search, r.Content)
		}
	}
}

func TestASearchWithoutHitsSaysSoInTheLanguageOfTheQuery(t *testing.T) {
	s := session()
	for query, want := range map[string]string{
		"火星基地":      "未找到相关资料。当前知识库无法提供这个问题的答案。",
		"mars base": "No relevant material was found. The current knowledge base cannot answer this question.",
	} {
		r, err := call(t, toolkit.NewSearch(newWorld(), newWorld(), newWorld()), s, fmt.Sprintf(`{"query": %q}`, query))
		if err != nil {
			t.Fatal(err)
		}
		m := object(t, r)
		if m["message"] != want || m["ok"] != true || cmp.Diff([]any{}, m["hits"]) != "" || r.Search == nil {
			t.Errorf("%s: %s", query, r.Content)
		}
	}
}

func TestAFailedSearchNeverLooksLikeAnEmptyOne(t *testing.T) {
	w := newWorld()
	w.fail = problem.New(problem.Unavailable, "index_down", "The index is not there.")
	r, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "x"}`)
	if err == nil || code(err) != "" || r.Search != nil || r.Content != nil {
		t.Errorf("result %s, err %v", r.Content, err)
	}
	e, err := tool.NewExecutor(w, []tool.Tool{toolkit.NewSearch(w, w, w)}, tool.Options{Tries: 1})
	if err != nil {
		t.Fatal(err)
	}
	o := e.Run(context.Background(), alice, []string{"search_knowledge"}, session(), llm.ToolCall{Name: "search_knowledge", Arguments: `{"query": "x"}`})
	if o.Failure == nil || o.Failure.Code != tool.Dependency {
		t.Errorf("outcome %+v", o)
	}
}

func TestAHitThatCannotBeLoadedFailsTheSearch(t *testing.T) {
	w := newWorld()
	w.add("a", "text\n")
	w.ranked = []corpus.ChunkID{"c-a-1"}
	_, err := call(t, toolkit.NewSearch(w, w, newWorld()), session(), `{"query": "x"}`)
	if err == nil || code(err) != "" || problem.KindOf(err) != problem.Unavailable {
		t.Errorf("err = %v, want Unavailable", err)
	}
}

func TestQueriesWithNothingToSearchForAreInvalid(t *testing.T) {
	w := newWorld()
	search := toolkit.NewSearch(w, w, w)
	if _, err := call(t, search, session(), `{"query": "  　"}`); code(err) != tool.InvalidArguments || len(w.queries) != 0 {
		t.Errorf("blank: %v", err)
	}
	w.fail = problem.New(problem.Invalid, "empty_query", "Nothing to search for.")
	if _, err := call(t, search, session(), `{"query": "的"}`); code(err) != tool.InvalidArguments {
		t.Errorf("stop word: %v", err)
	}
}

func TestTheSchemaBoundsQueryAndPage(t *testing.T) {
	w := newWorld()
	e, err := tool.NewExecutor(w, []tool.Tool{toolkit.NewSearch(w, w, w), toolkit.NewRead(w, w, w)}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]tool.Code{
		`{"query": "` + strings.Repeat("差", 400) + `"}`: "",
		`{"query": "` + strings.Repeat("差", 401) + `"}`: tool.InvalidArguments,
		`{"query": ""}`:                         tool.InvalidArguments,
		`{"query": "a", "page": 2.0}`:           "",
		`{"query": "a", "page": 0}`:             tool.InvalidArguments,
		`{"query": "a", "page": 1.5}`:           tool.InvalidArguments,
		`{"query": "a", "page": "1"}`:           tool.InvalidArguments,
		`{"page": 1}`:                           tool.InvalidArguments,
		`{"query": "a", "kb": "secret"}`:        tool.InvalidArguments,
		`{"query": "a", "tenant_id": "globex"}`: "",
	} {
		o := e.Run(context.Background(), alice, []string{"search_knowledge"}, session(), llm.ToolCall{Name: "search_knowledge", Arguments: args})
		var got tool.Code
		if o.Failure != nil {
			got = o.Failure.Code
		}
		if got != want {
			t.Errorf("%.60s: %v, want %q", args, o.Failure, want)
		}
	}
}

func TestTheSamePageOfTheSameSearchIsNoProgress(t *testing.T) {
	w := newWorld()
	search := toolkit.NewSearch(w, w, w)
	s := session()
	s.Searches = []tool.Search{{Query: "travel policy", Page: 1}}
	for _, again := range []string{`{"query": "travel policy"}`, `{"query": " Travel   POLICY ", "page": 1}`, `{"query": "ｔｒａｖｅｌ policy"}`} {
		if _, err := call(t, search, s, again); code(err) != tool.NoProgress {
			t.Errorf("%s: %v", again, err)
		}
	}
	for _, other := range []string{`{"query": "travel policy", "page": 2}`, `{"query": "travel"}`} {
		if _, err := call(t, search, s, other); err != nil {
			t.Errorf("%s: %v", other, err)
		}
	}
}

func TestSearchPagesAreLimitedOverTheWholeRun(t *testing.T) {
	w := newWorld()
	s := session()
	s.Searches = []tool.Search{{Query: "a", Page: 1}, {Query: "a", Page: 2}}
	if _, err := call(t, toolkit.NewSearch(w, w, w), s, `{"query": "a new keyword"}`); code(err) != tool.LimitSearchPages || len(w.queries) != 0 {
		t.Errorf("err = %v", err)
	}
}

// many adds n one-line documents and one long one of five chunks, which ranks first.
func many(n int) *world {
	w := newWorld()
	w.add("long", "a\n\nb\n\nc\n\nd\n\ne\n")
	for i := 1; i <= 5; i++ {
		w.ranked = append(w.ranked, chunkID("long", i))
	}
	for i := range n {
		id := corpus.DocumentID(fmt.Sprintf("d%d", i))
		w.add(id, "x\n")
		w.ranked = append(w.ranked, chunkID(id, 1))
	}
	return w
}

func TestOneDocumentDoesNotFillAPageWhileOthersMatch(t *testing.T) {
	w := many(4)
	search := toolkit.NewSearch(w, w, w)
	first, err := call(t, search, session(), `{"query": "x"}`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]corpus.ChunkID{"c-long-1", "c-long-2", "c-d0-1", "c-d1-1", "c-d2-1"}, chunksOf(first)); diff != "" || !first.Search.More {
		t.Errorf("page 1 (-want +got):\n%s", diff)
	}
	second, err := call(t, search, session(), `{"query": "x", "page": 2}`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]corpus.ChunkID{"c-long-3", "c-long-4", "c-long-5", "c-d3-1"}, chunksOf(second)); diff != "" || second.Search.More {
		t.Errorf("page 2, where nothing else matches (-want +got):\n%s", diff)
	}
	third, err := call(t, search, session(), `{"query": "x", "page": 3}`)
	if err != nil || len(third.Hits) != 0 || third.Search.More || object(t, third)["message"] != "There are no more results." {
		t.Errorf("page 3: %s, %v", third.Content, err)
	}
}

func TestPagesTogetherShowEachCandidateOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld()
		total := 0
		for i := range rapid.IntRange(0, 6).Draw(rt, "documents") {
			n := rapid.IntRange(1, 6).Draw(rt, "chunks")
			id := corpus.DocumentID(fmt.Sprintf("d%d", i))
			w.add(id, strings.Repeat("x\n\n", n))
			for no := 1; no <= n; no++ {
				w.ranked = append(w.ranked, chunkID(id, no))
			}
			total += n
		}
		w.ranked = rapid.Permutation(w.ranked).Draw(rt, "order")
		size := rapid.IntRange(1, 7).Draw(rt, "size")
		s := session()
		s.PageSize, s.SearchPages = size, 100
		seen := map[corpus.ChunkID]bool{}
		for number := 1; ; number++ {
			r, err := call(t, toolkit.NewSearch(w, w, w), s, fmt.Sprintf(`{"query": "x", "page": %d}`, number))
			if err != nil {
				rt.Fatal(err)
			}
			docs := map[corpus.DocumentID]int{}
			for _, h := range r.Hits {
				if seen[h.Chunk] {
					rt.Fatalf("page %d repeats %s", number, h.Chunk)
				}
				seen[h.Chunk] = true
				docs[h.Document]++
			}
			if r.Search.More != (len(seen) < total) {
				rt.Fatalf("page %d: has_more %v after %d of %d", number, r.Search.More, len(seen), total)
			}
			if r.Search.More && len(r.Hits) != size {
				rt.Fatalf("page %d has %d hits of %d and is not the last", number, len(r.Hits), size)
			}
			if !r.Search.More {
				break
			}
		}
		if len(seen) != total {
			rt.Fatalf("pages showed %d of %d", len(seen), total)
		}
	})
}

func TestALongDocumentIsPassedOverHoweverManyOfItsPassagesRankFirst(t *testing.T) {
	w := newWorld()
	w.add("long", strings.Repeat("x\n\n", 60))
	for no := 1; no <= 60; no++ {
		w.ranked = append(w.ranked, chunkID("long", no))
	}
	for i := range 4 {
		id := corpus.DocumentID(fmt.Sprintf("d%d", i))
		w.add(id, "x\n")
		w.ranked = append(w.ranked, chunkID(id, 1))
	}
	r, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "x"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []corpus.ChunkID{chunkID("long", 1), chunkID("long", 2), "c-d0-1", "c-d1-1", "c-d2-1"}
	if diff := cmp.Diff(want, chunksOf(r)); diff != "" || !r.Search.More {
		t.Errorf("page 1 (-want +got):\n%s", diff)
	}
}

func TestAnEasyPageAsksOnce(t *testing.T) {
	w := many(40)
	if _, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "x"}`); err != nil || len(w.queries) != 1 {
		t.Errorf("%d queries, %v", len(w.queries), err)
	}
}

func TestARevokedGrantEmptiesTheNextSearch(t *testing.T) {
	w := many(3)
	search := toolkit.NewSearch(w, w, w)
	if r, _ := call(t, search, session(), `{"query": "x"}`); len(r.Hits) != 5 {
		t.Fatalf("%d hits before", len(r.Hits))
	}
	w.grants, w.epoch = nil, 2
	r, err := call(t, search, session(), `{"query": "x"}`)
	if err != nil || len(r.Hits) != 0 || r.Search.More {
		t.Errorf("%d hits after, more %v, %v", len(r.Hits), r.Search.More, err)
	}
}

func TestTheRunsRangeNarrowsTheSearch(t *testing.T) {
	w := many(3)
	s := session()
	s.Request.DocKey = "key-d1"
	r, err := call(t, toolkit.NewSearch(w, w, w), s, `{"query": "x"}`)
	if diff := cmp.Diff([]corpus.ChunkID{"c-d1-1"}, chunksOf(r)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestAStaleScopeIsResolvedAgain(t *testing.T) {
	w := many(3)
	w.stale = 3
	if r, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "x"}`); err != nil || len(r.Hits) != 5 {
		t.Errorf("%d hits, %v", len(r.Hits), err)
	}
	w.stale = 1000
	if _, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "x"}`); err == nil || code(err) != "" {
		t.Errorf("never settles: %v", err)
	}
}

func TestAnActorWhoIsGoneIsDenied(t *testing.T) {
	w := many(1)
	w.suspended = true
	if _, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "x"}`); code(err) != tool.PermissionDenied {
		t.Errorf("err = %v", err)
	}
}

func TestTheContextsErrorPassesThrough(t *testing.T) {
	w := many(1)
	w.fail = context.Canceled
	if _, err := call(t, toolkit.NewSearch(w, w, w), session(), `{"query": "x"}`); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}
