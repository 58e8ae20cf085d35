package claim

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	// noDenials are words that look like a denial and are none.
	noDenials = regexp.MustCompile(`非常|非洲|[东南西北]非|不列颠|不丹|无线|未来|不同|不仅|不断|不久|不论|不管|无论|不过|不锈|除非|不但|不动产|未婚|并非不|无不|不(?:得|能)?(?:超过|少于|低于|高于|大于|小于|多于|早于|晚于|迟于)|不到|不足|不得不|` +
		`\bnot (?:only|until|just|merely|necessarily|least|surprising\w*)\b|\b(?:no|not) (?:more|less|fewer|later|earlier|longer|higher|lower) than\b|\bno (?:doubt|matter)\b|\bno\. ?\d|\bpresence (?:or|and) (?:\(?\w+\)? )?absence\b|\b(?:whether or|if) not\b`)
	zhDenials = regexp.MustCompile(`[不无未非勿没]|切?莫[要得可能]|禁止|严禁|拒绝|免于`)
	enDenials = regexp.MustCompile(`\b(?:not|no|never|cannot|without|neither|nor|none|nobody|nothing|prohibited|forbidden|incapable|unable|unlikely|lacks?|lacking|lacked|fails?|failed|failure to|refuses?|refused|refusal|declined to|avoids?|avoided|avoiding|absence of|rather than|yet to)\b|n't\b`)
)

// How many characters of Chinese, or of English, a denial reaches at most.
const (
	zhReach = 12
	enReach = 48
)

// nextSaid is where something else begins to be said, which a denial before it does not reach.
var nextSaid = regexp.MustCompile(`["”]|\band (?:i|you|he|she|it|we|they|the|this|that|these|those|there)\b`)

// denial is a word that denies and what it reaches, in bytes.
type denial struct {
	word, reach [2]int
	thing       bool // it denies a thing and not what is said: "without", "lack of"
	number      bool // it denies a number alone: "is not 650 yuan"; see stated
}

// privative matches the denials of a thing.
var privative = regexp.MustCompile(`^(?:without|lack|lacking|absence of|failure to|refusal|rather than|avoid\w*|无|免于)$`)

// denials finds the denials of one clause.
func denials(clause string) []denial {
	if !mayDeny(clause) {
		return nil
	}
	masked := masked(clause)
	var out []denial
	add := func(loc []int, reach int) {
		end := loc[1]
		for n := 0; end < len(clause) && n < reach; n++ {
			end++
			for end < len(clause) && clause[end]&0xC0 == 0x80 {
				end++
			}
		}
		if next := nextSaid.FindStringIndex(clause[loc[1]:end]); next != nil {
			end = loc[1] + next[0]
		}
		out = append(out, denial{[2]int{loc[0], loc[1]}, [2]int{loc[1], end}, privative.MatchString(clause[loc[0]:loc[1]]), deniesNumber(clause[loc[0]:])})
	}
	for _, loc := range zhDenials.FindAllStringIndex(masked, -1) {
		add(loc, zhReach)
	}
	for _, loc := range enDenials.FindAllStringIndex(masked, -1) {
		// The engine's word ends are those of ASCII: "noël" holds no "no".
		if !letterAt(masked, loc[1]) && !letterBefore(masked, loc[0]) {
			add(loc, enReach)
		}
	}
	return eachOnce(clause, out)
}

// masked blanks what looks like a denial in a folded text and is none.
func masked(folded string) string { return noDenials.ReplaceAllStringFunc(folded, blanks) }

// count tells how many denials a folded text has.
func count(folded string) int { return len(denials(folded)) }

// eachOnce lets "neither" reach no further than to "nor", which denies the rest: both together deny once.
func eachOnce(clause string, found []denial) []denial {
	is := func(d denial, word string) bool { return clause[d.word[0]:d.word[1]] == word }
	for i, d := range found {
		for _, e := range found[i+1:] {
			if is(d, "neither") && is(e, "nor") {
				found[i].reach[1] = min(d.reach[1], e.word[0])
			}
		}
	}
	return found
}

// ofNumber is a denial with what may stand between it and a number or date that it says something is not.
var ofNumber = regexp.MustCompile(`^(?:不(?:是|为|等于)|非(?:为)?|(?:not|n't|never|neither|nor)(?:\s|$))\s*(?:恰好|正好|人民币|每个?(?:[晚夜天日年周月人次]|小时|公里|工作日)|(?:exactly|precisely|just|a|an|the|set at|equal to)(?:\s|$))?\s*(?:[¥$€£]|rmb|usd|cny)?\s*`)

// deniesNext reports whether a text ends in a denial of the number that stands behind it, and of nothing else.
func deniesNext(before string) bool {
	before = lastRunes(before, enReach)
	if ends := clauseEnds(before); len(ends) > 0 {
		before = before[ends[len(ends)-1][1]:]
	}
	return slices.ContainsFunc(denials(before), func(d denial) bool {
		return len(ofNumber.FindString(before[d.word[0]:])) == len(before)-d.word[0]
	})
}

