package rules

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim"
	"github.com/kaoju/kaoju/internal/citation/claim/conflict"
	"github.com/kaoju/kaoju/internal/citation/claim/matter"
)

// quantity matches a number with what it counts.
var quantity = regexp.MustCompile(`([0-9][0-9,]*(?:\.[0-9]+)?)\s*([%‰°]|[\p{Han}]{1,2}|[a-z]+)?`)

// quantities returns the numbers of a text by their unit.
func quantities(text string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, m := range quantity.FindAllStringSubmatch(analysis.Fold(inFigures(text)), -1) {
		unit := m[2]
		if r := []rune(unit); len(r) == 2 && r[0] > 0x2E80 {
			unit = string(r[0])
		}
		unit = strings.TrimSuffix(unit, "s")
		if out[unit] == nil {
			out[unit] = map[string]bool{}
		}
		out[unit][strings.ReplaceAll(m[1], ",", "")] = true
	}
	return out
}

// inFigures writes the numbers of a text in figures that it writes in words: 六个月, six months.
func inFigures(text string) string {
	var lexicon *analysis.Lexicon // numbers are the same for everybody
	runes, at := []rune(text), 0
	var b strings.Builder
	for _, t := range lexicon.Tokens(text) {
		if t.Kind == analysis.Numeral && t.Span[0] >= at {
			b.WriteString(string(runes[at:t.Span[0]]) + t.Term)
			at = t.Span[1]
		}
	}
	return b.String() + string(runes[at:])
}

const (
	// rivalShare is how good a sentence of another document must be, compared with the best one, to be
	// held against it.
	rivalShare = 0.5
	// mostRivals bounds the sentences that are held against one.
	mostRivals = 24
)

// disagreements returns the chosen sentences that a sentence of another document disagrees with, each with
// that one: for each document the best.
func disagreements(q *question, f *finding, chosen []scored) []dispute {
	var out []dispute
	told := map[string]bool{}
	for _, a := range chosen {
		held := 0
		for _, b := range f.ranked {
			if held == mostRivals || b.score < chosen[0].score*rivalShare {
				break
			}
			if b.passage.doc == a.passage.doc || b.title || b.asks() || a.focused && !b.focused || told[b.passage.doc] || told[a.passage.doc] && a.at != chosen[0].at {
				continue
			}
			held++
			if kind := q.disagree(f, a, b); kind != "" && q.sameSubject(f, a, b) {
				told[b.passage.doc] = true
				out = append(out, dispute{[2]scored{a, b}, kind})
			}
		}
	}
	return out
}

// sameSubject reports whether a sentence, or what it stands in, names all names of the question that
// another one does, so that both speak of the same place, thing or code.
func (q *question) sameSubject(f *finding, a, b scored) bool {
	for _, t := range q.terms {
		if t.name && t.mentions(f.bags[a.at].own) > 0 && t.mentions(f.bags[b.at].own) == 0 && t.mentions(f.bags[b.at].around) == 0 {
			return false
		}
	}
	return true
}

// dispute are two sentences that disagree, and what in, in the words of citation.Conflict.
type dispute struct {
	sides [2]scored
	kind  string
}

// disagree says what two sentences disagree in that answer a question in another way; "" if they do not. Of the row of
// a table, only the cell counts that is asked for.
func (q *question) disagree(f *finding, a, b scored) (kind string) {
	ours, in := q.cell(f, a)
	theirs, there := q.cell(f, b)
	if in || there {
		if akin(a, b) && disjoint(numbers(ours), numbers(theirs)) {
			return "value"
		}
		return ""
	}
	switch {
	case q.apart(a, b):
		return ""
	case q.clashing(a, b):
		return "value"
	case q.contradicting(a, b):
		return "negation"
	case akin(a, b) && contrary(q, a, b):
		return "words"
	}
	return ""
}

// apart reports whether two sentences are about different matters, as far as the question tells.
func (q *question) apart(a, b scored) bool {
	answer := matter.Value
	if !q.valued() {
		answer = matter.Words
	}
	return matter.Apart(q.text, a.text, b.text, answer)
}

// valued reports whether a number, a time, or yes or no answers a question.
func (q *question) valued() bool { return q.polar || q.wants&(wantNumber|wantLimit|wantTime) != 0 }

// cell returns what a unit says to a question: of a row the cell in the column that is asked for, if there is one.
func (q *question) cell(f *finding, s scored) (text string, found bool) {
	for _, c := range f.bags[s.at].cells {
		if slices.ContainsFunc(q.terms, func(t term) bool { return t.mentions(c.terms) > 0 }) && q.fits(&c) && len(numbers(c.text)) > 0 {
			return c.text, true
		}
	}
	return s.text, false
}

// numbers returns the numbers of a text, whatever they count.
func numbers(text string) map[string]bool {
	out := map[string]bool{}
	for _, list := range quantities(text) {
		maps.Copy(out, list)
	}
	return out
}

// disjoint reports whether both of two sets hold something, and nothing that the other holds.
func disjoint(a, b map[string]bool) bool {
	for x := range a {
		if b[x] {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

// clashing is clash where a number or a date is the answer.
func (q *question) clashing(a, b scored) bool {
	return q.wants&(wantNumber|wantTime|wantLimit) != 0 && clash(a, b)
}

// mostOthers bounds the words of a clause beside those of the question, for it to be no more than another
// answer to the same.
const mostOthers = 6

// contradicting reports whether two sentences of which each answers a question give it another answer: yes
// and no, or somebody else.
func (q *question) contradicting(a, b scored) bool {
	if !akin(a, b) {
		return false
	}
	if q.polar && q.denies(a.text) != q.denies(b.text) {
		return true
	}
	if q.wants&wantPerson == 0 || a.row || b.row {
		return false
	}
	ours, theirs := q.others(a), q.others(b)
	return max(len(ours), len(theirs)) <= mostOthers && disjoint(ours, theirs)
}

// contrary reports whether two sentences disagree by the rules by which the sources of any answer are
// held against each other.
func contrary(q *question, a, b scored) bool {
	return len(conflict.Find(q.text, []conflict.Passage{a.asserted(), b.asserted()}, []string{a.passage.ref})) > 0
}

// asserted is a unit as the rules about disagreement see it.
func (s scored) asserted() conflict.Passage {
	return conflict.Passage{Ref: s.passage.ref, Document: s.passage.doc, Title: s.passage.title, Source: claim.NewSource(s.text)}
}

// clash reports whether two sentences of different documents mention the same terms of the
// question, and give different numbers of one unit.
func clash(a, b scored) bool {
	if !akin(a, b) {
		return false
	}
	theirs := quantities(b.text)
	for unit, ours := range quantities(a.text) {
		if disjoint(ours, theirs[unit]) {
			return true
		}
	}
	return false
}

// akin reports whether two sentences of different documents mention the same terms of the question.
func akin(a, b scored) bool {
	if a.passage.doc == b.passage.doc || a.passage == b.passage {
		return false
	}
	shared := 0
	for t := range maps.Keys(a.matched) {
		if b.matched[t] {
			shared++
		}
	}
	return 2*shared >= max(len(a.matched), len(b.matched))
}
