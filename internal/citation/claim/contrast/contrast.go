// Package contrast finds what one sentence says otherwise than a claim: what one of them denies, an opposite, another name,
// another of a set of words that exclude each other, another value. It tells apart what is said of something else.
//
// It compares a claim with one sentence at a time. What follows from that for a claim is not decided here.
package contrast

import (
	"math"

	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

// Difference is what one of two texts says and what the other says in its place. Code is "number" (a number, date or code),
// "name", "negation" or "opposite"; Said is of the claim, Found of the sentence, "" if that only says it not.
type Difference struct{ Code, Said, Found string }

// Contrast is what one sentence says otherwise than a claim.
type Contrast struct {
	Statement *reading.Statement // the sentence
	Share     float64            // of the claim's words that it holds

	Flipped  float64 // share of the claim's words that are denied in one of the two alone
	denies   bool    // that is what a denial denies in the first place
	Opposite float64 // how many words it says the opposite of
	agree    float64 // in how many words that have an opposite the two agree
	turned   bool    // one of the opposites is said of the same thing
	Apart    bool    // it is about somebody or something that the claim is not about
	replaced bool    // it names another in the place of a name
	chosen   bool    // it has another in the place of one of a set of words that exclude each other
	Why      []Difference
}

// Plain reports whether a sentence says so clearly otherwise that it contradicts.
func (x Contrast) Plain() bool { return x.Rule() != "" }

// Rule says by what a sentence contradicts, "" if it does not.
func (x Contrast) Rule() string {
	switch {
	case x.Share < SameWords, x.Apart:
		return ""
	case x.denies && x.Flipped >= FlippedShare:
		return "negation"
	case x.turned && x.Opposite >= x.agree:
		return "opposite"
	case x.replaced, x.chosen:
		return "name"
	}
	return ""
}

// The measures of a contradiction by words. They were chosen on one half of public sets of claims, as those of the verdicts.
const (
	// SameWords is the share of a claim's words with which a sentence says the same but denies it, or has an opposite or
	// another name.
	SameWords = 0.50
	// FlippedShare is the share of the words, by weight, that are denied in one of the two alone.
	FlippedShare = 0.25
)

// Of holds a claim against a sentence that holds a share of its words, one of those that are cited.
func Of(c reading.Claim, st *reading.Statement, share float64, cited []*reading.Source) Contrast {
	x := Contrast{Statement: st, Share: share}
	theirs := polarity.Attitudes(st.Folded)
	if c.Weight > 0 {
		weight, words := Flips(c, theirs)
		if x.Flipped = weight / c.Weight; x.Flipped > 0 {
			x.Why = append(x.Why, Difference{"negation", words, ""})
			var pair [2]string
			pair, x.denies = denies(c, st.Folded, theirs)
			x.Apart = x.denies && (elsewhere(c, pair, st) || elsewhen(c, pair, st) || doneByOthers(c, pair, st))
		}
	}
	stance := polarity.StanceOf(st.Folded, theirs)
	for _, t := range append(c.Stance.Against(stance), prefixed(c, st, theirs)...) {
		x.Why = append(x.Why, Difference{"opposite", t[0], t[1]})
		x.Opposite = math.Min(x.Opposite+1, 2)
		if opposite.SetsApart()[t[0]] || elsewhere(c, t, st) || splits(c, t, st) || elsewhen(c, t, st) {
			x.Apart = true
			continue
		}
		x.turned = x.turned || !c.Stance.Both(t[0]) && sameThing(c, t, st)
		if len(opposite.Sides()[t[0]]) == 0 {
			x.Share = math.Min(1, x.Share+weightOf(c, t[0], st)) // "locked" in the place of "unlocked"
		}
	}
	if r, ok := otherOrder(c, st); ok && !elsewhere(c, [2]string{r.Said, r.Found}, st) {
		x.Why, x.Opposite, x.turned = append(x.Why, r), x.Opposite+1, true
	}
	if r, apart, ok := otherName(c, st, cited); ok {
		x.replaced, x.Apart = true, x.Apart || apart
		x.Why = append(x.Why, r)
	}
	if r, ok := otherChoice(c, st); ok {
		x.chosen, x.Apart = true, x.Apart || elsewhere(c, [2]string{r.Said, r.Found}, st)
		x.Why = append(x.Why, r)
	}
	x.agree = math.Min(float64(c.Stance.With(stance)), 2)
	return x
}

// weightOf is the share of a claim that a word is in whose place a sentence has its opposite, so that the sentence holds
// the place if not the word.
func weightOf(c reading.Claim, word string, st *reading.Statement) float64 {
	sum := 0.0
	for _, t := range c.Terms {
		if t.Text == word && !st.Words[word] && c.Weight > 0 {
			sum += t.Weight / c.Weight
		}
	}
	return sum
}
