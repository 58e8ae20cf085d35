package claim

import (
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
)

// formWorth is the worth of a word that a text holds in another form of the same family:
// "transcriptional" for "transcription".
const formWorth = 0.6

// The measures by which two words are of one family: both have so many letters, and so much of the
// longer one, in tenths, is their common beginning.
const (
	formLetters = 5
	formTenths  = 8
)

// adapt finds for each word of letters that no source holds the words of its family that some
// source does. Texts say the same with a noun and a verb, and stems keep the two apart.
func (c *claim) adapt(cited []*Source) {
	for i := range c.terms {
		t := &c.terms[i]
		t.turned = c.turned(t.text, cited)
		if t.left != "" || t.right != "" || len(t.text) < formLetters || t.text[0] > 'z' || slices.ContainsFunc(cited, func(s *Source) bool { return s.holds(t.text) }) {
			continue
		}
		for _, s := range cited {
			t.forms = append(t.forms, s.family(t.text)...)
		}
	}
}

// holds reports whether some sentence holds a word.
func (s *Source) holds(word string) bool {
	return slices.ContainsFunc(s.sentences, func(st statement) bool { return st.words[word] })
}

// family returns the words of the sentences that are of one family with another word.
func (s *Source) family(word string) []string {
	var out []string
	for _, st := range s.sentences {
		for _, w := range st.sequence {
			if kindred(word, w) && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// kindred reports whether most of two words is their common beginning.
func kindred(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < formLetters {
		return false
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return 10*n >= formTenths*len(b)
}

// turned returns the words by which sources say the same as a claim does by a word that it denies, or the reverse:
// "excluded" for "not included".
func (c *claim) turned(word string, cited []*Source) []string {
	var out []string
	for _, other := range opposite.ComplementOf()[word] {
		if slices.ContainsFunc(cited, func(s *Source) bool {
			return slices.ContainsFunc(s.sentences, func(st statement) bool {
				return st.words[other] && c.attitudes[word]+attitudes(st.folded)[other] == affirmed+denied && c.attitudes[word] != 0
			})
		}) {
			out = append(out, other)
		}
	}
	return out
}
