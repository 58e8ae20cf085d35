package retrieval_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// judge is a reranker that prefers texts in which a word stands often.
type judge struct {
	mu     sync.Mutex
	word   string
	remote bool
	fault  error
	short  bool   // it leaves out a score
	asked  func() // before each answer
	query  []string
	texts  [][]string
}

func (j *judge) Info() llm.Info {
	return llm.Info{Engine: llm.Model, Name: "judge", Host: "rank.example", Remote: j.remote}
}

func (j *judge) Rerank(_ context.Context, query string, texts []string) (llm.Ranking, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.query, j.texts = append(j.query, query), append(j.texts, slices.Clone(texts))
	if j.asked != nil {
		j.asked()
	}
	if j.fault != nil {
		return llm.Ranking{}, j.fault
	}
	total := 7
	out := llm.Ranking{Usage: &llm.Usage{Total: &total}}
	for _, t := range texts {
		out.Scores = append(out.Scores, float64(strings.Count(t, j.word)))
	}
	if j.short {
		out.Scores = out.Scores[1:]
	}
	return out, nil
}

// judged is a searcher by words whose first hits a judge reorders.
func judged(h *house, j *judge, hits int) *retrieval.Searcher {
	s := searcher(h)
	s.Reranking = &retrieval.Reranking{Model: j, Hits: hits}
	return s
}

// pumps has four passages that are found alike, and one that is hidden.
func pumps(t *testing.T) *house {
	t.Helper()
	h := newHouse()
	for id, text := range map[corpus.DocumentID]string{"a": "pump one", "b": "pump best best", "c": "pump best", "d": "pump four"} {
		h.put(t, corpus.Document{ID: id, Title: "T" + string(id)}, text)
	}
	h.put(t, corpus.Document{ID: "hidden", Policy: access.Policy{Restricted: true}}, "pump best best best SECRET")
	return h
}

func TestARerankerOrdersTheFirstHits(t *testing.T) {
	h, j := pumps(t), &judge{word: "best"}
	plain := ask(t, h, searcher(h), "u", retrieval.Query{Text: "pump"})
	got := ask(t, h, judged(h, j, 0), "u", retrieval.Query{Text: "pump"})
	if d := cmp.Diff([]corpus.ChunkID{"b.1", "c.1", "a.1", "d.1"}, ids(got)); d != "" {
		t.Fatal(d)
	}
	scores := map[corpus.ChunkID]float64{}
	for _, hit := range plain.Hits {
		scores[hit.Chunk] = hit.Score
	}
	for i, hit := range got.Hits {
		if hit.Ranks.Rerank != i+1 || hit.Ranks.Keyword == 0 || hit.Score != scores[hit.Chunk] {
			t.Errorf("place %d: %+v with the score %v, want that of the legs, %v", i+1, hit.Ranks, hit.Score, scores[hit.Chunk])
		}
	}
	if !slices.Equal(got.Legs, []string{"keyword", "rerank"}) || got.Skipped != nil || got.Usage == nil || *got.Usage.Total != 7 {
		t.Errorf("legs %v, skipped %v, usage %v", got.Legs, got.Skipped, got.Usage)
	}
	if len(j.texts) != 1 || j.query[0] != "pump" || !slices.Contains(j.texts[0], "Tb\npump best best") {
		t.Errorf("the model was asked %q of %q", j.query, j.texts)
	}
}

func TestAModelIsSentOnlyWhatTheActorMaySee(t *testing.T) {
	h, j := pumps(t), &judge{word: "best"}
	ask(t, h, judged(h, j, 0), "u", retrieval.Query{Text: "pump"})
	for _, text := range j.texts[0] {
		if strings.Contains(text, "SECRET") {
			t.Errorf("the model was sent %q", text)
		}
	}
	if len(j.texts[0]) != 4 {
		t.Errorf("the model was sent %d passages", len(j.texts[0]))
	}
}

// Behind those that the model judges, the order is that of the features.
func TestHitsBehindTheFirstKeepTheirOrder(t *testing.T) {
	h, j := pumps(t), &judge{word: "four"}
	plain := ids(ask(t, h, searcher(h), "u", retrieval.Query{Text: "pump"}))
	got := ask(t, h, judged(h, j, 2), "u", retrieval.Query{Text: "pump"})
	if !slices.Equal(ids(got), plain) || got.Hits[1].Ranks.Rerank != 2 || got.Hits[2].Ranks.Rerank != 3 || len(j.texts[0]) != 2 {
		t.Errorf("%v and %+v, want %v", ids(got), got.Hits[2].Ranks, plain)
	}
	// Nothing on a page behind them is reordered, and so nothing is sent.
	got = ask(t, h, judged(h, j, 2), "u", retrieval.Query{Text: "pump", Offset: 2})
	if !slices.Equal(ids(got), plain[2:]) || len(j.texts) != 1 || !slices.Equal(got.Skipped, []retrieval.Skipped{{Leg: "rerank", Reason: retrieval.Nothing}}) {
		t.Errorf("%v, skipped %v, %d requests", ids(got), got.Skipped, len(j.texts))
	}
}

