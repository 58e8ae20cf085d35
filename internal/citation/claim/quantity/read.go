package quantity

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/citation/claim/clock"
	"github.com/kaoju/kaoju/internal/citation/claim/numeral"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

var (
	midpoint   = regexp.MustCompile(`(\d)·(\d)`) // as some journals write decimals
	intervals  = regexp.MustCompile(`\b9\d(?:\.\d)?% (?:ci\b|c\.i\.|confidence)`)
	scaleFirst = regexp.MustCompile(`(摄氏|华氏)\s?(?:温度)?\s?(?:为|约)?\s?((?:零下|minus )?\d+(?:\.\d+)?)\s?度`)
)

// Read returns what a text states literally, and the text, folded, without it.
func Read(folded string) ([]Stated, string) {
	if !numeral.MayCount(folded) {
		return nil, folded
	}
	var out []Stated
	text := dates(numeral.Arabic(numeral.Magnitudes(numeral.WholeYears(midpoint.ReplaceAllString(folded, "$1.$2")))), func(q Quantity, before string) {
		out = append(out, Stated{Quantity: q, Denied: polarity.DeniesNext(before)})
	})
	text = clock.Times(text, func(time, before string) {
		out = append(out, Stated{Quantity: Quantity{Kind: TimeOfDay, Value: time}, written: time, Denied: polarity.DeniesNext(before)})
	})
	text = intervals.ReplaceAllString(text, " ")
	text = scaleFirst.ReplaceAllString(text, "$2${1}度")
	text = numeral.Shares(text)
	text = wording.Codes.ReplaceAllStringFunc(text, func(s string) string {
		if !strings.ContainsAny(s, "0123456789") {
			return s
		}
		q, rest := readCode(s)
		out = append(out, Stated{Quantity: q, written: q.Value})
		return " " + rest
	})
	numbers, rest := plainNumbers(text)
	out = append(out, numbers...)
	for _, m := range rates.FindAllStringSubmatch(folded, -1) {
		out = append(out, Stated{Quantity: Quantity{Kind: Number, Value: "1", Unit: units[m[1]+m[2]]}, written: m[0], Rate: true})
	}
	return out, rest
}

// rates matches what is told for one of a unit.
var rates = regexp.MustCompile(`每(?:个)?(晚|夜|天|日|年|周|月|人|次|小时|公里|工作日)|\b(?:a|per|each|every) (night|day|year|week|month|hour|person|km)\b`)

// readCode reads a code. Of words that are joined to one by a hyphen ("Sf1-expressing"), the code
// alone must be stated literally; the rest are words.
func readCode(s string) (q Quantity, rest string) {
	for _, part := range strings.Split(s, "-") {
		if letters, figures := strings.ContainsFunc(part, unicode.IsLetter), strings.ContainsFunc(part, unicode.IsDigit); letters && figures && part != s && !strings.HasPrefix(part, "v") {
			return Quantity{Kind: Code, Value: part}, strings.ReplaceAll(strings.Replace(s, part, " ", 1), "-", " ")
		}
	}
	return Quantity{Kind: Code, Value: strings.TrimPrefix(s, "v")}, ""
}

// At is where a text first states a quantity, as far as its writing tells; -1 if nowhere.
func At(folded string, q Stated) int {
	for _, loc := range numeral.Han.FindAllStringIndex(folded, -1) {
		if n, ok := numeral.HanValue(folded[loc[0]:loc[1]], folded[:loc[0]], folded[loc[1]:]); ok && q.Kind == Number && strconv.FormatInt(n, 10) == q.Value {
			return loc[0]
		}
	}
	for _, loc := range numeral.Words.FindAllStringIndex(folded, -1) {
		if q.Kind == Number && numeral.English(folded[loc[0]:loc[1]]) == q.Value {
			return loc[0]
		}
	}
	if i := strings.Index(folded, q.written); q.written != "" && i >= 0 {
		return i
	}
	if i := strings.IndexFunc(folded, unicode.IsDigit); i >= 0 {
		return i
	}
	if loc := bareMonth.FindStringIndex(folded); loc != nil {
		return loc[0]
	}
	return -1
}
