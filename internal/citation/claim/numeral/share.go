package numeral

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var (
	hanPercent = regexp.MustCompile(`(\d+|百|千)分之(\d+(?:\.\d+)?)`)
	// Halves matches words for a half of a whole.
	Halves = regexp.MustCompile(`\b(?:one )?half of\b|一半|半数`)
	// Fractions matches words for another part of a whole.
	Fractions = regexp.MustCompile(`\b(\d|one|a) (third|quarter|fourth|fifth|tenth)(s|\s+(?:of|by|less|more|as|to|in)\b|\s*[.,;)]|\s*$)`)
	// behindHalf is a half behind the measure of a number, 两年半, and withinHalf one before it, 两个半月.
	behindHalf = regexp.MustCompile(`([一二两三四五六七八九十]{1,3}|\b\d{1,2})(个月|个小时|年|小时|天|周|公里|吨|升|米)半([^数价天日夜径年月截成决]|$)`)
	withinHalf = regexp.MustCompile(`([一二两三四五六七八九十]{1,3}|\b\d{1,2})个半(月|小时|星期)`)
	tenths     = regexp.MustCompile(`(\d(?:\.\d)?)成(?:[^立为员熟本就交果功]|$)`)
	yearRange  = regexp.MustCompile(`\b((?:1[5-9]|20)\d\d)\s?[-–—~～至到]\s?(\d\d)\b`)
)

var shares = map[string]string{"third": "3", "quarter": "4", "fourth": "4", "fifth": "5", "tenth": "10"}

// Shares writes shares of a whole that a text has in words, or as fractions, in hundredths.
func Shares(text string) string {
	text = hanPercent.ReplaceAllStringFunc(text, func(s string) string {
		m := hanPercent.FindStringSubmatch(s)
		return parts(m[2], strings.NewReplacer("百", "100", "千", "1000").Replace(m[1])) + "%"
	})
	text = tenths.ReplaceAllStringFunc(text, func(s string) string {
		m := tenths.FindStringSubmatchIndex(s)
		return parts(s[m[2]:m[3]], "10") + "%" + s[m[3]+len("成"):]
	})
	text = Halves.ReplaceAllString(text, "50% ")
	return Fractions.ReplaceAllStringFunc(text, func(s string) string {
		m := Fractions.FindStringSubmatch(s)
		n := strings.NewReplacer("one", "1", "a", "1").Replace(m[1])
		return parts(n, shares[m[2]]) + "% " + strings.TrimPrefix(m[3], "s")
	})
}

// hanHalves writes a half more of a measure as a part of its number: 一年半 is 1.5年.
func hanHalves(text string) string {
	if !strings.Contains(text, "半") {
		return text
	}
	text = behindHalf.ReplaceAllStringFunc(text, func(s string) string {
		m := behindHalf.FindStringSubmatch(s)
		return withHalf(m[1], s, m[2]+m[3])
	})
	return withinHalf.ReplaceAllStringFunc(text, func(s string) string {
		m := withinHalf.FindStringSubmatch(s)
		return withHalf(m[1], s, "个"+m[2])
	})
}

// withHalf writes a number and a half, with what stands behind it; what is no number stays as it was.
func withHalf(number, as, behind string) string {
	if n, ok := HanValue(number, "", "天"); ok {
		return strconv.FormatInt(n, 10) + ".5" + behind
	}
	if _, err := strconv.Atoi(number); err == nil {
		return number + ".5" + behind
	}
	return as
}

// parts writes a share in hundredths.
func parts(n, of string) string {
	a, ok := new(big.Rat).SetString(n)
	b, fine := new(big.Rat).SetString(of)
	if !ok || !fine || b.Sign() == 0 {
		return n
	}
	return Decimal(a.Mul(a.Quo(a, b), big.NewRat(100, 1)))
}

// WholeYears writes the short end of a range of years in full: 1973-74 ends in 1974.
func WholeYears(folded string) string {
	return yearRange.ReplaceAllStringFunc(folded, func(s string) string {
		m := yearRange.FindStringSubmatch(s)
		if m[2] <= m[1][2:] {
			return s // 2026-03 is a month
		}
		if n, err := strconv.Atoi(m[2]); err != nil || n <= 12 {
			return s
		}
		return m[1] + " - " + m[1][:2] + m[2]
	})
}

// Decimal writes a number without a needless fraction.
func Decimal(n *big.Rat) string {
	if n.IsInt() {
		return n.RatString()
	}
	text := n.FloatString(9)
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}
