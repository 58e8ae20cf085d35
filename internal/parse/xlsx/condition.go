package xlsx

import (
	"strconv"
	"strings"
)

// conditional is a section of a format's code with a condition, such as [>=1000].
type conditional struct {
	operator string
	bound    float64
	format   format
}

func (c conditional) holds(v float64) bool {
	switch c.operator {
	case "<":
		return v < c.bound
	case "<=":
		return v <= c.bound
	case ">":
		return v > c.bound
	case ">=":
		return v >= c.bound
	case "<>":
		return v != c.bound
	}
	return v == c.bound
}

// mostSections bounds those of a code that are read: a code has four at most.
const mostSections = 4

// conditions reads the sections of a code that have conditions, and returns the first one that has none, which is for all
// other numbers; false if no section has a condition.
func conditions(code string) (cases []conditional, rest string, ok bool) {
	for n := 0; n < mostSections && code != ""; n++ {
		section, after := cutSection(code)
		code = after
		operator, bound, plain, ok := condition(section)
		switch {
		case ok:
			cases = append(cases, conditional{operator, bound, newFormat(plain)})
		case len(cases) > 0 && rest == "" || n == 0:
			rest = section
		}
	}
	return cases, rest, len(cases) > 0
}

// cutSection parts a code at the end of its first section.
func cutSection(code string) (section, after string) {
	quoted := false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '\\' && !quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == ';' && !quoted:
			return code[:i], code[i+1:]
		}
	}
	return code, ""
}

// condition takes the condition out of a section.
func condition(section string) (operator string, bound float64, plain string, ok bool) {
	for from := 0; ; {
		open := strings.IndexByte(section[from:], '[')
		if open < 0 {
			return "", 0, "", false
		}
		open += from
		end := strings.IndexByte(section[open:], ']')
		if end < 0 {
			return "", 0, "", false
		}
		inside := section[open+1 : open+end]
		operator = inside[:len(inside)-len(strings.TrimLeft(inside, "<>="))]
		if v, err := strconv.ParseFloat(strings.TrimSpace(inside[len(operator):]), 64); operator != "" && err == nil {
			return operator, v, section[:open] + section[open+end+1:], true
		}
		from = open + end
	}
}
