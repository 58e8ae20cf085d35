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
)

// ranked is a chunk with its places in the legs.
type ranked struct {
	Match
	ranks Ranks
}

// alone is the order of the keyword leg, with its own scores.
func alone(words []Match) []ranked {
	out := make([]ranked, len(words))
	for i, m := range words {
		out[i] = ranked{m, Ranks{Keyword: i + 1}}
	}
	return out
}

// fuse joins both legs by reciprocal rank. A chunk without a word of the query needs the similarity
// of the threshold. What the keyword leg found beyond the depth has its own place alone. Equal scores
// go by the keyword leg's ranks. The first n are the same whatever more than n+depth chunks the
// keyword leg gave.
func fuse(words, near []Match, threshold float64) []ranked {
	out := alone(words)
	place := make(map[corpus.ChunkID]int, depth+len(near))
	for i := range out {
		out[i].Score = reciprocal(i + 1)
		if i < depth {
			place[out[i].Chunk] = i
		}
	}
	meant := map[corpus.ChunkID]bool{}
	for i, m := range near[:min(depth, len(near))] {
		if at, ok := place[m.Chunk]; ok {
			out[at].ranks.Semantic = i + 1
			out[at].Score += share * reciprocal(i+1)
		} else if m.Score >= threshold {
			meant[m.Chunk] = true
			m.Score = share * reciprocal(i+1)
			out = append(out, ranked{m, Ranks{Semantic: i + 1}})
		}
	}
	out = slices.DeleteFunc(out, func(r ranked) bool { return r.ranks.Keyword > depth && meant[r.Chunk] })
	slices.SortFunc(out, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(behind(a.ranks.Keyword), behind(b.ranks.Keyword)),
			cmp.Compare(a.ranks.Semantic, b.ranks.Semantic))
	})
	return out
}

func reciprocal(rank int) float64 { return 1 / float64(smooth+rank) }

// behind puts what a leg did not find after everything that it found.
func behind(rank int) int {
	if rank == 0 {
		return math.MaxInt
	}
	return rank
}
