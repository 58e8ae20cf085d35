package coverage

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	// often is how many sentences of a text name at least what it is about.
	often = 3
	// seldom is of how many sentences at most one does.
	seldom = 8
)

// parties are those of whom a text says different things, so that no sentence speaks of one that it does not name.
var parties = map[string]bool{"employe": true, "custom": true, "provid": true, "supplier": true, "buyer": true, "seller": true, "tenant": true, "landlord": true, "parti": true, "member": true, "manag": true, "compani": true, "firm": true, "intern": true, "contractor": true}

// Topic returns the words of letters that sentences of a text hold again and again: what it is about, which
// a sentence of it need not say.
func Topic(sentences []Text) Text {
	count := map[string]int{}
	for _, s := range sentences {
		for w := range s.words {
			count[w]++
		}
	}
	out := Text{words: map[string]bool{}}
	for w, n := range count {
		if w[0] <= 'z' && n >= often && n*seldom >= len(sentences) && !parties[w] {
			out.words[w] = true
		}
	}
	return out
}

// Words is a text without what it says of how often things are: its words alone.
func (t Text) Words() Text { return Text{list: t.list, words: t.words, labels: t.labels} }

// Begins reports whether a part of a sentence begins with a thing of its own, of which it says something as another
// part says of another thing: "basic repairs are done monthly; large repairs are done yearly".
func (t Text) Begins(other Text) bool {
	if len(t.list) == 0 || len(other.list) == 0 || other.words[t.list[0].Term] {
		return false
	}
	for _, w := range t.list[1:] {
		if other.words[w.Term] {
			return true
		}
	}
	return false
}

// mostHeading is how long a line may be that has no mark at its end and names what follows.
const mostHeading = 30

var (
	marked    = regexp.MustCompile(`[.。;；:：!?！？,，|]\s*$`)
	anaphoric = regexp.MustCompile(`(?i)^\s*(?:\d+\.\s*)?(?:it|they|this|these|those|he|she|its|their|such|the latter)\b|^\s*(?:该|此|其|它|本[^次月年周日]|上述|前述|这)`)
)

// Heading returns how deep a heading is that a line is, 0 if it is none.
func Heading(line string) int {
	if n := len(line) - len(strings.TrimLeft(line, "#")); n > 0 {
		return n
	}
	if marked.MatchString(line) || utf8.RuneCountInString(line) > mostHeading || strings.ContainsAny(line, "0123456789") {
		return 0
	}
	return 7
}

// Row reports whether a line is a row of a table.
func Row(line string) bool { return strings.HasPrefix(line, "|") }

// LeansOn reports whether a sentence speaks of what the one before names.
func LeansOn(sentence string) bool { return anaphoric.MatchString(sentence) }