func TestPagesAreOfOneOrderAndAskOnce(t *testing.T) {
	h, j := pumps(t), &judge{word: "best"}
	s := judged(h, j, 3)
	whole := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"}))
	var pages []corpus.ChunkID
	for offset := range 4 {
		pages = append(pages, ids(ask(t, h, s, "u", retrieval.Query{Text: "pump", Limit: 1, Offset: offset}))...)
	}
	if d := cmp.Diff(whole, pages); d != "" || len(j.texts) != 1 {
		t.Errorf("%s after %d requests", d, len(j.texts))
	}
	// A changed passage is another question; so is another person's.
	h.change(func() { h.users["v"] = access.Identity{User: "v"} })
	ask(t, h, s, "v", retrieval.Query{Text: "pump"})
	h.change(func() { h.papers[h.place["a"]].chunks[0].Text = "pump best new" })
	ask(t, h, s, "u", retrieval.Query{Text: "pump"})
	if len(j.texts) != 3 {
		t.Errorf("%d requests", len(j.texts))
	}
}

func TestAFailedRerankerLeavesTheOrderAndIsNamed(t *testing.T) {
	down := problem.New(problem.Unavailable, "rerank_failed", "down")
	for name, c := range map[string]struct {
		judge *judge
		want  retrieval.Reason
	}{
		"failed": {&judge{fault: down}, retrieval.Failed}, "silent": {&judge{fault: problem.New(problem.Unavailable, "rerank_timeout", "slow")}, retrieval.TooSlow},
		"malformed": {&judge{fault: problem.New(problem.Unavailable, "rerank_malformed", "odd")}, retrieval.Failed}, "short": {&judge{short: true}, retrieval.Failed},
		"anything": {&judge{fault: errors.New("what")}, retrieval.Failed},
	} {
		h := pumps(t)
		want := ask(t, h, searcher(h), "u", retrieval.Query{Text: "pump"})
		got := ask(t, h, judged(h, c.judge, 0), "u", retrieval.Query{Text: "pump"})
		if d := cmp.Diff(want.Hits, got.Hits); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if !slices.Equal(got.Legs, want.Legs) || !slices.Equal(got.Skipped, []retrieval.Skipped{{Leg: "rerank", Reason: c.want}}) || !got.Skipped[0].Reason.Fault() {
			t.Errorf("%s: legs %v, skipped %v", name, got.Legs, got.Skipped)
		}
	}
}

func TestAFailureHoldsForTheSamePagesAndNotForLong(t *testing.T) {
	h, now := pumps(t), time.Unix(0, 0)
	j := &judge{word: "best", fault: errors.New("down")}
	s := judged(h, j, 0)
	s.Reranking.Clock = func() time.Time { return now }
	first := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump", Limit: 2}))
	j.fault = nil
	second := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump", Limit: 2, Offset: 2}))
	if all := slices.Concat(first, second); !slices.Equal(all, ids(ask(t, h, searcher(h), "u", retrieval.Query{Text: "pump"}))) || len(j.texts) != 1 {
		t.Errorf("the pages are %v after %d requests", all, len(j.texts))
	}
	now = now.Add(2 * time.Minute)
	if got := ask(t, h, s, "u", retrieval.Query{Text: "pump", Limit: 2}); len(j.texts) != 2 || got.Hits[0].Chunk != "b.1" {
		t.Errorf("%v after %d requests", ids(got), len(j.texts))
	}
}

