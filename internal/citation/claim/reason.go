package claim

import (
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
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

// naming writes some words as a reason names them.
func naming(words []string) string {
	if len(words) > contrast.MostNamed {
		return strings.Join(words[:contrast.MostNamed], ", ") + " …"
	}
	return strings.Join(words, ", ")
}

// notFound names the words of a claim that nothing holds: words of letters each by itself, Chinese
// characters in runs as they stand.
func notFound(c reading.Claim, held []float64) string {
	var out []string
	run := false
	for i, t := range c.Terms {
		switch {
		case held[i] == 1:
			run = false
			continue
		case run && t.Left != "":
			out[len(out)-1] += t.Surface
			continue
		case len(out) == contrast.MostNamed:
			return strings.Join(out, ", ") + " …"
		}
		out = append(out, t.Surface)
		run = t.Right != ""
	}
	return strings.Join(out, ", ")
}
