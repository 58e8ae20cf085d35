package numeral

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var (
	hanPercent = regexp.MustCompile(`(\d+|百|千)分之(\d+(?:\.\d+)?)`)
	// Halves and Fractions match words for a part of a whole.
	Halves    = regexp.MustCompile(`\b(?:one )?half of\b|一半|半数`)
	Fractions = regexp.MustCompile(`\b(\d|one|a) (third|quarter|fourth|fifth|tenth)(s|\s+(?:of|by|less|more|as|to|in)\b|\s*[.,;)]|\s*$)`)
	tenths    = regexp.MustCompile(`(\d(?:\.\d)?)成(?:[^立为员熟本就交果功]|$)`)
	yearRange = regexp.MustCompile(`\b((?:1[5-9]|20)\d\d)\s?[-–—~～至到]\s?(\d\d)\b`)
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
