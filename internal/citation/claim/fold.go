package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/clock"
	"github.com/kaoju/kaoju/internal/citation/claim/hours"
	"github.com/kaoju/kaoju/internal/citation/claim/paraphrase"
	"github.com/kaoju/kaoju/internal/citation/claim/weekday"
)

// fold writes a text as claims and excerpts are compared: in one width and case, with denials in full, and with
// temperatures, days, periods and what says the very same in one form whatever the language.
func fold(text string) string { return hours.Plain(foldButClosed(clock.Dates(text))) }

// foldButClosed is fold, but for the days on which something is said to be closed.
func foldButClosed(text string) string {
	return periods(weekday.Plain(temperatures(paraphrase.Plain(plainDenials(withoutFrame(analysis.Fold(text)))))))
}

var (
	contracted = regexp.MustCompile(`\b(ca|wo|sha|[a-z]+)n['’]t\b`)
	noLonger   = regexp.MustCompile(`\bno longer\b(?: than)?|\bnot (\w+ )?any ?(?:more|longer)\b(?: than)?`)
	// deniedList is a list of which a denial before it denies each: "never in code, tickets or chat".
	deniedList = regexp.MustCompile(`\b(?:never|not|without)(?: [a-z'’-]+){1,4}(?:, [a-z'’-]+(?: [a-z'’-]+){0,3}){1,6},? or `)
	inFull     = map[string]string{"ca": "can not", "wo": "will not", "sha": "shall not"}
)

var (
	leftOut   = regexp.MustCompile(`(^|[,，;；。 ])([但而])?(\p{Han}{1,8}?)(?:均|都)?(?:除外|不在(?:其内|其中|内|此内|此列|其列|之列|\p{Han}{0,4}范围之?内))`)
	trueFrame = regexp.MustCompile(`^it(?: is|['’]s) (?:indeed )?(?:true|correct|right|a fact|the case) that `)
)

// withoutFrame takes off a sentence that it is true, and writes what is left out before its denial.
func withoutFrame(folded string) string {
	if strings.Contains(folded, "除外") || strings.Contains(folded, "不在") {
		folded = leftOut.ReplaceAllString(folded, "${1}${2}不含$3")
	}
	return trueFrame.ReplaceAllString(folded, "")
}

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

// monthPieces are pieces of the names of months. Most sentences hold none, and looking for pieces takes less time than for names.
var monthPieces = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// holdsAny reports whether a text holds one of some pieces.
func holdsAny(text string, pieces []string) bool {
	return slices.ContainsFunc(pieces, func(piece string) bool { return strings.Contains(text, piece) })
}

var (
	monthRange    = regexp.MustCompile(`\b(?:from )?(` + months + `)` + weekday.UpTo + `(` + months + `)(?:([\s,.;:!?)]|$)|\b)`)
	hanMonthRange = regexp.MustCompile(`(\d{1,2}|[一二三四五六七八九十]{1,2})月?份?` + weekday.UpTo + `(\d{1,2}|[一二三四五六七八九十]{1,2})月(份?[^\d一二三四五六七八九十]|$)`)
	hanDateRange  = regexp.MustCompile(`((?:\d{4}年)?\s?\d{1,2}月)(\d{1,2})[日号]?` + weekday.UpTo + `(\d{1,2})([日号])`)
	dayFirstRange = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?` + weekday.UpTo + `(\d{1,2})(?:st|nd|rd|th)? ((?:` + months + `)(?:,? \d{4})?)\b`)
	dayLastRange  = regexp.MustCompile(`\b(` + months + `) (\d{1,2})(?:st|nd|rd|th)?\s?[-–—~]\s?(\d{1,2})((?:,? \d{4})?)\b`)
)

// periods writes both ends of a period in full: 5月1日至5日 ends on 5月5日.
func periods(folded string) string {
	if strings.ContainsRune(folded, '月') {
		folded = hanDateRange.ReplaceAllString(folded, "$1${2}日至$1$3$4")
		folded = hanMonthRange.ReplaceAllString(folded, "${1}月至${2}月$3")
	}
	if !holdsAny(folded, monthPieces) {
		return folded
	}
	folded = dayFirstRange.ReplaceAllString(folded, "$1 $3 to $2 $3")
	folded = dayLastRange.ReplaceAllString(folded, "$1 $2$4 to $1 $3$4")
	return monthRange.ReplaceAllString(folded, "from $1 until $2$3")
}
