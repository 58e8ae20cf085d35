package coverage

import (
	"regexp"
	"strconv"
	"strings"
)

// period is how often something is so, or for how long each time: one of a unit, or several.
type period struct {
	days, months int // 0 of one of them
	written      string
}

func (p period) is(o period) bool { return p.days == o.days && p.months == o.months }

var (
	enEvery = regexp.MustCompile(`\b(?:(?:per|each|a|an|every|once an?|once every|once per) (?:(other|\d+|two|three|four|five|six|eight|nine|ten|twelve|eighteen) )?(?:calendar )?(day|night|week|month|quarter|year)s?|` +
		`(daily|weekly|fortnightly|biweekly|monthly|quarterly|semiannual(?:ly)?|biannual(?:ly)?|annual(?:ly)?|yearly|nightly))\b`)
	hanEvery = regexp.MustCompile(`(?:每隔?|按|/)\s*(半|\d+|[一二两三四五六七八九十]+)?\s*个?\s*(半年|自然年|年度|年|季度|季|月度|月|周|星期|天|日)(?:一次)?|(月|年|季度|周|日)(?:度)?(?:租金|租费|薪|租|均|缴|付|结|可用性)`)
	small    = map[string]int{"one": 1, "other": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "eighteen": 18,
		"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "十二": 12, "十八": 18}
	unitDays   = map[string]int{"day": 1, "night": 1, "daily": 1, "nightly": 1, "week": 7, "weekly": 7, "fortnightly": 14, "biweekly": 14, "天": 1, "日": 1, "周": 7, "星期": 7}
	unitMonths = map[string]int{"month": 1, "monthly": 1, "quarter": 3, "quarterly": 3, "year": 12, "yearly": 12, "annual": 12, "annually": 12,
		"semiannual": 6, "semiannually": 6, "biannual": 6, "biannually": 6, "月": 1, "月度": 1, "季": 3, "季度": 3, "年": 12, "年度": 12, "自然年": 12, "半年": 6}
)

// lengths stand before a length of time that looks like a period: "within a year".
var lengths = regexp.MustCompile(`(?:within|after|for|in|than|least|of|last|lasts|over|about|half|within the)\s*$`)

// counted stands before a unit that is counted: 第一年租金.
var counted = regexp.MustCompile(`[\d一二三四五六七八九十首头半]$`)

// byDate is a date that something is done by, which looks like a period: 按10月12日.
var byDate = regexp.MustCompile(`^按\s*\d+\s*[年月]\s*\d`)

// Recurs reports whether a folded text says how often something is so.
func Recurs(folded string) bool {
	found, _ := periods(folded)
	return len(found) > 0
}

// periods returns how often a text says that things are, and the text without that.
func periods(folded string) ([]period, string) {
	var out []period
	for _, re := range [...]*regexp.Regexp{enEvery, hanEvery} {
		var rest strings.Builder
		at := 0
		for _, loc := range re.FindAllStringIndex(folded, -1) {
			s := folded[loc[0]:loc[1]]
			p, kept, ok := periodOf(re.FindStringSubmatch(s))
			if !ok || byDate.MatchString(folded[loc[0]:]) || kept != "" && counted.MatchString(folded[:loc[0]]) || strings.HasPrefix(s, "a") && lengths.MatchString(folded[:loc[0]]) {
				continue
			}
			out = append(out, p)
			rest.WriteString(folded[at:loc[0]] + " " + kept + " ")
			at = loc[1]
		}
		folded = rest.String() + folded[at:]
	}
	return out, folded
}

// periodOf makes a period of its written parts, and returns what stays: what is paid by the month.
func periodOf(m []string) (p period, kept string, ok bool) {
	count, unit, n := m[1], m[2]+m[3], 1
	switch v, err := strconv.Atoi(count); {
	case err == nil:
		n = v
	case count == "半" && unit == "年":
		unit = "半年"
	case count != "":
		n = small[count]
	}
	if m[3] != "" {
		kept = strings.TrimPrefix(m[0], m[3])
	}
	p = period{days: n * unitDays[unit], months: n * unitMonths[unit], written: strings.TrimSpace(m[0])}
	return p, kept, p.days+p.months > 0
}
