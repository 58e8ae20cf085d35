package citation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim"
	"github.com/kaoju/kaoju/internal/citation/claim/conflict"
)

// Verify compares each sentence of an answer with the excerpts it cites, by rules alone: literal
// containment; numbers, dates and codes; negation and opposites; names; and how far its words are
// held, by their rarity and in their order. A sentence without
// a reference of its own leans on those at the end of its paragraph.
//
// Whatever cites is checked, wherever it stands. What cites nothing is not found, but for questions,
// lead-ins that end with a colon, what stands under "to confirm" and "next steps", and all that an
// answer says which declares that the material settles nothing. A question or lead-in that only leans
// on a reference further on is not checked either. Remarks are what the product wrote itself beside
// what it quotes, see Remarks; they claim nothing of a source.
//
// A sentence that stands in an answer twice under the same references has one check, which speaks for
// both. The verdicts speak of support, not of truth.
func Verify(answer Answer, evidence []Evidence, remarks ...Sentence) []Check {
	out := []Check{}
	skip, done := map[string]bool{}, map[string]bool{}
	for _, s := range remarks {
		skip[s.key()] = s.part.open()
	}
	sources := map[string]*claim.Source{}
	for _, s := range Sentences(answer.Text) {
		key := said(s.Text, s.Refs)
		if s.claimsNothing(answer.Insufficient) || s.part.open() && skip[s.key()] || done[key] {
			continue
		}
		done[key] = true
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

// Remarks returns the sentences of an answer that stand under "to confirm" and "next steps": questions and advice.
// Where the rule-based engine wrote the answer they are the product's own and need no source. Where a model wrote it
// they are checked like all others. No text tells the two apart; the run of the answer does.
func Remarks(answer Answer) []Sentence {
	return slices.DeleteFunc(Sentences(answer.Text), func(s Sentence) bool { return !s.part.open() })
}

// said names a sentence by its words and references, in whatever order these stand.
func said(text string, refs []string) string {
	refs = slices.Clone(refs)
	slices.Sort(refs)
	return text + "\x00" + strings.Join(slices.Compact(refs), " ")
}

// key names a sentence by the section it is in, its words and its references.
func (s Sentence) key() string { return strconv.Itoa(int(s.part)) + said(s.Text, s.Refs) }

// open reports whether a section says what is not settled, or not done yet.
func (p part) open() bool { return p == toConfirm || p == nextSteps }

// claimsNothing reports whether a sentence needs no check: it cites nothing where nothing need be
// cited, or is a question or leads in what follows and only leans on a reference that stands there.
func (s Sentence) claimsNothing(unsettled bool) bool {
	return len(s.Refs) == 0 && (unsettled || s.part.open()) || !s.Own && claimsNothing(s.Text)
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
// sources disagree, or a sentence is anything but supported, be it only in a part. An answer that was
// broken off or awaits review needs it in any case, which the caller knows.
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
type Conflict = conflict.Pair

// Conflicts returns the pairs of passages that disagree, of which at least one is cited; see
// conflict.Find.
func Conflicts(question string, evidence []Evidence, refs []string) []Conflict {
	var passages []conflict.Passage
	for _, e := range evidence {
		passages = append(passages, conflict.Passage{Ref: e.Ref, Document: string(e.Document), Key: string(e.Key), Title: e.Title, Source: sourceOf(e)})
	}
	return conflict.Find(question, passages, refs)
}
