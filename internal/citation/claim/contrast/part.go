package contrast

import (
	"regexp"
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
	"github.com/kaoju/kaoju/internal/citation/claim/subject"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
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
func parts(st *reading.Statement) []*reading.Statement {
	if st.Record {
		return nil
	}
	var out []*reading.Statement
	add := func(folded string) {
		if p := part(st, folded); len(p.Words) > 0 && len(out) < mostParts {
			out = append(out, p)
		}
	}
	for _, clause := range wording.Clauses(st.Folded) {
		if len(out) == mostParts {
			break
		}
		from := 0
		for _, loc := range conjoined.FindAllStringIndex(clause, -1) {
			if subject.VerbAt(clause[from:loc[0]]) >= 0 && subject.VerbAt(wording.FirstRunes(clause[loc[1]:], partReach)) >= 0 {
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
func part(st *reading.Statement, folded string) *reading.Statement {
	p := reading.NewStatement(st.Text, folded, true)
	return &p
}

// OfPart finds a part of a sentence that plainly denies a claim that says one thing, or says the opposite, where
// no part says the same. The part speaks of what the claim does. What is said by numbers is not looked for in parts.
func OfPart(c reading.Claim, st *reading.Statement, cited []*reading.Source) (Contrast, bool) {
	if len(c.Quantities) > 0 || len(parts((&reading.Statement{Folded: c.Folded}))) > 0 || role.Held(c.Text, st.Said()) {
		return Contrast{}, false
	}
	var found Contrast
	for _, p := range parts(st) {
		share := c.Share(c.Cover(p.Words))
		x := Of(c, p, share, cited)
		switch {
		case share >= whollyHeld && x.Flipped == 0 && x.Opposite == 0:
			return Contrast{}, false
		case share >= SameWords && !x.replaced && !x.chosen && x.Plain() && !found.Plain() && alsoAbout(c, p):
			x.Statement, found = st, x
		}
	}
	return found, found.Plain()
}

// alsoAbout reports whether a clause speaks of what a claim speaks of: all words of the claim's subject are among
// those of the clause's.
func alsoAbout(c reading.Claim, p *reading.Statement) bool {
	ours, theirs := subject.Of(c.Folded), subject.Of(p.Folded)
	if len(ours.Terms) == 0 || !(ours.Verb && theirs.Verb || ours.Han() && theirs.Han()) {
		return false
	}
	if theirs.Han() && !theirs.Verb && len(c.Terms) > 0 {
		return theirs.Words[c.Terms[0].Text]
	}
	return !slices.ContainsFunc(ours.Terms, func(t wording.Term) bool { return !theirs.Holds(t) })
}
