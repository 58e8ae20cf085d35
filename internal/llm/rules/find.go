package rules

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
)

// finding is what the passages say to a question.
type finding struct {
	passages []passage
	ranked   []scored // best first
	missing  []string // what the question names and no passage does
	coverage float64  // how much of the question the best sentence covers, with its context
	settled  bool     // the best sentence answers
}

// scored is a unit with its rank.
type scored struct {
	unit
	at       int             // its place among all units
	score    float64         // for the order
	coverage float64         // share of the question's weight that it or its context mentions
	matched  map[string]bool // terms that it mentions itself
	typed    bool            // it holds the kind of thing that was asked for
}

// The shares that decide. They were set on public question sets; the golden figures of the tests
// show what they give.
const (
	minCoverage   = 0.30 // below it, no sentence counts as an answer
	clearCoverage = 0.8  // above it, reading stops
	untypedFactor = 1.6  // times this much is needed of a sentence without the kind of thing asked for
)

// find ranks the sentences of the passages.
func find(q *question, passages []passage) *finding {
	f := &finding{passages: passages}
	var all []unit
	for i := range passages {
		all = append(all, units(&passages[i])...)
	}
	bags := make([]bag, len(all))
	for i, u := range all {
		bags[i] = newBag(u)
	}
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

// bag is the terms of a unit and of its context.
type bag struct {
	own, around map[string]bool
	tokens      []analysis.Token
	length      int // code points
}

func newBag(u unit) bag {
	text := u.text
	if u.passage.rows {
		text = strings.ReplaceAll(text, ",", " , ") // between cells, not inside a number
	}
	b := bag{own: map[string]bool{}, around: map[string]bool{}, tokens: analysis.Tokens(text), length: len([]rune(text))}
	for _, t := range b.tokens {
		b.own[t.Term] = true
	}
	context := append([]string{u.passage.title, u.header}, u.passage.heading...)
	for _, t := range analysis.Tokens(strings.Join(append(context, u.heading...), "\n")) {
		b.around[t.Term] = true
	}
	return b
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
		if j >= 0 && j < len(df) && q.terms[j].chunk == q.terms[i].chunk && df[j] > 0 {
			held++
		}
	}
	return held
}

// The worth of a term by where it is mentioned.
const (
	besideWorth = 0.35 // in the sentence before or after
	aroundWorth = 0.45 // in a heading, the title, the table's header
)

// rate scores one unit.
func rate(q *question, weights []float64, all []unit, bags []bag, i int, u unit) scored {
	s := scored{unit: u, at: i, matched: map[string]bool{}}
	total, own, context := 0.0, 0.0, 0.0
	run := false
	for k, t := range q.terms {
		total += weights[k]
		here := t.mentions(bags[i].own)
		if here > 0 {
			own += weights[k] * here
			s.matched[t.keys[0]] = true
			if run {
				own += weights[k] * 0.3 // neighbours in the question are neighbours here, mostly
			}
			s.coverage += weights[k] * here
		} else if w := nearby(t, all, bags, i); w > 0 {
			context += weights[k] * w
			s.coverage += weights[k] * max(w, 0.7*t.mentions(bags[i].around))
		}
		run = here > 0
	}
	if total == 0 {
		return s
	}
	s.coverage /= total
	s.typed = typed(q.wants, u.text)
	s.score = (own + context) / total
	s.score += bonus(q.wants, s.typed, u.text) * min(1, own/total*3)
	s.score *= brevity(bags[i].length, u)
	if u.title {
		s.score *= 0.5
	}
	if strings.Contains(u.text, "://") && q.wants&wantLink == 0 {
		s.score *= 0.3
	}
	if question := strings.HasSuffix(u.text, "?") || strings.HasSuffix(u.text, "？"); question {
		s.score *= 0.4
	}
	return s
}

