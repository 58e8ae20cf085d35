package polarity

import (
	"regexp"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// What a sentence puts into a frame of disbelief it says the contrary of: "it is not true that …", "…的说法是错误的".
var (
	// disbelieved are the words that call what is said untrue.
	disbelieved = `(?:(?:not|never)(?: (?:at all|entirely|quite|strictly|really|actually|simply|even))? (?:true|correct|right|accurate|the case|so|a fact)|false|untrue|wrong|incorrect|inaccurate|unfounded|baseless|mistaken|` +
		`a (?:myth|lie|mistake|misconception|misunderstanding|rumou?r|falsehood|error))`
		// frameBefore stands before what it denies.
	frameBefore = regexp.MustCompile(`^(?:(?:and|but|so|yet|however|also|hence|thus) )*(?:` +
		`(?:it|this|that)(?: is| was|['’]s)(?: \w+ly)? ` + disbelieved + `(?: to (?:say|think|believe|claim|assume|suppose|state))? that\b|` +
		`(?:[\w'’-]+ ){1,4}?(?:(?:den(?:y|ies|ied)|refut(?:e|es|ed)|disprov(?:e|es|ed)) that\b|(?:wrongly|falsely|mistakenly|erroneously) (?:\w+ )?that\b)|` +
		`\p{Han}{0,6}?(?:误以为|误认为|错误地?认为|谣传|误传|谎称|否认|不认为|不承认|(?:并?不是|并非)(?:说|指)))`)
	// frameAround is on both sides of what it denies.
	frameAround = regexp.MustCompile(`^(?:[\w'’-]+ ){0,4}?(?:claim|statement|rumou?r|assertion|idea|notion|belief|assumption|allegation|suggestion|impression) that (.+) (?:is|was|are|were)(?: \w+ly)? ` + disbelieved + `\b.*$|` +
		`^(?:认为|以为|所谓|关于|有人说|说)?(\p{Han}.*?)(?:的|这一|这种|这个|此|该)?(?:说法|观点|看法|传言|传闻|表述|想法|消息|论断|主张)(?:完全|其实|纯属|都|是|为|并|系)*(?:错误的?|错的|不正确的?|不准确的?|不对的?|不实的?|不属实的?|不成立的?|不真实的?|有误|虚假的?|假的|谣言|误解|误会)。?$|` +
		`^(?:认为|以为|所谓|关于|有人说|说)?(\p{Han}.*?)(?:纯?属|是)(?:一种|个)?(?:误解|误会|谣言|谬误|误传)。?$`)
)

// Framed takes a folded sentence apart into what a frame of disbelief denies and what is said beside it; false
// if there is no such frame.
func Framed(folded string) (core, beside string, ok bool) {
	if !strings.Contains(folded, " that ") && !strings.ContainsAny(folded, "认谣传谎误并不假错实") {
		return "", folded, false // no frame is without one of them
	}
	for from, to := range wording.Spans(folded) {
		if core := unframe(folded[from:to]); core != "" {
			return core, folded[:from] + folded[to:], true
		}
	}
	return "", folded, false
}

var edges = regexp.MustCompile(`^\s+|[\s.。]+$`)

// unframe returns what the frame that a clause consists of denies, "" if it is none.
func unframe(clause string) string {
	clause = edges.ReplaceAllString(clause, "")
	core := ""
	if loc := frameBefore.FindStringIndex(clause); loc != nil {
		core = clause[loc[1]:]
	} else if m := frameAround.FindStringSubmatch(clause); m != nil {
		core = m[1] + m[2] + m[3]
	}
	if core = edges.ReplaceAllString(core, ""); len(wording.Terms(core)) < 2 {
		return ""
	}
	return core
}
