package claim

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation/claim/clock"
	"github.com/kaoju/kaoju/internal/citation/claim/numeral"
)

// kind says what a quantity is.
type kind uint8

const (
	number kind = iota
	date        // value is YYYY-MM-DD, YYYY-MM, --MM-DD or --MM
	code
	timeOfDay // value is HH:MM
)

// quantity is something in a sentence that must stand in the excerpt literally: a number with its
// unit, a date, or a code.
type quantity struct {
	kind  kind
	value string
	unit  string // canonical; "" if there is none that we know
}

// stated is a quantity as a sentence states it.
type stated struct {
	quantity
	written string // as the text writes it; "" for dates
	bound   bound
	end     bound  // of the two ends of a range: above for the lower one, below for the upper one
	delay   delay  // of a period
	limit   bool   // a word beside it names the number a limit: it says what the bound is
	about   bool   // "about", "约"
	denied  bool   // the text says that it is not this one: "不是650元", "not 650 yuan"
	rate    bool   // one of a unit, of which a price or a limit is told: "per night", "每晚"
	thing   string // of a bare number: the word behind it, which says what is counted
}

// small reports whether a quantity is a bare number up to three, which texts give by naming the
// things or by "both" and "another" as often as by the number.
func (s stated) small() bool {
	return s.kind == number && s.unit == "" && (s.value == "1" || s.value == "2" || s.value == "3")
}

// bound says on which side of the number a quantity lies.
type bound uint8

const (
	exactly bound = iota
	above
	below
)

var (
	codes       = regexp.MustCompile(`\b[a-z]+[a-z0-9]*(?:[-_./:#][a-z0-9]+)*\b|\bv?\d+(?:\.\d+){2,}\b`)
	midpoint    = regexp.MustCompile(`(\d)·(\d)`) // as some journals write decimals
	intervals   = regexp.MustCompile(`\b9\d(?:\.\d)?% (?:ci\b|c\.i\.|confidence)`)
	plainNumber = regexp.MustCompile(`([¥$€£]|rmb|usd|cny)?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:(?:st|nd|rd|th)\b)?\s?([十百千]?[万亿]|万亿|千|百|k\b|hundred|thousand|million|billion|trillion)?\s?` +
		`(个工作日|工作日|个?自然日|个?日历日|calendar days?|个?季度|毫克|微克|毫升|英尺|英寸|加仑|μg|人民币|working days?|business days?|per cent|percent|个小时|小时|分钟|星期|个月|美元|欧元|英镑|日元|公里|千米|英里|厘米|毫米|公斤|千克|摄氏度|华氏度|degrees? (?:celsius|centigrade|fahrenheit|[cf]\b)|[a-z°]+|[元块%天日晚夜秒周年米克吨升瓦人岁次℃$€£])?`)
	scaleFirst = regexp.MustCompile(`(摄氏|华氏)\s?(?:温度)?\s?(?:为|约)?\s?((?:零下|minus )?\d+(?:\.\d+)?)\s?度`)
	moreBefore = regexp.MustCompile(`(?:more than|greater than|over|above|at least|no less than|not less than|exceed\w*|minimum of|超过|超出|多于|高于|大于|不少于|不低于|不小于|至少|最少|逾)\s*(?:为|是)?\s*$`)
	notLess    = regexp.MustCompile(`(?:no less than|not less than|no fewer than|不少于|不低于|不小于)\s*$`)
	lessBefore = regexp.MustCompile(`(?:less than|fewer than|under|below|at most|up to|no more than|not more than|no later than|not later than|no longer than|not longer than|within|maximum of|not exceed\w*|不超过|不得超过|不多于|不高于|不大于|不(?:得)?(?:晚于|迟于)|至多|最多|低于|少于|小于|不足|不到)\s*(?:为|是)?\s*$`)
	moreBehind = regexp.MustCompile(`^\s*(?:(?:及|或)?以上|or more|or above|or higher|and above)`)
	lessBehind = regexp.MustCompile(`^\s*(?:(?:及|或)?以[下内]|之内|or less|or fewer|or below|or lower)`)
	// limits are words that say of the next number that it is the most or the least, with a verb between.
	limits      = regexp.MustCompile(`(上限|限额|最高|最多|至多|最长|最晚|最迟|\bat most\b|\bup to\b|\blimit|\bcap\b|\bmaximum\b)|(下限|最低|最少|至少|最短|\bat least\b|\bminimum\b)`)
	aboutBefore = regexp.MustCompile(`(?:about|around|approximately|roughly|nearly|almost|some|circa|约|大约|约为|将近|接近|近)\s*$`)
	aboutBehind = regexp.MustCompile(`^\s*(?:左右|上下|余|or so)`)
)

