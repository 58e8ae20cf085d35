package retrieval

import (
	"cmp"
	"math"
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
)

const (
	// smooth is the constant of reciprocal rank fusion, and share what a place in the semantic leg
	// counts beside one in the keyword leg: the legs give 1/(smooth+rank) and share/(smooth+rank) to a
	// chunk. Both were chosen on public collections with the built-in model; the decision on search by
	// meaning has the figures. The usual 60 hardly tells the first place from the twentieth, so that a passage
	// which one leg is sure of falls behind those that both find likely.
	smooth = 5
	share  = 0.5
	// depth is how many chunks of each leg are fused. It is the same for every page, so that the
	// pages of a query are parts of one order.
	depth = 100
	// reach is how many of the nearest chunks have their similarity told. What stands behind the depth has
	// no place in the fusion, and is not found by it, but what words found is compared by its similarity.
	reach = 500
)

// Ranked is a chunk with what the legs said of it: their places and their scores. The score of the
// match is that of both together. A similarity that the semantic leg did not give is the least that
// it gave.
type Ranked struct {
	Match
	Ranks      Ranks
	Keyword    float64
	Similarity float64
}

// Alone is the order of the keyword leg, with its own scores.
func Alone(words []Match) []Ranked {
	out := make([]Ranked, len(words))
	for i, m := range words {
		out[i] = Ranked{Match: m, Ranks: Ranks{Keyword: i + 1}, Keyword: m.Score}
	}
	return out
}

// Fuse joins both legs by reciprocal rank. A chunk without a word of the query needs the similarity
// of the threshold. What the keyword leg found beyond the depth has its own place alone. Equal scores
// go by the keyword leg's ranks. The first n are the same whatever more than n+depth chunks the
// keyword leg gave.
func Fuse(words, near []Match, threshold float64) []Ranked {
	out := Alone(words)
	place := make(map[corpus.ChunkID]int, depth+len(near))
	for i := range out {
		out[i].Score = reciprocal(i + 1)
		if i < depth {
			place[out[i].Chunk] = i
		}
	}
	compare(out, near)
	meant := map[corpus.ChunkID]bool{}
	for i, m := range near[:min(depth, len(near))] {
		if at, ok := place[m.Chunk]; ok {
			out[at].Ranks.Semantic = i + 1
			out[at].Score += share * reciprocal(i+1)
		} else if m.Score >= threshold {
			meant[m.Chunk] = true
			r := Ranked{Match: m, Ranks: Ranks{Semantic: i + 1}, Similarity: m.Score}
			r.Score = share * reciprocal(i+1)
			out = append(out, r)
		}
	}
	out = slices.DeleteFunc(out, func(r Ranked) bool { return r.Ranks.Keyword > depth && meant[r.Chunk] })
	slices.SortFunc(out, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(behind(a.Ranks.Keyword), behind(b.Ranks.Keyword)),
			cmp.Compare(a.Ranks.Semantic, b.Ranks.Semantic))
	})
	return out
}

// compare gives the chunks their similarities.
func compare(list []Ranked, near []Match) {
	near = near[:min(reach, len(near))]
	if len(near) == 0 {
		return
	}
	told := make(map[corpus.ChunkID]float64, len(near))
	for _, m := range near {
		told[m.Chunk] = m.Score
	}
	for i := range list {
		s, ok := told[list[i].Chunk]
		if !ok {
			s = near[len(near)-1].Score
		}
		list[i].Similarity = s
	}
}

func reciprocal(rank int) float64 { return 1 / float64(smooth+rank) }

// behind puts what a leg did not find after everything that it found.
func behind(rank int) int {
	if rank == 0 {
		return math.MaxInt
	}
	return rank
}
