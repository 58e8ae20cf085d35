// Package matter tells whether two sentences are about the same matter, so that what they say otherwise is a
// disagreement. They are not where one has a word that limits, or the thing that is asked about, in the place where the
// other has another one: the gym opens, the library opens; trips at home, trips abroad; the landlord gives notice, the
// employee does.
package matter

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Answer is what a question asks for, as far as it changes what two sentences may differ in.
type Answer int

const (
	// Value is a number, a time, yes or no: words in the same place of two sentences are no answers.
	Value Answer = iota
	// Words is somebody or something: the answers are words themselves.
	Words
)

// Apart reports whether two sentences are about different matters, as far as a question tells.
func Apart(question, a, b string, answer Answer) bool {
	ours, theirs := casesIn(analysis.Fold(a)), casesIn(analysis.Fold(b))
	if other(ours, theirs) || excepted(ours, theirs) || excepted(theirs, ours) {
		return true
	}
	asked := contents(question)
	for _, s := range swaps(a, b) {
		switch {
		case s.names(asked):
			return true
		case answer == Value && s.limits():
			return true
		}
	}
	return false
}

// Misses reports whether a sentence, with what frames it, is about another case than a question: one of a set of which
// the question names another, or an exception that it does not name.
func Misses(question, sentence, frame string) bool {
	asked := unusual(casesIn(analysis.Fold(question)))
	return other(asked, casesIn(analysis.Fold(sentence+"\n"+frame)))
}

// Strays reports whether a sentence is about another case than a question, or about an exception of which neither the
// question speaks nor the sentence that answers it.
func Strays(question, best, sentence string) bool {
	asked, ours, theirs := unusual(casesIn(analysis.Fold(question))), casesIn(analysis.Fold(best)), casesIn(analysis.Fold(sentence))
	return other(asked, theirs) || excepted(theirs, asked) && excepted(theirs, ours)
}

// Supplants reports whether a sentence has something else in the place of what a question names and the sentence that
// answers it has.
func Supplants(question, best, sentence string) bool {
	asked := contents(question)
	return slices.ContainsFunc(swaps(best, sentence), func(s swap) bool { return s.lacks(asked) })
}

// word is a word of a sentence.
type word struct {
	text    string
	content bool // it says something by itself, beside what every sentence of the kind says
	mark    bool
}

// general are words that two sentences about one matter may have in the place of each other.
const general = " must may can should shall will need have has do not no only at least most up per each every all any get give take receive entitl allow permit forbid " +
	"day week month year hour minut second night daily weekli monthli yearli annual annually " +
	"必须 须 应 应当 应该 无需 不需 不用 不必 可以 可 不可 不得 不能 禁止 严禁 允许 准许 需要 需 能 不准 不许 不超过 不少于 少于 超过 至少 至多 最多 最少 最高 最低 不低于 不高于 每 每天 每日 每月 每年 每晚 每次 每周 每人 " +
	"标准 上限 限额 额度 金额 费用 期限 时间 为 是 有 由 共 均 都 一律 公司 单位 本公司 人员 employe staff worker peopl person everyon compani 员工 职工 要求 规定 调整 天 日 周 月 年 小时 分钟 元 个 位 名 "

// wordsOf returns the words of a text in their order, values among them as one word, and marks that part clauses.
func wordsOf(text string) []word {
	var lexicon *analysis.Lexicon // words are cut alike for everybody
	runes := []rune(text)
	var out []word
	at := 0
	for _, t := range lexicon.Tokens(text) {
		if t.Kind != analysis.Word && t.Kind != analysis.Segment && t.Kind != analysis.Number && t.Kind != analysis.Identifier || t.Kind == analysis.Segment && t.Span[0] < at {
			continue
		}
		if t.Span[0] >= at && strings.ContainsAny(string(runes[at:t.Span[0]]), ",，;；:：。") {
			out = append(out, word{text: ",", mark: true})
		}
		at = max(at, t.Span[1])
		term := t.Term
		if t.Kind == analysis.Segment {
			term = analysis.Fold(string(runes[t.Span[0]:t.Span[1]]))
		}
		if t.Kind == analysis.Number {
			term = "#"
		}
		out = append(out, word{text: term, content: t.Kind != analysis.Number && !t.Stop && !strings.Contains(general, " "+term+" ") && strings.ContainsFunc(term, unicode.IsLetter)})
	}
	return out
}

