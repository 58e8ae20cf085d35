package quantity

import (
	"math/big"
	"slices"
	"strings"
)

// Equal reports whether two quantities are the same, where a unit that is not known is any.
func Equal(a, b Quantity) bool {
	if a.Kind != b.Kind {
		return false
	}
	if a.Unit == "" || b.Unit == "" {
		return a.Value == b.Value
	}
	v, u := a.InBase()
	w, x := b.InBase()
	return v == w && u == x
}

// States reports whether an excerpt's quantities hold a sentence's: the same value, with the same
// unit where both are known; a date also when the excerpt is more exact, and a year as part of a
// date.
func States(have []Stated, want Stated) bool {
	for _, h := range have {
		switch {
		case h.Denied != want.Denied:
		case h.Rate && want.Unit == "": // "per person" is no count of one
		case Equal(h.Quantity, want.Quantity) && !Opposed(h, want):
			return true
		case want.Kind == Number && h.Kind == date && (want.Unit == "" || want.Unit == "year") && strings.HasPrefix(h.Value, want.Value+"-"):
			return true
		case want.Kind == date && h.Kind == date && sameDay(h.Value, want.Value):
			return true
		case want.Kind == Code && h.Kind == Code && (strings.HasPrefix(h.Value, want.Value+"-") || strings.HasSuffix(h.Value, "-"+want.Value)):
			return true
		}
	}
	return false
}

// StatesAll reports whether an excerpt's quantities hold all of a sentence's, see States.
func StatesAll(have, want []Stated) bool {
	return !slices.ContainsFunc(want, func(q Stated) bool { return !States(have, q) })
}

// Belies reports whether one of two quantities is denied and the other is the very same, or a part of its date.
func Belies(a, b Stated) bool {
	if a.Denied == b.Denied {
		return false
	}
	a.Denied, b.Denied = false, false
	return States([]Stated{a}, b) || States([]Stated{b}, a)
}

// leavesRoom reports whether two bounds on the same thing can both hold, or a bound and a number within it.
func leavesRoom(a, b Stated) bool {
	if a.Bound == b.Bound || a.Bound == Exactly || a.Kind != Number || b.Kind != Number || Equal(a.Quantity, b.Quantity) || !comparable(a, b) {
		return false
	}
	v, ok := new(big.Rat).SetString(first(a.InBase()))
	w, fine := new(big.Rat).SetString(first(b.InBase()))
	return ok && fine && (a.Bound == below) == (v.Cmp(w) > 0)
}

// Opposed reports whether one is said to be a lower and the other an upper bound, or one a period within which and the
// other one after which something is.
func Opposed(a, b Stated) bool {
	return OtherDelay(a, b) || a.Side() != b.Side() && a.Side() != Exactly && b.Side() != Exactly
}

// Ranges reports whether quantities hold a range, by its two ends, in which a number lies.
func Ranges(have []Stated, want Stated) bool {
	w, ok := new(big.Rat).SetString(first(want.InBase()))
	if !ok || want.Kind != Number || want.Denied || want.Side() != Exactly {
		return false
	}
	for i := 1; i < len(have); i++ {
		low, high := have[i-1], have[i]
		if low.End != Above || high.End != below || low.Denied || high.Kind != Number || !alikeThings(high, want) {
			continue
		}
		if low.Unit == "" {
			low.Unit = high.Unit
		}
		l, ok := new(big.Rat).SetString(first(low.InBase()))
		h, fine := new(big.Rat).SetString(first(high.InBase()))
		if ok && fine && l.Cmp(w) <= 0 && w.Cmp(h) <= 0 {
			return true
		}
	}
	return false
}

// Implies reports whether quantities of the very sentence that a claim leans on hold a claim that
// names a bound or is about right: 757,000 copies are more than 100,000 copies. A bound follows
// from no other bound, since rules are made of them: "within 2 days" is not "within 3 days".
func Implies(have []Stated, want Stated) bool {
	if want.Kind != Number || want.Denied || want.limit || want.Bound == Exactly && !want.about {
		return false
	}
	w, ok := new(big.Rat).SetString(first(want.InBase()))
	if !ok {
		return false
	}
	for _, h := range have {
		if h.Rate || h.Denied || h.Kind != Number || h.Bound != Exactly || h.delay == within || !alikeThings(h, want) {
			continue
		}
		v, ok := new(big.Rat).SetString(first(h.InBase()))
		if !ok {
			continue
		}
		switch {
		case want.Bound == Above && v.Cmp(w) > 0, want.Bound == below && v.Cmp(w) < 0:
			return true
		case want.about && want.Bound == Exactly && near(v, w):
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
func alikeThings(a, b Stated) bool {
	_, u := a.InBase()
	_, v := b.InBase()
	if u != "" || v != "" {
		return u == v
	}
	return a.Thing != "" && a.Thing == b.Thing
}

// Loose reports whether an excerpt gives the date of a sentence without its year, or its month
// without the day: then the rest of the date is not found, but nothing speaks against it.
func Loose(have []Stated, want Stated) bool {
	for _, h := range have {
		if want.Kind == date && h.Kind == date && !h.Denied && !want.Denied && sameDay(want.Value, h.Value) {
			return true
		}
	}
	return false
}
