package wording

import (
	"regexp"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/weekday"
)

// Names returns what a sentence calls by name: words of Latin letters with a capital that do not
// begin it, and what stands in quotation marks or 《》.
func Names(sentence string) []string {
	var out []string
	for _, loc := range Capital.FindAllStringIndex(sentence, -1) {
		before := strings.TrimRight(sentence[:loc[0]], " \t\"'“‘(")
		if before != "" && !strings.ContainsAny(before[len(before)-1:], ".!?:") {
			if n := analysis.Fold(sentence[loc[0]:loc[1]]); !noName.MatchString(n) {
				out = append(out, n)
			}
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(sentence, -1) {
		out = append(out, strings.TrimSpace(analysis.Fold(m[1])))
	}
	return out
}

var (
	// noName are words of English that have a capital and name nothing that a text need hold as it is.
	noName = regexp.MustCompile(`^(?:` + Months + `|` + weekday.Short + `|` + weekday.Any + `s?|celsius|centigrade|fahrenheit)$`)
	// Capital matches words of Latin letters with a capital.
	Capital = regexp.MustCompile(`\b\p{Lu}[\p{L}]{2,}`)
	quoted  = regexp.MustCompile(`[《“「『]([^》”」』]{2,40})[》”」』]`)
)
