package quantity

import (
	"slices"
	"strings"
)

// Rival returns what an excerpt states where a sentence states want: another value of the same
// sort and unit, or the same value in another unit. What the sentence states itself, as own tells, is
// the rival of nothing.
//
// What one of the two denies is the rival of the very same value alone: "not 650" leaves room for 800.
//
// A bound is compared with the bound on its own side where there is one. Without one, another bound leaves
// room for it: who may take five at the most may have to take one at the least.
func Rival(have, own []Stated, want Stated) (Stated, bool) {
	if Ranges(have, want) {
		return Stated{}, false
	}
	if sided := slices.DeleteFunc(slices.Clone(have), func(h Stated) bool { return h.Bound != want.Bound || h.Kind != Number }); want.Bound != Exactly && len(sided) < len(have) {
		if r, ok := Rival(sided, own, want); ok {
			return r, true
		}
	}
	for _, h := range have {
		switch {
		case Belies(h, want):
			return h, true
		case h.Denied, want.Denied, h.Kind == Number && leavesRoom(h, want):
			continue
		case h.Rate, h.Kind == Number && (h.Unit != "" || h.Year()) && States(own, h) && !Equal(h.Quantity, want.Quantity):
			continue
		case h.Kind == date && want.Year():
			if !strings.HasPrefix(h.Value, want.Value+"-") && h.Value[0] != '-' {
				return h, true
			}
			continue
		case h.Kind != want.Kind || h.Kind == date && sameDay(want.Value, h.Value):
			continue
		case h.Kind == Code && series(h.Value) != series(want.Value):
			continue
		case Equal(h.Quantity, want.Quantity):
			if Opposed(h, want) {
				return h, true
			}
			continue
		case h.Kind == Number && h.Value == want.Value:
			return h, true
		case h.Kind == Number && !comparable(h, want):
			continue
		}
		return h, true
	}
	return Stated{}, false
}

// tellingDigits is how many digits two numbers have at least that are compared though only the claim says
// what it counts.
const tellingDigits = 4

// comparable reports whether a number of an excerpt and one of a claim may be values of one thing: they
// have one unit, or count one thing. A number without either is compared with what looks like it.
func comparable(a, b Stated) bool {
	_, u := a.InBase()
	_, v := b.InBase()
	switch {
	case a.Year() != b.Year():
		return false
	case u == v && u != "":
		return true
	case u != v && (u == "%" || v == "%") || u != "" && v != "":
		return false
	case u != v:
		return a.Thing+b.Thing == ""
	}
	return a.Thing == b.Thing || b.Thing == "" || a.Thing == "" && min(len(a.Value), len(b.Value)) >= tellingDigits
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
