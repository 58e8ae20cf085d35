package polarity

import (
	"regexp"
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// ofNumber is a denial with what may stand between it and a number or date that it says something is not.
var ofNumber = regexp.MustCompile(`^(?:不(?:是|为|等于)|非(?:为)?|(?:not|n't|never|neither|nor)(?:\s|$))\s*(?:恰好|正好|人民币|每个?(?:[晚夜天日年周月人次]|小时|公里|工作日)|(?:exactly|precisely|just|a|an|the|set at|equal to)(?:\s|$))?\s*(?:[¥$€£]|rmb|usd|cny)?\s*`)

// DeniesNext reports whether a text ends in a denial of the number that stands behind it, and of nothing else.
func DeniesNext(before string) bool {
	before = wording.LastRunes(before, enReach)
	if ends := wording.ClauseEnds(before); len(ends) > 0 {
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
	code := wording.Codes.FindStringIndex(rest)
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

// WithoutBefore takes off the end of a text what belongs to the number behind it.
func WithoutBefore(text string) string { return beforeNumber.ReplaceAllString(text, "") }

// Shared reports whether a denial of the number before a gap denies the one behind it too, with what follows that.
func Shared(gap, behind string) bool {
	return alternative.MatchString(gap) || listed.MatchString(gap) && lastOfAll.MatchString(behind)
}
