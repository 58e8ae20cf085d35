package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/instead"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
)

// valued is a text as its values and the words between them.
type valued struct {
	values  []instead.Value
	numbers []quantity.Stated
	words   coverage.Text
}

// amount is how the kinds of numbers begin.
const amount = "number"

// valuesOf reads a folded text.
func valuesOf(folded string) valued {
	numbers, rest := quantity.Read(folded)
	var out valued
	for _, q := range numbers {
		if !q.Rate && q.Kind != quantity.Code && (q.Kind != quantity.Number || q.Unit+q.Thing != "" || q.Bound != quantity.Exactly || q.Year()) {
			value, unit := q.InBase()
			out.values = append(out.values, instead.Value{Kind: amount + string(rune('0'+q.Kind)) + unit + q.Thing, Is: value, Written: q.String()})
			out.numbers = append(out.numbers, q)
		}
	}
	named, rest := instead.Values(rest)
	out.values = append(out.values, named...)
	out.words = coverage.ReadRest(folded, rest, "")
	return out
}

// refute contradicts a claim of which a sentence says all the same but for one value, in whose place it has another.
func refute(c reading.Claim, f *Finding, cited []*Source) {
	ours := valuesOf(c.Folded)
	for _, s := range cited {
		for _, p := range s.Places().Sentences {
			for _, compare := range [...]func(reading.Claim, valued, reading.Place) (Reason, bool){refutedBy, otherSort, denied} {
				if r, ok := compare(c, ours, p); ok {
					f.Verdict, f.Rule, f.Quote, f.Score = Contradicted, r.Code, p.Said[0].Text, min(f.Score, againstStrength)
					f.Reasons = append(f.Reasons, r)
					return
				}
			}
		}
	}
}

// denied tells whether a place denies what a claim says, or says what the claim denies, in the same words.
func denied(c reading.Claim, _ valued, p reading.Place) (Reason, bool) {
	said, ok := role.Contrary(c.Text, p.Folded)
	return Reason{"negation", said.Said, said.Found}, ok && !onlyAsked(c, *p.Said[0])
}

// refutedBy returns what a place says in the stead of the one value in which a claim differs from it.
func refutedBy(c reading.Claim, ours valued, p reading.Place) (Reason, bool) {
	if len(ours.values) == 0 || ours.words.Empty() || len(ours.words.Unheld(p.Held...)) > 0 || 2*len(ours.words.Unheld(p.Own...)) > ours.words.Len() {
		return Reason{}, false
	}
	theirs := valuesOf(p.Folded)
	said, found, ok := instead.Other(ours.values, theirs.values)
	if !ok || instead.Beside(said, found, c.Folded, p.Folded) || polarity.Count(c.Folded)%2 != polarity.Count(p.Folded)%2 || onlyAsked(c, *p.Said[0]) {
		return Reason{}, false
	}
	st := p.Said[0]
	if strings.HasPrefix(said.Kind, amount) {
		return otherNumber(c, ours.stating(said), theirs.stating(found), st)
	}
	r := Reason{"name", said.Written, found.Written}
	return r, !contrast.ElsewhereAt(c, strings.Index(c.Folded, said.Written), strings.Index(st.Folded, found.Written), st)
}

// stating returns the quantities of a text that are written as a value is.
func (t valued) stating(v instead.Value) []quantity.Stated {
	return slices.DeleteFunc(slices.Clone(t.numbers), func(q quantity.Stated) bool { return q.String() != v.Written })
}

// otherNumber tells whether two numbers of one thing, each as it may be meant, can't both be so: a bound leaves room for
// what is within it.
func otherNumber(c reading.Claim, ours, theirs []quantity.Stated, st *reading.Statement) (Reason, bool) {
	for _, q := range ours {
		for _, o := range theirs {
			alone := []quantity.Stated{o}
			if _, ok := quantity.Rival(alone, c.Quantities, q); !ok || quantity.Implies(alone, q) || quantity.Ranges(st.Quantities, q) {
				continue
			}
			if !contrast.ToldElsewhere(c, q, o, st) {
				return Reason{"number", q.String(), o.String()}, true
			}
		}
	}
	return Reason{}, false
}

// otherSort returns what sort of thing a sentence says that something is, of which a claim says that it is another one.
func otherSort(c reading.Claim, _ valued, p reading.Place) (Reason, bool) {
	ours, subject := instead.WhatItIs(c.Folded)
	if len(ours) != 1 || len(polarity.Heads(c.Folded)) > 0 {
		return Reason{}, false
	}
	theirs, about := instead.WhatItIs(p.Folded)
	_, found, ok := instead.Other(ours, theirs)
	if !ok || len(polarity.Heads(p.Folded)) > 0 || coverage.Read(subject, "").Empty() || len(coverage.Read(subject, "").Unheld(coverage.Read(about, ""))) > 0 {
		return Reason{}, false
	}
	return Reason{"name", ours[0].Written, found.Written}, true
}

// exclusive says of one thing, or one case, what it denies of all others.
var exclusive = regexp.MustCompile(`\b(?:only|unless|solely|exclusively)\b|[仅只]|除非|方可|才能`)

// reconciled reports whether what looks like a contradiction may say the same in two ways: "use only salt" and "do not use
// sand", "may only leave with a pass" and "may not leave without one", "open until 18:00" and "closes at 18:00".
func reconciled(c reading.Claim, st *reading.Statement, rule string) bool {
	switch rule {
	case "negation":
		return exclusive.FindString(c.Folded) != exclusive.FindString(st.Folded) && polarity.Count(c.Folded) != polarity.Count(st.Folded)
	case "opposite":
		isTime := func(q quantity.Stated) bool { return q.Kind == quantity.TimeOfDay }
		return slices.ContainsFunc(c.Quantities, isTime) && quantity.StatesAll(st.Quantities, c.Quantities)
	}
	return false
}
