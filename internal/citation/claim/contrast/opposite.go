package contrast

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// privately are beginnings that make a word the contrary of the rest.
var privately = []string{"un", "non-", "non"}

// prefixed returns the words of a claim that a sentence says with a beginning that turns them, or the reverse: "encrypted",
// "unencrypted", each with the sentence's. Both are affirmed, or both denied.
func prefixed(c reading.Claim, st *reading.Statement, theirs map[string]polarity.Attitude) [][2]string {
	var out [][2]string
	ours := wording.VocabularyOf(c.Terms)
	instead := func(said, w string) bool {
		return st.Words[w] && !ours[w] && !st.Words[said] && c.Attitudes[said] == theirs[w]
	}
	for _, t := range c.Terms {
		for _, p := range privately {
			if w := p + t.Text; len(t.Text) >= shortTurned && instead(t.Text, w) {
				out = append(out, [2]string{t.Text, w})
			}
			if w, ok := strings.CutPrefix(t.Text, p); ok && len(w) >= shortTurned && instead(t.Text, w) {
				out = append(out, [2]string{t.Text, w})
			}
		}
	}
	return out
}

// shortTurned is how many letters a word has at least to be turned by a beginning.
const shortTurned = 4

// beside is how many words away what a word is said of may stand.
const beside = 3

// sameThing reports whether two opposite words are said of the same thing: they have a word beside
// them in common. A claim of three words and less is about one thing.
func sameThing(c reading.Claim, pair [2]string, st *reading.Statement) bool {
	if len(c.Terms) <= beside {
		return true
	}
	near := around(c.Folded, pair[0])
	return slices.ContainsFunc(around(st.Folded, pair[1]), func(w string) bool { return slices.Contains(near, w) })
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
	for _, part := range wording.Clauses(folded) {
		list := wording.Terms(part)
		for i, t := range list {
			if t.Text != word {
				continue
			}
			for j := max(0, i-reach); j < min(len(list), i+size+reach); j++ {
				if j < i || j >= i+size {
					out = append(out, list[j].Text)
				}
			}
		}
	}
	return out
}
