package wording

import (
	"regexp"
	"strings"
)

// hyphened is a temperature behind a hyphen, which makes it one below zero, or with a number before that a range.
var hyphened = regexp.MustCompile(`(\d|°\s?[cf]|度|degrees|celsius|centigrade|fahrenheit)?(\s*)[-−–]\s?(\d+(?:\.\d+)?\s?(?:°\s?[cf]\b|摄氏|华氏|degrees?\b|celsius|centigrade|fahrenheit))`)

// frost is a number of degrees below zero in Chinese.
var frost = regexp.MustCompile(`零下\s?(\d)`)

// temperatures writes out which temperatures are below zero.
func temperatures(folded string) string {
	folded = frost.ReplaceAllString(folded, "minus $1")
	if !strings.ContainsAny(folded, "-−–") {
		return folded
	}
	return hyphened.ReplaceAllStringFunc(folded, func(s string) string {
		m := hyphened.FindStringSubmatch(s)
		if m[1] == "" {
			return m[2] + "minus " + m[3]
		}
		return m[1] + " - " + m[3]
	})
}
