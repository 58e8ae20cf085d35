package agent

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// judge takes a model's text apart and accepts it, or says what is wrong with it.
func (w *worker) judge(text string) (citation.Answer, error) {
	r := w.run
	if strings.TrimSpace(text) == "" {
		return citation.Answer{}, problem.New(problem.Invalid, "invalid_output", "The answer is empty.")
	}
	if r.Route == run.Direct {
		if len(citation.Refs(text)) > 0 {
			return citation.Answer{}, problem.New(problem.Invalid, "invalid_citations", "Nothing was read in this run, so nothing can be cited.")
		}
		return citation.Answer{Text: text, Sections: citation.Sections{Conclusion: text}}, nil
	}
	answer, err := citation.Accept(text, w.evidence)
	if err != nil {
		return citation.Answer{}, err
	}
	if answer.Insufficient && len(r.Searches) == 0 {
		// Saying that nothing settles the question takes a search that worked.
		if w.failedSearch {
			return citation.Answer{}, over(run.SearchFailed)
		}
		return citation.Answer{}, problem.New(problem.Invalid, "invalid_output", "Search before saying that the material does not settle the question.")
	}
	if r.Kind == run.ForDraft && !answer.Insufficient && (answer.Sections.Conclusion == "" || answer.Sections.Basis == "") {
		return citation.Answer{}, problem.New(problem.Invalid, "invalid_output", "A draft needs the sections conclusion and basis.")
	}
	return answer, nil
}

// keep stores an accepted answer with its checks and notices, and tells of it.
func (w *worker) keep(answer citation.Answer, checks []citation.Check) {
	r := w.run
	r.Answer, r.Checks = answer, checks
	if r.Route == run.Direct {
		w.notice(run.NotBasedOnDocuments)
	}
	if r.Model.Engine == llm.Rules && !answer.Insufficient && r.Route != run.Direct {
		w.notice(run.ByRules)
	}
	if !r.Scope.AsOf.IsZero() {
		w.notice(run.PastVersions)
	}
	cited := w.cited()
	for _, e := range cited {
		if e.Truncated() {
			w.notice(run.SourceTruncated)
		}
	}
	if left := w.remarked(llm.MachineWordsLeftOut); len(left) > 0 {
		w.notice(run.MachineWordsLeftOut)
		w.emit(event.Warning, map[string]any{"code": run.MachineWordsLeftOut, "refs": slices.Concat(left...)})
	}
	conflict := r.Route != run.Direct && !answer.Insufficient && w.disagree(answer)
	r.NeedsConfirm = w.cut || r.Route != run.Direct && (r.Kind == run.ForDraft || citation.NeedsConfirmation(answer, cited, r.Checks, conflict))
	id := "answer_" + string(r.ID)
	w.emit(event.AnswerStarted, map[string]any{"answer_id": id, "mode": "verified"})
	w.emit(event.AnswerDelta, map[string]any{"answer_id": id, "offset": 0, "chars": utf8.RuneCountInString(answer.Text)})
	if r.Kind == run.ForDraft && !answer.Insufficient {
		w.emit(event.DraftReady, map[string]any{"answer_id": id, "refs": answer.Refs, "needs_confirmation": r.NeedsConfirm, "warnings": r.Notices})
	}
}

// disagree looks for sources that disagree with what the answer cites, and tells of them by their
// references. The rule-based engine has looked itself: what it found stands in its answer and was told of, and there is
// nothing beside that.
func (w *worker) disagree(answer citation.Answer) bool {
	w.run.Conflicts = w.quarrels()
	if w.run.Model.Engine != llm.Rules {
		w.run.Conflicts = citation.Conflicts(w.run.Goal, w.evidence, answer.Refs)
	}
	pairs := [][]string{}
	for _, c := range w.run.Conflicts {
		pairs = append(pairs, c.Refs[:])
	}
	slices.SortFunc(pairs, slices.Compare)
	pairs = slices.CompactFunc(pairs, slices.Equal)
	if len(pairs) == 0 {
		return false
	}
	w.notice(citation.SourcesDisagree)
	w.emit(event.Warning, map[string]any{"code": citation.SourcesDisagree, "refs": pairs})
	return true
}

