package polarity

import (
	"regexp"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// nearHead is how many Chinese characters behind a denial may begin what it denies.
const nearHead = 3

// manner matches words that stand between a denial and what it denies: "does not significantly improve".
var manner = regexp.MustCompile(`^(?:\w+ly|any|yet|ever|more|much|very|so|such)$`)

// Heads returns what the denials of a folded text deny in the first place: the word behind each, or
// the pairs of the Chinese characters behind it.
func Heads(folded string) []string {
	if !mayDeny(folded) {
		return nil
	}
	var out []string
	for _, part := range wording.Clauses(folded) {
		found := denials(part)
		if len(found) == 0 {
			continue
		}
		list := wording.Terms(wording.Codes.ReplaceAllStringFunc(part, withoutCodes))
		for _, d := range found {
			if !d.thing && !d.number {
				out = append(out, d.heads(list)...)
			}
		}
	}
	return out
}

// heads returns what one denial denies in the first place: the word before it where it reaches none, as
// in "fixes no ERR-1042".
func (d denial) heads(list []wording.Term) []string {
	var out []string
	n, before, reached := 0, "", false
	for _, t := range list {
		within := t.At >= d.reach[0] && t.At < d.reach[1]
		reached = reached || within
		switch {
		case t.At < d.word[0]:
			before = t.Text
		case !within || manner.MatchString(t.Surface):
		case !wording.Han(t.Text):
			if n == 0 {
				return []string{t.Text}
			}
			return out
		case n == nearHead:
			return out
		default:
			n++
			if t.Right != "" {
				out = append(out, t.Right)
			}
		}
	}
	if !reached && before != "" {
		return []string{before}
	}
	return out
}
