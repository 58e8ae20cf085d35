package retrieval_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// A version that is cut anew moves no epoch: a scope from before goes on, and finds the new chunks alone.
func TestAVersionThatIsCutAnewIsFoundAsItIsCutNow(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump one valve two")
	h.put(t, corpus.Document{ID: "b"}, "pump three")
	s, scope := searcher(h), h.scope(t, "u", access.Request{})
	found := func() (out []corpus.ChunkID) {
		t.Helper()
		got, err := s.Search(t.Context(), scope, retrieval.Query{Text: "pump valve"})
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range got.Hits {
			out = append(out, hit.Chunk)
		}
		return out
	}
	if diff := cmp.Diff([]corpus.ChunkID{"a.1", "b.1"}, found()); diff != "" {
		t.Fatal(diff)
	}
	before := h.bytes.Load()
	h.recut(t, "a", "pump one", "valve two")
	if diff := cmp.Diff([]corpus.ChunkID{"a.2/1", "a.1/1", "b.1"}, found()); diff != "" {
		t.Error(diff)
	}
	if n := h.bytes.Load() - before; n != 1 {
		t.Errorf("%d segments were read for one version", n)
	}
	h.recut(t, "a")
	if diff := cmp.Diff([]corpus.ChunkID{"b.1"}, found()); diff != "" {
		t.Error(diff)
	}
	h.recut(t, "a", "pump")
	if diff := cmp.Diff([]corpus.ChunkID{"a.1/3", "b.1"}, found()); diff != "" {
		t.Error(diff)
	}
}

// hasty cuts a version anew between the moment at which a search found it and the one at which it is loaded.
type hasty struct {
	*house
	before func()
}

func (x *hasty) Chunk(ctx context.Context, scope access.Scope, id corpus.ChunkID) (corpus.Chunk, corpus.Document, error) {
	if fn := x.before; fn != nil {
		x.before = nil
		fn()
	}
	return x.house.Chunk(ctx, scope, id)
}

// begun searches as every surface does, which begins again when something moved.
func begun(t *testing.T, h *house, s *retrieval.Searcher, q retrieval.Query) (out retrieval.Result) {
	t.Helper()
	err := access.Within(t.Context(), h, access.Actor{Tenant: tenant, User: "u"}, access.Request{}, func(scope access.Scope) (err error) {
		out, err = s.Search(t.Context(), scope, q)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return out
}

func TestASearchDuringWhichAVersionIsCutAnewBeginsAgain(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump one", "pump two")
	texts := &hasty{house: h, before: func() { h.recut(t, "a", "pump one pump two") }}
	s := retrieval.NewSearcher(retrieval.NewLocal(h), texts)
	got := begun(t, h, s, retrieval.Query{Text: "pump"})
	if len(got.Hits) != 1 || got.Hits[0].Chunk != "a.1/1" {
		t.Errorf("found %+v", got.Hits)
	}
}

// Searches and a chunker at work: each search finds all old chunks of a version or all new ones.
func TestNoSearchFindsAMixOfOldAndNewChunks(t *testing.T) {
	h := newHouse()
	const versions = 12
	for i := range versions {
		h.put(t, corpus.Document{ID: corpus.DocumentID(fmt.Sprint("d", i))}, "pump a", "pump b", "pump c")
	}
	s := searcher(h)
	var work sync.WaitGroup
	stop := make(chan struct{})
	work.Go(func() {
		for i := range versions {
			h.recut(t, corpus.DocumentID(fmt.Sprint("d", i)), "pump a pump b", "pump c")
		}
		close(stop)
	})
	for range 2 {
		work.Go(func() {
			for done := false; !done; {
				select {
				case <-stop:
					done = true
				default:
				}
				got := begun(t, h, s, retrieval.Query{Text: "pump", Limit: 50})
				count := map[corpus.DocumentID]map[bool]int{}
				for _, hit := range got.Hits {
					if count[hit.Document.ID] == nil {
						count[hit.Document.ID] = map[bool]int{}
					}
					count[hit.Document.ID][len(hit.Chunk) > len("d10.1")]++
				}
				for id, n := range count {
					if old, now := n[false], n[true]; old != 3 && now != 2 || old != 0 && now != 0 {
						t.Errorf("%d former and %d present chunks of %s", old, now, id)
					}
				}
				if len(count) != versions {
					t.Errorf("%d versions are found", len(count))
				}
				if done && len(got.Hits) != 2*versions {
					t.Errorf("%d hits in the end", len(got.Hits))
				}
			}
		})
	}
	work.Wait()
}

// A merged part that holds former chunks looks like one that fits its versions: it must not be kept.
func TestAPartWithFormerChunksIsNotKept(t *testing.T) {
	h := newHouse()
	shelve(t, h, "a", 100)
	a := newLoft(h)
	l := a.kept(t)
	former := make([]string, len(h.papers[h.place["a7"]].chunks)) // as many as there were
	for i := range former {
		former[i] = "w1x is all that is left"
	}
	h.recut(t, "a7", former...)
	if len(a.standing()) != 0 {
		t.Fatal("the merged segment outlived the chunks of a version in it")
	}
	for range 2 { // one that does not know of it yet, and one that does
		if err := retrieval.KeepNow(t.Context(), l); err != nil {
			t.Fatal(err)
		}
		want := keyword(t, h, retrieval.NewLocal(h), words)
		for what, other := range map[string]*retrieval.Local{"the server": l, "the next one": a.server()} {
			if diff := cmp.Diff(want, keyword(t, h, other, words)); diff != "" {
				t.Errorf("%s: %s", what, diff)
			}
		}
	}
}
