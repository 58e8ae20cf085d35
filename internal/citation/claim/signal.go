package claim

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// signals are what speaks for and against the support of a claim.
type signals struct {
	window, often, end, order float64 // how far its words are held, see best
	single                    float64 // over the one sentence that comes nearest
	mass                      float64 // the weight of the words that are not
	words                     float64 // logarithm of their number
	numbers                   float64 // how many quantities it states
	missing, rivals           float64 // of these, how many are not borne out, and whether one has a rival
	names                     float64 // how many of its names no excerpt holds
	flipped                   float64 // share of its words that are denied in one of the two alone
	opposite, agree           float64 // words of which the sentence says the opposite, and the same
	strict                    float64 // 1 if it says "only" or "all" and the sentence does not

	absent  bool // a quantity stands nowhere
	reasons []Reason
}

// strictly are words by which a claim says more than what is true of some.
var strictly = regexp.MustCompile(`\b(?:only|all|every|always|never|entirely|exclusively|solely|completely)\b|全部|所有|一律|仅|唯一|只有|从不|总是`)

func (c claim) signals(b best, cited []*Source) signals {
	s := signals{
		window: b.share, often: b.often, end: b.end, order: c.order(cited), single: b.single,
		mass: math.Min(c.weight*(1-b.all), 8), words: math.Log(1 + float64(len(c.terms))), numbers: math.Min(float64(len(c.quantities)), 3),
	}
	if b.statement == nil {
		s.absent = len(c.quantities) > 0
		return s
	}
	s.count(c, b, stateds(cited))
	s.name(c, cited)
	s.contrast(c, b.statement)
	if lacking := c.lacking(b.held); lacking != "" {
		s.because("words", lacking, "")
	}
	return s
}

func (s *signals) because(code, said, found string) {
	s.reasons = append(s.reasons, Reason{code, said, found})
}

// count looks for the quantities of a claim.
func (s *signals) count(c claim, b best, have []stated) {
	for _, q := range c.quantities {
		at, r := b.stand(q, have)
		if at == exact {
			continue
		}
		s.because("number", q.String(), r.String())
		switch at {
		case loosely:
			s.missing += 0.5
		case rivalled:
			s.missing++
			s.rivals = 1
		default:
			s.missing++
			s.absent = true
		}
	}
	s.missing = math.Min(s.missing, 2)
}

// name looks for the names of a claim.
func (s *signals) name(c claim, cited []*Source) {
	for _, n := range c.names {
		in := func(src *Source) bool { return strings.Contains(src.compact, compact(n)) }
		if compact(n) != "" && !slices.ContainsFunc(cited, in) {
			s.names++
			s.because("name", n, "")
		}
	}
	s.names = math.Min(s.names, 3)
}

// contrast looks for what the sentence that comes nearest says otherwise.
func (s *signals) contrast(c claim, st *statement) {
	if c.weight > 0 {
		weight, words := c.flips(attitudes(st.folded))
		if s.flipped = weight / c.weight; s.flipped > 0 {
			s.because("negation", words, "")
		}
	}
	theirs := stanceOf(st.folded)
	for _, t := range c.stance.against(theirs) {
		s.because("opposite", t[0], t[1])
		s.opposite = math.Min(s.opposite+1, 2)
	}
	s.agree = math.Min(float64(c.stance.with(theirs)), 2)
	if m := strictly.FindString(c.folded); m != "" && !strictly.MatchString(st.folded) {
		s.strict = 1
		s.because("quantifier", m, "")
	}
}

// strength weighs the signals into one figure from 0 to 1. The weights are those of a logistic
// regression over one half of public sets of claims; testdata/support.full.golden holds what they give
// on the other half, which had no part in it.
func (s signals) strength() float64 {
	z := -1.950 +
		0.325*s.window + 1.512*s.often + 0.955*s.end + 0.848*s.order - 0.120*s.mass + 0.469*s.words +
		0.313*s.numbers - 1.204*s.missing - 1.794*s.rivals - 0.473*s.names -
		3.686*s.flipped*s.single - 1.172*s.opposite*s.single - 0.623*s.strict
	return 1 / (1 + math.Exp(-z))
}
