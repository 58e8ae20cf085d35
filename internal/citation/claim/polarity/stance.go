package polarity

import (
	"slices"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
)

// Stance is what a text says in words that have an opposite: the word for each side it takes. A word
// that is denied takes none: what did not rise need not have fallen.
type Stance map[opposite.Side]string

// StanceOf reads the words of a text that have opposites; how is how the text speaks of its words.
func StanceOf(folded string, how map[string]Attitude) Stance {
	out := Stance{}
	tokens := analysis.Tokens(folded)
	for _, t := range tokens {
		if t.Term == "last" && t.Span[1]-t.Span[0] > len(t.Term) {
			continue // what lasts is not the last
		}
		if t.Of >= 0 && len(opposite.Sides()[tokens[t.Of].Term]) > 0 {
			continue // "refundable" of "non-refundable"
		}
		for _, s := range opposite.Sides()[t.Term] {
			if how[t.Term] != Denied {
				out[s] = t.Term
			}
		}
	}
	return out
}

// Against returns the words of s of which the other says the opposite and not the same, each with
// that opposite, in the order of the pairs.
func (s Stance) Against(o Stance) [][2]string {
	var at []opposite.Side
	for k := range s {
		if _, same := o[k]; same {
			continue
		}
		if other, ok := o[k.Other()]; ok && other != s[k] {
			at = append(at, k)
		}
	}
	slices.SortFunc(at, func(a, b opposite.Side) int { return 2*(a.Pair-b.Pair) + a.Which - b.Which })
	var out [][2]string
	for _, k := range at {
		out = append(out, [2]string{s[k], o[k.Other()]})
	}
	return out
}

// Both reports whether a text says a word and its opposite, each of something else: it includes one thing and
// excludes another.
func (s Stance) Both(word string) bool {
	for k, said := range s {
		if _, ok := s[k.Other()]; ok && said == word {
			return true
		}
	}
	return false
}

// With counts the sides that both take.
func (s Stance) With(o Stance) int {
	n := 0
	for k := range s {
		if _, ok := o[k]; ok {
			n++
		}
	}
	return n
}

// Besides reports whether the other says the opposite of something that s says.
func (s Stance) Besides(o Stance) bool {
	for k := range s {
		if _, ok := o[k.Other()]; ok && !s.Both(s[k]) {
			return true
		}
	}
	return false
}
