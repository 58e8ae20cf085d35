package claim

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
	"github.com/kaoju/kaoju/internal/citation/claim/subject"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// whollySaid is how many words a clause has at least that another sentence than the rest of a claim may hold.
const whollySaid = 2

// unsaid returns the words and numbers of a claim that the place which lacks the fewest of them does not hold. It is
// empty if one place says all of the claim, or one each of its clauses. What is a place, reading.Places tells.
func unsaid(c reading.Claim, cited []*Source) []string {
	clauses := clauses(c)
	several := len(clauses) > 1 && !slices.ContainsFunc(clauses, subject.Conditional.MatchString)
	var all, runs []reading.Place
	for _, s := range cited {
		p := s.Places()
		if all = append(all, p.Sentences...); several {
			all = append(all, p.Wide...)
		}
		runs = append(runs, p.Runs...)
	}
	whole := reading.Ask(c.Folded, c.Text)
	lacking, ok := said(c, whole, all)
	if !ok && coverage.MeasureOf(whole.Size()).Switches > 0 && !role.SeveralParties(c.Text) {
		_, ok = said(c, whole, runs)
	}
	switch {
	case ok:
		return nil
	case !several:
		return lacking
	}
	for _, clause := range clauses {
		part := reading.Ask(clause, clause)
		if part.Size() < whollySaid {
			return lacking
		}
		if _, ok := said(c, part, all); !ok {
			return lacking
		}
	}
	return nil
}

// clauses are the parts of a claim of which each says something.
func clauses(c reading.Claim) []string {
	var out []string
	for _, clause := range wording.Clauses(c.Folded) {
		if strings.TrimSpace(clause) != "" {
			out = append(out, reading.Segments(clause)...)
		}
	}
	return out
}

// said reports whether one of some places says what a claim, or a clause of one, does. If none does, it returns what the place lacks
// that lacks the least.
func said(c reading.Claim, s reading.Asked, all []reading.Place) (least []string, ok bool) {
	for i, p := range all {
		firm, words := lacks(p, s)
		if len(firm) == 0 && bends(c, s, words) && !substitutes(p, s) && !hedgedOtherwise(s, p) && !gainsaid(c, s, p) {
			return nil, true
		}
		lacking := append(firm, coverage.Written(words)...)
		if len(lacking) == 0 {
			lacking = []string{strings.TrimSpace(c.Text)}
		}
		if i == 0 || runes(lacking) < runes(least) {
			least = lacking
		}
	}
	return least, false
}

// substitutes reports whether a sentence of a place says something else where words of a claim are missing.
func substitutes(p reading.Place, s reading.Asked) bool {
	return slices.ContainsFunc(p.Own, func(t coverage.Text) bool { return s.Substitutes(t, p.Held...) }) || namesOther(p, s)
}

// namesOther reports whether the one sentence of a place has another verb, or another word, in the place of one whose letters, or
// characters, it holds or need not hold.
func namesOther(p reading.Place, s reading.Asked) bool {
	for _, st := range p.Said {
		if _, _, ok := coverage.OtherVerb(s.Folded, st.Folded); ok {
			return true
		}
		if _, _, ok := coverage.OtherWord(s.Folded, st.Folded); ok {
			return true
		}
	}
	return false
}

// runes counts the characters of some words.
func runes(words []string) int { return utf8.RuneCountInString(strings.Join(words, "")) }

// lacks returns what a place does not hold: what must stand literally, and plain words.
func lacks(p reading.Place, s reading.Asked) (firm []string, words []coverage.Word) {
	for _, q := range s.Numbers {
		if !q.Rate && !tells(p, q, s.Numbers) {
			firm = append(firm, q.String())
		}
	}
	return append(firm, s.Unmatched(p.Held...)...), coverage.Unaddressed(s.Unheld(p.Held...), p.Held...)
}

// tells reports whether a place states a quantity. What is counted without a unit is no amount of one, and "one" is
// mostly an article. What a claim states itself beside a bound is not what lies within that.
func tells(p reading.Place, want quantity.Stated, own []quantity.Stated) bool {
	if want.Kind == quantity.Number && want.Unit == "" && want.Value == "1" {
		return true
	}
	var have, free []quantity.Stated
	for _, h := range p.Numbers {
		if want.Kind == quantity.Number && want.Bound != quantity.Exactly && want.Unit == "" && h.Unit != "" {
			continue
		}
		if want.Bound == quantity.Above && h.Side() == quantity.Exactly && quantity.Equal(h.Quantity, want.Quantity) {
			continue // a rule of "at least" is more than the number
		}
		if have = append(have, h); !quantity.States(own, h) {
			free = append(free, h)
		}
	}
	return quantity.States(have, want) || quantity.Implies(free, want)
}

// hedge says that something is so as a rule, which leaves room for what is not.
var hedge = regexp.MustCompile(`原则上|一般|通常|\b(?:usually|generally|normally|typically|commonly|in principle|as a rule|in general)\b`)

// hedgedOtherwise reports whether one of a claim, or a clause of one, and a place says of a thing that it is so as a rule
// and the other that it is so. What a place hedges is the clause in which it does: it counts if most of that is in the claim.
func hedgedOtherwise(s reading.Asked, p reading.Place) bool {
	hedged := func(st *reading.Statement) bool {
		return hedge.MatchString(st.Folded) && slices.ContainsFunc(wording.Clauses(st.Folded), func(part string) bool {
			words := reading.Ask(part, part)
			return hedge.MatchString(part) && 2*len(words.Unheld(s.Text)) <= words.Len()
		})
	}
	return hedge.MatchString(s.Folded) != slices.ContainsFunc(p.Said, hedged)
}
