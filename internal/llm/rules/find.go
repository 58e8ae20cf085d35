package rules

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/matter"
)

// finding is what the passages say to a question.
type finding struct {
	passages []passage
	units    []unit
	bags     []bag    // of the units
	ranked   []scored // best first
	missing  []string // what the question names and no passage does
	unmet    []string // what the best sentence would answer for and neither it nor what it stands in mentions
	coverage float64  // how much of the question the best sentence covers, with its context
	settled  bool     // the best sentence answers
	ordered  []string // references of passages of which something about what is asked is left out, since it is addressed to machines
}

// scored is a unit with its rank.
type scored struct {
	unit
	at       int             // its place among all units
	score    float64         // for the order
	coverage float64         // share of the question's weight that it or its context mentions
	matched  map[string]bool // terms that it mentions itself
	typed    bool            // it holds the kind of thing that was asked for
	exact    bool            // it gives a number in the form that was asked for, if one was
	headed   bool            // it stands directly below a heading that is about what is asked
	focused  bool            // it mentions the very thing that is asked about
	other    bool            // it is about another place or code than the question
	asked    bool            // it or its headings mention something of the question itself, not of the memory alone
}

// The shares that decide. They were set on public question sets; the golden figures of the tests
// show what they give.
const (
	minCoverage   = 0.30 // below it, no sentence counts as an answer
	clearCoverage = 0.8  // above it, reading stops
	unasked       = 0.3  // the worth of a sentence about what the conversation was about, and not about what is asked now
	entitled      = 2.0  // the worth of a sentence whose section is called what is asked now
	untypedFactor = 1.6  // times this much is needed of a sentence without the kind of thing asked for
)

// find ranks the sentences of the passages.
func find(q *question, passages []passage) *finding {
	f := &finding{passages: passages}
	for i := range passages {
		said, ordered := units(&passages[i])
		f.units = append(f.units, said...)
		if slices.ContainsFunc(ordered, q.concerns) {
			f.ordered = append(f.ordered, passages[i].ref)
		}
	}
	all := f.units
	bags := gather(q, all)
	f.bags = bags
	q = q.adapt(bags)
	weights := weigh(q, bags)
	for i, u := range all {
		f.ranked = append(f.ranked, rate(q, weights, all, bags, i, u))
	}
	slices.SortStableFunc(f.ranked, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return a.at - b.at
	})
	f.missing = missing(q, bags)
	f.settle(q)
	return f
}

// concerns reports whether a text mentions something that a question names.
func (q *question) concerns(text string) bool {
	own := map[string]bool{}
	for _, t := range analysis.Tokens(text) {
		own[t.Term] = true
	}
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.nameable() && t.mentions(own) > 0 })
}

// mentions reports whether a set holds a term or what may stand for it, and at what worth.
func (t term) mentions(set map[string]bool) float64 {
	for i, k := range t.keys {
		if set[k] {
			if i == 0 {
				return 1
			}
			return 0.8
		}
	}
	return 0
}

// adapt gives the English words of a question that no unit holds the forms in which the units may
// hold them.
func (q *question) adapt(bags []bag) *question {
	out := *q
	out.terms = slices.Clone(q.terms)
	for i, t := range out.terms {
		if !t.word || len(t.keys) > 1 || slices.ContainsFunc(bags, func(b bag) bool { return b.own[t.keys[0]] || b.around[t.keys[0]] }) {
			continue
		}
		forms := map[string]bool{}
		for _, b := range bags {
			for _, k := range b.tokens {
				if k.Kind == analysis.Word && alike(t.keys[0], k.Term) {
					forms[k.Term] = true
				}
			}
		}
		out.terms[i].keys = append(slices.Clone(t.keys), slices.Sorted(maps.Keys(forms))...)
	}
	return &out
}

// weigh gives every term its weight: its own, times its rarity among the units.
func weigh(q *question, bags []bag) []float64 {
	n := float64(len(bags))
	out := make([]float64, len(q.terms))
	df := make([]float64, len(q.terms))
	for i, t := range q.terms {
		for _, b := range bags {
			if t.mentions(b.own) > 0 {
				df[i]++
			}
		}
	}
	for i, t := range q.terms {
		out[i] = t.weight * math.Log(1+(n+1)/(df[i]+0.5))
		switch {
		case df[i] > 0 || t.name:
		case t.pair:
			out[i] *= boundary(q, df, i)
		default:
			out[i] *= absentWord
		}
	}
	return out
}

// absentWord is the share of its weight that an ordinary word keeps when no sentence holds it,
// since the answer may use another.
const absentWord = 0.6

// boundary lowers the weight of a pair of characters that no sentence holds, the more of its
// neighbours are held: then it is the end of one word and the beginning of the next.
func boundary(q *question, df []float64, i int) float64 {
	return [...]float64{0.6, 0.35, 0.1}[neighbours(q, df, i)]
}

// neighbours counts the terms directly before and after one that some sentence holds.
func neighbours(q *question, df []float64, i int) int {
	held := 0
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(df) && q.terms[j].chunk == q.terms[i].chunk && (df[j] > 0 || q.terms[j].pair && vaguePair(q.terms[j].keys[0])) {
			held++
		}
	}
	return held
}

