package conflict

import (
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

// disagrees returns what two sentences disagree in, "" if they don't or are about different things.
func (a *assertion) disagrees(b *assertion) string {
	if !a.sharesEnough(b) || !b.sharesEnough(a) {
		return ""
	}
	there, back := a.claim.Cover(b.Words), b.claim.Cover(a.Words)
	near := min(a.claim.Share(there), b.claim.Share(back))
	if near < likely || !sameThings(a.claim, b.claim) || len(a.claim.Quantities) != len(b.claim.Quantities) {
		return ""
	}
	turned := a.claim.Stance.Against(b.claim.Stance)
	if slices.ContainsFunc(turned, func(t [2]string) bool { return opposite.SetsApart()[t[0]] }) {
		return "" // they are about different things
	}
	closely := near >= alike
	named := slices.Equal(set(a.claim.Names), set(b.claim.Names))
	if named && (closely || a.asked && b.asked) && otherValue(a.claim.Quantities, b.claim.Quantities) {
		return "value"
	}
	if weight, _ := contrast.Flips(a.claim, b.speaks()); named && closely && weight/a.claim.Weight >= contrast.FlippedShare {
		return "negation"
	}
	replaces := a.replaces(b, there, back)
	switch {
	case named && (closely || replaces) && len(turned) > 0:
		return "opposite"
	case replaces && a.mayRepeat(b):
		return "words"
	}
	return ""
}

// mostReplaced is how many words one place of a sentence may differ in, to be another answer in the same
// sentence.
const mostReplaced = 4

// replaces reports whether two sentences that speak of what is asked differ in one place alone, in
// words that are not the question's: "plays football", "plays cricket".
func (a *assertion) replaces(b *assertion, there, back []float64) bool {
	i, j, ok := a.gap(there)
	k, l, fine := b.gap(back)
	if !ok || !fine {
		return false
	}
	before := i > 0 && k > 0 && a.claim.Terms[i-1].Text == b.claim.Terms[k-1].Text
	behind := j < len(a.claim.Terms) && l < len(b.claim.Terms) && a.claim.Terms[j].Text == b.claim.Terms[l].Text
	return before || behind && i == 0 && k == 0
}

// gap returns the one run of words of a sentence that the other does not hold, if they are few and
// none of the question's.
func (a *assertion) gap(held []float64) (from, to int, ok bool) {
	from = -1
	for i, h := range held {
		if h == 1 {
			continue
		}
		if from >= 0 && to != i || a.goal[a.claim.Terms[i].Text] {
			return 0, 0, false
		}
		if from < 0 {
			from = i
		}
		to = i + 1
	}
	return from, to, from >= 0 && to-from <= mostReplaced
}

// sameThings reports whether two sentences name the same codes: with another code, a sentence is
// about something else.
func sameThings(a, b reading.Claim) bool {
	list := func(c reading.Claim) []string {
		var out []string
		for _, q := range c.Quantities {
			if q.Kind == quantity.Code {
				out = append(out, q.Value)
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	return slices.Equal(list(a), list(b))
}

// otherValue reports whether two lists that state the same sorts of things in the same order state
// another value somewhere.
func otherValue(a, b []quantity.Stated) bool {
	other := false
	for i, q := range a {
		r := b[i]
		if q.Kind != r.Kind || quantity.OpposedUnits(q, r) {
			return false
		}
		other = other || !quantity.States([]quantity.Stated{r}, q) && !quantity.States([]quantity.Stated{q}, r)
	}
	return other
}

// set returns a list in order, each entry once.
func set(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
