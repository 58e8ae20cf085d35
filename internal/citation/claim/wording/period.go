package wording

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/weekday"
)

// Months matches the name of a month in folded English, in full or cut short. It groups nothing.
const Months = `jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|aug(?:ust|\.)?|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?`

// monthPieces are pieces of the names of months. Most sentences hold none, and looking for pieces takes less time than for names.
var monthPieces = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// holdsAny reports whether a text holds one of some pieces.
func holdsAny(text string, pieces []string) bool {
	return slices.ContainsFunc(pieces, func(piece string) bool { return strings.Contains(text, piece) })
}

var (
	monthRange    = regexp.MustCompile(`\b(?:from )?(` + Months + `)` + weekday.UpTo + `(` + Months + `)(?:([\s,.;:!?)]|$)|\b)`)
	hanMonthRange = regexp.MustCompile(`(\d{1,2}|[一二三四五六七八九十]{1,2})月?份?` + weekday.UpTo + `(\d{1,2}|[一二三四五六七八九十]{1,2})月(份?[^\d一二三四五六七八九十]|$)`)
	hanDateRange  = regexp.MustCompile(`((?:\d{4}年)?\s?\d{1,2}月)(\d{1,2})[日号]?` + weekday.UpTo + `(\d{1,2})([日号])`)
	dayFirstRange = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?` + weekday.UpTo + `(\d{1,2})(?:st|nd|rd|th)? ((?:` + Months + `)(?:,? \d{4})?)\b`)
	dayLastRange  = regexp.MustCompile(`\b(` + Months + `) (\d{1,2})(?:st|nd|rd|th)?\s?[-–—~]\s?(\d{1,2})((?:,? \d{4})?)\b`)
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
