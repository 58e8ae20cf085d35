package contrast

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/peer"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

var (
	// hanNamed is a name where exactly one can be, with the words that say so.
	hanNamed = regexp.MustCompile(`(由|位于|出生于|生于|成立于|隶属于|总部设在|存放在|保存在)([\p{Han}A-Za-z]{2,8}?)(负责|审批|批准|审核|管理|主持|承担|签字|保管|解释|提供|担任|组成|创立|创办|执导|编写|维护|监督|编制|制定|起草|存档|领取|发放|采购|支付|出具|签发|签署|组织|指定|确认|复核|修订|实施|执行|处理|安排|运营|设计|开发|建设|承办|保存|登记|验收|接待|检查|受理|主讲|牵头|[，。；、,;]|$)`)
	// named is a word with the preposition, or the verb, behind which a name may stand.
	named = regexp.MustCompile(`([\p{L}’'-]+) (?:(?:is|was|are|were) )?(by|from|in|at|to|is|was) `)
	// described is a name behind what says who it is: "the English rock band Pink Floyd".
	described = regexp.MustCompile(`^(?:the |an? )?(?:[\p{L}’'-]+ ){0,5}?(\p{Lu}[\p{L}'’-]*(?: (?:of |the )?\p{Lu}[\p{L}'’-]*)*)(?:\s*[,.;:!?)]|\s*$| (?:and|or|in|on|at|for|since|until|from|with|as|who|which|that|after|before|near|under)\b| ?-)`)
)

// relations are words of which one thing has one: by each preposition, the words before it.
const relations = `
by led headed chaired managed run owned directed written founded created designed authored built published approved reviewed signed issued handled kept maintained administered supervised organised organized composed painted invented discovered audited paid covered borne provided album film movie book novel song poem painting play opera
in at stored kept based located situated headquartered born buried founded established headquarters archive
from run managed
from in originated originates originating
to reports belongs
is was director head chair manager owner contact lead leader author president capital headquarters supervisor
`

// single tells whether a word and a preposition name one only.
var single = sync.OnceValue(func() map[[2]string]bool {
	out := map[[2]string]bool{}
	for line := range strings.Lines(relations) {
		words := strings.Fields(line)
		n := slices.IndexFunc(words, func(w string) bool { return !slices.Contains([]string{"by", "in", "at", "from", "to", "is", "was"}, w) })
		if n < 0 {
			continue
		}
		for _, t := range analysis.Query(strings.Join(words[n:], " ")) {
			for _, by := range words[:n] {
				out[[2]string{t.Term, by}] = true
			}
		}
	}
	return out
})

// otherName returns a name of a claim in whose place a sentence about the same subject names another of
// which there can't be two: a person, a city, a department. A name that something cited holds is none.
//
// Where the two speak of two things, or of one and a part of it, apart is true: then neither excludes the other.
func otherName(c reading.Claim, st *reading.Statement, cited []*reading.Source) (r Difference, apart, ok bool) {
	held := func(name string) bool {
		return slices.ContainsFunc(cited, func(s *reading.Source) bool { return anyOf(s.Compact, name) })
	}
	if len(polarity.Heads(c.Folded)) > 0 {
		return Difference{}, false, false
	}
	theirs := places(st.Text, st.Folded)
	for _, m := range places(c.Text, c.Folded) {
		if held(m.name) {
			continue
		}
		for _, o := range theirs {
			if m.before == o.before && (m.by == o.by || m.before == origin) && !anyOf(c.Compact, o.name) && peer.Exclude(m.name, o.name) {
				if r, apart, ok = (Difference{"name", m.name, o.name}), ElsewhereAt(c, m.at, o.at, st), true; !apart {
					return r, false, true
				}
			}
		}
	}
	return r, apart, ok
}

// origin is where something comes from, by whatever preposition.
const origin = "origin"

// rootLetters is how many letters a place and its people have in common: Britain, British.
const rootLetters = 4

// anyOf reports whether a text holds one of the words of a name, or how it begins; of a Chinese name, all.
func anyOf(folded, name string) bool {
	return slices.ContainsFunc(strings.Fields(wording.Compact(analysis.Fold(name))), func(w string) bool {
		if r := []rune(w); unicode.Is(unicode.Han, r[0]) {
			return strings.Contains(folded, w)
		}
		if len(w) < rootLetters {
			return slices.Contains(strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) || unicode.Is(unicode.Han, r) }), w)
		}
		return strings.Contains(folded, w[:rootLetters])
	})
}

// placed is a name with what it stands in one relation by, and where that is in the folded text.
type placed struct {
	before, by, name string
	at               int
}

// places finds the names of a sentence that stand where one only can.
func places(text, folded string) []placed {
	var out []placed
	for _, m := range hanNamed.FindAllStringSubmatchIndex(folded, -1) {
		out = append(out, placed{folded[m[6]:m[7]], folded[m[2]:m[3]], folded[m[4]:m[5]], m[2]})
	}
	at, from := 0, 0
	for _, m := range named.FindAllStringSubmatchIndex(text, -1) {
		at, from = at+len(wording.Fold(text[from:m[4]])), m[4]
		word := analysis.Query(text[m[2]:m[3]])
		if len(word) == 0 || !single()[[2]string{word[0].Term, text[m[4]:m[5]]}] {
			continue
		}
		if name := described.FindStringSubmatch(text[m[1]:]); name != nil {
			out = append(out, placed{word[0].Term, text[m[4]:m[5]], name[1], min(at, len(folded))})
		}
	}
	return out
}

// Foreign returns the places that a folded Chinese text names and nothing cited does, in any of their names.
func Foreign(folded string, cited []*reading.Source) []string {
	form, ways := peer.HanPlaces()
	var out []string
	for _, n := range form.FindAllString(folded, -1) {
		if !slices.ContainsFunc(cited, func(s *reading.Source) bool {
			return slices.ContainsFunc(ways[n], func(way string) bool { return strings.Contains(s.Compact, wording.Compact(way)) })
		}) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
