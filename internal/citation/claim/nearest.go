package claim

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/hours"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// otherRoles returns what all sentences that come nearest to a claim say of another party, in another order, or as leave where the
// claim says that it is a duty.
func otherRoles(c reading.Claim, b best) (Reason, bool) {
	var why Reason
	for _, n := range b.nearest {
		said, ok := role.Swap{}, false
		for _, compare := range [...]func(claim, sentence string) (role.Swap, bool){role.OtherParty, role.OtherSteps, role.OtherDuty} {
			if said, ok = compare(c.Text, n.Said()); ok {
				break
			}
		}
		if !ok {
			return Reason{}, false
		}
		why = Reason{"role", said.Said, said.Found}
	}
	return why, why != (Reason{})
}

// swappedIn returns what a claim gives to another than all sentences do that come nearest to it, each with the rest of
// what it is a part of.
func swappedIn(c reading.Claim, b best, cited []*Source) (Reason, bool) {
	var out Reason
	for _, n := range b.nearest {
		said, sentence := c.Text, n.inFull(cited)
		if folded := wording.FoldButClosed(sentence); hours.Plain(folded) != folded {
			said, sentence = c.Folded, hours.Plain(folded) // what an exception says is a clause then
		}
		s, ok := role.Swapped(said, sentence)
		if n.Record || !ok {
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
		at := slices.IndexFunc(s.Sentences, func(st reading.Statement) bool { return st.Text == n.Text && st.Folded == n.Folded })
		if at < 0 {
			continue
		}
		from, to := at, at+1
		for from > 0 && joinsNext(s.Sentences[from-1].Text) {
			from--
		}
		for to < len(s.Sentences) && joinsNext(s.Sentences[to-1].Text) {
			to++
		}
		var out []string
		for _, st := range s.Sentences[from:to] {
			out = append(out, st.Said())
		}
		return strings.Join(out, " ")
	}
	return n.Said()
}

func joinsNext(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasSuffix(text, ";") || strings.HasSuffix(text, "；")
}

// displacedIn returns what all sentences that come nearest to a claim name, or state, in the place of what it names.
func displacedIn(c reading.Claim, b best) (Reason, bool) {
	var why Reason
	for _, n := range b.nearest {
		r, ok := contrast.Displaced(c, n.Statement)
		if !ok {
			q, other, rivalled := contrast.Rivalled(c, n.Statement.Quantities)
			if !rivalled {
				return Reason{}, false
			}
			r = contrast.Difference{Code: "number", Said: q.String(), Found: other.String()}
		}
		if why == (Reason{}) {
			why = Reason(r)
		}
	}
	return why, why != (Reason{})
}