// quantities returns what a text states literally, and the text, folded, without it.
func quantities(folded string) ([]stated, string) {
	if !numeral.MayCount(folded) {
		return nil, folded
	}
	var out []stated
	text := dates(numeral.Arabic(numeral.Magnitudes(numeral.WholeYears(midpoint.ReplaceAllString(folded, "$1.$2")))), func(q quantity, before string) {
		out = append(out, stated{quantity: q, denied: deniesNext(before)})
	})
	text = clock.Times(text, func(time, before string) {
		out = append(out, stated{quantity: quantity{kind: timeOfDay, value: time}, written: time, denied: deniesNext(before)})
	})
	text = intervals.ReplaceAllString(text, " ")
	text = scaleFirst.ReplaceAllString(text, "$2${1}度")
	text = numeral.Shares(text)
	text = codes.ReplaceAllStringFunc(text, func(s string) string {
		if !strings.ContainsAny(s, "0123456789") {
			return s
		}
		q, rest := readCode(s)
		out = append(out, stated{quantity: q, written: q.value})
		return " " + rest
	})
	numbers, rest := plainNumbers(text)
	out = append(out, numbers...)
	for _, m := range rates.FindAllStringSubmatch(folded, -1) {
		out = append(out, stated{quantity: quantity{kind: number, value: "1", unit: units[m[1]+m[2]]}, written: m[0], rate: true})
	}
	return out, rest
}

// rates matches what is told for one of a unit.
var rates = regexp.MustCompile(`每(?:个)?(晚|夜|天|日|年|周|月|人|次|小时|公里|工作日)|\b(?:a|per|each|every) (night|day|year|week|month|hour|person|km)\b`)

// readCode reads a code. Of words that are joined to one by a hyphen ("Sf1-expressing"), the code
// alone must be stated literally; the rest are words.
func readCode(s string) (q quantity, rest string) {
	for _, part := range strings.Split(s, "-") {
		if letters, figures := strings.ContainsFunc(part, unicode.IsLetter), strings.ContainsFunc(part, unicode.IsDigit); letters && figures && part != s && !strings.HasPrefix(part, "v") {
			return quantity{kind: code, value: part}, strings.ReplaceAll(strings.Replace(s, part, " ", 1), "-", " ")
		}
	}
	return quantity{kind: code, value: strings.TrimPrefix(s, "v")}, ""
}

// ranging stands between the two ends of a range.
var ranging = regexp.MustCompile(`^\s*(?:[-–—~～至到]|\bto\b)\s*(?:[¥$€£]|rmb|usd|cny)?\s*$`)

// conjunction is a word between two numbers, which says nothing of what they count.
var conjunction = regexp.MustCompile(`^(?:or|nor|and|but|to)$`)

// numberReach is how many characters on each side of a number say what it is.
const numberReach = 160

// plainNumbers takes the numbers out of a text, with their units.
func plainNumbers(text string) (out []stated, rest string) {
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
		s := stated{quantity: q, written: strings.TrimSuffix(strings.TrimSpace(text[m[0]:m[1]]), tail)}
		before, behind := lastRunes(text[:m[0]], numberReach), firstRunes(text[m[1]:], numberReach)
		if belowZero(s.unit, before) {
			s.value = "-" + s.value
		}
		s.limit = limitOf(before) != exactly
		s.bound, s.about = boundOf(before, tail+behind), aboutBefore.MatchString(before) || aboutBehind.MatchString(behind)
		s.delay = delayOf(s, before, tail+behind)
		s.denied = deniesNext(before)
		if n := len(out); refused && shared(text[ended:m[0]], tail+behind) {
			s.denied, s.bound, s.limit = true, out[n-1].bound, out[n-1].limit
			for i := n - 1; i >= 0 && out[i].denied && out[i].unit == ""; i-- {
				out[i].unit = q.unit // "neither 600 nor 650 yuan"
			}
		}
		if n := len(out); n > 0 && ranging.MatchString(text[ended:m[0]]) {
			out[n-1].end, s.end = above, below
		}
		ended, refused = m[1]-len(tail), s.denied
		if q.unit == "" && !conjunction.MatchString(tail) {
			s.thing = thing(tail + behind)
		}
		out = append(out, s)
		b.WriteString(withoutBefore(text[at:m[0]]))
		b.WriteString(" " + conjunction.ReplaceAllString(tail, ""))
		at = m[1]
	}
	b.WriteString(text[at:])
	return out, b.String()
}

// plainQuantity reads a number with its factor and unit; the tail is a word behind it that is no
// unit.
func plainQuantity(sign, figures, factor, unit string) (q quantity, tail string) {
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
	return quantity{kind: number, value: numeral.Decimal(n), unit: name}, tail
}

func boundOf(before, behind string) bound {
	limit := limitOf(before)
	before = lastRunes(before, 24)
	switch {
	case notLess.MatchString(before):
		return above
	case lessBefore.MatchString(before) || lessBehind.MatchString(behind) || limit == below:
		return below
	case moreBefore.MatchString(before) || moreBehind.MatchString(behind) || limit == above:
		return above
	}
	return exactly
}

// limitOf returns what the last word before a number that names a limit makes of it. A limit that has its
// number already, or stands in another clause, is none.
func limitOf(before string) bound {
	before = lastRunes(before, 24)
	if i := strings.LastIndexAny(before, ",，;；。0123456789"); i >= 0 {
		_, n := utf8.DecodeRuneInString(before[i:])
		before = before[i+n:]
	}
	found := limits.FindAllStringSubmatch(before, -1)
	switch {
	case len(found) == 0:
		return exactly
	case found[len(found)-1][1] != "":
		return below
	}
	return above
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
	if t := terms(behind[:end]); len(t) > 0 {
		return t[0].text
	}
	return ""
}
