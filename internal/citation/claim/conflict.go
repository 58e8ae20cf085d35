package claim

import (
	"slices"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/matter"
	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
)

// Passage is a source that a run read, with what it was taken from: a version of the document that
// the key names.
type Passage struct {
	Ref      string
	Document string
	Key      string
	Title    string
	*Source
}

// Conflict is a pair of passages that disagree in sentences that otherwise match. They are shown
// side by side; which of them holds is not decided here.
type Conflict struct {
	Refs   [2]string `json:"refs"`
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

// assertion is a sentence of an excerpt that says something.
type assertion struct {
	ref      string
	document string
	key      string
	claim    claim
	statement
	asked   bool            // it speaks of what is asked
	touches bool            // it speaks of a part of that
	goal    map[string]bool // the words of the question

	attitudes map[string]attitude // see speaks
}

// Conflicts returns the pairs of passages that disagree, of which at least one is cited: of
// different versions or documents, in sentences with the same words and other values of the same
// kinds, or of which one denies what the other says. The question helps to know sentences in other
// words that speak of one thing; it may be empty. A pair of sentences is told of once, however often
// it was read.
func Conflicts(question string, passages []Passage, refs []string) []Conflict {
	all := assertions(question, passages)
	var out []Conflict
	told := map[[2]string]bool{}
	looked := 0
	for i := range all {
		a := &all[i]
		for j := range all[i+1:] {
			b := &all[i+1+j]
			if a.document == b.document || a.compact == b.compact || len(out) == mostConflicts || !slices.Contains(refs, a.ref) && !slices.Contains(refs, b.ref) {
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
			key := [2]string{a.document + "\x00" + a.text, b.document + "\x00" + b.text}
			if kind == "" || told[key] {
				continue
			}
			told[key] = true
			out = append(out, Conflict{Refs: [2]string{a.ref, b.ref}, Quotes: [2]string{a.text, b.text}, Kind: kind})
		}
	}
	return out
}

// apart reports whether two sentences that differ in something are about different matters.
func (a *assertion) apart(b *assertion, question, kind string) bool {
	answer := matter.Value
	if kind == "words" {
		answer = matter.Words
	}
	return matter.Apart(question, a.text, b.text, answer)
}

// assertions returns the sentences of the passages that say something.
func assertions(question string, passages []Passage) []assertion {
	goal, words := newClaim(question), vocabulary(analysis.Fold(question))
	var all []assertion
	for _, e := range passages {
		around := vocabulary(analysis.Fold(e.Title))
		for _, st := range e.sentences {
			c := newClaim(st.text)
			if st.partial || c.size < substance || len(all) == mostAssertions {
				continue
			}
			a := assertion{ref: e.Ref, document: e.Document, key: e.Key, claim: c, statement: st, goal: words}
			if goal.size > 0 {
				own, title := goal.cover(st.words), goal.cover(around)
				share := goal.share(raised(own, title))
				a.asked = goal.share(own) > 0 && share >= asks
				a.touches = goal.share(own) > 0 && share >= touching
			}
			all = append(all, a)
		}
	}
	return all
}

func raised(a, b []float64) []float64 {
	out := slices.Clone(a)
	raise(out, b)
	return out
}

// disagrees returns what two sentences disagree in, "" if they don't or are about different things.
func (a *assertion) disagrees(b *assertion) string {
	if !a.sharesEnough(b) || !b.sharesEnough(a) {
		return ""
	}
	there, back := a.claim.cover(b.words), b.claim.cover(a.words)
	near := min(a.claim.share(there), b.claim.share(back))
	if near < likely || !sameThings(a.claim, b.claim) || len(a.claim.quantities) != len(b.claim.quantities) {
		return ""
	}
	turned := a.claim.stance.against(b.claim.stance)
	if slices.ContainsFunc(turned, func(t [2]string) bool { return opposite.SetsApart()[t[0]] }) {
		return "" // they are about different things
	}
	closely := near >= alike
	named := slices.Equal(set(a.claim.names), set(b.claim.names))
	if named && (closely || a.asked && b.asked) && otherValue(a.claim.quantities, b.claim.quantities) {
		return "value"
	}
	if weight, _ := a.claim.flips(b.speaks()); named && closely && weight/a.claim.weight >= flipped {
		return "negation"
	}
	replaces := a.replaces(b, there, back)
	switch {
	case named && (closely || replaces) && len(turned) > 0:
		return "opposite"
	case replaces && a.mayRepeat(b):
		return "words"
	}
	return ""
}

// sharesEnough reports whether enough of the words of one sentence may stand in the other. It looks
// at the words alone and gives up early, since most pairs share nothing.
func (a *assertion) sharesEnough(b *assertion) bool {
	spare := a.claim.weight * (1 - likely)
	for _, t := range a.claim.terms {
		if !b.words[t.text] {
			if spare -= t.weight; spare < 0 {
				return false
			}
		}
	}
	return true
}

// speaks is how a sentence speaks of its words, found when it is first asked for.
func (a *assertion) speaks() map[string]attitude {
	if a.attitudes == nil {
		a.attitudes = attitudes(a.folded)
	}
	return a.attitudes
}

// mayRepeat reports whether one of two sentences may have been made from the other: in another
// version of the same document, or in a text about what is asked.
func (a *assertion) mayRepeat(b *assertion) bool {
	return a.key != "" && a.key == b.key || a.touches && b.touches && a.claim.size >= copied
}

// mostReplaced is how many words one place of a sentence may differ in, to be another answer in the same
// sentence.
const mostReplaced = 4

// replaces reports whether two sentences that speak of what is asked differ in one place alone, in
// words that are not the question's: "plays football", "plays cricket".
func (a *assertion) replaces(b *assertion, there, back []float64) bool {
	i, j, ok := a.gap(there)
	k, l, fine := b.gap(back)
	if !ok || !fine {
		return false
	}
	before := i > 0 && k > 0 && a.claim.terms[i-1].text == b.claim.terms[k-1].text
	behind := j < len(a.claim.terms) && l < len(b.claim.terms) && a.claim.terms[j].text == b.claim.terms[l].text
	return before || behind && i == 0 && k == 0
}

// gap returns the one run of words of a sentence that the other does not hold, if they are few and
// none of the question's.
func (a *assertion) gap(held []float64) (from, to int, ok bool) {
	from = -1
	for i, h := range held {
		if h == 1 {
			continue
		}
		if from >= 0 && to != i || a.goal[a.claim.terms[i].text] {
			return 0, 0, false
		}
		if from < 0 {
			from = i
		}
		to = i + 1
	}
	return from, to, from >= 0 && to-from <= mostReplaced
}

// sameThings reports whether two sentences name the same codes: with another code, a sentence is
// about something else.
func sameThings(a, b claim) bool {
	list := func(c claim) []string {
		var out []string
		for _, q := range c.quantities {
			if q.kind == code {
				out = append(out, q.value)
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	return slices.Equal(list(a), list(b))
}

// otherValue reports whether two lists that state the same sorts of things in the same order state
// another value somewhere.
func otherValue(a, b []stated) bool {
	other := false
	for i, q := range a {
		r := b[i]
		if q.kind != r.kind || opposedUnits(q, r) {
			return false
		}
		other = other || !states([]stated{r}, q) && !states([]stated{q}, r)
	}
	return other
}

// opposedUnits reports whether two values are known to be of different sorts, so that they can't be
// compared.
func opposedUnits(a, b stated) bool {
	_, u := a.inBase()
	_, v := b.inBase()
	return u != v && u != "" && v != ""
}

// set returns a list in order, each entry once.
func set(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
