package contrast

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// denies returns the very thing that a denial of one of a claim and a sentence denies where the other
// speaks of it and denies it not: the claim's word and the sentence's.
func denies(c reading.Claim, sentence string, theirs map[string]polarity.Attitude) (pair [2]string, ok bool) {
	for _, h := range polarity.Heads(c.Folded) {
		at := slices.IndexFunc(c.Terms, func(t wording.Term) bool { return t.Text == h || t.Right == h })
		if at < 0 || c.Attitudes[h] != polarity.Denied {
			continue
		}
		for _, key := range append([]string{h}, c.Terms[at].Forms...) {
			if theirs[key] == polarity.Affirmed {
				return [2]string{h, key}, true
			}
		}
	}
	for _, h := range polarity.Heads(sentence) {
		if theirs[h] != polarity.Denied {
			continue
		}
		for _, t := range c.Terms {
			if (t.Text == h || t.Right == h || slices.Contains(t.Forms, h)) && c.Attitudes[t.Key(h)] == polarity.Affirmed {
				return [2]string{t.Key(h), h}, true
			}
		}
	}
	return pair, false
}

// agrees reports whether a claim and a sentence deny a word in common: then what else a denial
// reaches in one of them alone is the affair of the order of words.
func agrees(c reading.Claim, sentence map[string]polarity.Attitude) bool {
	return slices.ContainsFunc(c.Terms, func(t wording.Term) bool {
		for _, key := range [...]string{t.Right, t.Left, t.Text} {
			if theirs, ok := sentence[key]; ok && key != "" {
				return c.Attitudes[key]&theirs&polarity.Denied != 0
			}
		}
		return false
	})
}

// MostNamed is how many words a difference names.
const MostNamed = 6

// Flips returns the weight of the terms of a claim of which a sentence says the contrary, and the
// terms: what is denied in one of the two and not in the other.
func Flips(c reading.Claim, sentence map[string]polarity.Attitude) (weight float64, words string) {
	if agrees(c, sentence) {
		return 0, ""
	}
	var list []string
	for _, t := range c.Terms {
		for _, key := range [...]string{t.Right, t.Left, t.Text} {
			theirs, ok := sentence[key]
			if key == "" || !ok {
				continue
			}
			if ours := c.Attitudes[key]; ours&theirs == 0 {
				weight += t.Weight
				if len(list) < MostNamed {
					list = append(list, t.Surface)
				}
			}
			break
		}
	}
	return weight, strings.Join(list, " ")
}
