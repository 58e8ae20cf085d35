package citation

import (
	"slices"
	"strings"
)

// Reduce returns an answer as a reader may see it to whom some of its evidence is no longer
// readable, and whether anything was withheld. Then only sentences remain whose own or inherited
// references are all readable; sentences without any go too, as do code blocks, since what they
// lean on is not known. References keep their names. An answer of which nothing is left has an
// empty text.
func Reduce(answer Answer, readable func(ref string) bool) (Answer, bool) {
	hidden := func(ref string) bool { return !readable(ref) }
	if !slices.ContainsFunc(answer.Refs, hidden) {
		return answer, false
	}
	out := Answer{Insufficient: answer.Insufficient, Text: reduce(answer.Text, hidden)}
	out.Sections = Sections{
		Conclusion: reduce(answer.Sections.Conclusion, hidden), Basis: reduce(answer.Sections.Basis, hidden),
		ToConfirm: reduce(answer.Sections.ToConfirm, hidden), NextSteps: reduce(answer.Sections.NextSteps, hidden),
	}
	out.Refs = Refs(out.Text)
	return out, true
}

// ReduceChecks keeps the checks of sentences that lean on readable evidence alone.
func ReduceChecks(checks []Check, readable func(ref string) bool) []Check {
	var out []Check
	for _, c := range checks {
		if len(c.Labels) > 0 && !slices.ContainsFunc(c.Labels, func(ref string) bool { return !readable(ref) }) {
			out = append(out, c)
		}
	}
	return out
}

// reduce keeps the sentences of a text that may be read, each on the line it stood on.
func reduce(text string, hidden func(ref string) bool) string {
	var b strings.Builder
	last := 0
	for _, s := range Sentences(text) {
		if len(s.Refs) == 0 || slices.ContainsFunc(s.Refs, hidden) {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(between(text[last:s.Start]))
		}
		b.WriteString(text[s.Start:s.End])
		last = s.End
	}
	return b.String()
}

// between joins two sentences that remain: by a line end if they stood on different lines.
func between(gap string) string {
	switch {
	case strings.Contains(gap, "\n\n"):
		return "\n\n"
	case strings.Contains(gap, "\n"):
		return "\n"
	case gap == "":
		return ""
	}
	return " "
}
