package index

import (
	"github.com/kaoju/kaoju/internal/corpus"
)

// Match is a chunk that a search found.
type Match struct {
	Document corpus.DocumentID
	Chunk    corpus.ChunkID
	No       int
	Score    float64
}

// Search returns the k best of the visible chunks that hold at least one of the terms, best
// first; equal scores in order of the version's key, its id and the chunk's number.
func (f *Filter) Search(terms []Term, k int) []Match {
	found, _ := f.Rank(terms, k)
	return found
}

// Rank does what Search does, and says what each of the terms weighs: its rarity among the visible
// chunks, as far as it counts, and 0 for a term that none of them holds or where no chunk is asked for.
func (f *Filter) Rank(terms []Term, k int) ([]Match, []float64) {
	if k <= 0 || f.n == 0 || len(terms) == 0 {
		return nil, make([]float64, len(terms))
	}
	places, df := f.look(terms)
	weights := settle(terms, f.n, df)
	top := heap{set: f.set, k: min(k, f.n)}
	run := runs.Get().(*scan)
	defer runs.Put(run)
	for p := range f.set.parts {
		if f.visible[p] > 0 {
			run.part(f, p, request{terms, weights, places[p]}, &top)
		}
	}
	return top.matches(), weights
}

// look finds the terms in each part's dictionary and counts the visible chunks that hold them.
func (f *Filter) look(terms []Term) ([][]int, []int) {
	places := make([][]int, len(f.set.parts))
	df := make([]int, len(terms))
	for p, part := range f.set.parts {
		if f.visible[p] == 0 {
			continue
		}
		places[p] = make([]int, len(terms))
		for t := range terms {
			at := part.segment.find(terms[t].Text)
			places[p][t] = at
			switch {
			case at < 0:
			case f.visible[p] == part.segment.Chunks():
				df[t] += int(part.segment.dict[at].count)
			default:
				df[t] += f.holders(p, at)
			}
		}
	}
	return places, df
}
