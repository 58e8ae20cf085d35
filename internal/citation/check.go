package citation

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
)

// The thresholds on the share of a sentence's words that its excerpts hold. They were chosen with
// a public set of claims in view; testdata/claims.golden shows how the verdicts fall on it.
const (
	enough = 0.70 // for support
	some   = 0.45 // for partial support
	same   = 0.60 // of one sentence's words, for "the same words but another number"
	denies = 0.75 // of one sentence's words, for "the same words but denied"
)

// Verify compares each sentence of an answer with the excerpts it cites, by rules alone: literal
// containment; numbers, dates and codes; negation; and the share of its words. A sentence without
// a reference of its own leans on those at the end of its paragraph; one that has none at all is
// not found. Questions and lead-ins that end with a colon are checked only if they cite; what
// stands under "to confirm" and "next steps" claims nothing and is not checked. The verdicts speak
// of support, not of truth.
func Verify(answer Answer, evidence []Evidence) []Check {
	out := []Check{}
	sources := map[string]*source{}
	for _, s := range Sentences(answer.Text) {
		if s.part == toConfirm || s.part == nextSteps || !s.Own && claimsNothing(s.Text) {
			continue
		}
		c := Check{Sentence: s.Text, Labels: slices.Clone(s.Refs), Verdict: NotSupported, DecidedBy: "rule:no_citation"}
		if c.Labels == nil {
			c.Labels = []string{}
		}
		var cited []*source
		for _, ref := range s.Refs {
			if sources[ref] == nil {
				if i := slices.IndexFunc(evidence, func(e Evidence) bool { return e.Ref == ref }); i >= 0 {
					sources[ref] = sourceOf(evidence[i])
				}
			}
			if sources[ref] != nil {
				cited = append(cited, sources[ref])
			}
		}
		if len(cited) > 0 {
			f := judge(s.Text, cited)
			c.Verdict, c.DecidedBy, c.Quote = f.verdict, "rule:"+f.rule, f.quote
		}
		out = append(out, c)
	}
	return out
}

// claimsNothing reports whether a sentence is a question or leads in what follows.
func claimsNothing(text string) bool {
	for _, end := range []string{"?", "？", ":", "："} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// finding is the outcome of judging one sentence.
type finding struct {
	verdict Verdict
	rule    string
	quote   string
	share   float64 // of the sentence's words that the best places hold
}

// judge holds a sentence against the excerpts that it cites. A fragment that says too little to be
// wrong is not called supported.
func judge(sentence string, cited []*source) finding {
	c := newClaim(sentence)
	f := c.compare(sentence, cited)
	if f.verdict == Supported && c.weight < telling && !c.heldTogether(cited) {
		f.verdict, f.rule = Partly, "fragment"
	}
	return f
}

// telling is the weight of two words, which a claim without numbers needs.
const telling = 2

// heldTogether reports whether one sentence of the excerpts holds a claim's words and all its
// numbers, of each at least one.
func (c claim) heldTogether(cited []*source) bool {
	if len(c.quantities) == 0 || len(c.terms) == 0 {
		return false
	}
	for _, s := range cited {
		for _, st := range s.sentences {
			lacks := func(q quantity) bool { return !states(st.quantities, q) }
			if c.share(c.cover(st.words)) >= enough && !slices.ContainsFunc(c.quantities, lacks) {
				return true
			}
		}
	}
	return false
}

// compare finds the verdict by containment, numbers, denial and words.
func (c claim) compare(sentence string, cited []*source) finding {
	for _, s := range cited {
		if quote, ok := s.literal(c); ok {
			return finding{Supported, "literal", quote, 1}
		}
	}
	best := match(c, cited)
	f := finding{share: best.share, quote: best.quote}
	var have []quantity
	for _, s := range cited {
		have = append(have, s.quantities...)
	}
	for _, q := range c.quantities {
		if states(have, q) {
			continue
		}
		f.verdict, f.rule = NotSupported, "number"
		if best.single >= same && rival(best.quantities, q) {
			f.verdict = Contradicted
			return f
		}
	}
	switch {
	case f.rule != "":
		f.quote = ""
		return f
	case best.single >= denies && best.negative != c.negative:
		f.verdict, f.rule = Contradicted, "negation"
	case best.share >= enough && c.namesIn(cited):
		f.verdict, f.rule = Supported, "words"
	case best.share >= enough:
		f.verdict, f.rule = Partly, "name"
	case best.share >= some:
		f.verdict, f.rule = Partly, "words"
	case clauseHeld(sentence, cited):
		f.verdict, f.rule = Partly, "clause"
	default:
		f.verdict, f.rule, f.quote = NotSupported, "words", ""
	}
	return f
}

// clauseHeld reports whether the excerpts hold one clause of a sentence word by word.
func clauseHeld(sentence string, cited []*source) bool {
	for _, part := range clauseEnd.Split(analysis.Fold(sentence), -1) {
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

// NeedsConfirmation reports whether a person should confirm an answer before leaning on it: it
// leaves something to confirm, a cited source is cut short or no longer the published version,
// sources disagree, or a sentence was not found to be supported. An answer that awaits review
// needs it in any case, which the caller knows.
func NeedsConfirmation(answer Answer, cited []Evidence, checks []Check, conflict bool) bool {
	if conflict || answer.Sections.ToConfirm != "" {
		return true
	}
	if slices.ContainsFunc(cited, func(e Evidence) bool { return e.Truncated() || e.Status != "" && e.Status != "published" }) {
		return true
	}
	return slices.ContainsFunc(checks, func(c Check) bool { return c.Verdict != Supported })
}
