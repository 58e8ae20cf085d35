package rules

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
)

// amount is a sum of money that a question names. Rules are often written for ranges, so that no
// text says "50,000" where a row reads "30,000 to 200,000".
type amount struct{ value float64 }

// amountKey is the term under which a sum is looked for; no text has it.
const amountKey = "\x00amount"

const (
	digits = `([0-9][0-9,]*(?:\.[0-9]+)?)\s*(万|千|亿|百万)?`
	money  = `(?:元|块钱?|人民币|yuan|rmb|cny)`
)

var (
	amountForm = regexp.MustCompile(`(?i)` + digits + `\s*` + money)
	rangeForm  = regexp.MustCompile(`(?i)` + digits + `\s*` + money + `?\s*(?:至|到|~|～|—|–|-|to)\s*` + digits + `\s*` + money)
	belowForm  = regexp.MustCompile(`(?i)` + digits + `\s*` + money + `\s*(?:及|\(含\)|（含）)?(?:以下|以内|之内|or less|and below)|(?:低于|不超过|不足|小于|未满|below|under|up to|less than)\s*` + digits + `\s*` + money)
	aboveForm  = regexp.MustCompile(`(?i)` + digits + `\s*` + money + `\s*(?:及|\(含\)|（含）)?(?:以上|or more|and above)|(?:超过|高于|大于|不低于|above|over|more than)\s*` + digits + `\s*` + money)
)

// parseAmount reads the digits and the Chinese multiplier of a match.
func parseAmount(number, multiplier string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	if err != nil {
		return 0, false
	}
	return v * map[string]float64{"": 1, "千": 1e3, "万": 1e4, "百万": 1e6, "亿": 1e8}[multiplier], true
}

// namedAmount returns the sum that a question names, and where it stands in bytes.
func namedAmount(text string) (amount, []int, bool) {
	m := amountForm.FindStringSubmatchIndex(text)
	if m == nil {
		return amount{}, nil, false
	}
	multiplier := ""
	if m[4] >= 0 {
		multiplier = text[m[4]:m[5]]
	}
	v, ok := parseAmount(text[m[2]:m[3]], multiplier)
	return amount{v}, m[:2], ok
}

// covers reports whether a text names the sum or a range that holds it.
func (a amount) covers(text string) bool {
	text = analysis.Fold(text)
	ranges := rangeForm.FindAllStringSubmatch(text, -1)
	for _, m := range ranges {
		low, _ := parseAmount(m[1], m[2])
		high, _ := parseAmount(m[3], m[4])
		if m[2] == "" && m[4] != "" && low < high {
			low, _ = parseAmount(m[1], m[4])
		}
		if low <= a.value && a.value <= high {
			return true
		}
	}
	if len(ranges) > 0 {
		return false
	}
	if v, ok := bound(belowForm, text); ok {
		return a.value <= v
	}
	if v, ok := bound(aboveForm, text); ok {
		return a.value >= v
	}
	for _, m := range amountForm.FindAllStringSubmatch(text, -1) {
		if v, ok := parseAmount(m[1], m[2]); ok && v == a.value {
			return true
		}
	}
	return false
}

// bound reads the one limit that a form names.
func bound(form *regexp.Regexp, text string) (float64, bool) {
	m := form.FindStringSubmatch(text)
	switch {
	case m == nil:
		return 0, false
	case m[1] != "":
		return parseAmount(m[1], m[2])
	}
	return parseAmount(m[3], m[4])
}
