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
	run := runs.Get().(*scan)
	defer run.release()
	places, df := f.look(terms, &run.counted)
	weights := settle(terms, f.n, df)
	top := heap{set: f.set, k: min(k, f.n)}
	for p := range f.set.parts {
		if f.visible[p] > 0 {
			run.part(f, p, request{terms, weights, places[p]}, &top)
		}
	}
	return top.matches(), weights
}

// spot is the place of a term in the dictionary of a part, -1 if the part does not hold it, with those of its
// postings that may be seen, if they were read.
type spot struct {
	at   int
	read bool
	seen postings
}

// look finds the terms in each part's dictionary and counts the visible chunks that hold them. What it reads
// for that is kept as long as there is room.
func (f *Filter) look(terms []Term, room *arena) ([][]spot, []int) {
	places := make([][]spot, len(f.set.parts))
	df := make([]int, len(terms))
	for p, part := range f.set.parts {
		if f.visible[p] == 0 {
			continue
		}
		places[p] = make([]spot, len(terms))
		for t := range terms {
			at := part.segment.find(terms[t].Text)
			spot := &places[p][t]
			spot.at = at
			switch {
			case at < 0:
			case f.visible[p] == part.segment.Chunks():
				df[t] += int(part.segment.dict[at].count)
			case part.segment.dense[at] == nil && room.fits(2*int(part.segment.dict[at].count)):
				spot.read, spot.seen = true, f.gather(p, at, 0, uint32(part.segment.Chunks()), room)
				df[t] += len(spot.seen.ord)
			default:
				df[t] += f.holders(p, at)
			}
		}
	}
	return places, df
}