// missing lists what the question names and no unit mentions: whole words and names, never a part
// of one. A pair of Chinese characters counts only if it has no neighbour in common with what is
// mentioned: else it may be the end of one word and the beginning of the next.
func missing(q *question, bags []bag) []string {
	df := make([]float64, len(q.terms))
	for i, t := range q.terms {
		if slices.ContainsFunc(bags, func(b bag) bool { return t.mentions(b.own) > 0 || t.mentions(b.around) > 0 }) {
			df[i] = 1
		}
	}
	var out []string
	for i, t := range q.terms {
		if t.nameable() && df[i] == 0 && (!t.pair || t.name || neighbours(q, df, i) == 0) {
			out = append(out, t.surface)
		}
	}
	return out
}

// nameable reports whether a term can be named to a person as something that was looked for.
func (t term) nameable() bool {
	switch {
	case t.memory, t.char, t.part, t.word && vague(t.surface), t.pair && vaguePair(t.keys[0]):
		return false
	}
	return len([]rune(t.surface)) > 1
}

// settle decides whether the best sentence answers the question. If it does not, but one of those
// close behind does, that one becomes the best.
func (f *finding) settle(q *question) {
	if len(f.ranked) == 0 {
		return
	}
	for i, s := range f.ranked {
		if s.score < f.ranked[0].score*rescueShare {
			break
		}
		if f.answers(q, s) {
			f.settled = true
			copy(f.ranked[1:i+1], f.ranked[:i])
			f.ranked[0] = s
			break
		}
	}
	if !f.settled && f.unmet == nil {
		f.unmet = f.lacks(q, f.ranked[0])
	}
	f.coverage = f.ranked[0].coverage
}

// The shares that decide between an answer and none.
const (
	// rescueShare is how good a sentence must be, compared with the best one, to be taken where the
	// best one does not answer.
	rescueShare = 0.6
	// absentShare is how much of a question may be foreign to all that was read; less where a short
	// one counts things or asks for somebody, since whose they are, or what is done, matters as much.
	absentShare = 0.5
	countAbsent = 0.3
	// inexactFactor is how much more is needed of a sentence that gives no number as it was asked
	// for.
	inexactFactor = 1.6
	// shortCoverage is what is needed of a sentence that answers a short question, which has at most
	// so many words and pairs of Chinese characters.
	shortCoverage = 0.35
	shortWords    = 3
	shortPairs    = 6
)

// answers reports whether a sentence answers the question: it must cover enough of it, and no name
// of the question may be foreign to all passages. In a short question each word counts: the thing
// that is asked about must be mentioned, as where yes or no answers, and a number be given as it was asked for.
func (f *finding) answers(q *question, s scored) bool {
	need, absent := minCoverage, absentShare
	if strict := q.wants&(wantNumber|wantTime|wantLimit) != 0 || q.wants&wantPerson != 0 && !q.zh; strict && !s.typed {
		need *= untypedFactor
	}
	if (q.valued() || q.wants&wantPerson != 0) && matter.Misses(q.text, s.text, strings.Join(framed(s.unit), "\n")) {
		return false
	}
	if q.remembers() && !s.asked || f.stranger(q) || s.asks() && !s.title {
		return false
	}
	short := q.short()
	switch {
	case (short || q.polar) && !s.focused:
		return false
	case short && !s.exact:
		return false
	case !s.exact:
		need *= inexactFactor
	}
	if short {
		need = max(need, shortCoverage)
		if q.demand.counts || q.wants&wantPerson != 0 {
			absent = countAbsent
		}
	}
	if !s.coded() {
		need = max(need, minCoverage+crowding*float64(f.documents()-1))
	}
	if s.score <= 0 || s.coverage < need || len(s.matched) == 0 && !s.headed {
		return false
	}
	if unmet := f.lacks(q, s); len(unmet) > 0 {
		if f.unmet == nil {
			f.unmet = unmet
		}
		return false
	}
	total, foreign := 0.0, 0.0
	for _, t := range q.terms {
		if t.memory || t.char || t.part || t.kind || t.pair && kindPair(t.keys[0]) {
			continue
		}
		unknown := slices.Contains(f.missing, t.surface)
		if t.name && unknown && s.coverage < clearCoverage {
			return false
		}
		total += min(1, t.weight)
		if unknown {
			foreign += min(1, t.weight)
		}
	}
	return foreign <= absent*total
}

// short reports whether a question has few words.
func (q *question) short() bool {
	words, pairs := 0, 0
	for _, t := range q.terms {
		switch {
		case !t.nameable() && !t.name:
		case t.pair:
			pairs++
		default:
			words++
		}
	}
	return words <= shortWords && pairs+words <= shortPairs
}

// clear reports whether reading more is not worth it.
func (f *finding) clear(q *question) bool {
	return f.settled && f.coverage >= clearCoverage && (q.wants == 0 || f.ranked[0].typed)
}
