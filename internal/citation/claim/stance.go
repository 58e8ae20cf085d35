package claim

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
)

// stance is what a text says in words that have an opposite: the word for each side it takes. A word
// that is denied takes none: what did not rise need not have fallen.
type stance map[opposite.Side]string

// stanceOf reads the words of a text that have opposites; how is how the text speaks of its words.
func stanceOf(folded string, how map[string]attitude) stance {
	out := stance{}
	tokens := analysis.Tokens(folded)
	for _, t := range tokens {
		if t.Term == "last" && t.Span[1]-t.Span[0] > len(t.Term) {
			continue // what lasts is not the last
		}
		if t.Of >= 0 && len(opposite.Sides()[tokens[t.Of].Term]) > 0 {
			continue // "refundable" of "non-refundable"
		}
		for _, s := range opposite.Sides()[t.Term] {
			if how[t.Term] != denied {
				out[s] = t.Term
			}
		}
	}
	return out
}

// against returns the words of s of which the other says the opposite and not the same, each with
// that opposite, in the order of the pairs.
func (s stance) against(o stance) [][2]string {
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

// privately are beginnings that make a word the contrary of the rest.
var privately = []string{"un", "non-", "non"}

// unsaid returns a word of s that the other says with a beginning that turns it, or the reverse: "encrypted",
// "unencrypted". Both are told of as affirmed.
func (c claim) unsaid(st *statement, theirs map[string]attitude) [][2]string {
	var out [][2]string
	ours := vocabularyOf(c.terms)
	for _, t := range c.terms {
		for _, p := range privately {
			if w := p + t.text; len(t.text) >= shortTurned && st.words[w] && !ours[w] && !st.words[t.text] && c.attitudes[t.text] == theirs[w] {
				out = append(out, [2]string{t.text, w})
			}
			if w, ok := strings.CutPrefix(t.text, p); ok && len(w) >= shortTurned && st.words[w] && !ours[w] && !st.words[t.text] && c.attitudes[t.text] == theirs[w] {
				out = append(out, [2]string{t.text, w})
			}
		}
	}
	return out
}

// shortTurned is how many letters a word has at least to be turned by a beginning.
const shortTurned = 4

// both reports whether a text says a word and its opposite, each of something else: it includes one thing and
// excludes another.
func (s stance) both(word string) bool {
	for k, said := range s {
		if _, ok := s[k.Other()]; ok && said == word {
			return true
		}
	}
	return false
}

// with counts the sides that both take.
func (s stance) with(o stance) int {
	n := 0
	for k := range s {
		if _, ok := o[k]; ok {
			n++
		}
	}
	return n
}

// besides reports whether the other says the opposite of something that s says.
func (s stance) besides(o stance) bool {
	for k := range s {
		if _, ok := o[k.Other()]; ok && !s.both(s[k]) {
			return true
		}
	}
	return false
}
