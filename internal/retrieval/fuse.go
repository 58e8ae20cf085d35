package retrieval

import (
	"cmp"
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
)

const (
	// smooth is the constant of reciprocal rank fusion: a leg gives 1/(smooth+rank) to a chunk. It is
	// the one that the method was published with.
	smooth = 60
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
// of the threshold. What the keyword leg found beyond the depth follows in its own order: each of
// it has a lower score than anything above. Equal scores go by the keyword leg's ranks.
func fuse(words, near []Match, threshold float64) []ranked {
	out := alone(words[:min(depth, len(words))])
	place := make(map[corpus.ChunkID]int, len(out)+len(near))
	for i := range out {
		place[out[i].Chunk] = i
		out[i].Score = reciprocal(out[i].ranks.Keyword)
	}
	for i, m := range near[:min(depth, len(near))] {
		if at, ok := place[m.Chunk]; ok {
			out[at].ranks.Semantic = i + 1
			out[at].Score += reciprocal(i + 1)
		} else if m.Score >= threshold {
			place[m.Chunk] = len(out)
			m.Score = reciprocal(i + 1)
			out = append(out, ranked{m, Ranks{Semantic: i + 1}})
		}
	}
	slices.SortFunc(out, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(behind(a.ranks.Keyword), behind(b.ranks.Keyword)),
			cmp.Compare(a.ranks.Semantic, b.ranks.Semantic))
	})
	for i := depth; i < len(words); i++ {
		if _, ok := place[words[i].Chunk]; ok {
			continue
		}
		m := words[i]
		m.Score = reciprocal(i + 1)
		out = append(out, ranked{m, Ranks{Keyword: i + 1}})
	}
	return out
}

func reciprocal(rank int) float64 { return 1 / float64(smooth+rank) }

// behind puts what a leg did not find after everything that it found.
func behind(rank int) int {
	if rank == 0 {
		return depth + 1
	}
	return rank
}
