package quantity

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation/claim/numeral"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

var plainNumber = regexp.MustCompile(`([¥$€£]|rmb|usd|cny)?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:(?:st|nd|rd|th)\b)?\s?([十百千]?[万亿]|万亿|千|百|k\b|hundred|thousand|million|billion|trillion)?\s?` +
	`(个工作日|工作日|个?自然日|个?日历日|calendar days?|个?季度|毫克|微克|毫升|英尺|英寸|加仑|μg|人民币|working days?|business days?|per cent|percent|个小时|小时|分钟|星期|个月|美元|欧元|英镑|日元|公里|千米|英里|厘米|毫米|公斤|千克|摄氏度|华氏度|degrees? (?:celsius|centigrade|fahrenheit|[cf]\b)|[a-z°]+|[元块%天日晚夜秒周年米克吨升瓦人岁次℃$€£])?`)

// ranging stands between the two ends of a range.
var ranging = regexp.MustCompile(`^\s*(?:[-–—~～至到]|\bto\b)\s*(?:[¥$€£]|rmb|usd|cny)?\s*$`)

// conjunction is a word between two numbers, which says nothing of what they count.
var conjunction = regexp.MustCompile(`^(?:or|nor|and|but|to)$`)

// numberReach is how many characters on each side of a number say what it is.
const numberReach = 160

// plainNumbers takes the numbers out of a text, with their units.
func plainNumbers(text string) (out []Stated, rest string) {
	var b strings.Builder
	at, ended, refused := 0, 0, false
	for _, m := range plainNumber.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		q, tail := plainQuantity(group(1), group(2), group(3), group(4))
		s := Stated{Quantity: q, written: strings.TrimSuffix(strings.TrimSpace(text[m[0]:m[1]]), tail)}
		before, behind := wording.LastRunes(text[:m[0]], numberReach), wording.FirstRunes(text[m[1]:], numberReach)
		if belowZero(s.Unit, before) {
			s.Value = "-" + s.Value
		}
		s.limit = limitOf(before) != Exactly
		s.Bound, s.about = boundOf(before, tail+behind), aboutBefore.MatchString(before) || aboutBehind.MatchString(behind)
		s.delay = delayOf(s, before, tail+behind)
		s.Denied = polarity.DeniesNext(before)
		if n := len(out); refused && polarity.Shared(text[ended:m[0]], tail+behind) {
			s.Denied, s.Bound, s.limit = true, out[n-1].Bound, out[n-1].limit
			for i := n - 1; i >= 0 && out[i].Denied && out[i].Unit == ""; i-- {
				out[i].Unit = q.Unit // "neither 600 nor 650 yuan"
			}
		}
		if n := len(out); n > 0 && ranging.MatchString(text[ended:m[0]]) {
			out[n-1].End, s.End = Above, below
		}
		ended, refused = m[1]-len(tail), s.Denied
		if q.Unit == "" && !conjunction.MatchString(tail) {
			s.Thing = thing(tail + behind)
		}
		out = append(out, s)
		b.WriteString(polarity.WithoutBefore(text[at:m[0]]))
		b.WriteString(" " + conjunction.ReplaceAllString(tail, ""))
		at = m[1]
	}
	b.WriteString(text[at:])
	return out, b.String()
}

// plainQuantity reads a number with its factor and unit; the tail is a word behind it that is no
// unit.
func plainQuantity(sign, figures, factor, unit string) (q Quantity, tail string) {
	n, _ := new(big.Rat).SetString(strings.ReplaceAll(figures, ",", ""))
	if f := factors[factor]; f > 0 {
		n.Mul(n, new(big.Rat).SetInt64(f))
	}
	name, known := units[unit]
	if !known {
		tail = unit
	}
	if name == "" {
		name = units[sign]
	}
	return Quantity{Kind: Number, Value: numeral.Decimal(n), Unit: name}, tail
}

// thing returns the word that follows a bare number.
func thing(behind string) string {
	behind = strings.TrimLeft(behind, " 个名位家种类项条")
	r, _ := utf8.DecodeRuneInString(behind)
	if unicode.Is(unicode.Han, r) {
		return string(r)
	}
	end := strings.IndexFunc(behind, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(behind)
	}
	if t := wording.Terms(behind[:end]); len(t) > 0 {
		return t[0].Text
	}
	return ""
}
