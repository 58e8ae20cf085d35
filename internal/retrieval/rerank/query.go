package rerank

import (
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/index"
)

// Query is a query in the form in which passages are compared with it.
type Query struct {
	lexicon *analysis.Lexicon
	// weight is what each different word weighs: its rarity among the visible passages.
	weight []float64
	sum    float64
	place  map[string]int // of a term in weight
	// pairs are what two words weigh that stand next to each other in the query, but for stop words:
	// as much as the lesser of them.
	pairs   []float64
	pairAt  map[[2]int]int // of two words in pairs
	pairSum float64

	chinese, literal bool
}

// NewQuery takes a query apart. The terms are those that it was searched by, each with what it weighs
// among the visible passages. Synonyms that nobody wrote have no part in it.
func NewQuery(l *analysis.Lexicon, text string, terms []index.Term) *Query {
	q := &Query{lexicon: l, place: map[string]int{}, pairAt: map[[2]int]int{}}
	weight := make(map[string]float64, len(terms))
	for _, t := range terms {
		weight[t.Text] = t.Weight
	}
	before := -1
	for _, t := range l.Query(text) {
		if t.Synonym > 0 || t.Stop {
			continue
		}
		q.chinese = q.chinese || t.Kind == analysis.Pair
		q.literal = q.literal || t.Kind == analysis.Identifier
		if !primary(t) {
			continue
		}
		k := q.word(t.Term, weight[t.Term])
		if before >= 0 && before != k {
			q.pair(before, k)
		}
		before = k
	}
	return q
}

// word returns the place of a word, which is new or was there before.
func (q *Query) word(term string, weight float64) int {
	if k, ok := q.place[term]; ok {
		return k
	}
	q.place[term] = len(q.weight)
	q.weight = append(q.weight, weight)
	q.sum += weight
	return len(q.weight) - 1
}

func (q *Query) pair(a, b int) {
	if _, ok := q.pairAt[[2]int{a, b}]; ok {
		return
	}
	w := min(q.weight[a], q.weight[b])
	q.pairAt[[2]int{a, b}] = len(q.pairs)
	q.pairs = append(q.pairs, w)
	q.pairSum += w
}
