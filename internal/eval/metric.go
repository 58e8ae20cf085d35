package eval

import "math"

// Ranking is how well a search ranked the documents of one case, each document counted once, at its
// best hit.
type Ranking struct {
	First  int     `json:"first"` // place of the first document that answers, from 1; 0: none
	Hit    bool    `json:"hit"`   // it stands among the first k
	Recall float64 `json:"recall"`
	RR     float64 `json:"rr"`   // 1/First, or 0
	NDCG   float64 `json:"ndcg"` // over the first ten
}

// ndcgCut is the length of the ranking that nDCG looks at.
const ndcgCut = 10

// Rank computes the figures of one ranking: which of the places hold a document that answers, how
// many such documents there are, and the cut k. A document is relevant or not; there are no grades.
func Rank(relevant []bool, total, k int) Ranking {
	var out Ranking
	found, gain := 0, 0.0
	for i, yes := range relevant {
		if !yes {
			continue
		}
		if out.First == 0 {
			out.First = i + 1
			out.RR = 1 / float64(i+1)
		}
		if i < k {
			found++
		}
		if i < ndcgCut {
			gain += 1 / math.Log2(float64(i+2))
		}
	}
	out.Hit = found > 0
	if total > 0 {
		out.Recall = float64(found) / float64(total)
	}
	ideal := 0.0
	for i := range min(total, ndcgCut) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	if ideal > 0 {
		out.NDCG = gain / ideal
	}
	return out
}

// z is the quantile of the normal distribution for an interval of 95 %.
const z = 1.959963984540054

// Wilson returns the 95 % score interval of a share: passed of n. Without any it is 0 to 1.
func Wilson(passed, n int) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	p, m := float64(passed)/float64(n), float64(n)
	centre := p + z*z/(2*m)
	width := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	low, high = (centre-width)/(1+z*z/m), (centre+width)/(1+z*z/m)
	// At the ends the bound is exactly the end; rounding must not say otherwise.
	if passed == 0 {
		low = 0
	}
	if passed == n {
		high = 1
	}
	return max(0, low), min(1, high)
}
