package rules

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/matter"
)

const (
	// maxConclusion is how many sentences a conclusion has at most, beside what they lead in.
	maxConclusion = 3
	// maxListed is how many items or rows a conclusion lists at most.
	maxListed = 8
	// secondShare is how good a further sentence must be, compared with the best.
	secondShare = 0.72
	// tieShare is how good a row must be, compared with the best row, to be told beside it.
	tieShare = 0.97
	// maxLength bounds the conclusion in code points.
	maxLength = 400
)

// conclude chooses the sentences of the conclusion: the best one with what belongs to it, and
// others that are nearly as good, say something else, and do not disagree with it.
func conclude(q *question, f *finding) []scored {
	best := f.ranked[0]
	if best.title {
		best = f.below(best)
	}
	if whole := f.whole(best); len(whole) > 1 {
		return whole
	}
	if tied := f.tied(best); len(tied) > 1 {
		return tied
	}
	out := []scored{best}
	length := len([]rune(best.text))
	for _, s := range f.ranked[1:] {
		if len(out) == maxConclusion || s.score < best.score*secondShare || s.coverage < minCoverage {
			break
		}
		if length += len([]rune(s.text)); length > maxLength {
			break
		}
		if same(out, s.text) || best.headed && !s.headed && !best.beside(s) || best.matched[amountKey] && !s.matched[amountKey] && s.row || s.title || s.asks() || q.wants != 0 && best.typed && !s.typed || clash(best, s) && !q.apart(best, s) || q.strays(best, s) || s.other || q.polar && q.holds(best) && !q.holds(s) || s.passage.doc != best.passage.doc && !f.answers(q, s) {
			continue
		}
		out = append(out, s)
	}
	return f.followed(append(out, f.peers(q, out)...))
}

// beside reports whether two units stand below the same heading.
func (s scored) beside(other scored) bool {
	return s.passage == other.passage && slices.Equal(s.heading, other.heading)
}

// peers returns the rows of the best row's table that stand for codes of the question which nothing chosen names: of two that
// are compared each has its row.
func (f *finding) peers(q *question, chosen []scored) []scored {
	best := chosen[0]
	if !best.row || best.header == "" {
		return nil
	}
	var out []scored
	for _, t := range q.terms {
		key := t.keys[0]
		named := func(s scored) bool { return s.matched[key] }
		if !t.name || t.memory || !code(key) || slices.ContainsFunc(chosen, named) || slices.ContainsFunc(out, named) {
			continue
		}
		if i := slices.IndexFunc(f.ranked, func(s scored) bool {
			return s.row && s.passage == best.passage && s.header == best.header && named(s)
		}); i >= 0 {
			out = append(out, f.ranked[i])
		}
	}
	return out
}

// strays reports whether a sentence is about another case than the best one and the question. In a document of its own it
// is so too where it has something else in the place of what is asked about: what follows in one document speaks of that
// in other words.
func (q *question) strays(best, s scored) bool {
	if !q.valued() && q.wants&wantPerson == 0 || s.row || best.row {
		return false
	}
	return matter.Strays(q.text, best.text, s.text) || s.passage.doc != best.passage.doc && matter.Supplants(q.text, best.text, s.text)
}

// placed returns all units in the order in which they stand.
func (f *finding) placed() []scored {
	out := slices.Clone(f.ranked)
	slices.SortFunc(out, func(a, b scored) int { return a.at - b.at })
	return out
}

// below returns the first statement under a heading; the heading itself if there is none.
func (f *finding) below(title scored) scored {
	units := f.placed()
	for _, s := range units[title.at+1:] {
		switch {
		case s.passage != title.passage || s.title:
			return title
		case s.row && s.header == "":
			continue // the head of a table
		}
		return s
	}
	return title
}

// whole returns the units of the whole that a unit belongs to: the answer below a question, an
// entry of a list of terms. There is one at least, the unit itself.
func (f *finding) whole(best scored) []scored {
	if best.part == 0 {
		return []scored{best}
	}
	var out []scored
	length := 0
	for _, s := range f.placed() {
		if s.passage != best.passage || s.part != best.part || s.title {
			continue
		}
		if length += len([]rune(s.text)); len(out) > 0 && (len(out) == maxConclusion || length > maxLength) {
			break
		}
		out = append(out, s)
	}
	if !slices.ContainsFunc(out, func(s scored) bool { return s.at == best.at }) {
		return []scored{best}
	}
	return out
}

// tied returns the rows of a table that answer as well as the best one, because the question does
// not say which of them it means.
func (f *finding) tied(best scored) []scored {
	if !best.row || best.header == "" {
		return nil
	}
	var out []scored
	for _, s := range f.placed() {
		if s.row && s.passage == best.passage && s.header == best.header && s.score >= best.score*tieShare && len(s.matched) == len(best.matched) {
			out = append(out, s)
		}
	}
	return out[:min(len(out), maxListed)]
}

// followed adds to sentences that end in a colon what they lead in.
func (f *finding) followed(list []scored) []scored {
	var out []scored
	for _, s := range list {
		if same(out, s.text) {
			continue
		}
		out = append(out, s)
		if !s.opens() {
			continue
		}
		n := 0
		for _, next := range f.placed()[s.at+1:] {
			if n == maxListed || next.passage != s.passage || next.lead != s.text || next.title {
				break
			}
			n++
			if !same(out, next.text) {
				out = append(out, next)
			}
		}
	}
	return out
}

// support chooses what stands under the conclusion: the head of a quoted table row or the lead of a
// quoted item, and the sentence itself.
func support(chosen []scored) []scored {
	best := chosen[0]
	var out []scored
	for _, text := range []string{best.lead, best.header} {
		if text != "" && (text == best.lead || best.row) && quotable(text) && strings.Contains(best.passage.text, text) && !same(chosen, text) {
			h := best
			h.text = text
			out = append(out, h)
		}
	}
	return append(out, best)
}

// same reports whether a text was chosen already.
func same(list []scored, text string) bool {
	return slices.ContainsFunc(list, func(s scored) bool { return s.text == text })
}
