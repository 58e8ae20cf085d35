package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// writings are the ways in which people write a day.
var writings = []struct {
	name  string
	write func(y, m, d int) string
}{
	{"iso", func(y, m, d int) string { return fmt.Sprintf("%04d-%02d-%02d", y, m, d) }},
	{"slashes", func(y, m, d int) string { return fmt.Sprintf("%d/%d/%d", y, m, d) }},
	{"points", func(y, m, d int) string { return fmt.Sprintf("%d.%02d.%02d", y, m, d) }},
	{"chinese", func(y, m, d int) string { return fmt.Sprintf("%d年%d月%d日", y, m, d) }},
	{"chinese with spaces", func(y, m, d int) string { return fmt.Sprintf("%d 年 %d 月 %d 日", y, m, d) }},
	{"chinese words", func(y, m, d int) string { return digitWords(y) + "年" + spellSmall(m) + "月" + spellSmall(d) + "日" }},
	{"american", func(y, m, d int) string { return fmt.Sprintf("%s %d, %d", englishMonths[m-1], d, y) }},
	{"american, short", func(y, m, d int) string { return fmt.Sprintf("%s %d, %d", englishMonths[m-1][:3], d, y) }},
	{"british", func(y, m, d int) string { return fmt.Sprintf("%d %s %d", d, englishMonths[m-1], y) }},
	{"ordinal", func(y, m, d int) string { return fmt.Sprintf("%d%s of %s %d", d, suffix(d), englishMonths[m-1], y) }},
	{"shouted", func(y, m, d int) string { return strings.ToUpper(fmt.Sprintf("%d %s %d", d, englishMonths[m-1], y)) }},
}

var englishMonths = strings.Fields("January February March April May June July August September October November December")

func digitWords(n int) string {
	var out strings.Builder
	for _, c := range fmt.Sprint(n) {
		out.WriteRune([]rune("〇一二三四五六七八九")[c-'0'])
	}
	return out.String()
}

func spellSmall(n int) string {
	digits := []rune("零一二三四五六七八九")
	switch {
	case n < 10:
		return string(digits[n])
	case n == 10:
		return "十"
	case n < 20:
		return "十" + string(digits[n-10])
	case n%10 == 0:
		return string(digits[n/10]) + "十"
	}
	return string(digits[n/10]) + "十" + string(digits[n%10])
}

func suffix(d int) string {
	switch {
	case d/10 == 1:
		return "th"
	case d%10 == 1:
		return "st"
	case d%10 == 2:
		return "nd"
	case d%10 == 3:
		return "rd"
	}
	return "th"
}

func TestEveryDayHasOneTermInEveryWriting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y, m, d := rapid.IntRange(1000, 9999).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 31).Draw(t, "day")
		w := rapid.SampledFrom(writings).Draw(t, "writing")
		frame := rapid.SampledFrom([]string{"%s", "自%s起施行", "Effective %s.", "(%s)", "于 %s，", "from %s to the end"}).Draw(t, "frame")
		text := fmt.Sprintf(frame, w.write(y, m, d))
		day, month := fmt.Sprintf("%04d-%02d-%02d", y, m, d), fmt.Sprintf("%04d-%02d", y, m)
		if got := ofKind(everyone.Tokens(text), Date); !slices.Equal(got, []string{day, month}) {
			t.Fatalf("%s (%s) gave %q, want %s and its month", text, w.name, got, day)
		}
	})
}

func TestADateStandsAtItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"自二〇二三年五月一日起":          "二〇二三年五月一日",
		"until May 1st, 2023.": "May 1st, 2023",
		"see 2023-05-01T10:00": "",
		"号码2023.5.1，":          "2023.5.1",
		"Ｍａｙ　２０２３":             "Ｍａｙ　２０２３",
	} {
		got := ""
		for _, k := range everyone.Tokens(text) {
			if k.Kind == Date {
				got = string([]rune(text)[k.Span[0]:k.Span[1]])
				break
			}
		}
		if got != want {
			t.Errorf("%q has its date at %q, want %q", text, got, want)
		}
	}
}
