package rules

import (
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// The worth of a term by where it is mentioned.
const (
	besideWorth = 0.35 // in the sentence before or after
	aroundWorth = 0.45 // in a heading, the title, the table's header
	nearWorth   = 0.85 // in a heading or a lead that is about what is asked
	columnWorth = 1.05 // in the head of a column whose cell is of the kind that is asked for
)

// rate scores one unit.
func rate(q *question, weights []float64, all []unit, bags []bag, i int, u unit) scored {
	s := scored{unit: u, at: i, matched: map[string]bool{}}
	total, own, context := 0.0, 0.0, 0.0
	run := false
	column, columnFits := false, false
	for k, t := range q.terms {
		total += weights[k]
		here := t.mentions(bags[i].own)
		s.asked = s.asked || !t.memory && !t.char && (here > 0 || t.mentions(bags[i].around) > 0)
		if c := bags[i].column(t); here == 0 && c != nil {
			column = true
			if q.fits(c) {
				here, columnFits = columnWorth*t.mentions(c.terms), true
			}
		}
		if here > 0 {
			own += weights[k] * here
			s.matched[t.keys[0]] = true
			if run {
				own += weights[k] * 0.3 // neighbours in the question are neighbours here, mostly
			}
			s.coverage += weights[k] * here
		} else if w := nearby(t, all, bags, i); w > 0 {
			context += weights[k] * w
			s.headed = s.headed || (u.first || u.part > 0) && t.mentions(bags[i].near) > 0
			s.coverage += weights[k] * max(w, 0.7*t.mentions(bags[i].around))
		}
		run = here > 0
	}
	if own+context == 0 {
		return s // it is about something else, whatever else it holds
	}
	s.coverage /= total
	s.exact = q.demand.none() || columnFits || q.demand.met(u.text, bags[i].tokens) || !column && q.demand.metIn(bags[i].cells)
	s.typed = columnFits || !column && typed(q.wants, u.text) || column && typed(q.wants, u.text) && s.exact
	s.focused = q.focused(all, bags, i)
	s.other = q.elsewhere(all, bags, i)
	s.score = (own + context) / total
	s.score += bonus(q.wants, s.typed, u.text) * min(1, (own+context*0.5)/total*3)
	if s.exact && !q.demand.none() {
		s.score += exactBonus * min(1, (own+context)/total*2)
	}
	if u.first {
		s.score += 0.1 * context / total
	}
	s.score *= brevity(bags[i].length, u)
	return damp(q, s)
}

// exactBonus is what it adds to give the number in the form that was asked for.
const exactBonus = 0.15

// damp lowers what is no statement, or none about what is asked.
func damp(q *question, s scored) scored {
	switch {
	case s.title && s.asks():
		s.score *= 0.1
	case s.title:
		s.score *= 0.5
	case s.asks():
		s.score *= 0.4
	}
	if strings.Contains(s.text, "://") && q.wants&wantLink == 0 {
		s.score *= 0.3
	}
	switch {
	case s.focused:
	case q.polar:
		s.score *= unasserted
	default:
		s.score *= unfocused
	}
	if s.other {
		s.score *= misnamed
	}
	switch {
	case !q.remembers():
	case !s.asked:
		s.score *= unasked
	case q.entitles(s.unit):
		s.score *= entitled
	}
	return s
}

// unfocused is the share of its score that a sentence keeps which does not mention the very thing
// that is asked about.
const unfocused = 0.8

// unasserted is that share where yes or no answers: a sentence without what is asked says neither.
const unasserted = 0.4

// misnamed is the share of its score that a sentence keeps which names another place or code than the
// question and not that one.
const misnamed = 0.5

// elsewhere reports whether a unit is about another place or code than the question: it names one of the
// kind, and neither it nor what frames it nor the sentence before it names the one that is asked about.
// Only rules with numbers are told apart by that: a story goes from place to place.
func (q *question) elsewhere(all []unit, bags []bag, i int) bool {
	if q.wants&(wantNumber|wantLimit) == 0 {
		return false
	}
	for _, t := range q.terms {
		if !t.name || t.memory || t.mentions(bags[i].own) > 0 || t.mentions(bags[i].around) > 0 {
			continue
		}
		if i > 0 && all[i-1].passage == all[i].passage && !all[i].row && t.mentions(bags[i-1].own) > 0 {
			continue
		}
		alike := func(key string) bool { return place(key) && len([]rune(key)) == 2 }
		if !alike(t.keys[0]) {
			if alike = code; !alike(t.keys[0]) {
				continue
			}
		}
		for key := range bags[i].own {
			if alike(key) && !q.has(key) {
				return true
			}
		}
	}
	return false
}

// code reports whether a term is a code of letters and figures, such as a model's name.
func code(term string) bool {
	return strings.ContainsAny(term, "0123456789") && strings.ContainsFunc(term, unicode.IsLetter)
}

// column returns the cell whose head mentions a term.
func (b bag) column(t term) *cell {
	for i := range b.cells {
		if t.mentions(b.cells[i].terms) > 0 {
			return &b.cells[i]
		}
	}
	return nil
}

// fits reports whether a cell can be the answer: it holds something of the kind asked for.
func (q *question) fits(c *cell) bool {
	switch {
	case !strings.ContainsFunc(c.text, spoken):
		return false
	case !q.demand.none():
		return q.demand.met(c.text, analysis.Tokens(c.text)) || q.demand.metBelow(c.head, c.text, c.terms)
	case q.wants&(wantNumber|wantLimit) != 0:
		return hasDigit.MatchString(c.text)
	case q.wants&wantTime != 0:
		return hasTime.MatchString(c.text)
	}
	return true
}

// nearby is the worth of a term that a unit does not mention itself.
func nearby(t term, all []unit, bags []bag, i int) float64 {
	worth := max(aroundWorth*t.mentions(bags[i].around), nearWorth*t.mentions(bags[i].near))
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(all) || all[j].passage != all[i].passage || all[i].row || all[j].title {
			continue
		}
		w := besideWorth
		if j > i {
			w *= 0.4
		}
		worth = max(worth, w*t.mentions(bags[j].own))
	}
	return worth
}

// brevity lowers very short and very long units.
func brevity(n int, u unit) float64 {
	switch {
	case n < 6 && !u.row:
		return 0.6
	case n > 240:
		return max(0.6, 1-float64(n-240)/1200)
	}
	return 1
}
