package claim

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// The thresholds of the verdicts. They were chosen on one half of public sets of claims;
// testdata/support.full.golden shows how the verdicts fall on both halves.
const (
	enough   = 0.65 // of a sentence's words in its best places, for support
	firmly   = 0.60 // the strength that support needs beside it
	weakly   = 0.50 // the same where one place says all of it
	some     = 0.45 // of the words, for partial support
	same     = 0.55 // of the words in one sentence, for "the same words but another number"
	sameBare = 0.65 // the same for a bare number
	denies   = 0.50 // of the words in one sentence, for "the same words but denied, or with an opposite or another name"
	surely   = 0.55
	flipped  = 0.25 // of the words, by weight, that are denied in one of the two alone
)

// Finding is the outcome of judging one sentence. Rule names what decided; Quote is the sentence of a
// source that decides, "" if none does; Score is the strength of the support, from 0 to 1.
type Finding struct {
	Verdict Verdict
	Rule    string
	Quote   string
	Score   float64
	Reasons []Reason
}

// Judge holds a sentence against the excerpts that it cites. A fragment that says too little to be
// wrong is not called supported.
func Judge(sentence string, cited []*Source) Finding {
	c := newClaim(sentence)
	f := c.decide(sentence, cited)
	if against := contraries(cited); len(against) > 0 || c.contrary {
		f = c.turn(f, c.decide(sentence, against))
	}
	f.Score = math.Round(f.Score*1000) / 1000
	return f
}

// decide finds what a claim is by what sources say.
func (c claim) decide(sentence string, cited []*Source) Finding {
	c.adapt(cited)
	f := c.compare(sentence, cited)
	if f.Verdict == Supported && c.size < telling && !c.heldTogether(cited) {
		f.Verdict, f.Rule = Partly, "fragment"
	}
	if f.Verdict == Partly || f.Verdict == NotSupported {
		c.refute(&f, cited)
	}
	return f
}

// contraries returns what sources say the contrary of.
func contraries(cited []*Source) []*Source {
	var out []*Source
	for _, s := range cited {
		if s.contrary != nil {
			out = append(out, s.contrary)
		}
	}
	return out
}

// turn weighs what is said, as f tells, with that of which the contrary is said, as g tells. A claim that says
// the contrary of something itself was judged by that.
func (c claim) turn(f, g Finding) Finding {
	denial := func(f Finding, v Verdict) Finding {
		f.Verdict, f.Rule, f.Score = v, "negation", min(f.Score, swappedStrength)
		f.Reasons = append(f.Reasons, Reason{"negation", strings.TrimSpace(c.folded), ""})
		return f
	}
	switch {
	case !c.contrary && g.Verdict != Supported:
		return f
	case !c.contrary && f.Verdict == Supported:
		return denial(f, Partly) // the sources say both
	case !c.contrary:
		return denial(g, Contradicted)
	case g.Verdict == Supported && f.Verdict != Supported:
		return g
	case f.Verdict == Supported && g.Verdict != Supported:
		return denial(f, Contradicted)
	case f.Verdict == Contradicted && f.Rule == "negation":
		f.Verdict, f.Rule, f.Score, f.Reasons = Supported, "words", 1-f.Score, nil
		return f
	case f.Verdict == NotSupported:
		return f
	}
	return denial(f, Partly)
}

// telling is the size of two words, which a claim without numbers needs.
const telling = 2

// heldTogether reports whether one sentence of the excerpts holds a claim's words and all its
// numbers, of each at least one.
func (c claim) heldTogether(cited []*Source) bool {
	if len(c.quantities) == 0 || len(c.terms) == 0 {
		return false
	}
	for _, s := range cited {
		for _, st := range s.sentences {
			lacks := func(q stated) bool { return !states(st.quantities, q) }
			if c.share(c.cover(st.words)) >= enough && !slices.ContainsFunc(c.quantities, lacks) {
				return true
			}
		}
	}
	return false
}

// compare finds the verdict: what is said word for word, then what speaks against a sentence, then
// how much of it is held.
func (c claim) compare(sentence string, cited []*Source) Finding {
	for _, s := range cited {
		if quote, ok := s.literal(c); ok {
			return Finding{Verdict: Supported, Rule: "literal", Quote: quote, Score: 1}
		}
	}
	b := match(c, cited)
	sig := c.signals(b, cited)
	f := Finding{Quote: b.quote, Score: sig.strength(), Reasons: sig.reasons}
	switch {
	case sig.apart && b.share >= some:
		f.Verdict, f.Rule = Partly, "opposite"
	case sig.apart:
		f.Verdict, f.Rule, f.Quote = NotSupported, "opposite", ""
	case sig.rivals > 0 && sig.belied:
		f.Verdict, f.Rule = Contradicted, "negation"
	case sig.rivals > 0:
		f.Verdict, f.Rule = Contradicted, "number"
	case sig.absent:
		f.Verdict, f.Rule, f.Quote = NotSupported, "number", ""
	case c.swap(cited, &f):
	case sig.missing > 0 && b.share < some:
		f.Verdict, f.Rule, f.Quote = NotSupported, "number", ""
	case sig.missing > 0:
		f.Verdict, f.Rule = Partly, "number"
	case sig.plain() && !c.reconciled(sig.statement, sig.rule()):
		f.Verdict, f.Rule, f.Quote, f.Score = Contradicted, sig.rule(), sig.statement.text, min(f.Score, againstStrength)
	default:
		c.weigh(sentence, cited, b, sig, &f)
	}
	return f
}

