package claim

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// equal reports whether two quantities are the same, where a unit that is not known is any.
func equal(a, b quantity) bool {
	if a.kind != b.kind {
		return false
	}
	if a.unit == "" || b.unit == "" {
		return a.value == b.value
	}
	v, u := a.inBase()
	w, x := b.inBase()
	return v == w && u == x
}

// states reports whether an excerpt's quantities hold a sentence's: the same value, with the same
// unit where both are known; a date also when the excerpt is more exact, and a year as part of a
// date.
func states(have []stated, want stated) bool {
	for _, h := range have {
		switch {
		case h.denied != want.denied:
		case h.rate && want.unit == "": // "per person" is no count of one
		case equal(h.quantity, want.quantity) && !opposed(h, want):
			return true
		case want.kind == number && h.kind == date && (want.unit == "" || want.unit == "year") && strings.HasPrefix(h.value, want.value+"-"):
			return true
		case want.kind == date && h.kind == date && sameDay(h.value, want.value):
			return true
		case want.kind == code && h.kind == code && (strings.HasPrefix(h.value, want.value+"-") || strings.HasSuffix(h.value, "-"+want.value)):
			return true
		}
	}
	return false
}

// belies reports whether one of two quantities is denied and the other is the very same, or a part of its date.
func belies(a, b stated) bool {
	if a.denied == b.denied {
		return false
	}
	a.denied, b.denied = false, false
	return states([]stated{a}, b) || states([]stated{b}, a)
}

// leavesRoom reports whether two bounds on the same thing can both hold, or a bound and a number within it.
func leavesRoom(a, b stated) bool {
	if a.bound == b.bound || a.bound == exactly || a.kind != number || b.kind != number || equal(a.quantity, b.quantity) || !comparable(a, b) {
		return false
	}
	v, ok := new(big.Rat).SetString(first(a.inBase()))
	w, fine := new(big.Rat).SetString(first(b.inBase()))
	return ok && fine && (a.bound == below) == (v.Cmp(w) > 0)
}

// opposed reports whether one is said to be a lower and the other an upper bound, or one a period within which and the
// other one after which something is.
func opposed(a, b stated) bool {
	return otherDelay(a, b) || a.side() != b.side() && a.side() != exactly && b.side() != exactly
}

// side is on which side of a number something is: of a bound, or of the end of a range.
func (s stated) side() bound {
	if s.bound != exactly {
		return s.bound
	}
	return s.end
}

// ranges reports whether quantities hold a range, by its two ends, in which a number lies.
func ranges(have []stated, want stated) bool {
	w, ok := new(big.Rat).SetString(first(want.inBase()))
	if !ok || want.kind != number || want.denied || want.side() != exactly {
		return false
	}
	for i := 1; i < len(have); i++ {
		low, high := have[i-1], have[i]
		if low.end != above || high.end != below || low.denied || high.kind != number || !alikeThings(high, want) {
			continue
		}
		if low.unit == "" {
			low.unit = high.unit
		}
		l, ok := new(big.Rat).SetString(first(low.inBase()))
		h, fine := new(big.Rat).SetString(first(high.inBase()))
		if ok && fine && l.Cmp(w) <= 0 && w.Cmp(h) <= 0 {
			return true
		}
	}
	return false
}

// othersToo says what is so beyond the ends of a range.
var othersToo = regexp.MustCompile(`\b(?:longer|shorter|larger|bigger|smaller|higher|lower|older|younger|heavier|lighter|other) ones?\b|\b(?:anything|everything|all) (?:above|below|beyond|else|longer|shorter|over|under)\b|更[长短高低多少大小重轻]的|其[他它余]的|其余`)

// beyond reports whether a value that a sentence has in the place of a claim's is an end of a range outside of which
// the sentence says something too.
func (s *statement) beyond(r stated) bool { return r.end != exactly && othersToo.MatchString(s.folded) }

// implies reports whether quantities of the very sentence that a claim leans on hold a claim that
// names a bound or is about right: 757,000 copies are more than 100,000 copies. A bound follows
// from no other bound, since rules are made of them: "within 2 days" is not "within 3 days".
func implies(have []stated, want stated) bool {
	if want.kind != number || want.denied || want.limit || want.bound == exactly && !want.about {
		return false
	}
	w, ok := new(big.Rat).SetString(first(want.inBase()))
	if !ok {
		return false
	}
	for _, h := range have {
		if h.rate || h.denied || h.kind != number || h.bound != exactly || h.delay == within || !alikeThings(h, want) {
			continue
		}
		v, ok := new(big.Rat).SetString(first(h.inBase()))
		if !ok {
			continue
		}
		switch {
		case want.bound == above && v.Cmp(w) > 0, want.bound == below && v.Cmp(w) < 0:
			return true
		case want.about && want.bound == exactly && near(v, w):
			return true
		}
	}
	return false
}

func first(value, _ string) string { return value }

// near reports whether two numbers differ by a twentieth at most.
func near(a, b *big.Rat) bool {
	d := new(big.Rat).Sub(a, b)
	d.Abs(d)
	return d.Cmp(new(big.Rat).Mul(new(big.Rat).Abs(b), big.NewRat(1, 20))) <= 0
}