// quarrels are the disagreements that a generator told of, each once.
func (w *worker) quarrels() (out []citation.Conflict) {
	for _, m := range w.remarks {
		if m.Code == llm.SourcesDisagree && len(m.Refs) == 2 {
			c := citation.Conflict{Refs: [2]string(m.Refs), Kind: m.Kind}
			copy(c.Quotes[:], m.Quotes)
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// remarked returns the references of what a generator remarked on its answer under a code.
func (w *worker) remarked(code string) (out [][]string) {
	for _, m := range w.remarks {
		if m.Code == code {
			out = append(out, m.Refs)
		}
	}
	return out
}

// cited returns the evidence that the answer leans on, in the order of first mention.
func (w *worker) cited() []citation.Evidence {
	var out []citation.Evidence
	for _, ref := range w.run.Answer.Refs {
		for _, e := range w.evidence {
			if e.Ref == ref {
				out = append(out, e)
			}
		}
	}
	return out
}

// nothingFound is the composed answer of fixed retrieval without a hit.
func nothingFound(r *run.Run) citation.Answer {
	text := "No relevant material was found. The knowledge base cannot answer this question at present."
	if chinese(r.Goal) {
		text = "未找到相关资料。当前知识库无法提供这个问题的答案。"
	}
	return citation.Answer{Text: text, Sections: citation.Sections{Conclusion: text}, Insufficient: true, Missing: []string{r.Goal}}
}

// finish commits the end of the run: final state, closing event with usage, ledger entry. It is
// the same on every way out.
func (w *worker) finish(ctx context.Context, reason run.Reason) error {
	r := w.run
	r.State, r.Reason, r.EndedAt = r.Kind.Ends(reason), reason, w.now()
	r.Use.Elapsed = w.before + w.now().Sub(w.began)
	if reason != run.Success && reason != run.DraftReady && reason != run.Insufficient {
		w.takeBack()
		r.TakeBack()
	}
	data := map[string]any{
		"state": r.State, "finish_reason": reason, "usage": r.Usage, "duration_ms": r.Use.Elapsed.Milliseconds(),
	}
	if reason == run.Insufficient {
		data["missing"] = len(r.Answer.Missing)
	}
	closing := event.Completed
	switch r.State {
	case run.Failed:
		closing = event.Failed
	case run.Interrupted:
		closing = event.Interrupted
	}
	if at, err := w.checkpoint(); err == nil {
		r.Checkpoint = at
	}
	commit := run.Commit{
		Lease: w.lease, Run: r, Evidence: w.fresh, Scope: w.fence(reason),
		Events:  append(w.events, event.New(closing, data)),
		Entries: append(w.entries, w.entry()), Recordings: w.taped.pending,
	}
	return w.agent.deps.Journal.Commit(ctx, commit)
}

// fence is the scope under which an answer was judged. An answer is stored only while it holds; any
// other end is stored whatever became of the rights.
func (w *worker) fence(reason run.Reason) access.Scope {
	switch reason {
	case run.Success, run.DraftReady, run.Insufficient:
		if w.shows() {
			return w.scope
		}
	}
	return access.Scope{}
}

// entry is the run's record for the ledger. It tells of every passage that is stored of the run, of those too
// that were taken out of sight on its way.
func (w *worker) entry() ledger.Entry {
	r := w.run
	return ledger.Entry{
		Kind: ledger.RunEnded, Tenant: string(r.Tenant), RunID: string(r.ID), Actor: string(r.Actor), Time: w.now(),
		Body: run.EndedBody(r, w.registered),
	}
}

// createdEvents are the first events of a run.
func createdEvents(r *run.Run, by string) []event.Event {
	return []event.Event{
		event.New(event.RunCreated, map[string]any{"state": run.Queued, "kind": r.Kind, "scope": r.Scope, "timezone": "UTC", "limits": limitsData(r.Limits)}),
		event.New(event.RouteSelected, map[string]any{"route": r.Route, "tools": names(r.Tools), "by": by}),
	}
}

// limitsData is the wire form of limits: times in milliseconds.
func limitsData(l run.Limits) map[string]any {
	return map[string]any{
		"steps": l.Steps, "repairs": l.Repairs, "tool_calls": l.ToolCalls, "search_pages": l.SearchPages, "page_size": l.PageSize,
		"documents": l.Documents, "document_text": l.TextUnits, "context_chars": l.ContextChars, "tokens": l.Tokens,
		"total_ms": l.Total.Milliseconds(), "request_ms": l.Request.Milliseconds(),
	}
}

// names makes an absent list an empty one on the wire.
func names(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func modelData(info llm.Info) map[string]any {
	return map[string]any{"engine": info.Engine, "name": info.Name, "host": info.Host, "remote": info.Remote}
}

func usageData(u *llm.Usage) any {
	if u == nil {
		return nil
	}
	return map[string]any{"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Total}
}

func usageSource(u *llm.Usage) string {
	if u == nil || u.Prompt == nil && u.Completion == nil && u.Total == nil {
		return "absent"
	}
	return "provider"
}
