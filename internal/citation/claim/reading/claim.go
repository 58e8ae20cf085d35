// Package reading holds a claim and the texts that it is held against, each read once: their words, quantities and
// denials, the sentences of a text, and the places of it that may say all that a claim does. It tells how much of a
// claim's words a text holds, and judges nothing.
package reading

import (
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// Claim is a sentence of an answer, prepared for comparison.
type Claim struct {
	Text       string                       // the sentence
	Folded     string                       // see wording.Fold; without a frame
	Compact    string                       // see wording.Compact
	Contrary   bool                         // the sentence says that the rest is not so, see polarity.Framed
	Quantities []quantity.Stated            // but for rates
	Terms      []wording.Term               // but for those of quantities
	Weight     float64                      // of all terms
	Size       float64                      // the number of words, characters by half
	Attitudes  map[string]polarity.Attitude // how it speaks of its words
	Stance     polarity.Stance              // what it says in words that have an opposite
	Names      []string                     // folded: words with a capital, titles in quotation marks
}

// NewClaim reads a sentence. A frame that says that it is so is left out, and one that says that it is not is told of by
// Contrary.
func NewClaim(sentence string) Claim {
	folded := coverage.Unframed(wording.Fold(sentence))
	core, beside, contrary := polarity.Framed(folded)
	if contrary = contrary && len(wording.Terms(beside)) == 0; contrary {
		folded = core
	}
	c := Claim{Text: sentence, Folded: folded, Contrary: contrary, Compact: wording.Compact(folded), Names: wording.Names(sentence), Attitudes: polarity.Attitudes(folded)}
	c.Stance = polarity.StanceOf(folded, c.Attitudes)
	var rest string
	c.Quantities, rest = quantity.Read(folded)
	c.Quantities = slices.DeleteFunc(c.Quantities, func(q quantity.Stated) bool { return q.Rate })
	c.Terms = wording.Terms(rest)
	for _, t := range c.Terms {
		c.Weight += t.Weight
		c.Size += t.Size()
	}
	return c
}
