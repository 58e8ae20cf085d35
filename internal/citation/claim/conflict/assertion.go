package conflict

import (
	"slices"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/matter"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// assertion is a sentence of an excerpt that says something.
type assertion struct {
	ref      string
	document string
	key      string
	claim    reading.Claim
	reading.Statement
	asked   bool            // it speaks of what is asked
	touches bool            // it speaks of a part of that
	goal    map[string]bool // the words of the question

	attitudes map[string]polarity.Attitude // see speaks
}

// assertions returns the sentences of the passages that say something.
func assertions(question string, passages []Passage) []assertion {
	goal, words := reading.NewClaim(question), wording.Vocabulary(analysis.Fold(question))
	var all []assertion
	for _, e := range passages {
		around := wording.Vocabulary(analysis.Fold(e.Title))
		for _, st := range e.Sentences {
			c := reading.NewClaim(st.Text)
			if st.Partial || c.Size < substance || len(all) == mostAssertions {
				continue
			}
			a := assertion{ref: e.Ref, document: e.Document, key: e.Key, claim: c, Statement: st, goal: words}
			if goal.Size > 0 {
				own, title := goal.Cover(st.Words), goal.Cover(around)
				share := goal.Share(raised(own, title))
				a.asked = goal.Share(own) > 0 && share >= asks
				a.touches = goal.Share(own) > 0 && share >= touching
			}
			all = append(all, a)
		}
	}
	return all
}

// raised is the greater of each two figures.
func raised(a, b []float64) []float64 {
	out := slices.Clone(a)
	reading.Raise(out, b)
	return out
}

// speaks is how a sentence speaks of its words, found when it is first asked for.
func (a *assertion) speaks() map[string]polarity.Attitude {
	if a.attitudes == nil {
		a.attitudes = polarity.Attitudes(a.Folded)
	}
	return a.attitudes
}

// apart reports whether two sentences that differ in something are about different matters.
func (a *assertion) apart(b *assertion, question, kind string) bool {
	answer := matter.Value
	if kind == "words" {
		answer = matter.Words
	}
	return matter.Apart(question, a.Text, b.Text, answer)
}

// sharesEnough reports whether enough of the words of one sentence may stand in the other. It looks
// at the words alone and gives up early, since most pairs share nothing.
func (a *assertion) sharesEnough(b *assertion) bool {
	spare := a.claim.Weight * (1 - likely)
	for _, t := range a.claim.Terms {
		if !b.Words[t.Text] {
			if spare -= t.Weight; spare < 0 {
				return false
			}
		}
	}
	return true
}

// mayRepeat reports whether one of two sentences may have been made from the other: in another
// version of the same document, or in a text about what is asked.
func (a *assertion) mayRepeat(b *assertion) bool {
	return a.key != "" && a.key == b.key || a.touches && b.touches && a.claim.Size >= copied
}
