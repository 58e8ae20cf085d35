package trial

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/run"
)

// judge holds the answer, as the person sees it, against what the case asks for.
func (y *try) judge(ctx context.Context, w eval.Wants) {
	account, err := y.Reader.Run(ctx, y.actor, y.run)
	if err != nil {
		y.broke("the run can't be read", err)
		return
	}
	y.ended(account.Run, w)
	y.words(account, w)
	y.secrets(ctx, account)
	if w.Outcome != eval.Answered {
		if n := len(account.Cited); n > 0 {
			y.fault(eval.Citation, "cites", "the run was to end as %s and cites %d passages", w.Outcome, n)
		}
		return
	}
	switch r := account.Run; {
	case r.State != run.Completed:
	case r.Route != run.Direct:
		y.cited(account, w)
		y.inForce(ctx, account)
		y.supported(account, w)
	case len(w.Targets)+len(w.Citations) > 0: // and nothing was read
		y.cited(account, w)
	}
}

// endings are the states of the outcomes.
var endings = map[eval.Outcome]run.State{
	eval.Answered: run.Completed, eval.Insufficient: run.InsufficientEvidence, eval.Refused: run.Refused, eval.Failed: run.Failed,
}

// ended holds the end of a run against what the case asks for, in the groups of outcomes.
func (y *try) ended(r *run.Run, w eval.Wants) {
	wrong := func(code, format string, args ...any) {
		y.fault(eval.Citation, code, format, args...)
		y.fault(eval.Tools, code, format, args...)
	}
	if want, ok := endings[w.Outcome]; ok && r.State != want {
		wrong("outcome", "the run ended as %s (%s), not %s", r.State, r.Reason, w.Outcome)
	}
	if w.State != "" && string(r.State) != w.State {
		wrong("state", "the run ended in the state %s, not %s", r.State, w.State)
	}
	if w.FinishReason != "" && string(r.Reason) != w.FinishReason {
		wrong("finish_reason", "the run ended for %s, not %s", r.Reason, w.FinishReason)
	}
}

// words looks for what the answer has to say, and for what it must not.
func (y *try) words(a desk.Account, w eval.Wants) {
	text := a.Run.Answer.Text
	for _, s := range w.Contains {
		if !holds(text, s) {
			y.fault(eval.Citation, "lacks", "the answer does not say %q", s)
		}
	}
	for _, s := range w.Lacks {
		if holds(text, s) {
			y.fault(eval.Citation, "says", "the answer says %q", s)
		}
	}
	for _, s := range w.Answer {
		if !holds(text, s) && !slices.ContainsFunc(a.Cited, func(c desk.Source) bool { return holds(c.Excerpt, s) }) {
			y.fault(eval.Citation, "lacks", "neither the answer nor what it cites says %q", s)
		}
	}
}

// holds reports whether a text holds words, whatever white space stands between them. Words that
// begin or end with a digit are not part of a longer number.
func holds(text, words string) bool {
	text, words = strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(words), " ")
	for from := 0; words != ""; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(words)
		before := digit(words[0]) && numberEnds(text[:start])
		after := digit(words[len(words)-1]) && numberBegins(text[end:])
		if !before && !after {
			return true
		}
		from = start + 1
	}
	return false
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// numberEnds reports whether a text ends inside a number: with a digit, or with one and a mark.
func numberEnds(s string) bool {
	n := len(s)
	return n > 0 && (digit(s[n-1]) || n > 1 && (s[n-1] == '.' || s[n-1] == ',') && digit(s[n-2]))
}

func numberBegins(s string) bool {
	return len(s) > 0 && (digit(s[0]) || len(s) > 1 && (s[0] == '.' || s[0] == ',') && digit(s[1]))
}

// cited looks for the passages that the case expects among the citations.
func (y *try) cited(a desk.Account, w eval.Wants) {
	if len(a.Cited) == 0 {
		y.fault(eval.Citation, "no_citation", "the answer cites nothing")
		return
	}
	if len(w.Targets) > 0 && !slices.ContainsFunc(a.Cited, func(s desk.Source) bool { return hits(w.Targets, s) }) {
		y.fault(eval.Citation, "not_cited", "none of %s is cited", names(w.Targets))
	}
	for _, p := range w.Citations {
		if !slices.ContainsFunc(a.Cited, func(s desk.Source) bool { return leads(p, s.Evidence) }) {
			y.fault(eval.Citation, "place_not_cited", "no citation leads to %s", describe(p))
		}
	}
}

func hits(targets []eval.Target, s desk.Source) bool {
	return slices.ContainsFunc(targets, func(t eval.Target) bool { return t.Is(s.Document, s.Key, s.Version, true) })
}

// leads reports whether a passage is at a place.
func leads(p eval.Place, e citation.Evidence) bool {
	if t := p.Target; t.Document != "" && t.Document != e.Document || t.Key != "" && t.Key != e.Key || t.Version != 0 && t.Version != e.Version {
		return false
	}
	headings, first, last := outline(e)
	if p.Heading != "" && !slices.ContainsFunc(headings, func(h string) bool { return strings.Contains(h, p.Heading) }) {
		return false
	}
	if p.Line > 0 && (p.Line < first || p.Line > last) {
		return false
	}
	return p.Quote == "" || holds(e.Excerpt, p.Quote)
}

// outline returns the headings above and the lines of a passage.
func outline(e citation.Evidence) (headings []string, first, last int) {
	places := []corpus.Locator{e.Locator}
	for _, s := range e.Segments {
		places = append(places, s.Locator)
	}
	for i, l := range places {
		path, _ := corpus.Headings(l)
		headings = append(headings, path...)
		from, to := corpus.Numbers(l)
		if i == 0 {
			first, last = from, to
		}
	}
	return headings, first, last
}

func describe(p eval.Place) string {
	parts := []string{}
	add := func(what, s string) {
		if s != "" {
			parts = append(parts, what+" "+s)
		}
	}
	add("document", p.Target.String())
	add("heading", p.Heading)
	if p.Line > 0 {
		parts = append(parts, "line "+strconv.Itoa(p.Line))
	}
	add("quote", p.Quote)
	return strings.Join(parts, ", ")
}

// inForce holds the versions that were read against the store: an answer leans on what is in
// force, unless its route reads history.
func (y *try) inForce(ctx context.Context, a desk.Account) {
	if a.Run.Route == run.VersionTool {
		return
	}
	old := 0
	for _, s := range a.Cited {
		doc, err := y.truth(ctx, s.Document)
		switch {
		case err != nil:
			y.fault(eval.Citation, "no_such_document", "[%s] names %s, which is not in the store", s.Ref, s.Document)
		case doc.Status != access.StatusPublished || s.Status != access.StatusPublished:
			old++
			y.fault(eval.Citation, "old_version", "[%s] cites version %d of %s, which is %s", s.Ref, doc.Version, doc.Key, doc.Status)
		case doc.Version != s.Version || doc.Key != s.Key:
			y.fault(eval.Citation, "mislabelled", "[%s] calls itself version %d of %s and is version %d of %s", s.Ref, s.Version, s.Key, doc.Version, doc.Key)
		}
	}
	y.count(eval.CheckCount{Old: old})
}

// count adds to the figures of citation, if the case belongs there.
func (y *try) count(k eval.CheckCount) {
	if !y.c.In(eval.Citation) {
		return
	}
	if y.out.Checks == nil {
		y.out.Checks = &eval.CheckCount{}
	}
	y.out.Checks.Add(k)
}
