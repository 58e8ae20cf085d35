package claim

import (
	"regexp"
	"slices"
)

// hedge says that something is so as a rule, which leaves room for what is not.
var hedge = regexp.MustCompile(`原则上|一般|通常|\b(?:usually|generally|normally|typically|commonly|in principle|as a rule|in general)\b`)

// hedgedOtherwise reports whether one of a claim, or a clause of one, and a place says of a thing that it is so as a rule
// and the other that it is so. What a place hedges is the clause in which it does: it counts if most of that is in the claim.
func hedgedOtherwise(s wording, p place) bool {
	hedged := func(st *statement) bool {
		return hedge.MatchString(st.folded) && slices.ContainsFunc(clausesOf(st.folded), func(part string) bool {
			words := read(part, part)
			return hedge.MatchString(part) && 2*len(words.Unheld(s.Text)) <= words.Len()
		})
	}
	return hedge.MatchString(s.folded) != slices.ContainsFunc(p.said, hedged)
}