// weigh finds the verdict where nothing speaks against a sentence.
func (c claim) weigh(sentence string, cited []*Source, b best, sig signals, f *Finding) {
	held := b.share >= enough && f.Score >= firmly && !b.openEnd() || b.share >= some && f.Score >= weakly && len(c.together(cited)) == 0
	if r, ok := c.displacedIn(b); held && ok {
		f.Verdict, f.Rule, f.Reasons = Partly, r.Code, append(f.Reasons, r)
		return
	}
	if r, ok := c.otherHours(b, cited); held && ok {
		f.Verdict, f.Rule, f.Reasons = Partly, r.Code, append(f.Reasons, r)
		return
	}
	if r, ok := c.swappedIn(b, cited); held && ok {
		f.Verdict, f.Rule, f.Reasons = Partly, r.Code, append(f.Reasons, r)
		return
	}
	switch {
	case held && sig.names > 0:
		f.Verdict, f.Rule = Partly, "name"
	case held && sig.strict > 0:
		f.Verdict, f.Rule = Partly, "quantifier"
	case held:
		c.settle(cited, b, f)
	case b.share >= some:
		f.Verdict, f.Rule = Partly, "words"
	case clauseHeld(sentence, cited):
		f.Verdict, f.Rule = Partly, "clause"
	default:
		f.Verdict, f.Rule, f.Quote = NotSupported, "words", ""
	}
}

// settle finds the verdict where all signs speak for a sentence: it is supported if one place says all of it.
func (c claim) settle(cited []*Source, b best, f *Finding) {
	f.Reasons = slices.DeleteFunc(f.Reasons, func(r Reason) bool { return r.Code == "words" })
	f.Verdict, f.Rule = Supported, "words"
	if slices.ContainsFunc(f.Reasons, func(r Reason) bool { return r.Code == "opposite" }) {
		f.Verdict, f.Rule = Partly, "opposite"
	} else if r, ok := c.otherRoles(b); ok {
		f.Verdict, f.Rule, f.Reasons = Partly, r.Code, append(f.Reasons, r)
	} else if c.unanswered() {
		f.Verdict = Partly
	} else if lacking := c.together(cited); len(lacking) > 0 {
		f.Verdict = Partly
		f.Reasons = append(f.Reasons, Reason{"words", naming(lacking), ""})
	}
}

// clauseHeld reports whether the excerpts hold one clause of a sentence word by word.
func clauseHeld(sentence string, cited []*Source) bool {
	for _, part := range clausesOf(fold(sentence)) {
		c := claim{compact: compact(part)}
		if utf8.RuneCountInString(c.compact) < 8 {
			continue
		}
		for _, s := range cited {
			if _, ok := s.literal(c); ok {
				return true
			}
		}
	}
	return false
}

// swap contradicts a claim whose number stands in the excerpts for something else.
func (c claim) swap(cited []*Source, f *Finding) bool {
	st, r := c.swapped(cited)
	if st == nil {
		return false
	}
	f.Verdict, f.Rule, f.Quote, f.Score = Contradicted, "number", st.text, min(f.Score, swappedStrength)
	f.Reasons = append(f.Reasons, r)
	return true
}

// againstStrength is the most that remains of the support of what a sentence contradicts.
const againstStrength = 0.5

// swappedStrength is what remains of the support where a number belongs to something else.
const swappedStrength = 0.2

// swapped returns a sentence of which one clause holds all words of a claim and states another
// value than the claim does, unless another such clause states the claim's.
func (c claim) swapped(cited []*Source) (found *statement, why Reason) {
	if len(c.quantities) == 0 || c.size < 1 {
		return nil, Reason{}
	}
	for _, s := range cited {
		for i, st := range s.sentences {
			if len(st.quantities) == 0 || c.share(c.cover(st.words)) < whollyHeld {
				continue
			}
			told := len(c.quantities) > 1 && !slices.ContainsFunc(c.quantities, func(q stated) bool { return !states(st.quantities, q) })
			for _, cl := range st.clauses() {
				if c.share(c.cover(cl.words)) < whollyHeld {
					continue
				}
				narrows := func(q, r stated) bool {
					return c.narrows(numberAt(c.folded, q), numberAt(st.folded, r), &s.sentences[i])
				}
				if !slices.ContainsFunc(c.quantities, func(q stated) bool { return !states(cl.quantities, q) || narrows(q, q) }) {
					return nil, Reason{}
				}
				if told && !slices.ContainsFunc(c.quantities, func(q stated) bool { return states(cl.quantities, q) }) {
					continue // it is of another case, and the sentence tells of the claim's too
				}
				if q, r, ok := c.rivalled(cl.quantities); ok && found == nil && !narrows(q, r) {
					found, why = &s.sentences[i], Reason{"number", q.String(), r.String()}
				}
			}
		}
	}
	return found, why
}

// whollyHeld is the share of a claim's words with which a clause is about nothing else.
const whollyHeld = 0.95

// rivalled returns a quantity of the claim of which others state another value, and none of the
// claim's of that sort, with that value.
func (c claim) rivalled(have []stated) (q, other stated, ok bool) {
	for _, q := range c.quantities {
		if states(have, q) || implies(have, q) {
			continue
		}
		like := func(o stated) bool { return o.kind == q.kind && o.unit == q.unit && states(have, o) }
		if r, ok := rival(have, c.quantities, q); ok && !slices.ContainsFunc(c.quantities, like) {
			return q, r, true
		}
	}
	return stated{}, stated{}, false
}
