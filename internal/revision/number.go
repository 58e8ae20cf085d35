package revision

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
)

// figure is a number as a sentence states it.
type figure struct {
	value string // in digits; a date, a time or a range stays as it is written
	unit  string // as it is written; "" if there is none that we know
}

// same are units that are written in several ways.
var same = map[string]string{
	"块": "元", "yuan": "元", "rmb": "元", "cny": "元", "¥": "元", "人民币": "元", "$": "usd", "美元": "usd", "dollar": "usd", "dollars": "usd",
	"€": "eur", "欧元": "eur", "euro": "eur", "euros": "eur", "percent": "%", "per cent": "%", "日": "天", "day": "天", "days": "天",
	"working day": "工作日", "working days": "工作日", "business day": "工作日", "business days": "工作日", "个工作日": "工作日",
	"night": "晚", "nights": "晚", "夜": "晚", "hour": "小时", "hours": "小时", "个小时": "小时", "minute": "分钟", "minutes": "分钟", "min": "分钟",
	"second": "秒", "seconds": "秒", "week": "周", "weeks": "周", "星期": "周", "month": "月", "months": "月", "个月": "月", "year": "年", "years": "年",
	"kilometers": "公里", "kilometres": "公里", "km": "公里", "千米": "公里", "meters": "米", "metres": "米", "m": "米", "cm": "厘米", "mm": "毫米",
	"kg": "公斤", "千克": "公斤", "g": "克", "t": "吨", "tons": "吨", "people": "人", "persons": "人", "名": "人", "times": "次", "°c": "℃",
}

// plain are units that are written in one way alone.
var plain = []string{
	"元", "%", "天", "工作日", "晚", "小时", "分钟", "秒", "周", "月", "年", "公里", "米", "厘米", "毫米", "公斤", "克", "吨", "人", "次", "℃",
	"usd", "eur", "级", "倍", "折", "台", "件", "份", "页", "条", "项", "章", "节", "款", "层", "个", "季度", "位", "家", "kb", "mb", "gb", "tb", "mph", "v", "w", "kw", "ms",
}

// units are all of them, the longest first.
var units = sortedUnits()

