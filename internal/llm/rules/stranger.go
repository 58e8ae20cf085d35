package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// crowding is how much more of a question a sentence must cover for each further document that was
// read: among many, some sentence shares words with any question.
const crowding = 0.04

// documents counts what the passages are taken from.
func (f *finding) documents() int {
	seen := map[string]bool{}
	for _, p := range f.passages {
		seen[p.doc] = true
	}
	return max(1, len(seen))
}

// coded reports whether a sentence holds a code that the question names: it does not do so by chance.
func (s scored) coded() bool {
	for k := range s.matched {
		if code(k) {
			return true
		}
	}
	return false
}

// Characters that begin words which point at something and name nothing, those of words that say what
// somebody does, and those that say where.
const (
	pointing = "本这该文此各一某上下那其全"
	acting   = "是有能可要会住做"
	toward   = "在到去往赴"
	inside   = "上里中内"
)

// stranger reports whether a question is about somebody or something that nothing which was read
// mentions: what it begins with and asks something of ("火星的住宿上限"), or a number or somebody ("火星住宿
// 上限是多少"), and where something is said to happen of which a number is asked ("去火星出差"). Then even
// a sentence with all its other words is about something else.
func (f *finding) stranger(q *question) bool {
	if !q.zh {
		return false
	}
	number := q.wants&(wantNumber|wantLimit) != 0
	valued := number || q.wants&wantPerson != 0
	for _, m := range runs(f.missing) {
		m = strings.TrimLeft(m, toward)
		at := strings.Index(q.text, m)
		if utf8.RuneCountInString(m) < 2 {
			continue
		}
		first := []rune(m)[0]
		if at < 0 || !unicode.Is(unicode.Han, first) || strings.ContainsRune(pointing, first) || strings.ContainsAny(m, acting+inside) {
			continue
		}
		before := q.text[:at]
		switch begins := strings.TrimLeft(before, "请问 ") == ""; {
		case begins && (valued || strings.HasPrefix(q.text[at+len(m):], "的")):
			return true
		case number && strings.TrimRight(before, toward) != before:
			return true
		}
	}
	return false
}
