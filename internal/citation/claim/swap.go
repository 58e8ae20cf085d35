package claim

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/hours"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
)

// swappedIn returns what a claim gives to another than all sentences do that come nearest to it, each with the rest of
// what it is a part of.
func (c claim) swappedIn(b best, cited []*Source) (Reason, bool) {
	var out Reason
	for _, n := range b.nearest {
		said, sentence := c.text, n.inFull(cited)
		if folded := foldButClosed(sentence); hours.Plain(folded) != folded {
			said, sentence = c.folded, hours.Plain(folded) // what an exception says is a clause then
		}
		s, ok := role.Swapped(said, sentence)
		if n.record || !ok {
			return Reason{}, false
		}
		if out.Code == "" {
			out = Reason{"role", s.Said, s.Found}
		}
	}
	return out, out.Code != ""
}

// inFull is a sentence with those that semicolons join to it.
func (n nearby) inFull(cited []*Source) string {
	for _, s := range cited {
		at := slices.IndexFunc(s.sentences, func(st statement) bool { return st.text == n.text && st.folded == n.folded })
		if at < 0 {
			continue
		}
		from, to := at, at+1
		for from > 0 && joinsNext(s.sentences[from-1].text) {
			from--
		}
		for to < len(s.sentences) && joinsNext(s.sentences[to-1].text) {
			to++
		}
		var out []string
		for _, st := range s.sentences[from:to] {
			out = append(out, st.said())
		}
		return strings.Join(out, " ")
	}
	return n.said()
}

func joinsNext(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasSuffix(text, ";") || strings.HasSuffix(text, "；")
}
