package coverage

import (
	"regexp"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
)

// carriers are words that carry what is said and say little themselves: verbs that link two things, and words that weaken.
const carriers = `
hold have contain consist comprise feature serve work act function form remain stay appear seem become
call name term know refer consider regard describe define identify recognize
create establish introduce develop produce design begin occur happen exist
associate relate link connect involve concern cover apply
type kind sort part example aspect area field level number amount
main major overall general generally usually typically normally mainly primarily commonly
addition particular specific various several certain
change move add ensure aim help try
receive enter contribute toward towards come complete pass due begin
`

var carrierWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, t := range analysis.Query(carriers) {
		if t.Of < 0 {
			out[common(t.Term)] = true
		}
	}
	return out
})

// Carries reports whether a word says little by itself, so that a place which lacks it may say the same.
func (w Word) Carries() bool { return carrierWords()[w.Term] }

// Trails reports whether a word is the last character of a run of them, and the one before it is no part of what is
// lacking: a text may say the same by the rest of that word alone, 用 for 用途.
func (w Word) Trails(lacking []Word) bool {
	if !w.Joined || !w.last {
		return false
	}
	for _, o := range lacking {
		if o.At == w.At-1 {
			return false
		}
	}
	return true
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
