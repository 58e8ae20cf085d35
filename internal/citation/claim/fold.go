package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/clock"
	"github.com/kaoju/kaoju/internal/citation/claim/hours"
)

// fold writes a text as claims and excerpts are compared: in one width and case, with denials in full, and with
// temperatures, days, periods and what says the very same in one form whatever the language.
func fold(text string) string { return hours.Plain(foldButClosed(clock.Dates(text))) }

// foldButClosed is fold, but for the days on which something is said to be closed.
func foldButClosed(text string) string {
	return periods(weekdays(temperatures(plainWords(plainDenials(withoutFrame(analysis.Fold(text)))))))
}

var (
	contracted = regexp.MustCompile(`\b(ca|wo|sha|[a-z]+)n['’]t\b`)
	noLonger   = regexp.MustCompile(`\bno longer\b(?: than)?|\bnot (\w+ )?any ?(?:more|longer)\b(?: than)?`)
	// deniedList is a list of which a denial before it denies each: "never in code, tickets or chat".
	deniedList = regexp.MustCompile(`\b(?:never|not|without)(?: [a-z'’-]+){1,4}(?:, [a-z'’-]+(?: [a-z'’-]+){0,3}){1,6},? or `)
	inFull     = map[string]string{"ca": "can not", "wo": "will not", "sha": "shall not"}
)

var (
	leftOut   = regexp.MustCompile(`(^|[,，;；。 ])(\p{Han}{1,8}?)(?:均|都)?除外`)
	trueFrame = regexp.MustCompile(`^it(?: is|['’]s) (?:indeed )?(?:true|correct|right|a fact|the case) that `)
)