// contents returns the words of a text that say something.
func contents(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range wordsOf(text) {
		if w.content {
			out[w.text] = true
		}
	}
	return out
}

// swap is a place of two sentences where they have different words.
type swap struct {
	ours, theirs []string // what says something there and stands nowhere in the other
	first        bool     // both sentences begin there
	before       bool     // what follows in both is the same word, which says something
}

// mostSwapped bounds the words of a place in which something that limits is exchanged. More say something else altogether.
const mostSwapped = 3

// names reports whether one side has a word of a question, and the other has others and none.
func (s swap) names(asked map[string]bool) bool {
	ours, theirs := s.in(asked, s.ours), s.in(asked, s.theirs)
	return ours != theirs && len(s.ours) > 0 && len(s.theirs) > 0
}

// lacks reports whether the first side alone has a word of a question, and the other has others in its place.
func (s swap) lacks(asked map[string]bool) bool {
	return s.in(asked, s.ours) && !s.in(asked, s.theirs) && len(s.theirs) > 0
}

func (swap) in(asked map[string]bool, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return asked[w] })
}

// limits reports whether the words stand where a subject or what limits one stands.
func (s swap) limits() bool {
	few := func(list []string) bool { return len(list) > 0 && len(list) <= mostSwapped }
	return (s.first || s.before) && few(s.ours) && few(s.theirs)
}

// swaps returns the places where two sentences have different words between the same ones, and behind them all their
// words as one place, since one may say in front what the other says at the end.
func swaps(a, b string) []swap {
	ours, theirs := wordsOf(a), wordsOf(b)
	held, there := contents(a), contents(b)
	var out []swap
	i, j := 0, 0
	for _, p := range append(common(ours, theirs), [2]int{len(ours), len(theirs)}) {
		if p[0] > i && p[1] > j {
			s := swap{ours: only(ours[i:p[0]], there), theirs: only(theirs[j:p[1]], held), first: i == 0 && j == 0}
			if p[0] < len(ours) {
				s.before, s.first = ours[p[0]].content, s.first && !ours[p[0]].mark
			}
			out = append(out, s)
		}
		i, j = p[0]+1, p[1]+1
	}
	return append(out, swap{ours: only(ours, there), theirs: only(theirs, held)})
}

// only returns the words that say something of which another text has no form.
func only(list []word, there map[string]bool) (out []string) {
	for _, w := range list {
		if !w.content || there[w.text] {
			continue
		}
		akin := false
		for t := range there {
			akin = akin || alike(w.text, t)
		}
		if !akin {
			out = append(out, w.text)
		}
	}
	return out
}

// sharedStem is how many letters two forms of one word have in common at least, and sharedHan how many characters.
const (
	sharedStem = 5
	sharedHan  = 2
)

// alike reports whether two words are forms of one: resign, resignation; 住宿, 住宿费.
func alike(a, b string) bool {
	short, long := []rune(a), []rune(b)
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) > 0 && short[0] > 0x2E80 {
		return len(short) >= sharedHan && strings.HasPrefix(string(long), string(short))
	}
	return len(short) >= sharedStem && string(long[:sharedStem]) == string(short[:sharedStem])
}

// common returns the longest run of words that two lists have in the same order, as pairs of their places.
func common(a, b []word) [][2]int {
	best := make([][]int, len(a)+1)
	for i := range best {
		best[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if a[i].text == b[j].text {
				best[i][j] = max(best[i][j], best[i+1][j+1]+1)
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].text == b[j].text && best[i][j] == best[i+1][j+1]+1:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
