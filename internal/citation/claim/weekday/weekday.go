// Package weekday writes the days of the week in one form, whatever the language, before texts are compared.
package weekday

import (
	"regexp"
	"slices"
	"strings"
)

// dayPieces are pieces of the names of days. Most sentences hold none, and looking for pieces takes less time than for names.
var dayPieces = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// days are the days of the week, as both languages are compared by.
var days = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

const (
	// Short matches the names of days in short.
	Short = `mon|tues?|wed|thu(?:rs?)?|fri|sat|sun`
	// Any matches the names of days in full.
	Any = `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)`
	// longUnit and manyUnit are what is counted: in words that no day stands before, and in what a larger number does.
	longUnit = `小时|分钟|课时|学时|公里|公斤|千克|千米|美元|欧元|日元|英镑`
	manyUnit = longUnit + `|[次个篇份遍回趟天元块人名位件页字台辆吨克升米本批单箱条家户节门封张]`
	// UpTo matches what stands between both ends of a range.
	UpTo = `\s*(?:[-–—~～至到]|\b(?:to|till|until|through|thru)\b)\s*`
)

var (
	hanDay = regexp.MustCompile(`(?:星期|礼拜|周)([一二三四五六日天])`)
	// hanDayRest is the rest of a range of which the second day is written short: 周一至五.
	hanDayRest = regexp.MustCompile(`(` + Any + ` )\s*([-–—~～至到、和及])\s*([一二三四五六日])`)
	// notDay is what looks like a day and is none, from its numeral on: 每周一次, 周日程, 每周三天, 每周四十小时, 每周二至三次.
	// No number begins with 一十, so 周一十人 is a day, and 周一十点 has no amount.
	notDay = regexp.MustCompile(`^.(?:[次个篇份期遍回趟级程报志记刊号月点度些致直]|天(?:[^气]|$)|日制|元(?:[^旦宵]|$)|块钱|` + longUnit + `)|` +
		`^(?:[二三四五六]十|[一二三四五六][百千万])[一二三四五六七八九十百千万零]*[多余几]?(?:` + manyUnit + `)|^.\s*[-–—~～至到]\s*[一二三四五六七八九十百千万]+(?:` + manyUnit + `)`)
	// notRest is the same of a day that is written short, of which a range may be no range of days: 周一至五日.
	notRest = regexp.MustCompile(notDay.String() + `|^.[天日年]`)
	// shortDays are days in short, which are words of another meaning where they stand alone.
	shortDays = regexp.MustCompile(`\b(?:` + Short + `)\b\.?(?:(?:` + UpTo + `|\s*(?:,|&|/|,? and|,? or)\s*)\b(?:` + Short + `)\b\.?)+|` + Any + UpTo + `(?:` + Short + `)\b`)
	oneDay    = regexp.MustCompile(`\b(` + Short + `)\b\.?`)
	dayRange  = regexp.MustCompile(`(` + Any + `)` + UpTo + `(` + Any + `)`)
)

// Plain writes the days of the week in one form.
func Plain(folded string) string {
	if strings.ContainsAny(folded, "周期拜") {
		folded = hanDays(folded)
	}
	if !slices.ContainsFunc(dayPieces, func(piece string) bool { return strings.Contains(folded, piece) }) {
		return folded
	}
	folded = shortDays.ReplaceAllStringFunc(folded, func(s string) string {
		return oneDay.ReplaceAllStringFunc(s, func(s string) string { return dayOf(strings.TrimSuffix(s, ".")) })
	})
	return dayRange.ReplaceAllString(folded, "$1 - $2")
}

func hanDays(folded string) string {
	folded = replaceUnless(hanDay, folded, notDay, func(m []string) string {
		return " " + days[min(strings.Index("一二三四五六日天", m[1])/len("一"), len(days)-1)] + " "
	})
	return replaceUnless(hanDayRest, folded, notRest, func(m []string) string {
		if m[2] == "、" || m[2] == "和" || m[2] == "及" {
			return m[1] + m[2] + " " + days[strings.Index("一二三四五六日", m[3])/len("一")] + " "
		}
		return m[1] + "- " + days[strings.Index("一二三四五六日", m[3])/len("一")] + " "
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
