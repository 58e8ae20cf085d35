package contrast

import (
	"regexp"
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

// Rivalled returns a quantity of the claim of which others state another value, and none of the
// claim's of that sort, with that value.
func Rivalled(c reading.Claim, have []quantity.Stated) (q, other quantity.Stated, ok bool) {
	for _, q := range c.Quantities {
		if quantity.States(have, q) || quantity.Implies(have, q) {
			continue
		}
		like := func(o quantity.Stated) bool { return o.Kind == q.Kind && o.Unit == q.Unit && quantity.States(have, o) }
		if r, ok := quantity.Rival(have, c.Quantities, q); ok && !slices.ContainsFunc(c.Quantities, like) {
			return q, r, true
		}
	}
	return quantity.Stated{}, quantity.Stated{}, false
}

// Swapped returns a sentence of which one clause holds all words of a claim and states another
// value than the claim does, unless another such clause states the claim's.
func Swapped(c reading.Claim, cited []*reading.Source) (found *reading.Statement, why Difference) {
	if len(c.Quantities) == 0 || c.Size < 1 {
		return nil, Difference{}
	}
	for _, s := range cited {
		for i := range s.Sentences {
			other, ok, same := otherValue(c, &s.Sentences[i])
			if same {
				return nil, Difference{}
			}
			if ok && found == nil {
				found, why = &s.Sentences[i], other
			}
		}
	}
	return found, why
}

// otherValue returns the value that a clause of a sentence, which holds all words of a claim, states in the place of the
// claim's, and whether such a clause states the claim's.
func otherValue(c reading.Claim, st *reading.Statement) (other Difference, ok, same bool) {
	if len(st.Quantities) == 0 || c.Share(c.Cover(st.Words)) < whollyHeld {
		return Difference{}, false, false
	}
	told := len(c.Quantities) > 1 && quantity.StatesAll(st.Quantities, c.Quantities)
	for _, cl := range st.Clauses() {
		if c.Share(c.Cover(cl.Words)) < whollyHeld {
			continue
		}
		lacks := func(q quantity.Stated) bool { return !quantity.States(cl.Quantities, q) || ToldOfPart(c, q, q, st) }
		if !slices.ContainsFunc(c.Quantities, lacks) {
			return Difference{}, false, true
		}
		if told && !slices.ContainsFunc(c.Quantities, func(q quantity.Stated) bool { return quantity.States(cl.Quantities, q) }) {
			continue // it is of another case, and the sentence tells of the claim's too
		}
		if q, r, rivalled := Rivalled(c, cl.Quantities); rivalled && !ok && !ToldOfPart(c, q, r, st) {
			other, ok = Difference{"number", q.String(), r.String()}, true
		}
	}
	return other, ok, false
}

// whollyHeld is the share of a claim's words with which a clause is about nothing else.
const whollyHeld = 0.95

// ToldOfAnother reports whether a sentence states r of another thing, or in another case, than a claim states q of.
func ToldOfAnother(c reading.Claim, q, r quantity.Stated, st *reading.Statement) bool {
	return apart(c, quantity.At(c.Folded, q), quantity.At(st.Folded, r), st) || twoCases(c, q, r, st) || beyondRange(st, r)
}

// ToldOfPart reports whether a sentence states r of a part of what a claim states q of, or of the whole.
func ToldOfPart(c reading.Claim, q, r quantity.Stated, st *reading.Statement) bool {
	return narrows(c, quantity.At(c.Folded, q), quantity.At(st.Folded, r), st)
}

// ToldElsewhere reports whether a sentence states r of another thing than a claim states q of, or of a part of it.
func ToldElsewhere(c reading.Claim, q, r quantity.Stated, st *reading.Statement) bool {
	return beyondRange(st, r) || ElsewhereAt(c, quantity.At(c.Folded, q), quantity.At(st.Folded, r), st)
}

// beyondRange reports whether a value that a sentence has in the place of a claim's is an end of a range outside of which
// the sentence says something too.
func beyondRange(s *reading.Statement, r quantity.Stated) bool {
	return r.End != quantity.Exactly && othersToo.MatchString(s.Folded)
}

// othersToo says what is so beyond the ends of a range.
var othersToo = regexp.MustCompile(`\b(?:longer|shorter|larger|bigger|smaller|higher|lower|older|younger|heavier|lighter|other) ones?\b|\b(?:anything|everything|all) (?:above|below|beyond|else|longer|shorter|over|under)\b|更[长短高低多少大小重轻]的|其[他它余]的|其余`)
