package trial

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/event"
)

// supported looks whether what the answer concludes is cited, and counts what the checks found.
// Verdicts that were reached by rule are reached again here.
func (y *try) supported(a desk.Account, w eval.Wants) {
	conclusion := a.Run.Answer.Sections.Conclusion
	if conclusion == "" {
		conclusion = a.Run.Answer.Text
	}
	for _, s := range citation.Sentences(conclusion) {
		if len(s.Refs) == 0 && !leadIn(s.Text) {
			y.fault(eval.Citation, "conclusion_not_cited", "a sentence of the conclusion cites nothing")
			break
		}
	}
	k := eval.CheckCount{Answers: 1}
	for _, c := range a.Run.Checks {
		k.Sentences++
		if len(c.Labels) > 0 {
			k.Cited++
		}
		switch c.Verdict {
		case citation.Supported:
			k.Supported++
		case citation.Partly:
			k.Partly++
		case citation.Contradicted:
			k.Contradicted++
		default:
			k.NotFound++
		}
	}
	y.count(k)
	if k.Sentences == 0 {
		y.fault(eval.Citation, "not_checked", "no sentence of the answer was checked")
	}
	if k.Contradicted > 0 {
		y.fault(eval.Citation, "contradicted", "%d of %d sentences are contradicted by what they cite", k.Contradicted, k.Sentences)
	}
	least := 1.0
	if w.Support != nil {
		least = *w.Support
	}
	if share := float64(k.Supported+k.Partly) / float64(max(1, k.Sentences)); share < least {
		y.fault(eval.Citation, "not_supported", "%d of %d sentences are supported or partly so, less than %.4g", k.Supported+k.Partly, k.Sentences, least)
	}
	y.again(a)
}

// again checks the sentences anew and compares. A verdict of another verifier stays its own.
func (y *try) again(a desk.Account) {
	var evidence []citation.Evidence
	for _, s := range a.Cited {
		evidence = append(evidence, s.Evidence)
	}
	anew := citation.Verify(a.Run.Answer, evidence, a.Run.Remarks(a.Run.Answer)...)
	if len(anew) != len(a.Run.Checks) {
		y.fault(eval.Citation, "check_not_reproduced", "%d sentences are stored as checked, and %d are checked again", len(a.Run.Checks), len(anew))
		return
	}
	// The same sentence may stand in an answer twice, under other citations: its place tells which.
	for i, c := range a.Run.Checks {
		switch other := anew[i]; {
		case other.Sentence != c.Sentence:
			y.fault(eval.Citation, "check_not_reproduced", "the check at place %d is stored for another sentence than stands there", i+1)
			return
		case strings.HasPrefix(c.DecidedBy, "rule:") && other.Verdict != c.Verdict:
			y.fault(eval.Citation, "check_not_reproduced", "a sentence that is stored as %s is %s when it is checked again", c.Verdict, other.Verdict)
			return
		}
	}
}

func leadIn(text string) bool {
	return slices.ContainsFunc([]string{"?", "？", ":", "："}, func(end string) bool { return strings.HasSuffix(text, end) })
}

// secrets looks for what is forbidden in everything that the run shows to the person: the answer
// with its sources, and the events. What the question itself says is looked for in sources alone,
// since the rest repeats the question.
func (y *try) secrets(ctx context.Context, a desk.Account) {
	if len(y.c.Forbid.Targets) == 0 && len(y.c.Forbid.Strings) == 0 {
		return
	}
	var sources []string
	for _, s := range slices.Concat(a.Cited, a.Read) {
		sources = append(sources, s.Title, s.Excerpt, s.Context, string(s.Key), s.SourceURI)
		y.source(s)
	}
	for _, f := range a.Found {
		sources = append(sources, f.Title)
		for _, t := range y.c.Forbid.Targets {
			if t.Document == f.Document {
				y.leak("forbidden_document", "the run found the forbidden %s", t)
			}
		}
	}
	for _, c := range a.Run.Checks {
		sources = append(sources, c.Quote)
	}
	all := append(slices.Clone(sources), a.Run.Answer.Text, y.shown(ctx))
	for _, s := range y.c.Forbid.Strings {
		in := all
		if strings.Contains(y.c.Question, s) {
			in = sources
		}
		if slices.ContainsFunc(in, func(text string) bool { return strings.Contains(text, s) }) {
			y.leak("forbidden_text", "the run shows the forbidden %q", s)
		}
	}
}

// source records a source that is forbidden.
func (y *try) source(s desk.Source) {
	for _, t := range y.c.Forbid.Targets {
		if t.Is(s.Document, s.Key, s.Version, true) {
			y.leak("forbidden_document", "the run read the forbidden %s as [%s]", t, s.Ref)
		}
	}
}

// leak records something that must not have reached the person, in every group that asks.
func (y *try) leak(code, format string, args ...any) {
	y.out.Leaks++
	for _, g := range []eval.Group{eval.Retrieval, eval.Citation, eval.Tools} {
		y.fault(g, code, format, args...)
	}
	if !y.c.In(eval.Retrieval) && !y.c.In(eval.Citation) && !y.c.In(eval.Tools) {
		y.fault(eval.Traceability, code, format, args...)
	}
}

// shown returns all that the events of the run tell the person.
func (y *try) shown(ctx context.Context) string {
	var out strings.Builder
	for after := int64(0); ; {
		events, closed, err := y.Reader.Events(ctx, y.actor, y.run, after, 500)
		if err != nil {
			y.broke("the events can't be read", err)
			return out.String()
		}
		for _, e := range events {
			after = e.Sequence
			out.WriteString(plain(e) + "\n")
		}
		if closed || len(events) == 0 {
			return out.String()
		}
	}
}

// plain returns the data of an event without the escapes of JSON.
func plain(e event.Event) string {
	var v any
	if json.Unmarshal(e.Data, &v) != nil {
		return string(e.Data)
	}
	var out strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			out.WriteString(v + "\n")
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for k, x := range v {
				out.WriteString(k + "\n")
				walk(x)
			}
		}
	}
	walk(v)
	return out.String()
}