// nearby is the worth of a term that a unit does not mention itself.
func nearby(t term, all []unit, bags []bag, i int) float64 {
	worth := aroundWorth * t.mentions(bags[i].around)
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(all) || all[j].passage != all[i].passage || all[i].row {
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

var (
	hasDigit  = regexp.MustCompile(`[0-9０-９]|[一二两三四五六七八九十百千万亿半][一二三四五六七八九十百千万亿]*[个名位人年月日天元次种条座支届所件张篇部岁倍分成米里吨]|(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|billion|dozen|half|twice)\b`)
	hasTime   = regexp.MustCompile(`[0-9]{1,4}\s*[年月日号时点]|[0-9]{3,4}|[一二三四五六七八九十○〇零]+[年月日]|世纪|年代|[周星]期?[一二三四五六日天]|上午|下午|(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|century|[0-9]{1,2}(?:st|nd|rd|th))\b`)
	hasPlace  = regexp.MustCompile(`[省市县区州镇村国路街岛山湖河港]|(?i:\b(?:in|at|near|from|of)\b) [A-Z]`)
	isPlaced  = regexp.MustCompile(`位于|坐落|座落|地处|隶属|设[在于]|地址|[0-9]号|(?i)\b(?:located|situated|headquartered|based)\b`)
	hasReason = regexp.MustCompile(`因为|由于|因此|所以|因而|为了|原因|导致|使得|故|因|(?i)\b(?:because|due to|since|therefore|as a result|in order to|so that|owing to|caused?)\b`)
	hasTitle  = regexp.MustCompile(`《|「|『|“|"`)
	hasPerson = regexp.MustCompile(`[\p{Han}]{1,3}(?:先生|女士|教授|博士|经理|主任|总|部长|院长|导演|皇帝|王|公)|·|由[\p{Han}]{2,}|负责|[a-z,] [A-Z][a-z]+ [A-Z][a-z]+`)
)

// typed reports whether a text holds a thing of each kind that is asked for.
func typed(w want, text string) bool {
	checks := []struct {
		want want
		form *regexp.Regexp
	}{
		{wantNumber, hasDigit}, {wantTime, hasTime}, {wantPlace, hasPlace}, {wantReason, hasReason},
		{wantLimit, hasDigit}, {wantTitle, hasTitle}, {wantPerson, hasPerson},
	}
	for _, c := range checks {
		if w&c.want != 0 && !c.form.MatchString(text) {
			return false
		}
	}
	return w != 0
}

// bonus is what it adds to hold the kind of thing that was asked for.
func bonus(w want, typed bool, text string) float64 {
	switch {
	case w&wantPlace != 0 && isPlaced.MatchString(text):
		return 0.35
	case !typed || w == 0:
		return 0
	case w&(wantNumber|wantTime|wantLimit) != 0:
		return 0.35
	case w&wantReason != 0:
		return 0.25
	}
	return 0.12
}

// missing lists what the question names and no unit mentions. Of the pairs of Chinese characters
// only those count that have no neighbour in common with what is mentioned, if there are any:
// the others may be no words.
func missing(q *question, bags []bag) []string {
	var all, sure []string
	df := make([]float64, len(q.terms))
	for i, t := range q.terms {
		if slices.ContainsFunc(bags, func(b bag) bool { return t.mentions(b.own) > 0 || t.mentions(b.around) > 0 }) {
			df[i] = 1
		}
	}
	for i, t := range q.terms {
		if t.memory || df[i] > 0 || t.char {
			continue
		}
		all = append(all, t.surface)
		if !t.pair || t.name || neighbours(q, df, i) == 0 {
			sure = append(sure, t.surface)
		}
	}
	if len(sure) > 0 {
		return sure
	}
	return all
}

// settle decides whether the best sentence answers the question: it must cover enough of it, and
// no name of the question may be foreign to all passages.
func (f *finding) settle(q *question) {
	if len(f.ranked) == 0 {
		return
	}
	best := f.ranked[0]
	f.coverage = best.coverage
	need := minCoverage
	if strict := q.wants&(wantNumber|wantTime|wantLimit) != 0 || q.wants&wantPerson != 0 && !q.zh; strict && !best.typed {
		need *= untypedFactor
	}
	f.settled = best.score > 0 && best.coverage >= need && len(best.matched) > 0
	for _, t := range q.terms {
		if t.name && !t.memory && slices.Contains(f.missing, t.surface) && best.coverage < clearCoverage {
			f.settled = false
		}
	}
}

// clear reports whether reading more is not worth it.
func (f *finding) clear(q *question) bool {
	return f.settled && f.coverage >= clearCoverage && (q.wants == 0 || f.ranked[0].typed)
}
