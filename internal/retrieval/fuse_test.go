package retrieval_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// pair plays both legs from lists.
type pair struct {
	words, near []retrieval.Match
	asked       int // how deep the keyword leg was asked at most
}

func (p *pair) Keyword(_ context.Context, _ access.Scope, _ string, k int) (retrieval.Words, error) {
	p.asked = max(p.asked, k)
	return retrieval.Words{Matches: p.words[:min(k, len(p.words))]}, nil
}

func (p *pair) Semantic(_ context.Context, _ access.Scope, _ string, k int) ([]retrieval.Match, retrieval.Reason, error) {
	return p.near[:min(k, len(p.near))], "", nil
}

// TestFusionIsByReciprocalRank compares the first hits with the definition, written again, and
// pages with the whole.
func TestFusionIsByReciprocalRank(t *testing.T) {
	h := newHouse()
	texts := make([]string, 400)
	for i := range texts {
		texts[i] = "pump"
	}
	h.put(t, corpus.Document{ID: "d"}, texts...)
	chunk := func(i int) corpus.ChunkID { return corpus.ChunkID(fmt.Sprintf("d.%d", i+1)) }
	rapid.Check(t, func(t *rapid.T) {
		p := &pair{}
		place := rapid.Permutation(indices(400)).Draw(t, "words")
		for i := range rapid.IntRange(0, 300).Draw(t, "n") {
			p.words = append(p.words, retrieval.Match{Chunk: chunk(place[i]), Document: "d", Score: float64(1000 - i)})
		}
		place = rapid.Permutation(indices(400)).Draw(t, "near")
		for i := range rapid.IntRange(0, 300).Draw(t, "m") {
			p.near = append(p.near, retrieval.Match{Chunk: chunk(place[i]), Document: "d", Score: 1 - float64(i)/100})
		}
		s := retrieval.NewHybrid(p, h, p, 0.5)
		score := map[corpus.ChunkID]float64{}
		worded := map[corpus.ChunkID]bool{}
		for i, m := range p.words {
			worded[m.Chunk] = true
			if i < 100 {
				score[m.Chunk] += 1 / float64(5+i+1)
			}
		}
		for i, m := range p.near[:min(100, len(p.near))] {
			if _, ok := score[m.Chunk]; ok || m.Score >= 0.5 {
				score[m.Chunk] += 0.5 * (1 / float64(5+i+1))
			}
		}
		var joined []retrieval.Hit
		page := retrieval.Query{Text: "pump", Limit: rapid.IntRange(20, 50).Draw(t, "limit")}
		for ; ; page.Offset += page.Limit {
			got := look(t, h, s, "u", access.Request{}, page)
			joined = append(joined, got.Hits...)
			if !got.More {
				break
			}
		}
		if whole := union(worded, score); len(joined) != whole {
			t.Fatalf("%d hits, want %d", len(joined), whole)
		}
		seen := map[corpus.ChunkID]bool{}
		for i, hit := range joined {
			if seen[hit.Chunk] {
				t.Fatalf("%s stands on two pages", hit.Chunk)
			}
			seen[hit.Chunk] = true
			want, ok := score[hit.Chunk]
			if !ok {
				want = 1 / float64(5+hit.Ranks.Keyword)
			}
			if hit.Score != want || !ok && hit.Ranks.Keyword <= 100 {
				t.Fatalf("hit %d: score %v with %+v, want %v", i, hit.Score, hit.Ranks, want)
			}
			if i > 0 && hit.Score > joined[i-1].Score {
				t.Fatalf("hit %d scores more than the one before", i)
			}
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func union(a map[corpus.ChunkID]bool, b map[corpus.ChunkID]float64) int {
	n := len(a)
	for id := range b {
		if !a[id] {
			n++
		}
	}
	return n
}

// TestHybridWorldsThatDifferInHiddenVersionsLookTheSame is the twin-world test for the semantic leg
// and for what both legs give together.
func TestHybridWorldsThatDifferInHiddenVersionsLookTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := village(t)
		user, req := rapid.SampledFrom(users).Draw(t, "user"), request(t)
		twin := newHouse()
		twin.users, twin.bases = h.users, h.bases
		c, d := newCellar(h, lexicon(), embedding.Traits{Reads: latin}), newCellar(twin, lexicon(), embedding.Traits{Reads: latin})
		for _, p := range h.papers {
			wait := rapid.IntRange(0, 3).Draw(t, "waits") == 0
			c.waits[p.ID] = wait
			if may(h, user, req, p) {
				twin.add(t, p.Document, p.chunks)
				d.waits[p.ID] = wait
			}
		}
		q := retrieval.Query{Limit: rapid.IntRange(1, 5).Draw(t, "limit"), Offset: rapid.IntRange(0, 3).Draw(t, "offset")}
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(append(slices.Clone(phrases), "compressor", "leave", "absence")), 1, 4).Draw(t, "query") {
			q.Text += p + " "
		}
		got, want := look(t, h, hybrid(c), user, req, q), look(t, twin, hybrid(d), user, req, q)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: the hidden versions can be noticed:\n%s", q.Text, diff)
		}
		near, reason, err := leg(c).Semantic(t.Context(), h.scope(t, user, req), q.Text, 50)
		same, why, err2 := leg(d).Semantic(t.Context(), twin.scope(t, user, req), q.Text, 50)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if diff := cmp.Diff(same, near); diff != "" || reason != why {
			t.Fatalf("%q: the semantic leg shows the hidden versions (%q, %q):\n%s", q.Text, reason, why, diff)
		}
		pending, err := leg(c).Pending(t.Context(), h.scope(t, user, req))
		ought, err2 := leg(d).Pending(t.Context(), twin.scope(t, user, req))
		if err != nil || err2 != nil || pending != ought {
			t.Fatalf("pending %d, %d, %v, %v", pending, ought, err, err2)
		}
	})
}

// TestSemanticLegFindsExactlyTheAdmittedChunks asks for everything there is.
func TestSemanticLegFindsExactlyTheAdmittedChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := village(t)
		s := leg(newCellar(h, lexicon(), embedding.Traits{}))
		for _, user := range users {
			req := request(t)
			want := []corpus.ChunkID{}
			for _, p := range h.papers {
				for _, c := range p.chunks {
					if may(h, user, req, p) {
						want = append(want, c.ID)
					}
				}
			}
			found, _, err := s.Semantic(t.Context(), h.scope(t, user, req), "pump", 1000)
			if err != nil {
				t.Fatal(err)
			}
			got := []corpus.ChunkID{}
			for _, m := range found {
				got = append(got, m.Chunk)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s with %+v found %v, may see %v", user, req, got, want)
			}
		}
	})
}
