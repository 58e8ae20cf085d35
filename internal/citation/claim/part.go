package claim

import (
	"regexp"
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/role"
)

// conjoined is where a second thing begins to be said in one clause.
var conjoined = regexp.MustCompile(`\band\b|并且|而且|而`)

const (
	// mostParts is how many parts of a sentence are compared each by itself, since every one is held against what the whole says.
	mostParts = 24
	// partReach is how far behind a conjunction, in characters, a second thing has its verb.
	partReach = 160
)

// parts returns the clauses of a sentence that say something each: "breakfast is excluded and lunch is included" says
// two things. None if it says one alone.
func (st *statement) parts() []*statement {
	if st.record {
		return nil
	}
	var out []*statement
	add := func(folded string) {
		if p := st.part(folded); len(p.words) > 0 && len(out) < mostParts {
			out = append(out, p)
		}
	}
	for _, clause := range clausesOf(st.folded) {
		if len(out) == mostParts {
			break
		}
		from := 0
		for _, loc := range conjoined.FindAllStringIndex(clause, -1) {
			if verbAt(clause[from:loc[0]]) >= 0 && verbAt(firstRunes(clause[loc[1]:], partReach)) >= 0 {
				add(clause[from:loc[0]])
				from = loc[1]
			}
		}
		add(clause[from:])
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// part is one of them.
func (st *statement) part(folded string) *statement {
	s := &Source{}
	s.take(st.text, folded, true)
	return &s.sentences[0]
}

// contrastOfPart finds a part of a sentence that plainly denies a claim that says one thing, or says the opposite, where
// no part says the same. The part speaks of what the claim does. What is said by numbers is not looked for in parts.
func (c claim) contrastOfPart(st *statement, cited []*Source) (contrast, bool) {
	if len(c.quantities) > 0 || len((&statement{folded: c.folded}).parts()) > 0 || role.Held(c.text, st.said()) {
		return contrast{}, false
	}
	var found contrast
	for _, p := range st.parts() {
		share := c.share(c.cover(p.words))
		x := c.contrast(p, share, cited)
		switch {
		case share >= whollyHeld && x.flipped == 0 && x.opposite == 0:
			return contrast{}, false
		case share >= denies && !x.replaced && !x.chosen && x.plain() && !found.plain() && c.alsoAbout(p):
			x.statement, found = st, x
		}
	}
	return found, found.plain()
}

// alsoAbout reports whether a clause speaks of what a claim speaks of: all words of the claim's subject are among
// those of the clause's.
func (c claim) alsoAbout(p *statement) bool {
	ours, theirs := subjectOf(c.folded), subjectOf(p.folded)
	if len(ours.terms) == 0 || !(ours.verb && theirs.verb || ours.han() && theirs.han()) {
		return false
	}
	if theirs.han() && !theirs.verb && len(c.terms) > 0 {
		return theirs.words[c.terms[0].text]
	}
	return !slices.ContainsFunc(ours.terms, func(t term) bool { return !theirs.holds(t) })
}
