// Package numeral writes the numbers of lists as they are printed, by the names that word processing has for their forms.
package numeral

import (
	"strconv"
	"strings"
)

// Of writes a number in a format. One that is not known here is written in decimal.
func Of(n int, format string) string {
	switch format {
	case "none", "bullet":
		return ""
	case "decimalZero":
		if n >= 0 && n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case "lowerLetter":
		return letters(n, 'a')
	case "upperLetter":
		return letters(n, 'A')
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperRoman":
		return roman(n)
	case "ordinal":
		return strconv.Itoa(n) + ordinal(n)
	case "decimalEnclosedCircle", "decimalEnclosedCircleChinese":
		if n >= 1 && n <= 20 {
			return string(rune('①' + n - 1))
		}
	case "decimalFullWidth":
		return strings.Map(func(r rune) rune { return r - '0' + '０' }, strconv.Itoa(max(n, 0)))
	case "chineseCounting", "chineseCountingThousand", "japaneseCounting", "taiwaneseCounting", "taiwaneseCountingThousand":
		return chinese(n)
	case "chineseLegalSimplified":
		return strings.Map(legal, chinese(n))
	case "ideographDigital", "taiwaneseDigital", "japaneseDigitalTenThousand":
		return strings.Map(func(r rune) rune { return []rune("〇一二三四五六七八九")[r-'0'] }, strconv.Itoa(max(n, 0)))
	case "ideographTraditional":
		return cycle(n, "甲乙丙丁戊己庚辛壬癸")
	case "ideographZodiac":
		return cycle(n, "子丑寅卯辰巳午未申酉戌亥")
	}
	return strconv.Itoa(n)
}

func cycle(n int, signs string) string {
	runes := []rune(signs)
	if n < 1 || n > len(runes) {
		return strconv.Itoa(n)
	}
	return string(runes[n-1])
}

// letters counts a, b … z, aa, bb: Word repeats the letter.
func letters(n int, first rune) string {
	if n < 1 || n > 26*20 {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(first+rune((n-1)%26)), (n-1)/26+1)
}

func ordinal(n int) string {
	if n%100 >= 11 && n%100 <= 13 {
		return "th"
	}
	switch n % 10 {
	case 1:
		return "st"
	case 2:
		return "nd"
	case 3:
		return "rd"
	}
	return "th"
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, s := range []struct {
		value int
		sign  string
	}{
		{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"},
		{10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"},
	} {
		for ; n >= s.value; n -= s.value {
			b.WriteString(s.sign)
		}
	}
	return b.String()
}

// chinese writes a number up to 9999 as it is counted: 十二, 一百零五.
func chinese(n int) string {
	if n < 0 || n > 9999 {
		return strconv.Itoa(n)
	}
	digits, units := []rune("零一二三四五六七八九"), []string{"", "十", "百", "千"}
	if n == 0 {
		return "零"
	}
	out, gap := "", false
	for i, unit := 3, 1000; i >= 0; i, unit = i-1, unit/10 {
		d := n / unit % 10
		switch {
		case d == 0:
			gap = out != ""
			continue
		case gap:
			out += "零"
			gap = false
		}
		if d != 1 || i != 1 || out != "" {
			out += string(digits[d])
		}
		out += units[i]
	}
	return out
}

func legal(r rune) rune {
	plain, formal := []rune("一二三四五六七八九十百千"), []rune("壹贰叁肆伍陆柒捌玖拾佰仟")
	for i := range plain {
		if plain[i] == r {
			return formal[i]
		}
	}
	return r
}
