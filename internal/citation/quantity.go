package citation

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// kind says what a quantity is.
type kind uint8

const (
	number kind = iota
	date        // value is YYYY-MM-DD, YYYY-MM or --MM-DD
	code
)

// quantity is something in a sentence that must stand in the excerpt literally: a number with its
// unit, a date, or a code.
type quantity struct {
	kind  kind
	value string
	unit  string // canonical; "" if there is none that we know
}

// units maps the ways to write a unit to one.
var units = map[string]string{
	"元": "yuan", "块": "yuan", "yuan": "yuan", "rmb": "yuan", "cny": "yuan", "人民币": "yuan", "¥": "yuan",
	"美元": "usd", "usd": "usd", "dollar": "usd", "dollars": "usd", "$": "usd", "欧元": "eur", "eur": "eur", "euro": "eur", "euros": "eur", "€": "eur",
	"%": "%", "percent": "%", "per cent": "%",
	"天": "day", "日": "day", "day": "day", "days": "day", "工作日": "workday", "working day": "workday", "working days": "workday",
	"business day": "workday", "business days": "workday", "个工作日": "workday", "晚": "night", "夜": "night", "night": "night", "nights": "night",
	"小时": "hour", "个小时": "hour", "hour": "hour", "hours": "hour", "分钟": "minute", "minute": "minute", "minutes": "minute", "min": "minute",
	"秒": "second", "seconds": "second", "周": "week", "星期": "week", "week": "week", "weeks": "week", "个月": "month", "month": "month", "months": "month",
	"年": "year", "year": "year", "years": "year", "公里": "km", "千米": "km", "km": "km", "kilometers": "km", "kilometres": "km", "miles": "mile", "英里": "mile",
	"米": "m", "meters": "m", "metres": "m", "厘米": "cm", "cm": "cm", "毫米": "mm", "mm": "mm", "公斤": "kg", "千克": "kg", "kg": "kg", "克": "g", "吨": "t", "tons": "t",
	"kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "℃": "c", "°c": "c", "°f": "f",
}

var factors = map[string]int64{
	"百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000, "万亿": 1_000_000_000_000,
	"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000,
}

const months = `jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|aug(?:ust|\.)?|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?`

