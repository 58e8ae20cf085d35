package memory

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// The bounds of what is kept of one question, in code points but for the pieces. They keep a
// sentence that somebody pasted from being kept as one.
const (
	maxRun    = 20 // of a run of Chinese
	maxWord   = 40 // of any other piece
	maxPieces = 12
)

var (
	// address matches what could be followed: an address with a scheme, a host with a path, a mailbox.
	address = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*:/*/\S*|www\.\S+|\b(?:mailto|javascript|data):\S*|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}[/:?]\S*|\S+@\S+`)
	// asking matches words that make a sentence a question or tie it to the one before.
	asking = regexp.MustCompile(`你好|您好|谢谢|请问|请告诉我|请|上次|刚才|你说|我说|什么时候|什么时间|什么地方|什么样的?|是什么|有什么|什么|是多少|有多少|多少|为什么|为何|何时|何处|怎么样|怎么办|怎么|怎样|如何|` +
		`哪[一两几]?[年天月日个些位种里儿]|是谁|谁|几[个位种年月日次天]|是否|是不是|有没有|能不能|可不可以|可以|应该|我们|你们|他们|那么|那个|这个|那些|这些|还有|另外|以及|[那这它他她其吗呢吧啊]`)
	// numeral matches an amount in Chinese words.
	numeral = regexp.MustCompile(`[一二两三四五六七八九十百千万亿零〇壹贰叁肆伍陆柒捌玖拾佰仟]+(?:点[一二三四五六七八九零〇]+)?(?:元|块|美元|欧元|港币|天|日|晚|夜|个|名|人|次|倍|折|小时|分钟|公里|千克|公斤|米|吨)|` +
		`百分之[一二三四五六七八九十百零〇点]+|[一二两三四五六七八九][十百千万][一二两三四五六七八九十百千万亿零〇]*`)
	// unit matches what stands behind an amount.
	unit = regexp.MustCompile(`^\s*(?:个|名|位|工作日|天|日|晚|夜|元|块钱?|人民币|美元|欧元|港币|人|次|倍|折|条|月|小时|分钟|公里|千克|公斤|平方米|米|吨|万|亿|千|百|[%％‰]|(?i:yuan|rmb|cny|usd|eur|dollars?|euros?|percent|days?|nights?|hours?|minutes?|kg|km)\b)+`)
	// amount matches tokens with letters that are a value all the same: 30d, 5kg, CNY650, limit=800.
	amount = regexp.MustCompile(`=|^[0-9][0-9.,]*\p{Ll}+$|(?i)^(?:rmb|cny|usd|eur|gbp|jpy|hkd|twd|yuan)[\s.-]*[0-9.,]+$|^[0-9.,]+[\s-]*(?:rmb|cny|usd|eur|gbp|jpy|hkd|twd|yuan|kg|km|percent|%)$`)
	// mark matches what could pass for a reference to evidence.
	mark = regexp.MustCompile(`^[SC][0-9]+$`)
	// particle splits Chinese where words are tied together.
	particle = regexp.MustCompile(`[的了是和与及或]`)
)

// filler are English words that tell of talking and asking, not of a topic.
const filler = " many much long often last time said say says saying told tell know want need please ok okay yes hello hi thanks "

// topics returns the pieces of a question that say what it is about, in their order: words, runs
// of Chinese and identifiers, each as it was written. Addresses, bare amounts and words that only
// ask are left out.
func topics(question string) []string {
	runes := []rune(blank(numeral, blank(address, visible(question))))
	tokens := analysis.Tokens(string(runes))
	for _, t := range tokens {
		if t.Of < 0 && (t.Kind == analysis.Number || t.Kind == analysis.Identifier && figure(string(runes[t.Span[0]:t.Span[1]]))) {
			end := t.Span[1] + len([]rune(unit.FindString(string(runes[t.Span[1]:min(len(runes), t.Span[1]+12)]))))
			wipe(runes[t.Span[0]:end])
		}
	}
	var out []string
	at := 0
	for _, t := range tokens {
		if t.Of >= 0 || t.Kind == analysis.Pair || t.Kind == analysis.Character || t.Span[0] < at {
			continue
		}
		word := strings.TrimSpace(string(runes[t.Span[0]:t.Span[1]]))
		out = append(out, chinese(string(runes[at:t.Span[0]]))...)
		at = t.Span[1]
		if word != "" && !t.Stop && !value(word) && !mark.MatchString(word) && !strings.Contains(filler, " "+strings.ToLower(word)+" ") {
			out = append(out, word)
		}
	}
	out = append(out, chinese(string(runes[at:]))...)
	return distinct(out)
}

// visible drops what nobody sees and puts blanks for whatever ends a line or could end a block.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) && r >= 0xFE00 || r == unicode.ReplacementChar:
			return -1
		case unicode.IsControl(r) || unicode.IsSpace(r) || r == '<' || r == '>':
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// blank puts blanks for what a form matches, as many as there were characters.
func blank(form *regexp.Regexp, s string) string {
	return form.ReplaceAllStringFunc(s, func(found string) string { return strings.Repeat(" ", len([]rune(found))) })
}

func wipe(runes []rune) {
	for i := range runes {
		runes[i] = ' '
	}
}

// value reports whether a word is an amount: it has a digit, and its letters are a unit.
func value(word string) bool {
	return strings.ContainsFunc(word, unicode.IsDigit) && amount.MatchString(word)
}

// figure reports whether an identifier is a value and no name: it has no letter and is no address
// or version of three parts, or its letters are a unit.
func figure(identifier string) bool {
	if strings.ContainsFunc(identifier, unicode.IsLetter) {
		return value(identifier)
	}
	return strings.Count(identifier, ".") < 2 || strings.ContainsAny(identifier, ",，")
}

// chinese returns the runs of Chinese between other words, without the words that only ask.
// A single character is mostly what is left of them, and no piece.
func chinese(s string) []string {
	var out []string
	s = blank(particle, blank(asking, s))
	for _, run := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.Is(unicode.Han, r) }) {
		if len([]rune(run)) > 1 {
			out = append(out, run)
		}
	}
	return out
}

// distinct keeps the first of equal pieces, and as many as a line may hold.
func distinct(pieces []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range pieces {
		switch r := []rune(p); {
		case unicode.Is(unicode.Han, r[0]):
			p = string(r[:min(len(r), maxRun)])
		case len(r) > maxWord:
			continue // no word is that long; a key or an encoded text may be
		}
		if key := analysis.Fold(p); !seen[key] && len(out) < maxPieces {
			seen[key] = true
			out = append(out, p)
		}
	}
	return slices.Clip(out)
}