func TestARerankerIsNotAskedWhereItMayNotOrNeedNot(t *testing.T) {
	for name, c := range map[string]struct {
		judge *judge
		local bool
		query string
		want  retrieval.Reason
	}{
		"a tenant whose text stays":   {&judge{remote: true}, true, "pump", retrieval.LocalOnly},
		"a query of codes":            {&judge{}, false, "ERR-1042", retrieval.Literal},
		"a query that finds nothing":  {&judge{}, false, "gasket", retrieval.Nothing},
		"a query that finds one":      {&judge{}, false, "four", retrieval.Nothing},
		"a model here of that tenant": {&judge{}, true, "pump", ""},
		"a model there of another":    {&judge{remote: true}, false, "pump", ""},
	} {
		h := pumps(t)
		h.put(t, corpus.Document{ID: "e"}, "ERR-1042 valve")
		h.put(t, corpus.Document{ID: "f"}, "ERR-1042 ERR-1042 valve")
		h.local = c.local
		got := ask(t, h, judged(h, c.judge, 0), "u", retrieval.Query{Text: c.query})
		if c.want == "" {
			if len(c.judge.texts) != 1 || got.Skipped != nil {
				t.Errorf("%s: %d requests, skipped %v", name, len(c.judge.texts), got.Skipped)
			}
			continue
		}
		if len(c.judge.texts) != 0 || !slices.Equal(got.Skipped, []retrieval.Skipped{{Leg: "rerank", Reason: c.want}}) || got.Skipped[0].Reason.Fault() {
			t.Errorf("%s: %d requests, skipped %v", name, len(c.judge.texts), got.Skipped)
		}
	}
}

func TestARightThatIsLostWhileTheModelThinksIsLost(t *testing.T) {
	h, j := pumps(t), &judge{word: "best"}
	j.asked = func() {
		h.change(func() { h.papers[h.place["b"]].Policy = access.Policy{Restricted: true} })
	}
	_, err := judged(h, j, 0).Search(t.Context(), h.scope(t, "u", access.Request{}), retrieval.Query{Text: "pump"})
	if problem.CodeOf(err) != "scope_stale" {
		t.Errorf("the search answers %v", err)
	}
}

func TestTheEndOfASearchEndsTheRerankerToo(t *testing.T) {
	h, j := pumps(t), &judge{word: "best"}
	ctx, stop := context.WithCancel(t.Context())
	j.asked, j.fault = stop, errors.New("interrupted")
	if _, err := judged(h, j, 0).Search(ctx, h.scope(t, "u", access.Request{}), retrieval.Query{Text: "pump"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the search answers %v", err)
	}
}

func TestAFailureIsLoggedWithoutTheQuery(t *testing.T) {
	h, j := pumps(t), &judge{fault: problem.New(problem.Unavailable, "rerank_failed", "down")}
	var log bytes.Buffer
	s := judged(h, j, 0)
	s.Reranking.Log = slog.New(slog.NewJSONHandler(&log, nil))
	ask(t, h, s, "u", retrieval.Query{Text: "pump"})
	if !strings.Contains(log.String(), "reranker failed") || strings.Contains(log.String(), "pump") {
		t.Error(log.String())
	}
}

func TestBothLegsAreReorderedTogether(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump")
	h.put(t, corpus.Document{ID: "b"}, "compressor best")
	s := hybrid(newCellar(h, lexicon(), embedding.Traits{}))
	s.Reranking = &retrieval.Reranking{Model: &judge{word: "best"}}
	got := ask(t, h, s, "u", retrieval.Query{Text: "pump"})
	if !slices.Equal(ids(got), []corpus.ChunkID{"b.1", "a.1"}) || !slices.Equal(got.Legs, []string{"keyword", "semantic", "rerank"}) || got.Hits[0].Ranks.Semantic == 0 {
		t.Errorf("%v by %v", ids(got), got.Legs)
	}
}

// TestRerankedHitsAreTheFormerOnesInAnotherOrder also holds worlds with and without what is hidden
// against each other.
func TestRerankedHitsAreTheFormerOnesInAnotherOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := village(t)
		n := rapid.IntRange(1, 6).Draw(t, "hits")
		q := retrieval.Query{Text: rapid.SampledFrom(phrases).Draw(t, "query"), Limit: 50}
		user := rapid.SampledFrom(users[:3]).Draw(t, "user")
		word := rapid.SampledFrom(phrases).Draw(t, "word")
		plain := ids(ask(t, h, searcher(h), user, q))
		got := ids(ask(t, h, judged(h, &judge{word: word}, n), user, q))
		first := min(n, len(plain))
		a, b := slices.Sorted(slices.Values(plain[:first])), slices.Sorted(slices.Values(got[:first]))
		if !slices.Equal(a, b) || !slices.Equal(plain[first:], got[first:]) {
			t.Fatalf("%v of %v with %d reordered", got, plain, n)
		}
		twin := newHouse()
		twin.users, twin.bases = h.users, h.bases
		for _, p := range h.papers {
			if may(h, user, access.Request{View: access.Published}, p) {
				twin.add(t, p.Document, p.chunks)
			}
		}
		if d := cmp.Diff(got, ids(ask(t, twin, judged(twin, &judge{word: word}, n), user, q))); d != "" {
			t.Fatalf("-with +without what is hidden: %s", d)
		}
	})
}
