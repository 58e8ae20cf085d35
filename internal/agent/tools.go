package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// callTools runs the calls of one model turn in order. A call beyond a limit, out of scope or not
// allowed ends the run, and its text never goes back to the model. Once something that the model
// had seen is lost, what it still asked for is not done.
func (w *worker) callTools(ctx context.Context, calls []llm.ToolCall) error {
	calls, answers := slices.Clone(calls), make([]string, len(calls))
	for i := range calls {
		answers[i] = calls[i].ID
		if !plainID.MatchString(calls[i].ID) {
			calls[i].ID = fmt.Sprintf("call_%d_%d", w.run.Step, i+1)
		}
	}
	w.next, w.planned = run.Calling, w.plans(calls)
	for i, call := range calls {
		outcome, err := w.call(ctx, call)
		if errors.Is(err, errAnew) {
			return nil
		}
		if err != nil {
			return err
		}
		w.planned = w.planned[1:]
		w.messages = append(w.messages, llm.Message{Role: llm.Tool, CallID: answers[i], Text: w.reply(outcome)})
	}
	w.next = run.Asking
	return nil
}

// errAnew says that the context was made again, so that what the model asked for is not done.
var errAnew = errors.New("the context was made again")

// plans names the calls of a turn for the checkpoint. A tool that the route does not have is a word
// of the model's own and stays unnamed.
func (w *worker) plans(calls []llm.ToolCall) []run.Plan {
	var out []run.Plan
	for _, c := range calls {
		p := run.Plan{Call: c.ID, ArgsHash: w.run.Seal.Hash(run.NameArguments, c.Arguments)}
		if slices.Contains(w.run.Tools, c.Name) {
			p.Tool = c.Name
		}
		out = append(out, p)
	}
	return out
}

