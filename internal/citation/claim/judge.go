package claim

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// The thresholds of the verdicts. They were chosen on one half of public sets of claims;
// testdata/support.full.golden shows how the verdicts fall on both halves.
const (
	enough = 0.65 // of a sentence's words in its best places, for support
	firmly = 0.60 // the strength that support needs beside it
	weakly = 0.50 // the same where one place says all of it
	some   = 0.45 // of the words, for partial support
	surely = 0.55 // of the words in a sentence beside the nearest, for what it says otherwise to count
)

// decide finds what a claim is by what sources say.
func decide(c reading.Claim, sentence string, cited []*Source) Finding {
	c.Adapt(cited)
	f := compare(c, sentence, cited)
	if f.Verdict == Supported && c.Size < telling && !heldTogether(c, cited) {
		f.Verdict, f.Rule = Partly, "fragment"
	}
	if f.Verdict == Partly || f.Verdict == NotSupported {
		refute(c, &f, cited)
	}
	return f
}

// contraries returns what sources say the contrary of.
func contraries(cited []*Source) []*Source {
	var out []*Source
	for _, s := range cited {
		if s.Contrary != nil {
			out = append(out, s.Contrary)
		}
	}
	return out
}

// turn weighs what is said, as f tells, with that of which the contrary is said, as g tells. A claim that says
// the contrary of something itself was judged by that.
func turn(c reading.Claim, f, g Finding) Finding {
	denial := func(f Finding, v Verdict) Finding {
		f.Verdict, f.Rule, f.Score = v, "negation", min(f.Score, swappedStrength)
		f.Reasons = append(f.Reasons, Reason{"negation", strings.TrimSpace(c.Folded), ""})
		return f
	}
	switch {
	case !c.Contrary && g.Verdict != Supported:
		return f
	case !c.Contrary && f.Verdict == Supported:
		return denial(f, Partly) // the sources say both
	case !c.Contrary:
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
func heldTogether(c reading.Claim, cited []*Source) bool {
	if len(c.Quantities) == 0 || len(c.Terms) == 0 {
		return false
	}
	for _, s := range cited {
		for _, st := range s.Sentences {
			if c.Share(c.Cover(st.Words)) >= enough && quantity.StatesAll(st.Quantities, c.Quantities) {
				return true
			}
		}
	}
	return false
}

// compare finds the verdict: what is said word for word, then what speaks against a sentence, then
// how much of it is held.
func compare(c reading.Claim, sentence string, cited []*Source) Finding {
	for _, s := range cited {
		if quote, ok := literal(c, s); ok {
			return Finding{Verdict: Supported, Rule: "literal", Quote: quote, Score: 1}
		}
	}
	b := match(c, cited)
	sig := signalsOf(c, b, cited)
	f := Finding{Quote: b.quote, Score: sig.strength(), Reasons: sig.reasons}
	switch {
	case sig.Apart && b.share >= some:
		f.Verdict, f.Rule = Partly, "opposite"
	case sig.Apart:
		f.Verdict, f.Rule, f.Quote = NotSupported, "opposite", ""
	case sig.rivals > 0 && sig.belied:
		f.Verdict, f.Rule = Contradicted, "negation"
	case sig.rivals > 0:
		f.Verdict, f.Rule = Contradicted, "number"
	case sig.absent:
		f.Verdict, f.Rule, f.Quote = NotSupported, "number", ""
	case swap(c, cited, &f):
	case sig.missing > 0 && b.share < some:
		f.Verdict, f.Rule, f.Quote = NotSupported, "number", ""
	case sig.missing > 0:
		f.Verdict, f.Rule = Partly, "number"
	case sig.Plain() && !reconciled(c, sig.Statement, sig.Rule()):
		f.Verdict, f.Rule, f.Quote, f.Score = Contradicted, sig.Rule(), sig.Statement.Text, min(f.Score, againstStrength)
	default:
		weigh(c, sentence, cited, b, sig, &f)
	}
	return f
}

// weigh finds the verdict where nothing speaks against a sentence.
func weigh(c reading.Claim, sentence string, cited []*Source, b best, sig signals, f *Finding) {
	held := b.share >= enough && f.Score >= firmly && !b.openEnd() || b.share >= some && f.Score >= weakly && len(unsaid(c, cited)) == 0
	if r, ok := displacedIn(c, b); held && ok {
		f.Verdict, f.Rule, f.Reasons = Partly, r.Code, append(f.Reasons, r)
		return
	}
	if r, ok := otherHours(c, b, cited); held && ok {
		f.Verdict, f.Rule, f.Reasons = Partly, r.Code, append(f.Reasons, r)
		return
	}
	if r, ok := swappedIn(c, b, cited); held && ok {
		f.Verdict, f.Rule, f.Reasons = Partly, r.Code, append(f.Reasons, r)
		return
	}
	switch {
	case held && sig.names > 0:
		f.Verdict, f.Rule = Partly, "name"
	case held && sig.strict > 0:
		f.Verdict, f.Rule = Partly, "quantifier"
	case held:
		settle(c, cited, b, f)
	case b.share >= some:
		f.Verdict, f.Rule = Partly, "words"
	case clauseHeld(sentence, cited):
		f.Verdict, f.Rule = Partly, "clause"
	default:
		f.Verdict, f.Rule, f.Quote = NotSupported, "words", ""
	}
}

// settle finds the verdict where all signs speak for a sentence: it is supported if one place says all of it.
func settle(c reading.Claim, cited []*Source, b best, f *Finding) {
	f.Reasons = slices.DeleteFunc(f.Reasons, func(r Reason) bool { return r.Code == "words" })
	f.Verdict, f.Rule = Supported, "words"
	if slices.ContainsFunc(f.Reasons, func(r Reason) bool { return r.Code == "opposite" }) {
		f.Verdict, f.Rule = Partly, "opposite"
	} else if r, ok := otherRoles(c, b); ok {
		f.Verdict, f.Rule, f.Reasons = Partly, r.Code, append(f.Reasons, r)
	} else if unanswered(c) {
		f.Verdict = Partly
	} else if lacking := unsaid(c, cited); len(lacking) > 0 {
		f.Verdict = Partly
		f.Reasons = append(f.Reasons, Reason{"words", naming(lacking), ""})
	}
}

// clauseHeld reports whether the excerpts hold one clause of a sentence word by word.
func clauseHeld(sentence string, cited []*Source) bool {
	for _, part := range wording.Clauses(wording.Fold(sentence)) {
		c := reading.Claim{Compact: wording.Compact(part)}
		if utf8.RuneCountInString(c.Compact) < 8 {
			continue
		}
		for _, s := range cited {
			if _, ok := literal(c, s); ok {
				return true
			}
		}
	}
	return false
}

// swap contradicts a claim whose number stands in the excerpts for something else.
func swap(c reading.Claim, cited []*Source, f *Finding) bool {
	st, r := contrast.Swapped(c, cited)
	if st == nil {
		return false
	}
	f.Verdict, f.Rule, f.Quote, f.Score = Contradicted, "number", st.Text, min(f.Score, swappedStrength)
	f.Reasons = append(f.Reasons, Reason(r))
	return true
}

// againstStrength is the most that remains of the support of what a sentence contradicts.
const againstStrength = 0.5

// swappedStrength is what remains of the support where a number belongs to something else.
const swappedStrength = 0.2
