// Package paraphrase knows which words and phrases of English and Chinese say the same.
//
// It writes a text in one wording, so that two texts that say the same in other words hold the same words. All words of
// a line are equal: none of them says more than another one, since each is written for any other. It
// knows words alone: whether what they say is denied, by whom it is done and of how much it is so is compared elsewhere, so
// that no word stands beside its opposite here.
package paraphrase

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Plain writes the phrases of a folded text in one wording. The text is read once, whatever it holds.
func Plain(folded string) string {
	if strings.Contains(folded, "payment") || strings.Contains(folded, "receiving") {
		folded = receiving.ReplaceAllString(payments.ReplaceAllString(folded, "pay"), "receipt of $1")
	}
	return plainHan(plainEnglish(folded))
}

// Word returns the stem that stands for a stem and all that say the same.
func Word(stem string) string {
	if first, ok := words()[stem]; ok {
		return first
	}
	return stem
}

// words maps the stem of each word to that of the first one of its line. A word of several lines is of the first.
var words = sync.OnceValue(func() map[string]string { return firstOf(equal) })

// firstOf maps the stems of words to the first one of their line.
func firstOf(lines string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		first := ""
		for word := range strings.FieldsSeq(line) {
			stem := stemOf(word)
			if stem == "" {
				continue
			}
			if first == "" {
				if first = stem; out[stem] != "" {
					first = out[stem]
				}
			}
			if _, taken := out[stem]; !taken {
				out[stem] = first
			}
		}
	}
	return out
}

// stemOf is the stem of a single word.
func stemOf(word string) string {
	for _, t := range analysis.Query(word) {
		if t.Of < 0 && !t.Stop {
			return t.Term
		}
	}
	return ""
}

// phrase is what is said in some words, and what is written for it.
type phrase struct {
	words []string
	plain string
}

// endings are those of a regular verb, where a table has ~.
var endings = []string{"", "s", "es", "ed", "ing"}

// heads maps the first word of each phrase to those that begin with it, longer ones first.
var heads = sync.OnceValue(func() map[string][]phrase {
	out := map[string][]phrase{}
	for line := range strings.Lines(strings.TrimSpace(phrases)) {
		plain, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for said := range strings.SplitSeq(list, ", ") {
			for _, end := range endings {
				words := strings.Fields(strings.Replace(said, "~", end, 1))
				out[words[0]] = append(out[words[0]], phrase{words, plain})
				if !strings.Contains(said, "~") {
					break
				}
			}
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b phrase) int { return cmp.Compare(len(b.words), len(a.words)) })
	}
	return out
})

// plainEnglish writes the phrases of English in one wording.
func plainEnglish(folded string) string {
	var b strings.Builder
	from := 0
	for at := 0; at < len(folded); {
		if !letter(folded[at]) {
			at++
			continue
		}
		end := wordEnd(folded, at)
		if p, n, ok := phraseAt(folded, at, end); ok {
			b.WriteString(folded[from:at] + p.plain)
			from, end = n, n
		}
		at = end
	}
	if from == 0 {
		return folded
	}
	return b.String() + folded[from:]
}

var (
	payments  = regexp.MustCompile(`\bmak(?:es?|ing) (?:the |a )?payments?\b`)
	receiving = regexp.MustCompile(`\breceiving (the|an?|its|their|our|your)\b`)
)

// phraseAt returns the longest phrase that begins with a word, and where it ends.
func phraseAt(folded string, at, end int) (phrase, int, bool) {
	for _, p := range heads()[folded[at:end]] {
		to, ok := end, true
		for _, w := range p.words[1:] {
			if ok = to < len(folded) && (folded[to] == ' ' || folded[to] == '-') && strings.HasPrefix(folded[to+1:], w) && wordEnd(folded, to+1) == to+1+len(w); !ok {
				break
			}
			to += 1 + len(w)
		}
		if ok {
			return p, to, true
		}
	}
	return phrase{}, 0, false
}

// wordEnd is where a word ends that begins at an offset: with it the marks that stand within words.
func wordEnd(folded string, at int) int {
	for at < len(folded) && (letter(folded[at]) || (folded[at] == '\'' || folded[at] == '.') && at+1 < len(folded) && letter(folded[at+1])) {
		at++
	}
	return at
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80 }

// han writes words of Chinese in one wording, longer ones first.
var han = sync.OnceValue(func() *strings.Replacer {
	type pair struct{ said, plain string }
	var pairs []pair
	for line := range strings.Lines(strings.TrimSpace(hanEqual)) {
		list := strings.Fields(line)
		for _, said := range list {
			pairs = append(pairs, pair{said, list[0]})
		}
	}
	for word := range strings.FieldsSeq(hanWhole) {
		pairs = append(pairs, pair{word, word})
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(len(b.said), len(a.said)) })
	var flat []string
	for _, p := range pairs {
		flat = append(flat, p.said, p.plain)
	}
	return strings.NewReplacer(flat...)
})

// toPay is to pay, where it is no part of a longer word: 预付款, 付款期限.
var toPay = regexp.MustCompile(`(^|[^支缴交给应预首垫代拖欠])(?:完成|进行)?付款([^项期方人条日单额金凭帐账]|$)`)

// toHandIn is to pay, with what is paid behind it: 交物业费.
var toHandIn = regexp.MustCompile(`(^|[^提上递转移成外社对])[交缴]([\p{Han}]{0,4}?[费税租金款钱])`)

// plainHan writes the words of Chinese in one wording.
func plainHan(folded string) string {
	if !strings.ContainsFunc(folded, func(r rune) bool { return r >= 0x4E00 }) {
		return folded
	}
	folded = han().Replace(folded)
	if strings.ContainsAny(folded, "交缴") {
		folded = toHandIn.ReplaceAllString(folded, "${1}支付$2")
	}
	if strings.Contains(folded, "付款") {
		folded = toPay.ReplaceAllString(folded, "${1}支付$2")
	}
	return folded
}
