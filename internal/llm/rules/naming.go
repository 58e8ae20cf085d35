package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Words that join, help or ask, and name nothing that could be missing: characters that are one each, and
// longer ones.
const (
	joiners     = "在有要能会可得给用去到从把被让由对跟和与或还都就也才很吗呢了着过的之以为是不没无未将已再又请问找收该应须需想我你他她它们这那哪几多少时后前"
	joinerWords = " 会不会 要不要 能不能 有没有 可不可以 是不是 需不需要 不会 不要 不能 没有 只有 还有 还是 或者 以及 可以 可能 能够 应该 应当 需要 必须 如何 怎么 什么 多少 是否 位于 属于 负责 进行 由谁 要收 要花 收取 我们 你们 他们 自己 如果 因为 所以 "
	// suffixes are characters that make another name of the word before them: 门禁, 门禁卡.
	suffixes = "机卡房室部费证单表票率额员者会处科车站店楼库器品物金期日法权书函章件号码版型网线园厅院所校假补人长师"
)

// wording returns what a person would call what was not found. Its Chinese runs come from pairs
// of characters, and may begin or end with a character that belongs to no name.
func wording(missing string) []string {
	if !strings.ContainsFunc(missing, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return []string{missing}
	}
	var out []string
	runes := []rune(missing)
	name, worded, at := "", false, 0
	flush := func() {
		if utf8.RuneCountInString(name) > 1 {
			out = append(out, name)
		}
		name, worded = "", false
	}
	var lexicon *analysis.Lexicon // words of its own are a tenant's, and no tenant is known here
	for _, t := range lexicon.Tokens(missing) {
		if t.Span[0] < at || t.Kind != analysis.Segment && !latin(t, runes) {
			continue
		}
		if t.Span[0] > at {
			flush()
		}
		word := string(runes[t.Span[0]:t.Span[1]])
		at = t.Span[1]
		switch single := t.Span[1]-t.Span[0] == 1; {
		case single && strings.Contains(joiners, word) && (worded || name == "" || !strings.Contains(suffixes, word)), strings.Contains(joinerWords, " "+word+" "):
			flush()
		case single && worded && !strings.Contains(suffixes, word):
			flush()
			name = word
		default:
			name, worded = name+word, worded || !single
		}
	}
	flush()
	return out
}

// latin reports whether a token is a word or a code of letters and figures that stands in a Chinese name.
func latin(t analysis.Token, runes []rune) bool {
	return t.Of < 0 && !unicode.Is(unicode.Han, runes[t.Span[0]]) && (t.Kind == analysis.Word || t.Kind == analysis.Number || t.Kind == analysis.Compound || t.Kind == analysis.Identifier)
}

// wordings are those of several, each once.
func wordings(missing []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, m := range missing {
		for _, w := range wording(m) {
			if !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}
