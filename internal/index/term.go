package index

import "github.com/kaoju/kaoju/internal/analysis"

// maxTerms bounds what one query can cost; words after that many different terms are not used.
const maxTerms = 256

// partShare is what all parts of an identifier weigh together where the whole is found: enough
// to order what has the whole, too little to lift what has not above it.
const partShare = 0.2

// compoundWeight is the weight of words joined by hyphens beside those of the words alone. Like
// characterWeight it was measured: more would favour a spelling, none would lose "state-of-the-art".
const compoundWeight = 0.25

// characterWeight is the weight of a Chinese character beside the pairs of its run. Characters
// bring pairs together that a word in between, or another word order, has torn.
const characterWeight = 0.6

// identifierWeight is the weight of a whole identifier in a Chinese query. A code is the one word
// of a query that nobody writes by chance, but each character beside it begins a pair, so that
// they outnumber it. English words do not: there, more was measured to do harm.
const identifierWeight = 3

// identifierShare is what the identifier weighs for each of those pairs, in a long query.
const identifierShare = 0.6

// foreignWeight is the weight of a word of letters in a Chinese query: it is a name, as a rule, and
// one term among the many pairs.
const foreignWeight = 2

// segmentWeight is the weight of a Chinese word beside the pairs that it is made of. Words part what
// a pair across two of them joins by chance; pairs hold where the words were cut otherwise.
const segmentWeight = 0.5

// exactWeight is the weight of an English word as it was written beside its stem: it orders what
// the stem found.
const exactWeight = 0.1

// titleWeight is how much more a term weighs that a query writes in the marks of a title.
const titleWeight = 2

// synonymWeight is how much the terms weigh together that stand for what the query says otherwise.
const synonymWeight = 0.5

// repeatShare is how much of its weight a term adds each time that a query says it again. People
// repeat a word more often for the sentence than for what they look for.
const repeatShare = 0.5

// Term is a term to search for.
type Term struct {
	Text   string
	Weight float64
	// Weak marks a term that adds to the score of chunks that others found, and finds none alone.
	Weak bool
	// Of is the index of the identifier that the term is a part of; -1 if it stands for itself.
	Of int
}

// Terms returns the terms of a query, without stop words: those that can be searched for. There
// are none if the text has no letter or number that means something.
func Terms(text string) []Term { return TermsWith(nil, text) }

// TermsWith does what Terms does, with the words and synonyms of a lexicon.
func TermsWith(l *analysis.Lexicon, text string) []Term {
	q := query{place: map[string]int{}}
	tokens := l.Query(text)
	at := make([]int, len(tokens)) // token → term
	pairs := 0
	for _, t := range tokens {
		if t.Kind == analysis.Pair && !t.Stop {
			pairs++
		}
	}
	for i, t := range tokens {
		at[i] = -1
		if t.Stop {
			continue
		}
		term := Term{Text: t.Term, Weight: weigh(t, pairs), Weak: t.Kind == analysis.Segment || t.Kind == analysis.Exact, Of: -1}
		for p := t.Of; p >= 0; p = tokens[p].Of {
			if tokens[p].Kind == analysis.Identifier {
				term.Of = at[p]
				break
			}
		}
		at[i] = q.add(term)
	}
	for _, t := range analysis.Tokens(text) {
		if t.Kind == analysis.Character && t.Of >= 0 && !t.Stop {
			q.add(Term{Text: t.Term, Weight: characterWeight, Weak: true, Of: -1})
		}
	}
	return q.terms
}

// weigh returns what a token of a query with so many pairs weighs.
func weigh(t analysis.Token, pairs int) float64 {
	w := 1.0
	switch {
	case t.Kind == analysis.Compound:
		w = compoundWeight
	case t.Kind == analysis.Identifier && pairs > 0:
		w = max(identifierWeight, identifierShare*float64(pairs))
	case t.Kind == analysis.Word && pairs > 0 && t.Of < 0:
		w = foreignWeight
	case t.Kind == analysis.Segment:
		w = segmentWeight
	case t.Kind == analysis.Exact:
		w = exactWeight
	}
	if t.Title {
		w *= titleWeight
	}
	if t.Synonym > 0 {
		w *= synonymWeight / float64(t.Synonym)
	}
	return w
}

// query gathers different terms.
type query struct {
	terms []Term
	place map[string]int
}

// add returns the index of the term, which weighs more if it was there before; -1 when there are
// too many terms already.
func (q *query) add(t Term) int {
	if k, ok := q.place[t.Text]; ok {
		old := &q.terms[k]
		old.Weight += repeatShare * t.Weight
		old.Weak = old.Weak && t.Weak
		if t.Of < 0 {
			old.Of = -1
		}
		return k
	}
	if len(q.terms) == maxTerms {
		return -1
	}
	q.place[t.Text] = len(q.terms)
	q.terms = append(q.terms, t)
	return len(q.terms) - 1
}

// settle returns what each term weighs, given how many visible chunks hold it. The parts of an
// identifier that is found share a fixed weight, those of one that is not count in full.
func settle(terms []Term, n int, df []int) []float64 {
	out := make([]float64, len(terms))
	owner := make([]int, len(terms))
	shares := make([]int, len(terms))
	for i, t := range terms {
		owner[i] = -1
		if t.Of >= 0 && t.Of < i {
			switch {
			case owner[t.Of] >= 0:
				owner[i] = owner[t.Of]
			case df[t.Of] > 0:
				owner[i] = t.Of
			}
		}
		if owner[i] >= 0 {
			shares[owner[i]]++
		}
	}
	for i, t := range terms {
		if df[i] == 0 {
			continue
		}
		out[i] = rarity(n, df[i]) * t.Weight
		if o := owner[i]; o >= 0 {
			out[i] = rarity(n, df[i]) * (partShare / float64(shares[o]))
		}
	}
	return out
}
