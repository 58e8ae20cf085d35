package coverage

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
)

// carriers are words that carry what is said and say little themselves: verbs that link two things, words for a sort of
// thing, and words that weaken. A verb that says what is done is none.
const carriers = `
hold have contain consist comprise remain stay appear seem become exist occur happen due
call name term know refer consider regard describe define
type kind sort part example amount number
overall general generally usually typically normally mainly primarily commonly
addition particular specific various several certain
`

var carrierWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, t := range analysis.Query(carriers) {
		if t.Of < 0 {
			out[t.Term] = true
		}
	}
	return out
})

// Carries reports whether a word says little by itself, so that a place which lacks it may say the same. The word itself
// must: "retain" says more than "hold", which may mean it.
func (w Word) Carries() bool {
	return slices.ContainsFunc(analysis.Query(w.Surface), func(t analysis.Token) bool { return carrierWords()[t.Term] })
}

var (
	// asks is what a question asks for, with the word that says of what kind that is.
	asks = regexp.MustCompile(`\b(?:what|which)(?: (?:kinds?|types?|sorts?) of| is another term for| other)?(?: [a-z]*[^\Wsd])?(?: and [a-z]*[^\Wsd])?\b|\bhow (?:many|much|far|long|often|old|else|big|large|high)\b|` +
		`(?:什么|哪[个些位种部座所条家一]?|何|几[个种项位名]?|多少)(?:时候|时期|时间|时代|年代|位置|地方|地点|地区|国家|城市|公司|机构|学校|科目|职业|职位|角色|类型|种类|形式|方式|方法|原因|性质|用途|作用|态度|事件|语言|颜色|名字)?`)
)

// unasked takes off a question what it asks for, since the answer beside it says that.
func unasked(folded string) string {
	if !strings.ContainsAny(folded, "?？") {
		return folded
	}
	return asks.ReplaceAllString(folded, " ")
}
