// Package rerank puts the best passages of a search in another order, by a few features of each:
// what the legs of the search said of it, which words of the query it holds, and how they stand in
// its text. A score is a sum of features, each with a weight. There is no network and no word with a
// weight of its own, so that an order can be explained and costs less than a tenth of a millisecond a
// passage of usual length.
//
// The weights were fitted on halves of public collections by the program in the folder fit, and say
// what they were fitted on. What a word weighs comes from the passages that the searcher may see,
// and everything else from the candidates themselves: nothing that is hidden has a part in it.
package rerank

import (
	"cmp"
	"slices"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Pool is how many of the best passages are put in a new order. It is the same for every page, so
// that the pages of a query are parts of one order.
const Pool = 50

// Candidate is a passage that a search found. The texts are those that the index has. Similarity is
// that of the semantic leg, or the least that it gave if it did not give this one.
type Candidate struct {
	Title      string
	Headings   []string
	Text       string
	Fused      float64
	Keyword    float64
	Similarity float64
}

// Order returns the places of the candidates in a new order, best first. Equal ones keep their
// order.
func (m *Model) Order(q *Query, candidates []Candidate) []int {
	return m.Sorted(q.Vectors(candidates))
}

// Sorted returns the places of the vectors, those of the highest scores first. Equal ones keep their
// order.
func (m *Model) Sorted(vectors []Vector) []int {
	score := make([]float64, len(vectors))
	out := make([]int, len(vectors))
	for i, v := range vectors {
		out[i], score[i] = i, m.Score(v)
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return out
}

// Model is a set of weights, one for each feature.
type Model struct {
	// Name says which searches the model is for.
	Name   string
	Weight Vector
}

// Models returns all models.
func Models() []Model { return []Model{words, both} }

// Score is the sum of the weighted features, added up in one order. The conversion keeps the
// compiler from fusing operations, which would round differently on some machines.
func (m *Model) Score(v Vector) float64 {
	sum := 0.0
	for i, x := range v {
		sum += float64(m.Weight[i] * x)
	}
	return sum
}

// For returns the model for a query, whose search had both legs or words alone; nil if the order of
// the legs stays. It stays where a code is named, since what stands in the text literally must come
// first. And it stays for Chinese queries: what could be fitted for them helped one kind of question
// and harmed others.
func For(q *Query, semantic bool) *Model {
	switch {
	case q.literal || q.chinese || q.sum == 0:
		return nil
	case semantic:
		return &both
	}
	return &words
}

// primary reports whether a token stands for a place of its text, and not for what others stand
// for too.
func primary(t analysis.Token) bool {
	switch t.Kind {
	case analysis.Word, analysis.Number, analysis.Pair:
		return true
	case analysis.Character:
		return t.Of < 0
	}
	return false
}
