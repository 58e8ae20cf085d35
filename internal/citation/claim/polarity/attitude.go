package polarity

import (
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// Attitude says how a text speaks of a word: bit 0 affirmed, bit 1 denied.
type Attitude uint8

// A text may speak of a word in both ways.
const (
	Affirmed Attitude = 1 << iota
	Denied
)

// Attitudes tells for each word, character and pair of a folded text whether it stands under a
// denial, under none, or both ways.
func Attitudes(folded string) map[string]Attitude {
	out := map[string]Attitude{}
	for _, part := range wording.Clauses(folded) {
		list := wording.Terms(wording.Codes.ReplaceAllStringFunc(part, withoutCodes))
		counts := make([]int, len(list))
		for _, d := range denials(part) {
			d.count(list, counts)
		}
		for i, t := range list {
			a := Affirmed
			if counts[i]%2 == 1 {
				a = Denied
			}
			for _, key := range [...]string{t.Text, t.Left, t.Right} {
				if key != "" {
					out[key] |= a
				}
			}
		}
	}
	return out
}

// count adds a denial to the terms that it reaches; to the one before it where it reaches none, as
// in "fixes no ERR-1042". One of a number denies no words.
func (d denial) count(list []wording.Term, counts []int) {
	if d.number {
		return
	}
	reached, before := false, -1
	for i, t := range list {
		switch {
		case t.At >= d.reach[0] && t.At < d.reach[1]:
			counts[i]++
			reached = true
		case t.At < d.word[0]:
			before = i
		}
	}
	if !reached && before >= 0 {
		counts[before]++
	}
}

// withoutCodes blanks what has figures: a denial before a code denies what is said of the code.
func withoutCodes(s string) string {
	if strings.ContainsAny(s, "0123456789") {
		return wording.Blank(s)
	}
	return s
}
