package main

import (
	"fmt"
	"log"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/index/vector"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// What the legs of a search of the product are asked for, and the similarity that a chunk without a word
// of the query needs there.
const (
	wordsAsked = 50 + 100
	nearAsked  = 500
	similar    = 0.35
)

// hybridRow is what was measured of both legs together, with vectors for some of the chunks.
type hybridRow struct {
	Vectors  int                   `json:"vectors"`
	Both     map[string][2]float64 `json:"both"`  // filter → median, p95 of a search
	Near     map[string][2]float64 `json:"near"`  // of its leg by meaning alone
	Exact    map[string][2]float64 `json:"exact"` // of comparing every visible vector as it is
	Asked    int                   `json:"asked_exact"`
	Recall   map[string]float64    `json:"recall"`         // of the exact 20
	Keyword  uint64                `json:"keyword_bytes"`  // resident
	Resident uint64                `json:"resident_bytes"` // of keyword index and vectors together
	Load     float64               `json:"load"`
	Note     string                `json:"note,omitempty"` // as that of an engine
}

// vectorKinds say which chunks have vectors: those in Latin script, as in the product, or all.
var vectorKinds = []struct {
	name        string
	first, step int
}{{"half", 1, 2}, {"all", 0, 1}}

// hybrid is a search by both legs. The query's vector is at hand, the filter of each leg is made for it.
type hybrid struct {
	*keyword
	*vectors
	place    map[corpus.DocumentID]int
	places   []int       // of the versions with vectors, in the order of their set
	version  map[int]int // of the world → its place
	asked    map[string]vector.Query
	plainly  map[string][]float32
	withBoth bool
}

// bits are those of what the right may see.
func (h *hybrid) bits(r right) []uint64 {
	if r.all {
		return h.all
	}
	return h.scope[r.name].Judge(h.roll)
}

func lit(bits []uint64, at int) bool { return bits[at/64]>>(at%64)&1 != 0 }

// Search implements engine.
func (h *hybrid) Search(query string, r right) (int, error) {
	sees := h.bits(r)
	found, err := h.nearest(query, sees)
	if err != nil || !h.withBoth {
		return min(best, len(found)), err
	}
	var words []retrieval.Match
	for _, m := range h.keyword.set.Select(sees).Search(index.Terms(query), wordsAsked) {
		words = append(words, retrieval.Match{Chunk: m.Chunk, Document: m.Document, Score: m.Score})
	}
	meant := make([]retrieval.Match, len(found))
	for i, m := range found {
		meant[i] = retrieval.Match{Chunk: m.Chunk, Document: m.Document, Score: m.Similarity}
	}
	return min(best, len(retrieval.Fuse(words, meant, similar))), nil
}

func (h *hybrid) nearest(query string, sees []uint64) ([]vector.Match, error) {
	admitted := make([]uint64, (len(h.places)+63)/64)
	for i, at := range h.places {
		admitted[i/64] |= sees[at/64] >> (at % 64) & 1 << (i % 64)
	}
	return h.vectors.set.Select(admitted).Nearest(h.asked[query], nearAsked)
}

// naive is the comparison with every visible vector as it is.
type naive struct{ *hybrid }

// Search implements engine.
func (p naive) Search(query string, r right) (int, error) { return len(p.find(query, r)), nil }

func (p naive) find(query string, r right) []near {
	sees := p.bits(r)
	return p.exact(p.plainly[query], func(version int) bool { return lit(sees, p.version[version]) })
}

// both measures search by both legs, with vectors for half of the chunks and for all.
func (b *bench) both() error {
	if b.index == nil {
		k, _, fig, err := build(b.w)
		if err != nil {
			return err
		}
		if err := k.admit(b.rights); err != nil {
			return err
		}
		b.index, b.resident = k, fig.bytes
	}
	b.out.Hybrid = map[string]*hybridRow{}
	for _, kind := range vectorKinds {
		v, err := embed(b.w, kind.first, kind.step)
		if err != nil {
			return err
		}
		row, err := b.hybrid(v)
		if err != nil {
			return err
		}
		log.Printf("hybrid, %s: %d MB resident, of which %d for words", kind.name, row.Resident>>20, row.Keyword>>20)
		b.out.Hybrid[kind.name] = row
	}
	b.index = nil
	return nil
}

func (b *bench) hybrid(v *vectors) (*hybridRow, error) {
	h := &hybrid{keyword: b.index, vectors: v, place: map[corpus.DocumentID]int{}, version: map[int]int{}, asked: map[string]vector.Query{}, plainly: map[string][]float32{}}
	b.index.set.Each(func(id corpus.DocumentID) { h.place[id] = len(h.place) })
	v.set.Each(func(id corpus.DocumentID) { h.places = append(h.places, h.place[id]) })
	for i := range b.w.versions {
		h.version[i] = h.place[documentID(i)]
	}
	for n, q := range b.queries {
		u := v.question(n)
		asked, err := vector.NewQuery(v.space, u)
		if err != nil {
			return nil, err
		}
		h.asked[q.text], h.plainly[q.text] = asked, u
	}
	few := b.queries[:min(20, len(b.queries))]
	row := &hybridRow{
		Vectors: len(v.versions) * chunksEach, Asked: len(few), Keyword: b.resident, Resident: b.resident + v.bytes,
		Both: map[string][2]float64{}, Near: map[string][2]float64{}, Exact: map[string][2]float64{}, Recall: map[string]float64{},
	}
	once, together := b.options, *h
	together.withBoth = true
	once.rounds = 1
	for _, r := range b.rights {
		for _, m := range []struct {
			name    string
			into    map[string][2]float64
			engine  engine
			queries []query
			options options
		}{
			{"both legs", row.Both, &together, b.queries, b.options},
			{"by meaning", row.Near, h, b.queries, b.options},
			{"exact", row.Exact, naive{h}, few, once},
		} {
			s, err := measure(m.engine, m.queries, r, m.options)
			if err != nil {
				return nil, err
			}
			m.into[r.name] = [2]float64{ms(s[""].median), ms(s[""].p95)}
			log.Printf("hybrid of %d vectors, %s, %s visible: median %.3f ms, p95 %.3f ms", row.Vectors, m.name, r.name, ms(s[""].median), ms(s[""].p95))
		}
		var err error
		if row.Recall[r.name], err = h.recall(few, r); err != nil {
			return nil, err
		}
		log.Printf("hybrid of %d vectors, %s visible: recall@%d %.4f", row.Vectors, r.name, best, row.Recall[r.name])
	}
	row.Load = machineLoad()
	return row, nil
}

// recall is the part of the exact best that the leg has among its own, on average.
func (h *hybrid) recall(queries []query, r right) (float64, error) {
	hit, all := 0, 0
	for _, q := range queries {
		found, err := h.nearest(q.text, h.bits(r))
		if err != nil {
			return 0, err
		}
		got := map[corpus.ChunkID]bool{}
		for _, m := range found[:min(best, len(found))] {
			got[m.Chunk] = true
		}
		for _, n := range (naive{h}).find(q.text, r) {
			all++
			if got[n.chunk] {
				hit++
			}
		}
	}
	return float64(hit) / float64(max(1, all)), nil
}

// legs tells what was measured of both legs together.
func legs(b *strings.Builder, r *result) {
	for _, kind := range vectorKinds {
		h := r.Hybrid[kind.name]
		if h == nil {
			continue
		}
		fmt.Fprintf(b, "| words and meaning, %s vectors, visible | both median | p95 | meaning median | p95 | exact median | × median | recall@%d |\n", thousands(h.Vectors), best)
		fmt.Fprintf(b, "|---|%s\n", strings.Repeat("---:|", 7))
		for _, f := range filters {
			fmt.Fprintf(b, "| %.1f %% | %.2f | %.2f | %.2f | %.2f | %.1f | %.0f | %.3f |\n", 100*r.Shares[f],
				h.Both[f][0], h.Both[f][1], h.Near[f][0], h.Near[f][1], h.Exact[f][0], h.Exact[f][0]/h.Near[f][0], h.Recall[f])
		}
		b.WriteByte('\n')
		if h.Resident > 0 {
			per := func(bytes uint64) float64 { return float64(bytes) / float64(r.Chunks) }
			fmt.Fprintf(b, "- keyword index and these vectors: %.0f MB resident a million chunks, of which %.0f for words.\n", per(h.Resident), per(h.Keyword))
		}
		fmt.Fprintf(b, "- exact was asked %d of the queries; the load was %.1f.\n", h.Asked, h.Load)
		if h.Note != "" {
			fmt.Fprintf(b, "- %s\n", h.Note)
		}
		b.WriteByte('\n')
	}
}
