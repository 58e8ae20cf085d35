// Package numeral writes numbers that a text has in words in digits: 三万五千, "twenty-five", "2.4m".
//
// It reads folded texts, in both languages, and leaves alone what only looks like a number: 三亚, 十分, "one of a kind".
package numeral

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// digits are the values of Chinese numerals.
var digits = map[rune]int64{
	'〇': 0, '零': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9,
}

var powers = map[rune]int64{'十': 10, '百': 100, '千': 1000, '万': 10_000, '亿': 100_000_000}

var (
	// Han matches a run of Chinese numerals.
	Han = regexp.MustCompile(`[〇零一二两三四五六七八九十百千万亿]+`)
	// measures are what a single Chinese numeral must stand before to be a number: 三天, but not 三亚.
	measures = regexp.MustCompile(`^(?:[天日月年元块周倍岁点度层级期页章节款条项份台晚夜成人名位家种类号级次辆吨米克]|小时|分钟|秒|分之|星期|季度|公里|公斤|千克|千米|厘米|毫米|平方|立方|工作日|美元|欧元|个)`)
	// articles stand after 一 when it means "a".
	articles = regexp.MustCompile(`^[个种些定般样次家名位条项点切起直类人方旦致]`)
)

var (
	// vague stands before 一 when the two ask or point: 哪一年, 每一天.
	vague = regexp.MustCompile(`[哪某每同另这那任各下上唯]$`)
	// numbered stands after 第一 when it is a number of a place, and not a word for "foremost".
	numbered = regexp.MustCompile(`^[条款章节项版期页步阶]`)
)

// Arabic writes Chinese numerals and English number words of a folded text in digits, where they
// are numbers and not parts of words.
func Arabic(text string) string { return hyphened.ReplaceAllString(English(hanDigits(text)), "$1 $2") }

// hyphened is a number with its measure behind a hyphen: "two-year", "30-day".
var hyphened = regexp.MustCompile(`(\d)-(year|month|week|day|hour|minute|night|person)\b`)

func hanDigits(text string) string {
	var b strings.Builder
	at := 0
	for _, loc := range Han.FindAllStringIndex(text, -1) {
		run, after := text[loc[0]:loc[1]], text[loc[1]:]
		b.WriteString(text[at:loc[0]])
		at = loc[1]
		n, ok := HanValue(run, text[:loc[0]], after)
		if !ok {
			b.WriteString(run)
			continue
		}
		b.WriteString(strconv.FormatInt(n, 10))
	}
	b.WriteString(text[at:])
	return b.String()
}

// HanValue reads a run of numerals; false if it is no number where it stands.
func HanValue(run, before, after string) (int64, bool) {
	if run == "一" && (vague.MatchString(before) || strings.HasSuffix(before, "第") && !numbered.MatchString(after)) {
		return 0, false
	}
	ordinal := strings.HasSuffix(before, "第") || strings.HasSuffix(before, "分之")
	if utf8.RuneCountInString(run) == 1 {
		r, _ := utf8.DecodeRuneInString(run)
		switch {
		case ordinal:
		case !measures.MatchString(after):
			return 0, false
		case r == '一' && articles.MatchString(after):
			return 0, false
		case r == '十' && strings.HasPrefix(after, "分") && !strings.HasPrefix(after, "分钟") && !strings.HasPrefix(after, "分之"):
			return 0, false
		}
		if d, ok := digits[r]; ok {
			return d, true
		}
		return 10, r == '十'
	}
	if !strings.ContainsAny(run, "十百千万亿") {
		// 二〇二六 is read digit by digit; 两三 means "two or three".
		if utf8.RuneCountInString(run) < 4 && !strings.ContainsAny(run, "〇零") && !strings.HasPrefix(after, "年") {
			return 0, false
		}
		var n int64
		for _, r := range run {
			if n = n*10 + digits[r]; n > 1e15 {
				return 0, false
			}
		}
		return n, true
	}
	return positional(run)
}

// positional reads 一千二百三十, 十五, 三万五千; false if the order makes no sense.
func positional(run string) (int64, bool) {
	var total, section, digit, under int64
	had := false
	for i, r := range run {
		if d, ok := digits[r]; ok {
			if digit, had = d, true; d == 0 {
				under = 0
			}
			continue
		}
		p := powers[r]
		under = p
		switch {
		case p >= 10_000:
			section += digit
			if section == 0 {
				return 0, false
			}
			total += section * p
			section = 0
		case digit == 0 && p == 10 && (i == 0 || section > 0 || total > 0):
			section += 10
			had = true
		case digit == 0:
			return 0, false
		default:
			section += digit * p
		}
		if digit = 0; total > 1e15 {
			return 0, false
		}
	}
	if digit > 0 && under >= 100 {
		digit *= under / 10 // 二百五 is 250
	}
	return total + section + digit, had
}

var smallWords = map[string]int64{
	"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
	"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "one": 1,
}

