package citation

import (
	"slices"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Conflict is a pair of cited passages that state different values in sentences that otherwise
// match. They are shown side by side; which of them holds is not decided here.
type Conflict struct {
	Refs   [2]string `json:"refs"`
	Quotes [2]string `json:"quotes"`
}

const (
	// alike is the share of words that each of two sentences must find in the other.
	alike = 0.85
	// substance is the least weight of words with which two sentences can be about one thing.
	substance = 2
)

// assertion is a sentence of an excerpt that states a value.
type assertion struct {
	ref      string
	document string
	text     string
	claim    claim
	words    map[string]bool
}

// Conflicts returns the pairs of passages, of those that are cited, that disagree: of different
// versions or documents, in sentences with the same words and other values of the same kinds.
func Conflicts(evidence []Evidence, refs []string) []Conflict {
	var all []assertion
	for _, e := range evidence {
		if !slices.Contains(refs, e.Ref) {
			continue
		}
		for _, st := range sourceOf(e).sentences {
			c := newClaim(st.text)
			if len(c.quantities) > 0 && c.size >= substance {
				all = append(all, assertion{e.Ref, string(e.Document), st.text, c, vocabulary(analysis.Fold(st.text))})
			}
		}
	}
	var out []Conflict
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.document != b.document && disagree(a, b) {
				out = append(out, Conflict{Refs: [2]string{a.ref, b.ref}, Quotes: [2]string{a.text, b.text}})
			}
		}
	}
	return out
}

func disagree(a, b assertion) bool {
	if a.claim.share(a.claim.cover(b.words)) < alike || b.claim.share(b.claim.cover(a.words)) < alike {
		return false
	}
	if !slices.Equal(sorted(a.claim.names), sorted(b.claim.names)) || len(a.claim.quantities) != len(b.claim.quantities) {
		return false
	}
	other := false
	for i, q := range a.claim.quantities {
		r := b.claim.quantities[i]
		if q.kind != r.kind || q.unit != r.unit && q.unit != "" && r.unit != "" {
			return false
		}
		// A code names what a sentence is about; with another code it is about something else.
		if q.kind == code && q.value != r.value {
			return false
		}
		other = other || q.value != r.value
	}
	return other
}

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return out
}
