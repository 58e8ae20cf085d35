package claim

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// beside is how many words away what a word is said of may stand.
const beside = 3

// sameThing reports whether two opposite words are said of the same thing: they have a word beside
// them in common. A claim of three words and less is about one thing.
func (c claim) sameThing(pair [2]string, st *statement) bool {
	if len(c.terms) <= beside {
		return true
	}
	near := around(c.folded, pair[0])
	return slices.ContainsFunc(around(st.folded, pair[1]), func(w string) bool { return slices.Contains(near, w) })
}

// around returns the words beside each place of a word in its clause, itself excepted. A Chinese word is
// looked for by its first character.
func around(folded, word string) []string {
	size := 1
	if r := []rune(word); len(r) > 1 && unicode.Is(unicode.Han, r[0]) {
		word, size = string(r[:1]), len(r)
	}
	reach := beside * size
	var out []string
	for _, part := range clauseEnd.Split(folded, -1) {
		list := terms(part)
		for i, t := range list {
			if t.text != word {
				continue
			}
			for j := max(0, i-reach); j < min(len(list), i+size+reach); j++ {
				if j < i || j >= i+size {
					out = append(out, list[j].text)
				}
			}
		}
	}
	return out
}

var (
	// named is a name with the word that says what it has to do with the rest.
	named = regexp.MustCompile(`\b(by|from|in|at|to|under|as|on|of|is|was) (?:the )?(\p{Lu}[\p{L}'’-]+(?: (?:of |the |and )?\p{Lu}[\p{L}'’-]+)*)`)
	// hanNamed is the same for what exactly one can be.
	hanNamed = regexp.MustCompile(`(由|位于|毕业于|出生于|生于|成立于|隶属于|总部设在|来自)([\p{Han}A-Za-z]{2,6}?)(负责|审批|批准|审核|管理|主持|承担|签字|保管|解释|提供|担任|组成|创立|创办|执导|编写|[，。；、,;]|$)`)
)

// otherName returns a name of a claim in whose place a sentence names another: after the same word
// and the same preposition, "led by Bob Stone" where the sentence says "led by Alice Moore". A name that
// something cited holds is none of them.
func (c claim) otherName(st *statement, cited []*Source) (Reason, bool) {
	held := func(name string) bool {
		return slices.ContainsFunc(cited, func(s *Source) bool { return anyOf(s.compact, name) })
	}
	if len(heads(c.folded)) > 0 {
		return Reason{}, false
	}
	for _, m := range hanNamed.FindAllStringSubmatch(c.folded, -1) {
		for _, o := range hanNamed.FindAllStringSubmatch(st.folded, -1) {
			if m[1] == o[1] && m[3] == o[3] && !held(m[2]) && !strings.Contains(m[2], o[2]) {
				return Reason{"name", m[2], o[2]}, true
			}
		}
	}
	for _, m := range places(c.text) {
		if m.before == "" || held(m.name) {
			continue
		}
		for _, o := range places(st.text) {
			if m.before == o.before && m.by == o.by && !anyOf(c.compact, o.name) {
				return Reason{"name", m.name, o.name}, true
			}
		}
	}
	return Reason{}, false
}

// rootLetters is how many letters a place and its people have in common: Britain, British.
const rootLetters = 4

// anyOf reports whether a text holds one of the words of a name, or how it begins.
func anyOf(folded, name string) bool {
	return slices.ContainsFunc(strings.Fields(compact(analysis.Fold(name))), func(w string) bool {
		return len(w) > 2 && strings.Contains(folded, w[:min(len(w), rootLetters)])
	})
}

// placed is a name with the word and the preposition before it.
type placed struct{ before, by, name string }

// places finds the names of a sentence that stand after a word and a preposition.
func places(text string) []placed {
	var out []placed
	for _, m := range named.FindAllStringSubmatchIndex(text, -1) {
		p := placed{by: text[m[2]:m[3]], name: text[m[4]:m[5]]}
		if list := terms(analysis.Fold(text[:m[0]])); len(list) > 0 {
			p.before = list[len(list)-1].text
		}
		out = append(out, p)
	}
	return out
}
