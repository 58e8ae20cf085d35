package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// bag is the terms of a unit and of its context.
type bag struct {
	own    map[string]bool
	around map[string]bool // of headings, the title, the table's header, the lead
	near   map[string]bool // of those among them that are about what is asked
	tokens []analysis.Token
	cells  []cell
	length int // code points
}

// cell is a cell of a table row with the head of its column.
type cell struct {
	head, text string
	terms      map[string]bool // of the head
}

// The share of a heading's terms that the question must name for the heading to be about it. A
// heading that is a question itself says more than is asked, as a rule.
const (
	headingShare  = 0.99
	questionShare = 0.5
)

// address4 matches what is written as an address of version 4 of the Internet Protocol.
var address4 = regexp.MustCompile(`\b(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\b`)

// gatherer makes bags. Units below one heading share what is around them, and it is made once.
type gatherer struct {
	q       *question
	asked   map[string]bool // the keys of the question's terms
	read    map[string][]analysis.Token
	settled map[string]setting
}

// setting is the terms of what is around a unit.
type setting struct{ around, near map[string]bool }

// gather makes the bags of all units.
func gather(q *question, all []unit) []bag {
	g := gatherer{q: q, asked: map[string]bool{}, read: map[string][]analysis.Token{}, settled: map[string]setting{}}
	for _, t := range q.terms {
		for _, k := range t.keys {
			g.asked[k] = true
		}
	}
	out := make([]bag, len(all))
	for i, u := range all {
		out[i] = g.bag(u)
	}
	return out
}

// tokens returns the terms of a text that stands around many units.
func (g *gatherer) tokens(text string) []analysis.Token {
	if _, ok := g.read[text]; !ok {
		g.read[text] = analysis.Tokens(text)
	}
	return g.read[text]
}

func (g *gatherer) bag(u unit) bag {
	text := u.text
	if u.passage.rows {
		text = strings.ReplaceAll(text, ",", " , ") // between cells, not inside a number
	}
	s := g.setting(u)
	b := bag{own: map[string]bool{}, around: s.around, near: s.near, tokens: analysis.Tokens(text), length: len([]rune(text))}
	for _, t := range b.tokens {
		b.own[t.Term] = true
	}
	if g.q.amount != nil && g.q.amount.covers(u.text) {
		b.own[amountKey] = true
	}
	if address4.MatchString(u.text) {
		b.own["ip"] = true // whoever asks for an IP address is answered by one
	}
	if u.row && u.header != "" {
		b.cells = columns(u, g.tokens)
	}
	return b
}

// setting returns the terms around a unit, and those among them that are about what is asked.
func (g *gatherer) setting(u unit) setting {
	headings := append(slices.Clone(u.passage.heading), u.heading...)
	texts := append([]string{u.passage.title, u.header, u.lead}, headings...)
	key := strings.Join(texts, "\x00")
	if s, ok := g.settled[key]; ok {
		return s
	}
	s := setting{map[string]bool{}, map[string]bool{}}
	for _, text := range texts {
		for _, t := range g.tokens(text) {
			s.around[t.Term] = true
		}
	}
	for _, text := range append(headings, u.lead) {
		need := headingShare
		if endsIn(text, "?？:：") {
			need = questionShare
		}
		if about(g.tokens(bare(text, false)), g.asked) < need {
			continue
		}
		for _, t := range g.tokens(text) {
			s.near[t.Term] = true
		}
	}
	g.settled[key] = s
	return s
}

// about returns the share of a heading's words that the question names.
func about(heading []analysis.Token, asked map[string]bool) float64 {
	total, named := 0.0, 0.0
	between := straddling(heading)
	for _, t := range heading {
		if t.Stop || t.Kind == analysis.Pair && between[t.Span[0]] || t.Kind == analysis.Word && general(t.Term) || t.Kind == analysis.Pair && (vaguePair(t.Term) || kindPair(t.Term)) || !strings.ContainsFunc(t.Term, unicode.IsLetter) || t.Kind == analysis.Number || t.Kind == analysis.Character || t.Of >= 0 {
			continue
		}
		total++
		if asked[t.Term] {
			named++
		}
	}
	if total == 0 {
		return 0
	}
	return named / total
}

// straddling returns where pairs of characters begin that are the end of one word and the beginning of the next, which says
// nothing by itself: 标处 in 超标处理.
func straddling(tokens []analysis.Token) map[int]bool {
	out := map[int]bool{}
	for _, t := range tokens {
		if t.Kind == analysis.Pair && (vaguePair(t.Term) || kindPair(t.Term)) {
			out[t.Span[0]-1] = true
		}
	}
	return out
}

// columns puts the cells of a row below their heads.
func columns(u unit, tokens func(string) []analysis.Token) []cell {
	heads, values := cells(u.header), cells(u.text)
	var out []cell
	for i := range min(len(heads), len(values)) {
		c := cell{head: heads[i], text: values[i], terms: map[string]bool{}}
		for _, t := range tokens(heads[i]) {
			c.terms[t.Term] = true
		}
		out = append(out, c)
	}
	return out
}
