// Package conflict finds passages that disagree: sentences that otherwise match, and state another value, deny what the
// other says, say the opposite, or answer a question in other words. Which of them holds is not decided.
package conflict

import (
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

// Passage is a source that a run read, with what it was taken from: a version of the document that
// the key names.
type Passage struct {
	Ref      string // under which an answer cites it
	Document string // the version it is of
	Key      string // what all versions of one document have in common; "" if that is not known
	Title    string // of the document
	*reading.Source
}

// Pair is a pair of passages that disagree in sentences that otherwise match. They are shown
// side by side; which of them holds is not decided here.
type Pair struct {
	Refs [2]string `json:"refs"`
	// Quotes are the sentences in which they disagree.
	Quotes [2]string `json:"quotes"`
	// Kind is what they disagree in: "value" (a number or a date), "negation", "opposite", or "words",
	// where they answer the question in the same sentence with other words.
	Kind string `json:"kind"`
}

const (
	// alike is the share of words that each of two sentences must find in the other.
	alike = 0.85
	// likely is that share where both speak of what is asked, or differ in one place.
	likely = 0.65
	// asks is the share of a question's words that a sentence speaks of which may answer it.
	asks = 0.6
	// touching is that share of a sentence that may be an edited copy of another one.
	touching = 0.3
	// copied is the size of a sentence that another one repeats but for one place only if it was
	// made from it.
	copied = 4
	// substance is the least size with which two sentences can be about one thing.
	substance = 2
	// mostConflicts bounds how many are told of; more would not be looked at.
	mostConflicts = 20
	// mostLooked bounds how many pairs that differ are looked at for whether they are about one matter.
	mostLooked = 400
	// mostAssertions bounds the sentences that are compared, each with each.
	mostAssertions = 600
)

// Find returns the pairs of passages that disagree, of which at least one is cited: of
// different versions or documents, in sentences with the same words and other values of the same
// kinds, or of which one denies what the other says. The question helps to know sentences in other
// words that speak of one thing; it may be empty. A pair of sentences is told of once, however often
// it was read.
func Find(question string, passages []Passage, refs []string) []Pair {
	all := assertions(question, passages)
	var out []Pair
	told := map[[2]string]bool{}
	looked := 0
	for i := range all {
		a := &all[i]
		for j := range all[i+1:] {
			b := &all[i+1+j]
			if a.document == b.document || a.Compact == b.Compact || len(out) == mostConflicts || !slices.Contains(refs, a.ref) && !slices.Contains(refs, b.ref) {
				continue
			}
			kind := a.disagrees(b)
			if kind != "" {
				if looked++; looked > mostLooked {
					return out
				}
				if a.apart(b, question, kind) {
					continue
				}
			}
			key := [2]string{a.document + "\x00" + a.Text, b.document + "\x00" + b.Text}
			if kind == "" || told[key] {
				continue
			}
			told[key] = true
			out = append(out, Pair{Refs: [2]string{a.ref, b.ref}, Quotes: [2]string{a.Text, b.Text}, Kind: kind})
		}
	}
	return out
}