// plainID is what an id looks like that may stand in events. Others are an endpoint's free text.
var plainID = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,64}$`)

// call runs one tool call through the executor and applies what it did to the run. That the call
// is made is committed first, so that a crash in its middle opens no new allowance. The call is not
// made (errAnew) if something that the model had seen was lost: it may repeat what that said.
func (w *worker) call(ctx context.Context, call llm.ToolCall) (tool.Outcome, error) {
	r := w.run
	if r.Use.ToolCalls >= r.Limits.ToolCalls {
		w.reached("tool_calls", r.Use.ToolCalls, r.Limits.ToolCalls)
		return tool.Outcome{}, over(run.LimitToolCalls)
	}
	r.Use.ToolCalls++
	if err := w.flush(ctx); err != nil {
		return tool.Outcome{}, err
	}
	switch anew, err := w.refresh(ctx); {
	case err != nil:
		return tool.Outcome{}, err
	case anew:
		return tool.Outcome{}, errAnew
	}
	began := w.now()
	outcome := w.execute(ctx, call)
	if ctx.Err() != nil {
		return tool.Outcome{}, context.Cause(ctx)
	}
	w.tapeCall(call, outcome)
	w.started(call, outcome)
	record := run.Call{ID: call.ID, Tool: outcome.Spec.Name, ArgsHash: r.Seal.Hash(run.NameArguments, call.Arguments), Code: "ok"}
	if f := outcome.Failure; f != nil {
		record.Code = string(f.Code)
		r.Calls = append(r.Calls, record)
		return outcome, w.failed(call, outcome)
	}
	record.ResultHash = r.Seal.Hash(run.NameResult, string(outcome.Result.Content))
	r.Calls = append(r.Calls, record)
	w.emit(event.ToolCompleted, map[string]any{
		"call_id": call.ID, "tool": outcome.Spec.Name, "latency_ms": w.now().Sub(began).Milliseconds(), "result": outcome.Result.Summary,
	})
	w.apply(&outcome.Result, "S")
	return outcome, nil
}

// started tells of a call. The tool's name is empty if this route has no such tool, whatever the
// model called it; arguments are told, cut short, only when the tool took them.
func (w *worker) started(call llm.ToolCall, o tool.Outcome) {
	data := map[string]any{"call_id": call.ID, "tool": o.Spec.Name, "args_hash": w.run.Seal.Hash(run.NameArguments, call.Arguments)}
	if o.Spec.Name != "" {
		data["sensitivity"] = o.Spec.Sensitivity
	}
	if args := shorten(o.Args); o.Failure == nil && args != nil {
		data["args"] = args
	}
	if len(o.Stripped) > 0 {
		data["stripped"] = len(o.Stripped)
		w.security("identity_fields_stripped", o.Spec.Name)
	}
	w.emit(event.ToolStarted, data)
}

// failed tells of a failure and decides whether the run goes on.
func (w *worker) failed(call llm.ToolCall, o tool.Outcome) error {
	f := o.Failure
	w.emit(event.ToolFailed, map[string]any{
		"call_id": call.ID, "code": f.Code, "retryable": f.Code.Retryable(), "terminal": f.Code.Ends(),
	})
	if f.Err != nil {
		w.agent.deps.Log.Warn("tool call failed", "run_id", w.run.ID, "call_id", call.ID, "code", f.Code, "error", f.Err)
	}
	if o.Spec.Name == searchTool && f.Code.Retryable() {
		w.failedSearch = true
	}
	switch f.Code {
	case tool.PermissionDenied:
		w.security("tool_permission_denied", o.Spec.Name)
	case tool.NotAllowed:
		w.security("tool_not_in_route_allowlist", "")
	case tool.LimitSearchPages, tool.LimitDocuments, tool.LimitText:
		w.emit(event.LimitReached, map[string]any{"limit": strings.TrimPrefix(string(f.Code), "limit_")})
	}
	if f.Code.Ends() {
		return end{reason: run.EndOf(f.Code)}
	}
	return nil
}

// security puts a security event into the ledger: who, which run, which tool, which route.
func (w *worker) security(kind, name string) {
	w.record(ledger.Security, map[string]any{"event": kind, "tool": name, "route": w.run.Route})
}

// apply records what a tool did: searches, hits, windows, and evidence under the next numbers of
// the series.
func (w *worker) apply(res *tool.Result, series string) {
	r := w.run
	if res.Search != nil {
		r.Searches = append(r.Searches, *res.Search)
		r.Use.SearchPages++
		if res.Search.WordsOnly {
			w.notice(run.WordsOnly)
		}
		if res.Search.NotReranked {
			w.notice(run.NotReranked)
		}
	}
	w.auditPast(res)
	for _, h := range res.Hits {
		h.Passage = corpus.Passage{}
		r.Hits = append(r.Hits, h)
	}
	for _, p := range res.Passages {
		w.register(p, series)
	}
}

// auditPast records that a run which asks about the past was shown text of versions that are no
// longer in force: by a search, whose snippets are such text, or by a read. The entry is committed
// with the step, before a model sees any of it. Reading history by its own tool is recorded there.
func (w *worker) auditPast(res *tool.Result) {
	r := w.run
	if r.Scope.AsOf.IsZero() {
		return
	}
	var shown []corpus.DocumentID
	part := "window"
	for _, p := range res.Passages {
		if p.Status != access.StatusPublished {
			shown = append(shown, p.Document)
		}
	}
	for _, h := range res.Hits {
		if part = "snippet"; h.Passage.Status != access.StatusPublished && !slices.Contains(shown, h.Document) {
			shown = append(shown, h.Document)
		}
	}
	if len(shown) > 0 {
		w.record(ledger.HistoryRead, map[string]any{"documents": shown, "part": part, "as_of": r.Scope.AsOf})
	}
}

// record adds an entry to those that the next commit writes to the ledger.
func (w *worker) record(kind ledger.Kind, body map[string]any) {
	w.entries = append(w.entries, ledger.Entry{
		Kind: kind, Tenant: string(w.run.Tenant), RunID: string(w.run.ID), Actor: string(w.run.Actor),
		Time: w.now(), Body: json.RawMessage(mustJSON(body)),
	})
}

// register counts a passage that was read and gives it its reference, once and for all: what an earlier
// attempt read keeps the one it has.
func (w *worker) register(p corpus.Passage, series string) {
	units := tool.Units(p.Text)
	w.run.Windows = append(w.run.Windows, tool.Window{Document: p.Document, Version: p.Version, Span: p.Span, Units: units})
	w.run.Use.Text += units
	w.run.Use.Documents = len(w.run.Session().DocumentsRead())
	if w.source(p) != nil {
		return
	}
	ref := fmt.Sprintf("%s%d", series, len(w.registered)+1)
	e := citation.New(ref, w.run.Seal.Nonce(run.NameExcerpt(ref)), p, w.now())
	w.evidence, w.registered = append(w.evidence, e), append(w.registered, e)
	w.fresh = append(w.fresh, e)
	w.emit(event.SourceAdded, map[string]any{
		"ref": e.Ref, "document_id": e.Document, "doc_key": e.Key, "version": e.Version, "chunk_id": e.Chunk,
		"span": e.Span, "chars": utf8.RuneCountInString(e.Excerpt), "truncated": e.Truncated(), "excerpt_hash": e.Hash,
	})
}

// source returns the evidence in sight that a passage is; nil if it is none yet.
func (w *worker) source(p corpus.Passage) *citation.Evidence {
	for i, e := range w.evidence {
		if e.Document == p.Document && e.Version == p.Version && e.Span == p.Span && e.Excerpt == p.Text {
			return &w.evidence[i]
		}
	}
	return nil
}

// reply is the tool message for the model: the result with the references that the runtime gave,
// and what is left of the limits.
func (w *worker) reply(o tool.Outcome) string {
	body := map[string]json.RawMessage{}
	if f := o.Failure; f != nil {
		body["ok"] = json.RawMessage("false")
		body["error"] = json.RawMessage(mustJSON(map[string]any{"code": f.Code, "message": f.Detail}))
	} else if err := json.Unmarshal(o.Result.Content, &body); err != nil {
		body = map[string]json.RawMessage{"ok": json.RawMessage("true")}
	}
	if len(o.Result.Passages) > 0 && o.Failure == nil {
		e := w.source(o.Result.Passages[0])
		body["ref"] = json.RawMessage(mustJSON(e.Ref))
		body["text"] = json.RawMessage(mustJSON(e.Excerpt))
	}
	body["remaining"] = json.RawMessage(mustJSON(w.remaining()))
	return mustJSON(body)
}

// remaining states what is left, so that a model can answer instead of running into a limit.
func (w *worker) remaining() map[string]int {
	l, u := w.run.Limits, w.run.Use
	return map[string]int{
		"searches": max(0, l.SearchPages-u.SearchPages), "documents": max(0, l.Documents-u.Documents),
		"tool_calls": max(0, l.ToolCalls-u.ToolCalls), "steps": max(0, l.Steps-u.Steps),
	}
}
