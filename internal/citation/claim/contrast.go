package claim

import (
	"math"

	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
)

// contrast is what one sentence says otherwise than a claim.
type contrast struct {
	statement *statement
	share     float64 // of the claim's words that it holds

	flipped  float64 // share of the claim's words that are denied in one of the two alone
	denies   bool    // that is what a denial denies in the first place
	opposite float64 // how many words it says the opposite of
	agree    float64 // in how many words that have an opposite the two agree
	turned   bool    // one of the opposites is said of the same thing
	apart    bool    // it is about somebody or something that the claim is not about
	replaced bool    // it names another in the place of a name
	chosen   bool    // it has another in the place of one of a set of words that exclude each other
	why      []Reason
}

// plain reports whether a sentence says so clearly otherwise that it contradicts.
func (x contrast) plain() bool { return x.rule() != "" }

// rule says by what a sentence contradicts, "" if it does not.
func (x contrast) rule() string {
	switch {
	case x.share < denies, x.apart:
		return ""
	case x.denies && x.flipped >= flipped:
		return "negation"
	case x.turned && x.opposite >= x.agree:
		return "opposite"
	case x.replaced, x.chosen:
		return "name"
	}
	return ""
}

// contrast holds a claim against a sentence that holds a share of its words, one of those that are cited.
func (c claim) contrast(st *statement, share float64, cited []*Source) contrast {
	x := contrast{statement: st, share: share}
	theirs := attitudes(st.folded)
	if c.weight > 0 {
		weight, words := c.flips(theirs)
		if x.flipped = weight / c.weight; x.flipped > 0 {
			x.why = append(x.why, Reason{"negation", words, ""})
			var pair [2]string
			pair, x.denies = c.denies(st.folded, theirs)
			x.apart = x.denies && (c.elsewhere(pair, st) || c.elsewhen(pair, st) || c.doneByOthers(pair, st))
		}
	}
	stance := stanceOf(st.folded, theirs)
	for _, t := range append(c.stance.against(stance), c.unsaid(st, theirs)...) {
		x.why = append(x.why, Reason{"opposite", t[0], t[1]})
		x.opposite = math.Min(x.opposite+1, 2)
		if opposite.SetsApart()[t[0]] || c.elsewhere(t, st) || c.splits(t, st) || c.elsewhen(t, st) {
			x.apart = true
			continue
		}
		x.turned = x.turned || !c.stance.both(t[0]) && c.sameThing(t, st)
		if len(opposite.Sides()[t[0]]) == 0 {
			x.share = math.Min(1, x.share+c.weightOf(t[0], st)) // "locked" in the place of "unlocked"
		}
	}
	if r, ok := c.otherOrder(st); ok && !c.elsewhere([2]string{r.Said, r.Found}, st) {
		x.why, x.opposite, x.turned = append(x.why, r), x.opposite+1, true
	}
	if r, apart, ok := c.otherName(st, cited); ok {
		x.replaced, x.apart = true, x.apart || apart
		x.why = append(x.why, r)
	}
	if r, ok := c.otherChoice(st); ok {
		x.chosen, x.apart = true, x.apart || c.elsewhere([2]string{r.Said, r.Found}, st)
		x.why = append(x.why, r)
	}
	x.agree = math.Min(float64(c.stance.with(stance)), 2)
	return x
}

// weightOf is the share of a claim that a word is in whose place a sentence has its opposite, so that the sentence holds
// the place if not the word.
func (c claim) weightOf(word string, st *statement) float64 {
	sum := 0.0
	for _, t := range c.terms {
		if t.text == word && !st.words[word] && c.weight > 0 {
			sum += t.weight / c.weight
		}
	}
	return sum
}
