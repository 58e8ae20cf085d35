package citation

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/problem"
)

// AcceptEdit takes apart a text that a person wrote. It may leave citations out, but those it has
// must be of the evidence; else the error is problem.Invalid "invalid_citations".
func AcceptEdit(text string, evidence []Evidence) (Answer, error) {
	refs := Refs(text)
	for _, ref := range refs {
		if !slices.ContainsFunc(evidence, func(e Evidence) bool { return e.Ref == ref }) {
			return Answer{}, problem.New(problem.Invalid, "invalid_citations", "The text cites [%s], which is no source of it. %s", ref, sourcesOf(evidence))
		}
	}
	return Answer{Text: text, Sections: sections(text), Refs: refs}, nil
}

// sourcesOf tells a person what may be cited.
func sourcesOf(evidence []Evidence) string {
	if len(evidence) == 0 {
		return "It has no sources that can be cited."
	}
	return citable(evidence)
}

// Mention is a bracket in a text that names references. Start and End are byte offsets.
type Mention = mention

// Mentions returns the brackets of a text that name references, in order, by the rules of Refs.
func Mentions(text string) []Mention { return mentions(text) }

// Plain returns a sentence as checks name it: without references, list marks and emphasis.
func Plain(sentence string) string { return plain(strings.TrimSpace(sentence)) }
