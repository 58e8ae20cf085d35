package rerank

import (
	"math"

	"github.com/kaoju/kaoju/internal/analysis"
)

// The features of a candidate. All but length lie between 0 and 1; they compare candidates of one
// query, and mean little across queries.
const (
	// fused, keyword and similarity are what the legs gave, as shares of the best candidate's.
	fused = iota
	keyword
	similarity
	// cover is the share of the query's words that the passage or its headings hold, by weight.
	cover
	// named is the share of the words of title and headings that the query has.
	named
	// ordered is the share of neighbouring words of the query that stand close by and in the same
	// order in the text. A phrase that is repeated counts more.
	ordered
	// window is the largest share of the query's words that a stretch of the text holds which is
	// about as long as a sentence.
	window
	// length grows with the length of the text.
	length
	features
)

// Features are the names of the features, in order.
var Features = [features]string{"fused", "keyword", "similarity", "cover", "named", "ordered", "window", "length"}

// Vector holds the features of a candidate.
type Vector [features]float64

const (
	// near is how many places lie between two words that stand close by, at most.
	near = 3
	// stretch is a length in words, or in characters of Chinese.
	stretch = 24
	// usual is the length that makes the feature 1, in the logarithm.
	usual = 5
)

// Vectors returns the features of the candidates of a query.
func (q *Query) Vectors(candidates []Candidate) []Vector {
	out := make([]Vector, len(candidates))
	var best Vector
	for i, c := range candidates {
		out[i] = q.read(c)
		v := Vector{fused: c.Fused, keyword: c.Keyword, similarity: c.Similarity}
		for f := fused; f <= similarity; f++ {
			out[i][f] = v[f]
			best[f] = max(best[f], v[f])
		}
	}
	for i := range out {
		for f := fused; f <= similarity; f++ {
			out[i][f] = share(out[i][f], best[f])
		}
	}
	return out
}

// found is a word of the query at a place of a text.
type found struct{ at, word int }

// read returns the features that the texts of a candidate give.
func (q *Query) read(c Candidate) Vector {
	var v Vector
	held := make([]bool, len(q.weight))
	words, known := 0, 0
	for _, text := range append([]string{c.Title}, c.Headings...) {
		list, n := q.find(text, held)
		known += len(list)
		words += n.said
	}
	list, n := q.find(c.Text, held)
	v[cover] = q.share(held)
	v[named] = share(float64(known), float64(words))
	v[ordered] = q.inOrder(list)
	v[window] = q.densest(list, stretch)
	v[length] = math.Log1p(float64(n.length)) / usual
	return v
}

// extent is how long a text is: in words that mean something, in places of its own that do, and by
// the measure of the index.
type extent struct{ said, length int }

// find returns the query's words in a text, in order, and marks them.
func (q *Query) find(text string, held []bool) ([]found, extent) {
	var out []found
	var n extent
	at := 0
	for _, t := range q.lexicon.Tokens(text) {
		own := primary(t)
		if !t.Stop {
			if t.Kind.Measures() {
				n.length++
			}
			if own {
				n.said++
			}
			if k, ok := q.place[t.Term]; ok && t.Kind != analysis.Segment {
				held[k] = true
				if own {
					out = append(out, found{at, k})
				}
			}
		}
		if own {
			at++
		}
	}
	return out, n
}

// inOrder is the feature ordered.
func (q *Query) inOrder(list []found) float64 {
	times := make([]float64, len(q.pairs))
	for i, a := range list {
		for _, b := range list[i+1:] {
			if b.at-a.at > near {
				break
			}
			if k, ok := q.pairAt[[2]int{a.word, b.word}]; ok {
				times[k]++
			}
		}
	}
	sum := 0.0
	for k, n := range times {
		sum += float64(q.pairs[k] * (n / (n + 1)))
	}
	return share(sum, q.pairSum)
}

// densest is the largest share of the query's words that so many places in a row hold.
func (q *Query) densest(list []found, width int) float64 {
	count := make([]int, len(q.weight))
	best, first := 0.0, 0
	held := make([]bool, len(q.weight))
	for _, f := range list {
		if count[f.word]++; count[f.word] == 1 {
			held[f.word] = true
		}
		for ; list[first].at <= f.at-width; first++ {
			w := list[first].word
			if count[w]--; count[w] == 0 {
				held[w] = false
			}
		}
		best = max(best, q.share(held))
	}
	return best
}

// share is the part of the query's words that is held, by weight.
func (q *Query) share(held []bool) float64 {
	sum := 0.0
	for k, h := range held {
		if h {
			sum += q.weight[k]
		}
	}
	return share(sum, q.sum)
}

// share returns a part of a whole, and 0 where there is nothing to share.
func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}
