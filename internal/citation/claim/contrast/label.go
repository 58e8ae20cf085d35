package contrast

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/peer"
)

// label is a head with a letter that says which: "Supplier A", 供应商A, A供应商.
var label = regexp.MustCompile(`(\p{Han}{2}|[\p{L}]{2,}) ?\b([A-Z])\b|\b([A-Z]) ?(\p{Han}{2})`)

// otherLabel returns a letter by which a text says which of several it speaks of, and that by which the other
// speaks of another of them.
func otherLabel(claim, text string) (Difference, bool) {
	ours, theirs := labels(claim), labels(text)
	for _, o := range ours {
		rival := ""
		for _, t := range theirs {
			if t.head == o.head && t.letter == o.letter {
				rival = ""
				break
			}
			if t.head == o.head {
				rival = t.written
			}
		}
		if rival != "" {
			return Difference{"name", o.written, rival}, true
		}
	}
	return Difference{}, false
}

// labelOf is a head with its letter.
type labelOf struct{ head, letter, written string }

// labels returns the heads with letters of a text, as its writer wrote it.
func labels(text string) []labelOf {
	var out []labelOf
	for _, m := range label.FindAllStringSubmatch(text, -1) {
		out = append(out, labelOf{analysis.Fold(m[1] + m[4]), m[2] + m[3], strings.TrimSpace(m[0])})
	}
	return out
}

// doer is by whom something is done.
var doer = regexp.MustCompile(`\bby (?:the |an? |its |their |our )?([a-z][a-z'’ -]*?)(?:\s*[.,;:!?()]|\s*$| (?:and|or|in|on|at|for|from|with|within|who|which|that|if|when|before|after|by|to)\b)`)

// otherDoer returns by whom something is done where a claim says that another does it, of whom there can't be two: the line
// manager, the managing director.
func otherDoer(claim, folded string) (Difference, bool) {
	theirs := doer.FindAllStringSubmatch(folded, -1)
	for _, o := range doer.FindAllStringSubmatch(claim, -1) {
		names := func(m []string) bool { return !peer.Exclude(o[1], m[1]) }
		if len(theirs) > 0 && !slices.ContainsFunc(theirs, names) {
			return Difference{"name", o[1], theirs[0][1]}, true
		}
	}
	return Difference{}, false
}
