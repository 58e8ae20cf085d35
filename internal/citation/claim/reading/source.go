package reading

import (
	"maps"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// Source is an excerpt, prepared for comparison. Nothing changes it, and it may be shared between goroutines.
type Source struct {
	Compact   string // of the whole, see wording.Compact
	Sentences []Statement
	Records   bool    // the sentences are records of a table
	Contrary  *Source // what its sentences say the contrary of, see polarity.Framed; nil if they do of nothing

	quantities []quantity.Stated // of all sentences
	columns    string            // folded: what the columns of a table are called

	once sync.Once
	read *Places // made when they are first asked for
}

// NewSource prepares a text, to be compared sentence by sentence.
func NewSource(excerpt string) *Source {
	s := &Source{Compact: wording.Compact(wording.Fold(excerpt))}
	runes := []rune(excerpt)
	for _, span := range analysis.Sentences(excerpt) {
		s.add(string(runes[span[0]:span[1]]))
	}
	return s
}

// NewTable prepares the records of a table of separated values. What the columns are called belongs
// to every record, but decides no claim by itself.
func NewTable(whole, columns string, records []string) *Source {
	folded := wording.Fold(columns)
	words := wording.Vocabulary(folded)
	s := &Source{Compact: wording.Compact(wording.Fold(whole)), Records: true, columns: folded}
	s.quantities, _ = quantity.Read(folded)
	for _, r := range records {
		s.add(r)
		st := &s.Sentences[len(s.Sentences)-1]
		maps.Copy(st.Words, words)
		st.Record = true
	}
	return s
}

// add takes in the next sentence. What it says the contrary of is kept apart from what it says.
func (s *Source) add(text string) {
	folded := wording.Fold(text)
	if core, beside, ok := polarity.Framed(folded); ok {
		if s.Contrary == nil {
			s.Contrary = &Source{}
		}
		s.Contrary.take(text, core, true)
		s.Contrary.Compact += "\n" + wording.Compact(core)
		s.take(text, beside, true)
		return
	}
	s.take(text, folded, false)
}

// take takes in a folded sentence, or a part of one.
func (s *Source) take(text, folded string, partial bool) {
	st := NewStatement(text, folded, partial)
	s.quantities = append(s.quantities, st.Quantities...)
	s.Sentences = append(s.Sentences, st)
}

// Quantities returns all quantities of sources.
func Quantities(cited []*Source) []quantity.Stated {
	var out []quantity.Stated
	for _, s := range cited {
		out = append(out, s.quantities...)
	}
	return out
}
