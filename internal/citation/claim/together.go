package claim

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
)

// whollySaid is how many words a clause has at least that another sentence than the rest of a claim may hold.
const whollySaid = 2

// together returns the words and numbers of a claim that the place which lacks the fewest of them does not hold. It is
// empty if one place says all of the claim, or one each of its clauses. What is a place, passages tells.
func (c claim) together(cited []*Source) []string {
	clauses := c.clauses()
	several := len(clauses) > 1 && !slices.ContainsFunc(clauses, conditional.MatchString)
	var all, runs []place
	for _, s := range cited {
		p := s.passages()
		if all = append(all, p.sentences...); several {
			all = append(all, p.wide...)
		}
		runs = append(runs, p.runs...)
	}
	whole := read(c.folded, c.text)
	lacking, ok := c.said(whole, all)
	if !ok && coverage.MeasureOf(whole.Size()).Switches > 0 && !role.SeveralParties(c.text) {
		_, ok = c.said(whole, runs)
	}
	switch {
	case ok:
		return nil
	case !several:
		return lacking
	}
	for _, clause := range clauses {
		part := read(clause, clause)
		if part.Size() < whollySaid {
			return lacking
		}
		if _, ok := c.said(part, all); !ok {
			return lacking
		}
	}
	return nil
}

// clauses are the parts of a claim of which each says something.
func (c claim) clauses() []string {
	var out []string
	for _, clause := range clausesOf(c.folded) {
		if strings.TrimSpace(clause) != "" {
			out = append(out, segments(clause)...)
		}
	}
	return out
}

// wording is a claim, or a clause of one, as places are asked for it.
type wording struct {
	coverage.Text
	folded  string
	numbers []stated
}

func read(folded, written string) wording {
	numbers, rest := quantities(folded)
	return wording{coverage.ReadRest(folded, rest, written), folded, numbers}
}

// said reports whether one of some places says what a claim, or a clause of one, does. If none does, it returns what the place lacks
// that lacks the least.
func (c claim) said(s wording, all []place) (least []string, ok bool) {
	for i, p := range all {
		firm, words := p.lacks(s)
		if len(firm) == 0 && c.bends(s, words) && !p.substitutes(s) && !hedgedOtherwise(s, p) && !c.gainsaid(s, p) {
			return nil, true
		}
		lacking := append(firm, coverage.Written(words)...)
		if len(lacking) == 0 {
			lacking = []string{strings.TrimSpace(c.text)}
		}
		if i == 0 || runes(lacking) < runes(least) {
			least = lacking
		}
	}
	return least, false
}

// substitutes reports whether a sentence of a place says something else where words of a claim are missing.
func (p place) substitutes(s wording) bool {
	return slices.ContainsFunc(p.own, func(t coverage.Text) bool { return s.Substitutes(t, p.held...) }) || p.namesOther(s)
}

// namesOther reports whether the one sentence of a place has another verb, or another word, in the place of one whose letters, or
// characters, it holds or need not hold.
func (p place) namesOther(s wording) bool {
	for _, st := range p.said {
		if _, _, ok := coverage.OtherVerb(s.folded, st.folded); ok {
			return true
		}
		if _, _, ok := coverage.OtherWord(s.folded, st.folded); ok {
			return true
		}
	}
	return false
}

// otherRoles returns what all sentences that come nearest to a claim say of another party, in another order, or as leave where the
// claim says that it is a duty.
func (c claim) otherRoles(b best) (Reason, bool) {
	var why Reason
	for _, n := range b.nearest {
		said, ok := role.Swap{}, false
		for _, compare := range [...]func(claim, sentence string) (role.Swap, bool){role.OtherParty, role.OtherSteps, role.OtherDuty} {
			if said, ok = compare(c.text, n.said()); ok {
				break
			}
		}
		if !ok {
			return Reason{}, false
		}
		why = Reason{"role", said.Said, said.Found}
	}
	return why, why != (Reason{})
}

// runes counts the characters of some words.
func runes(words []string) int { return utf8.RuneCountInString(strings.Join(words, "")) }

// lacks returns what a place does not hold: what must stand literally, and plain words.
func (p place) lacks(s wording) (firm []string, words []coverage.Word) {
	for _, q := range s.numbers {
		if !q.rate && !p.tells(q, s.numbers) {
			firm = append(firm, q.String())
		}
	}
	return append(firm, s.Unmatched(p.held...)...), coverage.Unaddressed(s.Unheld(p.held...), p.held...)
}

// tells reports whether a place states a quantity. What is counted without a unit is no amount of one, and "one" is
// mostly an article. What a claim states itself beside a bound is not what lies within that.
func (p place) tells(want stated, own []stated) bool {
	if want.kind == number && want.unit == "" && want.value == "1" {
		return true
	}
	var have, free []stated
	for _, h := range p.numbers {
		if want.kind == number && want.bound != exactly && want.unit == "" && h.unit != "" {
			continue
		}
		if want.bound == above && h.side() == exactly && equal(h.quantity, want.quantity) {
			continue // a rule of "at least" is more than the number
		}
		if have = append(have, h); !states(own, h) {
			free = append(free, h)
		}
	}
	return states(have, want) || implies(free, want)
}
