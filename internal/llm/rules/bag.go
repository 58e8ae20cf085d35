package rules

import (
	"slices"
	"strings"

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

// gather makes the bags of all units.
func gather(q *question, all []unit) []bag {
	asked := map[string]bool{}
	for _, t := range q.terms {
		for _, k := range t.keys {
			asked[k] = true
		}
	}
	heads := map[string][]analysis.Token{}
	tokens := func(text string) []analysis.Token {
		if _, ok := heads[text]; !ok {
			heads[text] = analysis.Tokens(text)
		}
		return heads[text]
	}
	out := make([]bag, len(all))
	for i, u := range all {
		out[i] = newBag(q, u, asked, tokens)
	}
	return out
}

func newBag(q *question, u unit, asked map[string]bool, tokens func(string) []analysis.Token) bag {
	text := u.text
	if u.passage.rows {
		text = strings.ReplaceAll(text, ",", " , ") // between cells, not inside a number
	}
	b := bag{
		own: map[string]bool{}, around: map[string]bool{}, near: map[string]bool{},
		tokens: analysis.Tokens(text), length: len([]rune(text)),
	}
	for _, t := range b.tokens {
		b.own[t.Term] = true
	}
	if q.amount != nil && q.amount.covers(u.text) {
		b.own[amountKey] = true
	}
	headings := append(slices.Clone(u.passage.heading), u.heading...)
	for _, text := range append([]string{u.passage.title, u.header, u.lead}, headings...) {
		for _, t := range tokens(text) {
			b.around[t.Term] = true
		}
	}
	for _, text := range append(headings, u.lead) {
		need := headingShare
		if endsIn(text, "?？:：") {
			need = questionShare
		}
		if about(tokens(bare(text, false)), asked) < need {
			continue
		}
		for _, t := range tokens(text) {
			b.near[t.Term] = true
		}
	}
	if u.row && u.header != "" {
		b.cells = columns(u, tokens)
	}
	return b
}

// about returns the share of a heading's words that the question names.
func about(heading []analysis.Token, asked map[string]bool) float64 {
	total, named := 0.0, 0.0
	for _, t := range heading {
		if t.Stop || t.Kind == analysis.Word && general(t.Term) || t.Kind == analysis.Pair && (vaguePair(t.Term) || kindPair(t.Term)) || t.Kind == analysis.Number || t.Kind == analysis.Character || t.Of >= 0 {
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