var bigWords = map[string]int64{"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}

const smallWord = `one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|` +
	`twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety`

const bigWord = `hundred|thousand|million|billion`

var (
	// Words matches a number in English words.
	Words     = regexp.MustCompile(`\b(?:` + smallWord + `|an? (?:` + bigWord + `))(?:[- ](?:and )?(?:` + smallWord + `|` + bigWord + `))*\b`)
	wordBreak = regexp.MustCompile(`[- ]+`)
	// magnitude is a number with a letter for its size, and halfOf a half more, or less, than one of a size.
	magnitude = regexp.MustCompile(`([¥$€£]|\b(?:usd|eur|gbp|rmb|cny)) ?(\d+(?:\.\d+)?) ?(mn?|bn?)\b|\b(\d+(?:\.\d+)?) ?(mn|bn)\b`)
	halfOf    = regexp.MustCompile(`\bhalf an? (hundred|thousand|million|billion)\b`)
	andHalf   = regexp.MustCompile(`\b(` + smallWord + `|an?|\d+) and a half (hundred|thousand|million|billion|years?|months?|weeks?|days?|hours?|miles?|kilomet(?:re|er)s?|met(?:re|er)s?|tonn?e?s?|litres?|liters?)\b`)
	// oneAndHalf is the same with the measure before the half: "a year and a half".
	oneAndHalf = regexp.MustCompile(`\b(an?|one) (year|month|week|day|hour|mile|kilomet(?:re|er)|met(?:re|er)|tonne|ton|litre|liter) and a half\b`)
)

// Magnitudes writes sizes of numbers that are written in short, or by halves, as words behind a number.
func Magnitudes(text string) string {
	text = magnitude.ReplaceAllStringFunc(text, func(s string) string {
		m := magnitude.FindStringSubmatch(s)
		size := "million"
		if (m[3] + m[5])[0] == 'b' {
			size = "billion"
		}
		return m[1] + m[2] + m[4] + " " + size
	})
	text = hanHalves(text)
	if !strings.Contains(text, "half") {
		return text
	}
	text = oneAndHalf.ReplaceAllString(halfOf.ReplaceAllString(text, "0.5 $1"), "$1 and a half $2")
	return andHalf.ReplaceAllStringFunc(text, func(s string) string {
		m := andHalf.FindStringSubmatch(s)
		n, known := smallWords[m[1]]
		switch {
		case known:
			m[1] = strconv.FormatInt(n, 10)
		case m[1][0] == 'a':
			m[1] = "1"
		}
		return m[1] + ".5 " + m[2]
	})
}

// fromOne is a range that begins with one, which is a number there.
var fromOne = regexp.MustCompile(`\bone to (` + smallWord + `|\d)`)

// English writes English number words in digits: "twenty-five", "three hundred and ten", but not "one",
// which mostly means "a".
func English(text string) string {
	if strings.Contains(text, "one to ") {
		text = fromOne.ReplaceAllString(text, "1 to $1")
	}
	return Words.ReplaceAllStringFunc(text, func(s string) string {
		if s == "one" {
			return s
		}
		if n, ok := spelled(wordBreak.Split(s, -1)); ok {
			return strconv.FormatInt(n, 10)
		}
		return oneByOne(s)
	})
}

// oneByOne writes words in digits that no one number is written with, as the numbers that they are. An "and" parts two
// of them, and each is as long as it can be: "one hundred and fifty and two hundred".
func oneByOne(list string) string {
	pieces := strings.Split(list, " and ")
	var out []string
	for len(pieces) > 0 {
		n, number := 1, pieces[0]
		for n < len(pieces) && isNumber(number+" and "+pieces[n]) {
			number += " and " + pieces[n]
			n++
		}
		if pieces = pieces[n:]; isNumber(number) {
			number = English(number)
		} else {
			number = wordByWord(number)
		}
		out = append(out, number)
	}
	return strings.Join(out, " and ")
}

// wordByWord writes those of some words in digits that are numbers, but "one".
func wordByWord(list string) string {
	out := strings.Fields(list)
	for i, w := range out {
		first := wordBreak.Split(w, -1)
		if n, ok := spelled(first); ok && smallWords[first[0]] > 0 && w != "one" {
			out[i] = strconv.FormatInt(n, 10)
		}
	}
	return strings.Join(out, " ")
}

func isNumber(list string) bool {
	_, ok := spelled(wordBreak.Split(list, -1))
	return ok
}

// spelled reads number words; false if they are not in the order of one number.
func spelled(list []string) (int64, bool) {
	var total, section, last int64 = 0, 0, 1 << 40
	for i, w := range list {
		n, big := bigWords[w]
		small := smallWords[w]
		switch {
		case w == "and" && i > 0, i == 0 && (w == "a" || w == "an"):
			continue
		case big && n == 100 && section < 100:
			section, last = max(1, section)*100, 100
		case big && n > 100 && (total == 0 || n < total):
			total, section, last = total+max(1, section)*n, 0, 1<<40
		case small > 0 && small < last && (last >= 100 || small < 10 && last >= 20):
			section, last = section+small, small
		default:
			return 0, false
		}
	}
	return total + section, true
}

// counting are pieces of the words by which a text without figures may state a quantity.
var counting = strings.Fields("one two three four five six seven eight nine ten eleven twelve teen twenty thirty forty fifty sixty eighty ninety " +
	"hundred thousand million billion half third quarter fifth night day year week month hour person km " +
	"jan feb mar apr may jun jul aug sep oct nov dec")

// MayCount reports whether a folded text may state a quantity. It looks at pieces of words alone, since most
// sentences state none, and reading one for what it states takes long.
func MayCount(folded string) bool {
	return strings.ContainsAny(folded, "0123456789每〇零一二两三四五六七八九十百千万亿半") ||
		slices.ContainsFunc(counting, func(piece string) bool { return strings.Contains(folded, piece) })
}
