package citation

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim"
)

// Verify compares each sentence of an answer with the excerpts it cites, by rules alone: literal
// containment; numbers, dates and codes; negation and opposites; names; and how far its words are
// held, by their rarity and in their order. A sentence without
// a reference of its own leans on those at the end of its paragraph; one that has none at all is
// not found. Questions and lead-ins that end with a colon are checked only if they cite; what
// stands under "to confirm" and "next steps" claims nothing and is not checked. The verdicts speak
// of support, not of truth.
func Verify(answer Answer, evidence []Evidence) []Check {
	out := []Check{}
	sources := map[string]*claim.Source{}
	for _, s := range Sentences(answer.Text) {
		if s.part == toConfirm || s.part == nextSteps || !s.Own && claimsNothing(s.Text) {
			continue
		}
		c := Check{Sentence: s.Text, Labels: slices.Clone(s.Refs), Verdict: NotSupported, DecidedBy: "rule:no_citation"}
		if c.Labels == nil {
			c.Labels = []string{}
		}
		var cited []*claim.Source
		for _, ref := range s.Refs {
			if sources[ref] == nil {
				if i := slices.IndexFunc(evidence, func(e Evidence) bool { return e.Ref == ref }); i >= 0 {
					sources[ref] = sourceOf(evidence[i])
				}
			}
			if sources[ref] != nil {
				cited = append(cited, sources[ref])
			}
		}
		if len(cited) > 0 {
			f := claim.Judge(s.Text, cited)
			c.Verdict, c.DecidedBy, c.Quote, c.Score, c.Reasons = f.Verdict, "rule:"+f.Rule, f.Quote, f.Score, f.Reasons
		}
		out = append(out, c)
	}
	return out
}

// claimsNothing reports whether a sentence is a question or leads in what follows.
func claimsNothing(text string) bool {
	for _, end := range []string{"?", "？", ":", "："} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// NeedsConfirmation reports whether a person should confirm an answer before leaning on it: it
// leaves something to confirm, a cited source is cut short or no longer the published version,
// sources disagree, or a sentence was not found to be supported. An answer that awaits review
// needs it in any case, which the caller knows.
func NeedsConfirmation(answer Answer, cited []Evidence, checks []Check, conflict bool) bool {
	if conflict || answer.Sections.ToConfirm != "" {
		return true
	}
	if slices.ContainsFunc(cited, func(e Evidence) bool { return e.Truncated() || e.Status != "" && e.Status != "published" }) {
		return true
	}
	return slices.ContainsFunc(checks, func(c Check) bool { return c.Verdict != Supported })
}

// Conflict is a pair of passages that disagree, with the sentences by which they do.
type Conflict = claim.Conflict

// Conflicts returns the pairs of passages that disagree, of which at least one is cited; see
// claim.Conflicts.
func Conflicts(question string, evidence []Evidence, refs []string) []Conflict {
	var passages []claim.Passage
	for _, e := range evidence {
		passages = append(passages, claim.Passage{Ref: e.Ref, Document: string(e.Document), Key: string(e.Key), Title: e.Title, Source: sourceOf(e)})
	}
	return claim.Conflicts(question, passages, refs)
}
