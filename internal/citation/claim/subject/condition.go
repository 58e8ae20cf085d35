package subject

import (
	"regexp"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// Conditional begins a clause that says when the rest holds.
var Conditional = regexp.MustCompile(`^\s*(?:if|when|where|unless|once|in case|during|for|after|before|in|on|at)\b|^\s*(?:如果|如|若|当|遇)|(?:的|时|后|前|者)\s*$`)

// Conditions returns the words of the clauses before a place that say when what is said there holds.
func Conditions(folded string, at int) Subject {
	folded = aside.ReplaceAllStringFunc(folded, wording.Blank)
	out := Subject{Verb: true}
	from := 0
	for _, end := range wording.ClauseEnds(folded) {
		if end[1] > at {
			break
		}
		if part := folded[from:end[0]]; Conditional.MatchString(part) {
			out.Terms = append(out.Terms, wording.Terms(part)...)
		}
		from = end[1]
	}
	out.Words = wording.VocabularyOf(out.Terms)
	return out
}

var (
	// complement is a preposition with what stands behind it.
	complement = regexp.MustCompile(`\b(for|in|at|on|from|with|during|under|without) ([^,;:.!?]*)`)
	// complementEnd is where that ends.
	complementEnd = regexp.MustCompile(`\b(?:for|in|at|on|from|with|during|under|without|by|of|to|and|or|but|who|which|that|is|are|was|were|has|have|had|may|must|can|will)\b`)
)

// Complement is what stands behind a preposition.
type Complement struct {
	By    string         // the preposition
	Terms []wording.Term // up to the next word that joins
}

// Complements returns what stands behind the prepositions of a text.
func Complements(folded string) []Complement {
	var out []Complement
	for rest := folded; ; {
		m := complement.FindStringSubmatchIndex(rest)
		if m == nil {
			return out
		}
		said := rest[m[4]:m[5]]
		if loc := complementEnd.FindStringIndex(said); loc != nil {
			said = said[:loc[0]]
		}
		out = append(out, Complement{rest[m[2]:m[3]], wording.Terms(strings.TrimSpace(said))})
		rest = rest[m[3]:]
	}
}
