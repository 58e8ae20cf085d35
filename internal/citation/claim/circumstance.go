package claim

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// conditional begins a clause that says when the rest holds.
	conditional = regexp.MustCompile(`^\s*(?:if|when|where|unless|once|in case|during|for|after|before|in|on|at)\b|^\s*(?:如果|如|若|当|遇)|(?:的|时|后|前|者)\s*$`)
	// complement is a preposition with what stands behind it.
	complement = regexp.MustCompile(`\b(for|in|at|on|from|with|during|under|without) ([^,;:.!?]*)`)
	// complementEnd is where that ends.
	complementEnd = regexp.MustCompile(`\b(?:for|in|at|on|from|with|during|under|without|by|of|to|and|or|but|who|which|that|is|are|was|were|has|have|had|may|must|can|will)\b`)
)

// conditions returns the words of the clauses before a place that say when what is said there holds.
func conditions(folded string, at int) subject {
	folded = aside.ReplaceAllStringFunc(folded, blanks)
	out := subject{verb: true}
	from := 0
	for _, end := range clauseEnds(folded) {
		if end[1] > at {
			break
		}
		if part := folded[from:end[0]]; conditional.MatchString(part) {
			out.terms = append(out.terms, terms(part)...)
		}
		from = end[1]
	}
	out.words = vocabularyOf(out.terms)
	return out
}

// elsewhen reports whether a claim and a sentence say something for two cases, each by its word of a pair: behind
// it and the same preposition each has words of its own, "free for visitors", "free for employees".
func (c claim) elsewhen(pair [2]string, st *statement) bool {
	here, there := position(c.folded, pair[0]), position(st.folded, pair[1])
	if here < 0 || there < 0 || st.record {
		return false
	}
	theirs := complements(st.folded[there:])
	for _, m := range complements(c.folded[here:]) {
		if len(m.terms) == 0 || slices.ContainsFunc(m.terms, subject{words: st.words}.holds) {
			continue
		}
		for _, o := range theirs {
			if o.by == m.by && len(o.terms) > 0 && !slices.ContainsFunc(o.terms, subject{words: vocabularyOf(c.terms)}.holds) {
				return true
			}
		}
	}
	return false
}

// complemented is what stands behind a preposition.
type complemented struct {
	by    string
	terms []term
}

// complements returns what stands behind the prepositions of a text.
func complements(folded string) []complemented {
	var out []complemented
	for rest := folded; ; {
		m := complement.FindStringSubmatchIndex(rest)
		if m == nil {
			return out
		}
		said := rest[m[4]:m[5]]
		if loc := complementEnd.FindStringIndex(said); loc != nil {
			said = said[:loc[0]]
		}
		out = append(out, complemented{rest[m[2]:m[3]], terms(strings.TrimSpace(said))})
		rest = rest[m[3]:]
	}
}

// doneByOthers reports whether a claim and a sentence say of two single words that one does and the other does
// not do the same: what "do not" stands before is a verb, and what stands before that does it.
func (c claim) doneByOthers(pair [2]string, st *statement) bool {
	here, there := position(c.folded, pair[0]), position(st.folded, pair[1])
	if here < 0 || there < 0 || st.record || len(c.terms) == 0 || !undone.MatchString(c.folded[:here]) && !undone.MatchString(st.folded[:there]) {
		return false
	}
	ours, theirs := before(c.folded, here), before(st.folded, there)
	if len(ours.terms) != 1 || len(theirs.terms) != 1 {
		return false
	}
	ours.verb, theirs.verb = true, true
	return ours.other(theirs, vocabularyOf(c.terms[1:]))
}

// undone is what a verb is denied by.
var undone = regexp.MustCompile(`\b(?:do|does|did)(?: not|n['’]t) $`)
