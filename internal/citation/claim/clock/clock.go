// Package clock reads times of day in a text, and writes dates in one way.
//
// A time is read with the part of the day that stands before it or behind: 下午2点, 5:30 pm, 14:00. Without one, an hour that
// is no time by its form ("2点", "at 9") is left alone, since it may be a count or a place in a list.
package clock

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	part  = `凌晨|清晨|早上|早晨|上午|中午|下午|午后|傍晚|晚上|夜间|晚`
	exact = `(?:点钟?|时)(?:整|(半)|(\d{1,2})分)?|:(\d\d)`
)

var (
	// spaced is a blank between a number and a unit of a date.
	spacedUnit   = regexp.MustCompile(`(\d)\s+([年月日号])`)
	spacedNumber = regexp.MustCompile(`([年月])\s+(\d)`)
	// hanTime is a time with the part of the day, and the end of a period that shares it.
	hanTime = regexp.MustCompile(`(` + part + `)\s*(\d{1,2})\s?(?:` + exact + `)(?:\s*[-–—~～至到]+\s*(\d{1,2})\s?(?:` + exact + `))?`)
	enTime  = regexp.MustCompile(`\b(\d{1,2})(?:[:.](\d\d))?\s?([ap])\.?m\b\.?`)
	plain   = regexp.MustCompile(`\b(\d{1,2}):(\d\d)(?:\s?(?:hrs|h)\b)?`)
	oclock  = regexp.MustCompile(`(?:^|[^\d.:第])(\d{1,2})点(?:钟|整)`)
)

// Dates writes the dates of a text without blanks inside: 2026 年 3 月 1 日.
func Dates(text string) string {
	if !strings.ContainsAny(text, "年月") {
		return text
	}
	return spacedNumber.ReplaceAllString(spacedUnit.ReplaceAllString(text, "$1$2"), "$1$2")
}

// Times takes the times of day out of a folded text with numbers in digits, and tells of each as HH:MM with what stands
// before it. The part of the day stays.
func Times(text string, found func(time, before string)) string {
	if !strings.ContainsAny(text, ":点时m") {
		return text
	}
	take := func(re *regexp.Regexp, read func(m []string) (times []string, stays string)) {
		var rest strings.Builder
		at := 0
		for _, loc := range re.FindAllStringIndex(text, -1) {
			times, stays := read(re.FindStringSubmatch(text[loc[0]:loc[1]]))
			if len(times) == 0 {
				continue
			}
			for _, time := range times {
				found(time, text[:loc[0]])
			}
			rest.WriteString(text[at:loc[0]] + stays + " ")
			at = loc[1]
		}
		text = rest.String() + text[at:]
	}
	take(hanTime, func(m []string) ([]string, string) {
		out := at(m[2], m[3], m[4]+m[5], m[1])
		if len(out) > 0 && m[6] != "" {
			out = append(out, at(m[6], m[7], m[8]+m[9], m[1])...)
		}
		return out, m[1]
	})
	take(enTime, func(m []string) ([]string, string) { return at(m[1], "", m[2], m[3]), "" })
	take(plain, func(m []string) ([]string, string) { return at(m[1], "", m[2], ""), "" })
	take(oclock, func(m []string) ([]string, string) {
		return at(m[1], "", "", ""), strings.TrimRight(m[0], "0123456789点钟整")
	})
	return text
}

// at is a time of its written parts; none if it can't be one.
func at(hour, half, minutes, part string) []string {
	h, err := strconv.Atoi(hour)
	if err != nil || h > 24 {
		return nil
	}
	m := 0
	if minutes != "" {
		if m, err = strconv.Atoi(minutes); err != nil || m > 59 {
			return nil
		}
	}
	if half != "" {
		m = 30
	}
	switch part {
	case "下午", "午后", "傍晚", "晚上", "夜间", "晚", "p":
		if h < 12 {
			h += 12
		}
	case "中午":
		if h < 3 {
			h += 12
		}
	case "a":
		h %= 12
	}
	return []string{fmt.Sprintf("%02d:%02d", h, m)}
}