// alikeThings reports whether two numbers measure or count the same.
func alikeThings(a, b stated) bool {
	_, u := a.inBase()
	_, v := b.inBase()
	if u != "" || v != "" {
		return u == v
	}
	return a.thing != "" && a.thing == b.thing
}

// loose reports whether an excerpt gives the date of a sentence without its year, or its month
// without the day: then the rest of the date is not found, but nothing speaks against it.
func loose(have []stated, want stated) bool {
	for _, h := range have {
		if want.kind == date && h.kind == date && !h.denied && !want.denied && sameDay(want.value, h.value) {
			return true
		}
	}
	return false
}

// rival returns what an excerpt states where a sentence states want: another value of the same
// sort and unit, or the same value in another unit. What the sentence states itself, as own tells, is
// the rival of nothing.
//
// What one of the two denies is the rival of the very same value alone: "not 650" leaves room for 800.
//
// A bound is compared with the bound on its own side where there is one. Without one, another bound leaves
// room for it: who may take five at the most may have to take one at the least.
func rival(have, own []stated, want stated) (stated, bool) {
	if ranges(have, want) {
		return stated{}, false
	}
	if sided := slices.DeleteFunc(slices.Clone(have), func(h stated) bool { return h.bound != want.bound || h.kind != number }); want.bound != exactly && len(sided) < len(have) {
		if r, ok := rival(sided, own, want); ok {
			return r, true
		}
	}
	for _, h := range have {
		switch {
		case belies(h, want):
			return h, true
		case h.denied, want.denied, h.kind == number && leavesRoom(h, want):
			continue
		case h.rate, h.kind == number && (h.unit != "" || h.year()) && states(own, h) && !equal(h.quantity, want.quantity):
			continue
		case h.kind == date && want.year():
			if !strings.HasPrefix(h.value, want.value+"-") && h.value[0] != '-' {
				return h, true
			}
			continue
		case h.kind != want.kind || h.kind == date && sameDay(want.value, h.value):
			continue
		case h.kind == code && series(h.value) != series(want.value):
			continue
		case equal(h.quantity, want.quantity):
			if opposed(h, want) {
				return h, true
			}
			continue
		case h.kind == number && h.value == want.value:
			return h, true
		case h.kind == number && !comparable(h, want):
			continue
		}
		return h, true
	}
	return stated{}, false
}

// year reports whether a number is that of a year.
func (s stated) year() bool {
	return s.kind == number && len(s.value) == 4 && (s.unit == "year" || s.unit == "" && s.thing == "" && s.written != "" && !strings.Contains(s.written, ","))
}

// tellingDigits is how many digits two numbers have at least that are compared though only the claim says
// what it counts.
const tellingDigits = 4

// comparable reports whether a number of an excerpt and one of a claim may be values of one thing: they
// have one unit, or count one thing. A number without either is compared with what looks like it.
func comparable(a, b stated) bool {
	_, u := a.inBase()
	_, v := b.inBase()
	switch {
	case a.year() != b.year():
		return false
	case u == v && u != "":
		return true
	case u != v && (u == "%" || v == "%") || u != "" && v != "":
		return false
	case u != v:
		return a.thing+b.thing == ""
	}
	return a.thing == b.thing || b.thing == "" || a.thing == "" && min(len(a.value), len(b.value)) >= tellingDigits
}

// series is a code without its figures: ERR-1042 and ERR-1043 are of one series.
func series(value string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, value)
}

// standing is how excerpts bear a quantity of a claim out.
type standing uint8

const (
	absent   standing = iota // it is not there
	rivalled                 // the deciding sentence states another value in its place
	partly                   // it does so of a part of what the claim is about, or of the whole
	loosely                  // it follows, or a part of it is there, or it is too small a number to look for
	exact                    // it is there
)

// stand judges a quantity by all that is cited and by the sentence that comes nearest to the claim.
// The rival is what that sentence states in its place.
func (b best) stand(q stated, have, own []stated) (standing, stated) {
	if states(have, q) {
		return exact, stated{}
	}
	if b.statement == nil {
		return absent, stated{}
	}
	near := b.statement.quantities
	implied := implies(near, q) || ranges(near, q)
	if r, ok := rival(near, own, q); ok && b.single >= q.nearness() && !implied {
		return rivalled, r
	}
	if implied || q.small() || loose(have, q) || q.denied && b.another(q) {
		return loosely, stated{}
	}
	return absent, stated{}
}

// another reports whether the sentence that comes nearest states another value in the place of one that is denied.
func (b best) another(q stated) bool {
	q.denied = false
	_, ok := rival(b.statement.quantities, nil, q)
	return ok && b.single >= q.nearness()
}

// nearness is how much of a claim a sentence must hold to state another value in the place of one: more
// for a bare number, of which a sentence may state many.
func (s stated) nearness() float64 {
	if s.kind == number && s.unit == "" && !s.year() {
		return sameBare
	}
	return same
}