var (
	dayDate      = regexp.MustCompile(`(\d{4})(?:年|[-/.])\s?(\d{1,2})(?:月|[-/.])\s?(\d{1,2})\b?[日号]?`)
	monthDate    = regexp.MustCompile(`(\d{4})年\s?(\d{1,2})月(?:份)?`)
	yearlessDate = regexp.MustCompile(`(\d{1,2})月(\d{1,2})[日号]`)
	englishDay   = regexp.MustCompile(`\b(` + months + `) (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\b`)
	britishDay   = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?(` + months + `)(?:,? (\d{4}))?\b`)
	englishMonth = regexp.MustCompile(`\b(` + months + `),? (?:of )?(\d{4})\b`)
	codes        = regexp.MustCompile(`\b[a-z]+[a-z0-9]*(?:[-_./:#][a-z0-9]+)*\b|\bv?\d+(?:\.\d+){2,}\b`)
	percent      = regexp.MustCompile(`百分之(\d+(?:\.\d+)?)`)
	plainNumber  = regexp.MustCompile(`([¥$€]|rmb|usd|cny)?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:(?:st|nd|rd|th)\b)?\s?(万亿|亿|万|千|百|hundred|thousand|million|billion)?\s?` +
		`(个工作日|工作日|人民币|working days?|business days?|per cent|percent|个小时|小时|分钟|星期|个月|美元|欧元|公里|千米|英里|厘米|毫米|公斤|千克|[a-z°]+|[元块%天日晚夜秒周年米克吨℃$€])?`)
)

// quantities returns what a text states literally, and the text, folded, without it.
func quantities(folded string) ([]quantity, string) {
	text := percent.ReplaceAllString(arabic(folded), "$1%")
	var out []quantity
	take := func(re *regexp.Regexp, read func(m []string) (quantity, bool)) {
		text = re.ReplaceAllStringFunc(text, func(s string) string {
			q, ok := read(re.FindStringSubmatch(s))
			if !ok {
				return s
			}
			out = append(out, q)
			return " "
		})
	}
	take(dayDate, func(m []string) (quantity, bool) { return day(m[1], m[2], m[3]) })
	take(monthDate, func(m []string) (quantity, bool) { return day(m[1], m[2], "") })
	take(yearlessDate, func(m []string) (quantity, bool) { return day("", m[1], m[2]) })
	take(englishDay, func(m []string) (quantity, bool) { return day(m[3], month(m[1]), m[2]) })
	take(britishDay, func(m []string) (quantity, bool) { return day(m[3], month(m[2]), m[1]) })
	take(englishMonth, func(m []string) (quantity, bool) { return day(m[2], month(m[1]), "") })
	take(codes, func(m []string) (quantity, bool) {
		return quantity{kind: code, value: strings.TrimPrefix(m[0], "v")}, strings.ContainsAny(m[0], "0123456789")
	})
	text = plainNumber.ReplaceAllStringFunc(text, func(s string) string {
		m := plainNumber.FindStringSubmatch(s)
		q, tail := plainQuantity(m)
		out = append(out, q)
		return " " + tail
	})
	return out, text
}

// plainQuantity reads a number with its factor and unit; the tail is a word behind it that is no
// unit.
func plainQuantity(m []string) (q quantity, tail string) {
	n, _ := new(big.Rat).SetString(strings.ReplaceAll(m[2], ",", ""))
	if f := factors[m[3]]; f > 0 {
		n.Mul(n, new(big.Rat).SetInt64(f))
	}
	unit, known := units[m[4]]
	if !known {
		tail = m[4]
	}
	if unit == "" {
		unit = units[m[1]]
	}
	value := n.RatString()
	if !n.IsInt() {
		value = strings.TrimRight(n.FloatString(12), "0")
	}
	return quantity{kind: number, value: value, unit: unit}, tail
}

// day makes a date of its written parts; false if it can't be one.
func day(y, m, d string) (quantity, bool) {
	month, err := strconv.Atoi(m)
	if err != nil || month < 1 || month > 12 {
		return quantity{}, false
	}
	value := fmt.Sprintf("-%02d", month)
	if y != "" {
		value = y + value
	} else {
		value = "-" + value
	}
	if d != "" {
		n, err := strconv.Atoi(d)
		if err != nil || n < 1 || n > 31 {
			return quantity{}, false
		}
		value += fmt.Sprintf("-%02d", n)
	}
	return quantity{kind: date, value: value}, true
}

func month(name string) string {
	return strconv.Itoa(strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", name[:3])/3 + 1)
}

// states reports whether an excerpt's quantities hold a sentence's: the same value, with the same
// unit where both are known; a date also when the excerpt is more exact, and a year as part of a
// date.
func states(have []quantity, want quantity) bool {
	for _, h := range have {
		switch {
		case h == want:
			return true
		case want.kind == number && h.kind == number && h.value == want.value && (h.unit == "" || want.unit == ""):
			return true
		case want.kind == number && h.kind == date && (want.unit == "" || want.unit == "year") && strings.HasPrefix(h.value, want.value+"-"):
			return true
		case want.kind == date && h.kind == date && (strings.HasPrefix(h.value, want.value+"-") || want.value[0] == '-' && strings.HasSuffix(h.value, want.value[1:])):
			return true
		case want.kind == code && h.kind == code && (strings.HasPrefix(h.value, want.value+"-") || strings.HasSuffix(h.value, "-"+want.value)):
			return true
		}
	}
	return false
}

// rival reports whether an excerpt states something else where a sentence states want: another
// value of the same sort and unit, or the same value in another unit.
func rival(have []quantity, want quantity) bool {
	for _, h := range have {
		sameUnit := h.unit == want.unit || h.unit == "" || want.unit == ""
		if h.kind == want.kind && (h.value != want.value) == sameUnit {
			return true
		}
	}
	return false
}