// deniesNumber reports whether a text that begins with a denial says that something is not the number behind it. A
// version or another code is no number.
func deniesNumber(text string) bool {
	rest := text[len(ofNumber.FindString(text)):]
	if len(rest) == len(text) || rest == "" || rest[0] < '0' || rest[0] > '9' {
		return false
	}
	code := codes.FindStringIndex(rest)
	return code == nil || code[0] > 0
}

// alternative stands between the numbers that one denial denies, and listed between those of a list whose last
// two an alternative stands between: "not 600, 650 or 700", 不是600元或650元.
var (
	alternative = regexp.MustCompile(`^\s*(?:[,，]?\s*(?:or|nor)\b|[，]?(?:或者?|还是|、))\s*(?:[¥$€£]|rmb|usd|cny)?\s*$`)
	listed      = regexp.MustCompile(`^\s*[,，]\s*(?:[¥$€£]|rmb|usd|cny)?\s*$`)
	lastOfAll   = regexp.MustCompile(`^[^,，;；。.!?]{0,24}?(?:[,，][^,，;；。.!?]{0,24}?)*?(?:\b(?:or|nor)\b|或)`)
)

// beforeNumber is what belongs to a number behind it, as a denial of it, its bound or its sign.
var beforeNumber = regexp.MustCompile(`(?:(?:[既也并又亦]*(?:不(?:是|为|等于)|非(?:为)?)|\b(?:not|never|neither|nor)\b|\bat (?:least|most)\b|\b(?:minus|within)\b|\b(?:no|not) (?:later|longer) than\b|至少|至多)\s*)+$`)

// withoutBefore takes off the end of a text what belongs to the number behind it.
func withoutBefore(text string) string { return beforeNumber.ReplaceAllString(text, "") }

// shared reports whether a denial of the number before a gap denies the one behind it too, with what follows that.
func shared(gap, behind string) bool {
	return alternative.MatchString(gap) || listed.MatchString(gap) && lastOfAll.MatchString(behind)
}

// denying are pieces of the English words that deny.
var denying = strings.Fields("no n't without never neither prohibited forbidden incap unable unlikely lack fail refus avoid declined absence rather yet")

// mayDeny reports whether a folded text may deny something. It looks at pieces of words alone, since most
// clauses deny nothing.
func mayDeny(folded string) bool {
	return strings.ContainsAny(folded, "不无未非勿没莫禁严拒免") ||
		slices.ContainsFunc(denying, func(piece string) bool { return strings.Contains(folded, piece) })
}

// blanks is a text of the same length that says nothing.
func blanks(s string) string { return strings.Repeat(" ", len(s)) }

// withoutCodes blanks what has figures: a denial before a code denies what is said of the code.
func withoutCodes(s string) string {
	if strings.ContainsAny(s, "0123456789") {
		return blanks(s)
	}
	return s
}

func letterAt(s string, at int) bool {
	for _, r := range s[at:] {
		return unicode.IsLetter(r) && r > unicode.MaxASCII
	}
	return false
}

func letterBefore(s string, at int) bool {
	r := []rune(lastRunes(s[:at], 1))
	return len(r) == 1 && unicode.IsLetter(r[0]) && r[0] > unicode.MaxASCII
}

// attitude says how a text speaks of a word: bit 0 affirmed, bit 1 denied.
type attitude uint8

const (
	affirmed attitude = 1 << iota
	denied
)

// attitudes tells for each word, character and pair of a folded text whether it stands under a
// denial, under none, or both ways.
func attitudes(folded string) map[string]attitude {
	out := map[string]attitude{}
	for _, part := range clausesOf(folded) {
		list := terms(codes.ReplaceAllStringFunc(part, withoutCodes))
		counts := make([]int, len(list))
		for _, d := range denials(part) {
			d.count(list, counts)
		}
		for i, t := range list {
			a := affirmed
			if counts[i]%2 == 1 {
				a = denied
			}
			for _, key := range [...]string{t.text, t.left, t.right} {
				if key != "" {
					out[key] |= a
				}
			}
		}
	}
	return out
}

// count adds a denial to the terms that it reaches; to the one before it where it reaches none, as
// in "fixes no ERR-1042". One of a number denies no words.
func (d denial) count(list []term, counts []int) {
	if d.number {
		return
	}
	reached, before := false, -1
	for i, t := range list {
		switch {
		case t.at >= d.reach[0] && t.at < d.reach[1]:
			counts[i]++
			reached = true
		case t.at < d.word[0]:
			before = i
		}
	}
	if !reached && before >= 0 {
		counts[before]++
	}
}
