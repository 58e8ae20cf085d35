package retrieval_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/retrieval/rerank"
)

// reader counts what is loaded, and can lose a chunk.
type reader struct {
	*house
	loaded atomic.Int64
	lost   corpus.ChunkID
}

func (r *reader) Chunk(ctx context.Context, scope access.Scope, id corpus.ChunkID) (corpus.Chunk, corpus.Document, error) {
	r.loaded.Add(1)
	if id == r.lost {
		return corpus.Chunk{}, corpus.Document{}, problem.Missing()
	}
	return r.house.Chunk(ctx, scope, id)
}

// crowd holds passages that a search for "pump seal" finds, each a little longer than the one before,
// more than are put in a new order. The last of the first fifty has the phrase.
func crowd(t *testing.T) *reader {
	h := newHouse()
	for i := range rerank.Pool + 20 {
		text := "seal of any pump" + strings.Repeat(" word", i)
		if i == rerank.Pool-1 {
			text = "pump seal pump seal" + strings.Repeat(" word", i)
		}
		h.put(t, corpus.Document{ID: corpus.DocumentID(fmt.Sprintf("d%02d", i))}, text)
	}
	return &reader{house: h}
}

func TestPassageWithThePhraseComesBeforeOneWithItsWordsApart(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "A failure of the seal was seen on every pump.")
	h.put(t, corpus.Document{ID: "b"}, "A pump seal failure was seen here every day.")
	got := ask(t, h, searcher(h), "u", retrieval.Query{Text: "pump seal failure"})
	var ranks []retrieval.Ranks
	for _, hit := range got.Hits {
		ranks = append(ranks, hit.Ranks)
	}
	if diff := cmp.Diff([]corpus.ChunkID{"b.1", "a.1"}, ids(got)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]retrieval.Ranks{{Keyword: 2, Rerank: 1}, {Keyword: 1, Rerank: 2}}, ranks); diff != "" {
		t.Error(diff)
	}
}

func TestCodesKeepTheOrderOfTheLegs(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "A failure of the seal ERR-1042 was seen on every pump.")
	h.put(t, corpus.Document{ID: "b"}, "A pump seal failure ERR-1042 was seen here every day.")
	got := ask(t, h, searcher(h), "u", retrieval.Query{Text: "pump seal failure ERR-1042"})
	if diff := cmp.Diff([]corpus.ChunkID{"a.1", "b.1"}, ids(got)); diff != "" {
		t.Error(diff)
	}
	if got.Hits[0].Ranks.Rerank != 0 {
		t.Errorf("the first hit has a place of features: %+v", got.Hits[0].Ranks)
	}
}

func TestPagesArePartsOfOneNewOrder(t *testing.T) {
	r := crowd(t)
	s := retrieval.NewSearcher(retrieval.NewLocal(r.house), r)
	var seen []corpus.ChunkID
	for page := (retrieval.Query{Text: "pump seal", Limit: 7}); ; page.Offset += page.Limit {
		got := ask(t, r.house, s, "u", page)
		for i, hit := range got.Hits {
			want := page.Offset + i + 1
			if want > rerank.Pool {
				want = 0
			}
			if hit.Ranks.Rerank != want {
				t.Errorf("the hit at %d has the place %d", page.Offset+i+1, hit.Ranks.Rerank)
			}
			seen = append(seen, hit.Chunk)
		}
		if !got.More {
			break
		}
	}
	different := map[corpus.ChunkID]bool{}
	for _, id := range seen {
		different[id] = true
	}
	if len(seen) != rerank.Pool+20 || len(different) != len(seen) {
		t.Errorf("%d hits, %d different ones, of %d", len(seen), len(different), rerank.Pool+20)
	}
	if seen[rerank.Pool-1] == "d49.1" {
		t.Error("the passage with the phrase was not moved up")
	}
	for i, id := range seen[rerank.Pool:] {
		if want := corpus.ChunkID(fmt.Sprintf("d%d.1", rerank.Pool+i)); id != want {
			t.Errorf("the hit at %d is %s, want %s", rerank.Pool+i+1, id, want)
		}
	}
}

func TestASearchLoadsEachPassageOnce(t *testing.T) {
	r := crowd(t)
	s := retrieval.NewSearcher(retrieval.NewLocal(r.house), r)
	ask(t, r.house, s, "u", retrieval.Query{Text: "pump seal"})
	if n := r.loaded.Load(); n != rerank.Pool {
		t.Errorf("%d passages were loaded, want %d", n, rerank.Pool)
	}
}

func TestAPassageThatIsFoundAndNotThereMakesTheSearchStale(t *testing.T) {
	r := crowd(t)
	r.lost = "d30.1"
	s := retrieval.NewSearcher(retrieval.NewLocal(r.house), r)
	_, err := s.Search(context.Background(), r.scope(t, "u", access.Request{}), retrieval.Query{Text: "pump seal"})
	if problem.CodeOf(err) != "scope_stale" {
		t.Errorf("the search gave %v", err)
	}
}

// TestHiddenPassageMovesNoPlace holds two worlds against each other that differ in what nobody may see:
// the weights of the words are those of the visible passages.
func TestHiddenPassageMovesNoPlace(t *testing.T) {
	alone, beside := crowd(t), crowd(t)
	for i := range 30 {
		beside.put(t, corpus.Document{ID: corpus.DocumentID(fmt.Sprintf("hidden%d", i)), KnowledgeBase: "other"}, "seal seal seal and nothing else")
	}
	var got []retrieval.Result
	for _, r := range []*reader{alone, beside} {
		got = append(got, ask(t, r.house, retrieval.NewSearcher(retrieval.NewLocal(r.house), r), "u", retrieval.Query{Text: "pump seal", Limit: 50}))
	}
	if diff := cmp.Diff(got[0], got[1]); diff != "" {
		t.Error(diff)
	}
}
