package revision

import (
	"math/big"
	"strings"
)

// times writes a decimal number, multiplied, without needless zeros.
func times(s string, by int64) string {
	if len(s) > 40 {
		return s
	}
	n, ok := new(big.Rat).SetString(s)
	if !ok {
		return s
	}
	n.Mul(n, new(big.Rat).SetInt64(by))
	if n.IsInt() {
		return n.Num().String()
	}
	return strings.TrimRight(n.FloatString(40), "0")
}

var (
	digits = map[rune]int64{'〇': 0, '零': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	powers = map[rune]int64{'十': 10, '百': 100, '千': 1000, '万': 10_000, '亿': 100_000_000}
)

// valueOf writes Chinese numerals in digits; digits stay.
func valueOf(s string) string {
	if s[0] < 0x80 || len([]rune(s)) > 16 {
		return times(s, 1)
	}
	var total, part, digit int64
	spelled, seen := true, false
	var each strings.Builder
	for _, r := range s {
		if d, ok := digits[r]; ok {
			digit, seen = d, true
			each.WriteByte(byte('0' + d))
			continue
		}
		spelled = false
		p := powers[r]
		switch {
		case p >= 10_000 && part+digit == 0 && total > 0: // 万亿
			total *= p
		case p >= 10_000:
			total += max(part+digit, 1) * p
			part = 0
		default:
			if !seen {
				digit = 1
			}
			part += digit * p
		}
		digit, seen = 0, false
	}
	if spelled {
		return times(each.String(), 1)
	}
	return new(big.Int).SetInt64(total + part + digit).String()
}
