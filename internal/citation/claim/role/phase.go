package role

import (
	"regexp"
	"slices"
)

var (
	// during and over are whether a time goes on or has passed: "on probation", "after their probation", 试用期内, 试用期满.
	during = regexp.MustCompile(`\b(?:on|in|during|within)(?: the| their| his| her| its| an?)? ([a-z]+)|(\p{Han}{2}期)(?:以?内|期?间)`)
	over   = regexp.MustCompile(`\b(?:pass(?:ed)?|complet(?:ed?|ing)|finish(?:ed|ing)?|after|past|since)(?: the| their| his| her| its| an?)? ([a-z]+)|(\p{Han}{2}期)(?:满|以?后|结束|届满|之后)`)
)

// OtherPhase reports whether a claim says of a time what a sentence says of that before or after it.
func OtherPhase(claim, sentence string) bool {
	names := func(re *regexp.Regexp, text, word string) bool {
		return slices.ContainsFunc(re.FindAllStringSubmatch(text, -1), func(m []string) bool { return m[1]+m[2] == word })
	}
	for _, pair := range [][2]*regexp.Regexp{{during, over}, {over, during}} {
		for _, m := range pair[0].FindAllStringSubmatch(claim, -1) {
			if word := m[1] + m[2]; names(pair[1], sentence, word) && !names(pair[0], sentence, word) {
				return true
			}
		}
	}
	return false
}
