package rules

import (
	"maps"
	"regexp"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
)

// quantity matches a number with what it counts.
var quantity = regexp.MustCompile(`([0-9][0-9,]*(?:\.[0-9]+)?)\s*([%‰°]|[\p{Han}]{1,2}|[a-z]+)?`)

// quantities returns the numbers of a text by their unit.
func quantities(text string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, m := range quantity.FindAllStringSubmatch(analysis.Fold(text), -1) {
		unit := m[2]
		if r := []rune(unit); len(r) == 2 && r[0] > 0x2E80 {
			unit = string(r[0])
		}
		unit = strings.TrimSuffix(unit, "s")
		if out[unit] == nil {
			out[unit] = map[string]bool{}
		}
		out[unit][strings.ReplaceAll(m[1], ",", "")] = true
	}
	return out
}

// disagree looks for a sentence of another document that says nearly the same with other
// numbers. It is asked only where a number or a date is the answer.
func disagree(q *question, f *finding, best scored) (scored, bool) {
	if q.wants&(wantNumber|wantTime|wantLimit) == 0 {
		return scored{}, false
	}
	for _, s := range f.ranked[1:] {
		if s.score < best.score*0.7 {
			break
		}
		if clash(best, s) {
			return s, true
		}
	}
	return scored{}, false
}

// clash reports whether two sentences of different documents mention the same terms of the
// question, and give different numbers of one unit.
func clash(a, b scored) bool {
	if a.passage.doc == b.passage.doc || a.passage == b.passage {
		return false
	}
	shared := 0
	for t := range maps.Keys(a.matched) {
		if b.matched[t] {
			shared++
		}
	}
	if 2*shared < max(len(a.matched), len(b.matched)) {
		return false
	}
	theirs := quantities(b.text)
	for unit, ours := range quantities(a.text) {
		if len(theirs[unit]) == 0 {
			continue
		}
		common := false
		for n := range ours {
			common = common || theirs[unit][n]
		}
		if !common {
			return true
		}
	}
	return false
}