// withoutFrame takes off a sentence that it is true, and writes what is left out before its denial.
func withoutFrame(folded string) string {
	if strings.Contains(folded, "除外") {
		folded = leftOut.ReplaceAllString(folded, "${1}不含$2")
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

var (
	// sameWords are words that say the very same, with the one that is compared.
	sameWords = strings.NewReplacer("付清", "支付", "付讫", "支付", "给付", "支付", "归还", "退还", "返还", "退还", "递交", "提交")
	// toPay is to pay, where it is no part of a longer word: 预付款, 付款期限.
	toPay     = regexp.MustCompile(`(^|[^支缴交给应预首垫代拖欠])(?:完成|进行)?付款([^项期方人条日单额金凭帐账]|$)`)
	payments  = regexp.MustCompile(`\bmak(?:es?|ing) (?:the |a )?payments?\b`)
	receiving = regexp.MustCompile(`\breceiving (the|an?|its|their|our|your)\b`)
)

// plainWords writes words that say the very same in one way.
func plainWords(folded string) string {
	if strings.ContainsAny(folded, "付还递") {
		folded = toPay.ReplaceAllString(sameWords.Replace(folded), "${1}支付$2")
	}
	if strings.Contains(folded, "payment") || strings.Contains(folded, "receiving") {
		folded = receiving.ReplaceAllString(payments.ReplaceAllString(folded, "pay"), "receipt of $1")
	}
	return folded
}

// days are the days of the week, as both languages are compared by.
var days = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

const (
	shortDay = `mon|tues?|wed|thu(?:rs?)?|fri|sat|sun`
	anyDay   = `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)`
	// longUnit and manyUnit are what is counted: in words that no day stands before, and in what a larger number does.
	longUnit = `小时|分钟|课时|学时|公里|公斤|千克|千米|美元|欧元|日元|英镑`
	manyUnit = longUnit + `|[次个篇份遍回趟天元块人名位件页字台辆吨克升米本批单箱条家户节门封张]`
	upTo     = `\s*(?:[-–—~～至到]|\b(?:to|till|until|through|thru)\b)\s*`
)

var (
	hanDay = regexp.MustCompile(`(?:星期|礼拜|周)([一二三四五六日天])`)
	// hanDayRest is the rest of a range of which the second day is written short: 周一至五.
	hanDayRest = regexp.MustCompile(`(` + anyDay + ` )\s*[-–—~～至到]\s*([一二三四五六日])`)
	// notDay is what looks like a day and is none, from its numeral on: 每周一次, 周日程, 每周三天, 每周四十小时, 每周二至三次.
	// No number begins with 一十, so 周一十人 is a day, and 周一十点 has no amount.
	notDay = regexp.MustCompile(`^.(?:[次个篇份期遍回趟级程报志记刊号月点度些致直]|天(?:[^气]|$)|日制|元(?:[^旦宵]|$)|块钱|` + longUnit + `)|` +
		`^(?:[二三四五六]十|[一二三四五六][百千万])[一二三四五六七八九十百千万零]*[多余几]?(?:` + manyUnit + `)|^.\s*[-–—~～至到]\s*[一二三四五六七八九十百千万]+(?:` + manyUnit + `)`)
	// notRest is the same of a day that is written short, of which a range may be no range of days: 周一至五日.
	notRest = regexp.MustCompile(notDay.String() + `|^.[天日年]`)
	// shortDays are days in short, which are words of another meaning where they stand alone.
	shortDays = regexp.MustCompile(`\b(?:` + shortDay + `)\b\.?(?:(?:` + upTo + `|\s*(?:,|&|/|,? and|,? or)\s*)\b(?:` + shortDay + `)\b\.?)+|` + anyDay + upTo + `(?:` + shortDay + `)\b`)
	oneDay    = regexp.MustCompile(`\b(` + shortDay + `)\b\.?`)
	dayRange  = regexp.MustCompile(`(` + anyDay + `)` + upTo + `(` + anyDay + `)`)
)

// weekdays writes the days of the week in one form.
func weekdays(folded string) string {
	if strings.ContainsAny(folded, "周期拜") {
		folded = hanDays(folded)
	}
	if !holdsAny(folded, dayPieces) {
		return folded
	}
	folded = shortDays.ReplaceAllStringFunc(folded, func(s string) string {
		return oneDay.ReplaceAllStringFunc(s, func(s string) string { return dayOf(strings.TrimSuffix(s, ".")) })
	})
	return dayRange.ReplaceAllString(folded, "$1 - $2")
}

// dayPieces and monthPieces are pieces of the names of days and months. Most sentences hold none, and looking for
// pieces takes less time than for names.
var (
	dayPieces   = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
	monthPieces = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
)

// holdsAny reports whether a text holds one of some pieces.
func holdsAny(text string, pieces []string) bool {
	return slices.ContainsFunc(pieces, func(piece string) bool { return strings.Contains(text, piece) })
}

func hanDays(folded string) string {
	folded = replaceUnless(hanDay, folded, notDay, func(m []string) string {
		return " " + days[min(strings.Index("一二三四五六日天", m[1])/len("一"), len(days)-1)] + " "
	})
	return replaceUnless(hanDayRest, folded, notRest, func(m []string) string {
		return m[1] + "- " + days[strings.Index("一二三四五六日", m[2])/len("一")] + " "
	})
}

// dayOf returns the day of a short name.
func dayOf(name string) string {
	for _, d := range days {
		if strings.HasPrefix(d, name) {
			return d
		}
	}
	return name
}

// replaceUnless replaces what an expression matches, but where another matches the text from the last group of that on.
func replaceUnless(re *regexp.Regexp, text string, unless *regexp.Regexp, by func(m []string) string) string {
	var b strings.Builder
	at := 0
	for _, loc := range re.FindAllStringSubmatchIndex(text, -1) {
		if unless.MatchString(text[loc[len(loc)-2]:]) {
			continue
		}
		var m []string
		for i := 0; i < len(loc); i += 2 {
			m = append(m, text[loc[i]:loc[i+1]])
		}
		b.WriteString(text[at:loc[0]] + by(m))
		at = loc[1]
	}
	return b.String() + text[at:]
}

var (
	monthRange    = regexp.MustCompile(`\b(?:from )?(` + months + `)` + upTo + `(` + months + `)(?:([\s,.;:!?)]|$)|\b)`)
	hanMonthRange = regexp.MustCompile(`(\d{1,2}|[一二三四五六七八九十]{1,2})月?份?` + upTo + `(\d{1,2}|[一二三四五六七八九十]{1,2})月(份?[^\d一二三四五六七八九十]|$)`)
	hanDateRange  = regexp.MustCompile(`((?:\d{4}年)?\s?\d{1,2}月)(\d{1,2})[日号]?` + upTo + `(\d{1,2})([日号])`)
	dayFirstRange = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?` + upTo + `(\d{1,2})(?:st|nd|rd|th)? ((?:` + months + `)(?:,? \d{4})?)\b`)
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
