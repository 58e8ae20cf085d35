package reading

import (
	"regexp"

	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// Statement is one sentence of an excerpt.
type Statement struct {
	Text       string // as its writer wrote it
	Folded     string // see wording.Fold
	Compact    string // see wording.Compact
	Quantities []quantity.Stated
	Words      map[string]bool // words, characters and pairs
	Sequence   []string        // words and characters in order
	Record     bool            // it is a record of a table, which is one clause
	Partial    bool            // it is a part of the sentence that Text holds
}

// NewStatement reads a folded sentence, or of one the part that folded holds.
func NewStatement(text, folded string, partial bool) Statement {
	qs, _ := quantity.Read(listMark.ReplaceAllString(folded, ""))
	all := wording.Terms(folded)
	st := Statement{Text: text, Folded: folded, Compact: wording.Compact(folded), Quantities: qs, Words: wording.VocabularyOf(all), Partial: partial}
	for _, t := range all {
		st.Sequence = append(st.Sequence, t.Text)
	}
	return st
}

// Clause is a part of a sentence that says one thing.
type Clause struct {
	Words      map[string]bool
	Quantities []quantity.Stated
}

// listMark is the number of an item of a list, which counts nothing.
var listMark = regexp.MustCompile(`^\s*\d{1,2}(?:[.)]\s+|、)`)

// Clauses returns the parts of a statement that state a quantity.
func (st Statement) Clauses() []Clause {
	if st.Record {
		return []Clause{{st.Words, st.Quantities}}
	}
	var out []Clause
	for _, part := range wording.Clauses(st.Folded) {
		if qs, rest := quantity.Read(part); len(qs) > 0 {
			out = append(out, Clause{wording.Vocabulary(rest), qs})
		}
	}
	return out
}

// Said is what a statement says: of a part of a sentence, that part.
func (st Statement) Said() string {
	if st.Partial {
		return st.Folded
	}
	return st.Text
}

// reach is how many words may lie between neighbours, and one more.
const reach = 3

// Neighbours reports whether two words stand near each other, in either order.
func (st Statement) Neighbours(a, b string) bool {
	if !st.Words[a] || !st.Words[b] {
		return false
	}
	for i, t := range st.Sequence {
		if t != a {
			continue
		}
		for j := max(0, i-reach); j < min(len(st.Sequence), i+reach+1); j++ {
			if j != i && st.Sequence[j] == b {
				return true
			}
		}
	}
	return false
}
