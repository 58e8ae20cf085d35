package reading

import (
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// formWorth is the worth of a word that a text holds in another form of the same family:
// "transcriptional" for "transcription".
const formWorth = 0.6

// Adapt finds for each word of letters that no source holds the words of its family that some
// source does. Texts say the same with a noun and a verb, and stems keep the two apart.
func (c *Claim) Adapt(cited []*Source) {
	for i := range c.Terms {
		t := &c.Terms[i]
		t.Turned = c.turned(t.Text, cited)
		if !t.Inflects() || slices.ContainsFunc(cited, func(s *Source) bool { return s.holds(t.Text) }) {
			continue
		}
		for _, s := range cited {
			t.Forms = append(t.Forms, s.family(t.Text)...)
		}
	}
}

// holds reports whether some sentence holds a word.
func (s *Source) holds(word string) bool {
	return slices.ContainsFunc(s.Sentences, func(st Statement) bool { return st.Words[word] })
}

// family returns the words of the sentences that are of one family with another word.
func (s *Source) family(word string) []string {
	var out []string
	for _, st := range s.Sentences {
		for _, w := range st.Sequence {
			if wording.Kindred(word, w) && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// turned returns the words by which sources say the same as a claim does by a word that it denies, or the reverse:
// "excluded" for "not included".
func (c *Claim) turned(word string, cited []*Source) []string {
	var out []string
	for _, other := range opposite.ComplementOf()[word] {
		if slices.ContainsFunc(cited, func(s *Source) bool {
			return slices.ContainsFunc(s.Sentences, func(st Statement) bool {
				return st.Words[other] && c.Attitudes[word]+polarity.Attitudes(st.Folded)[other] == polarity.Affirmed+polarity.Denied && c.Attitudes[word] != 0
			})
		}) {
			out = append(out, other)
		}
	}
	return out
}
