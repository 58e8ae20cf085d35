package claim

import (
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/instead"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
)

// valued is a text as its values and the words between them.
type valued struct {
	values  []instead.Value
	numbers []stated
	words   coverage.Text
}

// amount is how the kinds of numbers begin.
const amount = "number"

func valuesOf(folded string) valued {
	numbers, rest := quantities(folded)
	var out valued
	for _, q := range numbers {
		if !q.rate && q.kind != code && (q.kind != number || q.unit+q.thing != "" || q.bound != exactly || q.year()) {
			value, unit := q.inBase()
			out.values = append(out.values, instead.Value{Kind: amount + string(rune('0'+q.kind)) + unit + q.thing, Is: value, Written: q.String()})
			out.numbers = append(out.numbers, q)
		}
	}
	named, rest := instead.Values(rest)
	out.values = append(out.values, named...)
	out.words = coverage.ReadRest(folded, rest, "")
	return out
}

// refute contradicts a claim of which a sentence says all the same but for one value, in whose place it has another.
func (c claim) refute(f *Finding, cited []*Source) {
	ours := valuesOf(c.folded)
	for _, s := range cited {
		for _, p := range s.passages().sentences {
			for _, compare := range [...]func(valued, place) (Reason, bool){c.refutedBy, c.otherSort, c.denied} {
				if r, ok := compare(ours, p); ok {
					f.Verdict, f.Rule, f.Quote, f.Score = Contradicted, r.Code, p.said[0].text, min(f.Score, againstStrength)
					f.Reasons = append(f.Reasons, r)
					return
				}
			}
		}
	}
}

// denied tells whether a place denies what a claim says, or says what the claim denies, in the same words.
func (c claim) denied(_ valued, p place) (Reason, bool) {
	said, ok := role.Contrary(c.text, p.folded)
	return Reason{"negation", said.Said, said.Found}, ok && !c.onlyAsked(*p.said[0])
}

// refutedBy returns what a place says in the stead of the one value in which a claim differs from it.
func (c claim) refutedBy(ours valued, p place) (Reason, bool) {
	if len(ours.values) == 0 || ours.words.Empty() || len(ours.words.Unheld(p.held...)) > 0 || 2*len(ours.words.Unheld(p.own...)) > ours.words.Len() {
		return Reason{}, false
	}
	theirs := valuesOf(p.folded)
	said, found, ok := instead.Other(ours.values, theirs.values)
	if !ok || instead.Beside(said, found, c.folded, p.folded) || count(c.folded)%2 != count(p.folded)%2 || c.onlyAsked(*p.said[0]) {
		return Reason{}, false
	}
	st := p.said[0]
	if strings.HasPrefix(said.Kind, amount) {
		return c.otherNumber(ours, theirs, said, found, st)
	}
	r := Reason{"name", said.Written, found.Written}
	return r, !c.elsewhereAt(strings.Index(c.folded, said.Written), strings.Index(st.folded, found.Written), st)
}

// otherNumber tells whether two numbers of one thing can't both be so: a bound leaves room for what is within it.
func (c claim) otherNumber(ours, theirs valued, said, found instead.Value, st *statement) (Reason, bool) {
	for _, q := range ours.numbers {
		for _, o := range theirs.numbers {
			if q.String() != said.Written || o.String() != found.Written {
				continue
			}
			if _, ok := rival([]stated{o}, c.quantities, q); ok && !implies([]stated{o}, q) && !ranges(st.quantities, q) && !st.beyond(o) && !c.elsewhereAt(numberAt(c.folded, q), numberAt(st.folded, o), st) {
				return Reason{"number", q.String(), o.String()}, true
			}
		}
	}
	return Reason{}, false
}

// otherSort returns what sort of thing a sentence says that something is, of which a claim says that it is another one.
func (c claim) otherSort(_ valued, p place) (Reason, bool) {
	ours, subject := instead.WhatItIs(c.folded)
	if len(ours) != 1 || len(heads(c.folded)) > 0 {
		return Reason{}, false
	}
	theirs, about := instead.WhatItIs(p.folded)
	_, found, ok := instead.Other(ours, theirs)
	if !ok || len(heads(p.folded)) > 0 || coverage.Read(subject, "").Empty() || len(coverage.Read(subject, "").Unheld(coverage.Read(about, ""))) > 0 {
		return Reason{}, false
	}
	return Reason{"name", ours[0].Written, found.Written}, true
}