func sortedUnits() []string {
	out := slices.Clone(plain)
	for u := range same {
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return out
}

var factors = []struct {
	word string
	by   int64
}{
	{"万亿", 1_000_000_000_000}, {"亿", 100_000_000}, {"万", 10_000}, {"千", 1000}, {"百", 100},
	{"thousand", 1000}, {"million", 1_000_000}, {"billion", 1_000_000_000},
}

var (
	// piece is a run that holds a number: an identifier, digits with marks between them, or Chinese
	// numerals.
	piece    = regexp.MustCompile(`百分之(?:\d+(?:\.\d+)?|[〇零一二两三四五六七八九十百]+)|[a-z_]+(?:[-_./]?[a-z0-9]+)*|\d+(?:[.,:/\-]\d+)*|[〇零一二两三四五六七八九十百千万亿]+`)
	grouped  = regexp.MustCompile(`^\d{1,3}(?:,\d{3})+(?:\.\d+)?$`)
	decimal  = regexp.MustCompile(`^\d+(?:\.\d+)?$`)
	currency = regexp.MustCompile(`^(rmb|cny|usd|eur)(\d[\d.,]*)$`)
	marker   = regexp.MustCompile(`^\s*\(?\d{1,3}[.)、]`)
)

// figures returns the numbers of a sentence in order. Digits inside an identifier such as ERR-1042
// are no number, and neither is the number of a list item.
func figures(sentence string) []figure {
	text := analysis.Fold(sentence)
	if m := marker.FindString(text); m != "" {
		if r := firstRune(text[len(m):]); r != 0 && (r < '0' || r > '9') {
			text = text[len(m):]
		}
	}
	var out []figure
	for _, loc := range piece.FindAllStringIndex(text, -1) {
		out = append(out, pieceAt(text[:loc[0]], text[loc[0]:loc[1]], text[loc[1]:])...)
	}
	return out
}

// pieceAt reads one piece in its surroundings.
func pieceAt(before, s, after string) []figure {
	if rest, ok := strings.CutPrefix(s, "百分之"); ok {
		return []figure{{value: valueOf(rest), unit: "%"}}
	}
	if m := currency.FindStringSubmatch(s); m != nil {
		return withUnit(before, m[2], after, m[1])
	}
	switch c := s[0]; {
	case c >= 'a' && c <= 'z' || c == '_':
		return nil
	case c >= '0' && c <= '9':
		if letter(lastRune(before)) {
			return nil
		}
		return withUnit(before, s, after, money(before))
	}
	// Chinese numerals are numbers where a unit follows; elsewhere they are parts of words, or the
	// factor of digits before them.
	unit := unitAt(after)
	r := lastRune(strings.TrimRight(before, " "))
	if unit == "" || unit[0] < 0x80 || r >= '0' && r <= '9' {
		return nil
	}
	return []figure{{value: valueOf(s), unit: unit}}
}

// withUnit reads digits. Digits that are joined otherwise than a number (a date, a time, a range)
// stay as they are written; a list with commas is several numbers.
func withUnit(before, s, after, unit string) []figure {
	if !grouped.MatchString(s) && !decimal.MatchString(s) {
		if parts := strings.Split(s, ","); len(parts) > 1 {
			var out []figure
			for i, part := range parts {
				follows := ""
				if i == len(parts)-1 {
					follows = after
				}
				out = append(out, withUnit("", part, follows, unit)...)
			}
			return out
		}
		if unit == "" {
			unit = unitAt(after)
		}
		return []figure{{value: s, unit: unit}}
	}
	by := int64(1)
	rest := strings.TrimLeft(after, " ")
	for _, f := range factors {
		if tail, ok := strings.CutPrefix(rest, f.word); ok {
			by, after = f.by, tail
			break
		}
	}
	if u := unitAt(after); u != "" {
		unit = u
	}
	sign := ""
	if head, ok := strings.CutSuffix(before, "-"); ok && (head == "" || strings.ContainsAny(head[len(head)-1:], " \t\n([|:,")) {
		sign = "-"
	}
	return []figure{{value: sign + times(strings.ReplaceAll(s, ",", ""), by), unit: unit}}
}

// unitAt returns the unit that a text begins with.
func unitAt(text string) string {
	text = strings.TrimLeft(text, " ")
	for _, u := range units {
		if rest, ok := strings.CutPrefix(text, u); ok && (u[len(u)-1] >= 0x80 || !letter(firstRune(rest))) {
			return u
		}
	}
	return ""
}

// money returns the sign or code of a currency that a text ends with.
func money(text string) string {
	text = strings.TrimRight(text, " ")
	for _, u := range []string{"¥", "$", "€", "rmb", "cny", "usd", "eur"} {
		if rest, ok := strings.CutSuffix(text, u); ok && (u[0] >= 0x80 || u == "$" || !letter(lastRune(rest))) {
			return u
		}
	}
	return ""
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r == '_' }

func firstRune(s string) rune {
	if s == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastRune(s string) rune {
	if s == "" {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// canonical is the one way to write a unit.
func canonical(unit string) string {
	if c, ok := same[unit]; ok {
		return c
	}
	return unit
}

// compareFigures lists the numbers that two sentences exchanged: in each run between numbers that
// stayed, those with the same unit first, then the rest in order.
func compareFigures(old, now []figure) []Number {
	key := func(list []figure) []string {
		out := make([]string, len(list))
		for i, f := range list {
			out[i] = f.value + " " + canonical(f.unit)
		}
		return out
	}
	var out []Number
	i, j := 0, 0
	for _, q := range append(common(key(old), key(now)), [2]int{len(old), len(now)}) {
		out = append(out, exchange(old[i:q[0]], now[j:q[1]])...)
		i, j = q[0]+1, q[1]+1
	}
	return out
}

func exchange(old, now []figure) []Number {
	old, now = slices.Clone(old), slices.Clone(now)
	partner := make([]int, len(now))
	taken := make([]bool, len(old))
	pass := func(fits func(a, b figure) bool) {
		for j := range now {
			if partner[j] > 0 {
				continue
			}
			for i := range old {
				if !taken[i] && fits(old[i], now[j]) {
					partner[j], taken[i] = i+1, true
					break
				}
			}
		}
	}
	pass(func(a, b figure) bool { return a.value == b.value && (a.unit == "" || b.unit == "") })
	pass(func(a, b figure) bool { return canonical(a.unit) == canonical(b.unit) })
	pass(func(figure, figure) bool { return true })
	var out []Number
	for j, f := range now {
		if partner[j] == 0 {
			out = append(out, Number{New: f.value, NewUnit: f.unit})
			continue
		}
		o := old[partner[j]-1]
		if o.value != f.value || o.unit != "" && f.unit != "" && canonical(o.unit) != canonical(f.unit) {
			out = append(out, Number{Old: o.value, New: f.value, OldUnit: o.unit, NewUnit: f.unit})
		}
	}
	for i, f := range old {
		if !taken[i] {
			out = append(out, Number{Old: f.value, OldUnit: f.unit})
		}
	}
	return out
}
