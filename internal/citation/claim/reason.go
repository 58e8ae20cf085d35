package claim

import "strings"

// Verdict is the outcome of checking a sentence against what it cites.
type Verdict string

// The verdicts.
const (
	Supported    Verdict = "supported"
	Partly       Verdict = "partly"
	NotSupported Verdict = "not_found"
	Contradicted Verdict = "contradicted"
)

// Reason says why a sentence was not found to be supported in full: what it said that the excerpts
// do not bear out, and what they say in its place if that is known. Its JSON is also its stored form.
type Reason struct {
	// Code is "number" (a number, date or code), "name", "negation", "opposite", "quantifier",
	// "role" (what another thing is or does) or "words".
	Code  string `json:"code"`
	Said  string `json:"said"`
	Found string `json:"found"`
}

// String writes a quantity as a reader knows it.
func (s stated) String() string {
	if s.written != "" {
		return s.written
	}
	return s.value
}

// most is how many words a reason names.
const most = 6

// naming writes some words as a reason names them.
func naming(words []string) string {
	if len(words) > most {
		return strings.Join(words[:most], ", ") + " …"
	}
	return strings.Join(words, ", ")
}

// lacking names the words of a claim that nothing holds: words of letters each by itself, Chinese
// characters in runs as they stand.
func (c claim) lacking(held []float64) string {
	var out []string
	run := false
	for i, t := range c.terms {
		switch {
		case held[i] == 1:
			run = false
			continue
		case run && t.left != "":
			out[len(out)-1] += t.surface
			continue
		case len(out) == most:
			return strings.Join(out, ", ") + " …"
		}
		out = append(out, t.surface)
		run = t.right != ""
	}
	return strings.Join(out, ", ")
}
