// Package wording writes texts as they are compared and cuts them into words.
//
// A text is folded first: one width and case, denials in full, periods, days and temperatures in one form whatever
// the language. All other packages of the check read folded texts, and take clauses, words and names from here. It
// knows nothing of what a text says.
package wording

import (
	"regexp"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/clock"
	"github.com/kaoju/kaoju/internal/citation/claim/hours"
	"github.com/kaoju/kaoju/internal/citation/claim/paraphrase"
	"github.com/kaoju/kaoju/internal/citation/claim/weekday"
)

// Fold writes a text as claims and excerpts are compared: in one width and case, with denials in full, and with
// temperatures, days, periods and what says the very same in one form whatever the language.
func Fold(text string) string { return hours.Plain(FoldButClosed(clock.Dates(text))) }

// FoldButClosed is Fold, but for the days on which something is said to be closed.
func FoldButClosed(text string) string {
	return periods(weekday.Plain(temperatures(paraphrase.Plain(plainDenials(withoutFrame(analysis.Fold(text)))))))
}

// withoutFrame takes off a sentence that it is true, and writes what is left out before its denial.
func withoutFrame(folded string) string {
	if strings.Contains(folded, "除外") || strings.Contains(folded, "不在") {
		folded = leftOut.ReplaceAllString(folded, "${1}${2}不含$3")
	}
	return trueFrame.ReplaceAllString(folded, "")
}

var (
	leftOut   = regexp.MustCompile(`(^|[,，;；。 ])([但而])?(\p{Han}{1,8}?)(?:均|都)?(?:除外|不在(?:其内|其中|内|此内|此列|其列|之列|\p{Han}{0,4}范围之?内))`)
	trueFrame = regexp.MustCompile(`^it(?: is|['’]s) (?:indeed )?(?:true|correct|right|a fact|the case) that `)
)

// plainDenials writes "isn't" as "is not", and "no longer" as "not": what ended is not so. With "than" it is a bound.
func plainDenials(folded string) string {
	if strings.Contains(folded, "n't") || strings.Contains(folded, "n’t") {
		folded = contracted.ReplaceAllStringFunc(folded, func(s string) string {
			stem := contracted.FindStringSubmatch(s)[1]
			if full, ok := inFull[stem]; ok {
				return full
			}
			return stem + " not"
		})
	}
	if strings.Contains(folded, "longer") || strings.Contains(folded, "more") {
		folded = noLonger.ReplaceAllStringFunc(folded, func(s string) string {
			if strings.HasSuffix(s, " than") {
				return s
			}
			return strings.TrimSpace("not " + noLonger.FindStringSubmatch(s)[1])
		})
	}
	if strings.Contains(folded, " or ") {
		folded = deniedList.ReplaceAllStringFunc(folded, func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, ", or ", " or "), ", ", " or ") })
	}
	return strings.ReplaceAll(folded, "不再", "不")
}

var (
	contracted = regexp.MustCompile(`\b(ca|wo|sha|[a-z]+)n['’]t\b`)
	noLonger   = regexp.MustCompile(`\bno longer\b(?: than)?|\bnot (\w+ )?any ?(?:more|longer)\b(?: than)?`)
	// deniedList is a list of which a denial before it denies each: "never in code, tickets or chat".
	deniedList = regexp.MustCompile(`\b(?:never|not|without)(?: [a-z'’-]+){1,4}(?:, [a-z'’-]+(?: [a-z'’-]+){0,3}){1,6},? or `)
	inFull     = map[string]string{"ca": "can not", "wo": "will not", "sha": "shall not"}
)
