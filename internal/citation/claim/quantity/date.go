package quantity

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

var (
	dayDate      = regexp.MustCompile(`(\d{4})(?:年|[-/.])\s?(\d{1,2})(?:月|[-/.])\s?(\d{1,2})\b?[日号]?`)
	monthDate    = regexp.MustCompile(`(\d{4})年\s?(\d{1,2})月(?:份)?`)
	yearlessDate = regexp.MustCompile(`(\d{1,2})月(\d{1,2})[日号]`)
	hanMonth     = regexp.MustCompile(`(\d{1,2})月(份|起|初|末|底|[上中下]旬)`)
	englishDay   = regexp.MustCompile(`\b(` + wording.Months + `) (\d{1,2})(?:st|nd|rd|th)?(?:\s?,?\s(\d{4}))?\b`)
	britishDay   = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?(` + wording.Months + `)(?:\s?,?\s(\d{4}))?\b`)
	englishMonth = regexp.MustCompile(`\b(` + wording.Months + `)\s?,? (?:of )?(\d{4})\b`)
	bareMonth    = regexp.MustCompile(`\b(in|on|since|until|by|from|early|late|mid) (` + wording.Months + `)(?:[\s.,;:!?)]|$)`)
)

// dates takes the dates out of a text, and tells of each with what stands before it. What it was written as
// is replaced by a blank.
func dates(text string, found func(q Quantity, before string)) string {
	take := func(re *regexp.Regexp, read func(m []string) (Quantity, bool)) {
		var rest strings.Builder
		at, begins := 0, 0
		for _, loc := range re.FindAllStringIndex(text, -1) {
			q, ok := read(re.FindStringSubmatch(text[loc[0]:loc[1]]))
			if !ok {
				continue
			}
			if at == 0 || !polarity.Shared(text[at:loc[0]], text[loc[1]:]) {
				begins = loc[0] // else what stands before the first of the list stands before all
			}
			found(q, text[:begins])
			rest.WriteString(polarity.WithoutBefore(text[at:loc[0]]) + " ")
			at = loc[1]
		}
		text = rest.String() + text[at:]
	}
	take(dayDate, func(m []string) (Quantity, bool) { return day(m[1], m[2], m[3]) })
	take(monthDate, func(m []string) (Quantity, bool) { return day(m[1], m[2], "") })
	take(yearlessDate, func(m []string) (Quantity, bool) { return day("", m[1], m[2]) })
	take(hanMonth, func(m []string) (Quantity, bool) { return day("", m[1], "") })
	take(britishDay, func(m []string) (Quantity, bool) { return day(m[3], month(m[2]), m[1]) })
	take(englishDay, func(m []string) (Quantity, bool) { return day(m[3], month(m[1]), m[2]) })
	take(englishMonth, func(m []string) (Quantity, bool) { return day(m[2], month(m[1]), "") })
	take(bareMonth, func(m []string) (Quantity, bool) { return day("", month(m[2]), "") })
	return text
}

// day makes a date of its written parts; false if it can't be one.
func day(y, m, d string) (Quantity, bool) {
	month, err := strconv.Atoi(m)
	if err != nil || month < 1 || month > 12 {
		return Quantity{}, false
	}
	value := fmt.Sprintf("-%02d", month)
	if y != "" {
		value = y + value
	} else {
		value = "-" + value
	}
	if d != "" {
		n, err := strconv.Atoi(d)
		if err != nil || n < 1 || n > 31 {
			return Quantity{}, false
		}
		value += fmt.Sprintf("-%02d", n)
	}
	return Quantity{Kind: date, Value: value}, true
}

func month(name string) string {
	return strconv.Itoa(strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", name[:3])/3 + 1)
}

// sameDay reports whether a less exact date is part of a more exact one: its month, its year, or
// its day or month without the year.
func sameDay(exact, loose string) bool {
	if bareMonthOf(loose) {
		return monthOf(exact) == monthOf(loose)
	}
	return exact == loose || strings.HasPrefix(exact, loose+"-") || loose[0] == '-' && strings.HasSuffix(exact, loose[1:])
}

// bareMonthOf reports whether a date is a month of any year: "--05".
func bareMonthOf(value string) bool { return len(value) == len("--05") && value[0] == '-' }

// monthOf returns the month of a date.
func monthOf(value string) string {
	if value[0] == '-' {
		return value[len("--"):len("--05")]
	}
	return value[len("2026-"):len("2026-05")]
}
