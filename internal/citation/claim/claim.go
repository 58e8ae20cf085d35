// Package claim holds a sentence against texts, by rules alone.
//
// It looks for what must stand literally (numbers, dates, codes, names), for denials and opposites,
// and for how far the words are held, and says what it found: a verdict, the sentence that decides,
// the reasons, and a score. It knows nothing of answers, references or documents, and speaks of
// support, not of truth.
//
// It decides, and reads nothing itself. Below it, each importing only those before it: wording folds
// texts and cuts them into words, polarity reads what they deny, quantity what they state, subject
// what they speak of; reading holds a claim and its sources, each read once; contrast finds what one
// sentence says otherwise. Beside it, conflict finds texts that disagree with each other.
package claim

import (
	"math"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

// Verdict is the outcome of checking a sentence against what it cites.
type Verdict string

// The verdicts.
const (
	Supported    Verdict = "supported"
	Partly       Verdict = "partly"
	NotSupported Verdict = "not_found"
	Contradicted Verdict = "contradicted"
)

// Source is a text that a sentence cites, prepared for comparison. It may be shared between goroutines.
type Source = reading.Source

// NewSource prepares a text, to be compared sentence by sentence.
func NewSource(excerpt string) *Source { return reading.NewSource(excerpt) }

// NewTable prepares the records of a table of separated values, with the whole text and the names of its
// columns. These belong to every record, but decide no claim by themselves.
func NewTable(whole, columns string, records []string) *Source {
	return reading.NewTable(whole, columns, records)
}

// Finding is the outcome of judging one sentence. Rule names what decided; Quote is the sentence of a
// source that decides, "" if none does; Score is the strength of the support, from 0 to 1.
type Finding struct {
	Verdict Verdict
	Rule    string
	Quote   string
	Score   float64
	Reasons []Reason
}

// Judge holds a sentence against the excerpts that it cites. A fragment that says too little to be
// wrong is not called supported.
func Judge(sentence string, cited []*Source) Finding {
	c := reading.NewClaim(sentence)
	f := decide(c, sentence, cited)
	if against := contraries(cited); len(against) > 0 || c.Contrary {
		f = turn(c, f, decide(c, sentence, against))
	}
	f.Score = math.Round(f.Score*1000) / 1000
	return f
}
