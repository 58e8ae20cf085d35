package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// worker is one attempt of one run. Its events and evidence wait until flush commits them with
// the state they belong to.
type worker struct {
	agent     *Agent
	actor     access.Actor
	lease     run.Lease
	run       *run.Run
	evidence  []citation.Evidence
	generator llm.Generator
	began     time.Time
	before    time.Duration // working time of earlier attempts

	messages []llm.Message
	events   []event.Event
	fresh    []citation.Evidence
	entries  []ledger.Entry

	failedSearch bool // some search of this attempt failed
}

// end is the error by which the steps of a run say that it is over, and why.
type end struct {
	reason run.Reason
	cause  error // for logs
}

func (e end) Error() string { return "run ends: " + string(e.reason) }

// over makes the end of a run.
func over(reason run.Reason) error { return end{reason: reason} }

// whole works until the run ends and commits the end. Nothing that goes wrong leaves the run
// without one, but for a lost lease: then the run is another worker's.
func (w *worker) whole(ctx context.Context) {
	err := w.contained(ctx)
	reason, cause := w.reason(ctx, err)
	if errors.Is(cause, errLeaseLost) {
		return
	}
	if reason == run.InternalFault {
		w.agent.deps.Log.Error("run failed inside", "run_id", w.run.ID, "error", cause)
	}
	// The end is committed even though the run's own context may be over.
	final, release := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer release()
	err = w.finish(final, reason)
	if problem.CodeOf(err) == "illegal_move" && reason != run.WasCancelled {
		// The actor's wish to cancel came first.
		err = w.finish(final, run.WasCancelled)
	}
	if err != nil && problem.CodeOf(err) != "lease_lost" {
		w.agent.deps.Log.Error("the end of a run could not be stored", "run_id", w.run.ID, "error", err)
	}
}

// contained runs the loop and turns a panic into an error.
func (w *worker) contained(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return w.loop(ctx)
}

// reason maps what ended the loop to the reason that the actor sees.
func (w *worker) reason(ctx context.Context, err error) (run.Reason, error) {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errLeaseLost):
		return "", errLeaseLost
	case errors.Is(cause, errCancelled):
		return run.WasCancelled, nil
	case errors.Is(cause, errTime) && !ended(err):
		return run.LimitTime, nil
	case errors.Is(cause, errShutdown) && !ended(err):
		return run.ProcessGone, nil
	}
	var e end
	switch {
	case errors.As(err, &e):
		return e.reason, e.cause
	case problem.CodeOf(err) == "lease_lost":
		return "", errLeaseLost
	case problem.CodeOf(err) == "illegal_move":
		return run.WasCancelled, nil
	}
	return run.InternalFault, err
}

func ended(err error) bool {
	var e end
	return errors.As(err, &e)
}

// loop takes steps until one ends the run.
func (w *worker) loop(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r := w.run
	r.State, r.StartedAt = run.Running, w.now()
	w.emit(event.RunStarted, map[string]any{"model": modelData(r.Model)})
	if err := w.flush(ctx); err != nil {
		return err
	}
	if r.Route == run.Refuse {
		return over(run.RouteRefused)
	}
	if fixed(r.Route) {
		if err := w.retrieve(ctx); err != nil {
			return err
		}
	}
	w.messages = []llm.Message{systemPrompt(r), questionPrompt(r, w.evidence)}
	for {
		response, err := w.turn(ctx)
		if err != nil {
			return err
		}
		w.messages = append(w.messages, response.Message)
		if len(response.Message.Calls) == 0 {
			err = w.accept(response)
		} else {
			err = w.callTools(ctx, response.Message.Calls)
		}
		if err != nil {
			return err
		}
		if limit := r.Limits.Tokens; limit > 0 && r.Use.Tokens > limit {
			w.reached("tokens", r.Use.Tokens, limit)
			return over(run.LimitTokens)
		}
		w.emit(event.StepCompleted, map[string]any{"step": r.Step, "use": r.Use})
		if err := w.flush(ctx); err != nil {
			return err
		}
	}
}

// turn makes one model call inside the limits.
func (w *worker) turn(ctx context.Context) (llm.Response, error) {
	r := w.run
	if r.Use.Steps >= r.Limits.Steps+r.Use.Repairs {
		w.reached("steps", r.Use.Steps, r.Limits.Steps)
		return llm.Response{}, over(run.LimitSteps)
	}
	request := llm.Request{Messages: w.messages}
	if !fixed(r.Route) {
		request.Tools = w.agent.deps.Executor.Specs(r.Tools)
	}
	chars := characters(w.messages)
	if chars > r.Limits.ContextChars {
		w.reached("context_chars", chars, r.Limits.ContextChars)
		return llm.Response{}, over(run.LimitContext)
	}
	r.Use.Steps++
	r.Step++
	hash := hashPrompt(request)
	r.PromptHash = chainHash(r.PromptHash, hash)
	r.Usage.Sent(len(w.messages), chars)
	call := fmt.Sprintf("m%d", r.Usage.Calls)
	w.emit(event.StepStarted, map[string]any{"step": r.Step})
	w.emit(event.ModelStarted, map[string]any{
		"call_id": call, "messages": len(w.messages), "prompt_runes": chars, "prompt_hash": hash,
	})
	if err := w.flush(ctx); err != nil {
		return llm.Response{}, err
	}
	return w.generate(ctx, request, call, chars)
}

// generate asks the model under the request's time limit, and the rule-based engine in its place
// where the run allows it and the model failed.
func (w *worker) generate(ctx context.Context, request llm.Request, call string, chars int) (llm.Response, error) {
	r, began := w.run, w.now()
	limit, release := context.WithTimeout(ctx, r.Limits.Request)
	response, err := w.generator.Generate(limit, request, nil)
	timedOut := limit.Err() != nil
	release()
	if ctx.Err() != nil {
		return llm.Response{}, context.Cause(ctx)
	}
	data := map[string]any{"call_id": call, "latency_ms": w.now().Sub(began).Milliseconds()}
	if err == nil {
		estimate := 0
		if r.Model.Engine == llm.Model {
			estimate = estimateTokens(chars + utf8.RuneCountInString(response.Message.Text))
		}
		r.Usage.Received(response.Usage, estimate)
		r.Use.Tokens = r.Usage.Tokens()
		data["finish"], data["usage"], data["usage_source"] = response.Finish, usageData(response.Usage), usageSource(response.Usage)
		if len(response.Attempts) > 0 {
			data["failed_attempts"] = len(response.Attempts)
		}
		w.emit(event.ModelCompleted, data)
		if response.Finish == llm.Length {
			w.notice("output_truncated")
		}
		return response, nil
	}
	reason := run.ModelError
	if timedOut || problem.CodeOf(err) == "model_timeout" {
		reason = run.ModelTimeout
	}
	data["code"] = reason
	w.emit(event.ModelFailed, data)
	w.agent.deps.Log.Warn("model call failed", "run_id", r.ID, "call_id", call, "code", reason, "error", err)
	if !r.RulesFallback || w.generator == w.agent.deps.Rules {
		return llm.Response{}, end{reason: reason, cause: err}
	}
	w.generator = w.agent.deps.Rules
	r.Model = w.generator.Info()
	w.notice("rules_fallback")
	w.emit(event.Warning, map[string]any{"code": "rules_fallback"})
	return w.turn(ctx)
}

// accept judges a final text: it ends the run, or asks for one repair.
func (w *worker) accept(response llm.Response) error {
	r := w.run
	answer, err := w.judge(response.Message.Text)
	if ended(err) {
		return err
	}
	if err != nil {
		reason := run.InvalidCitations
		if problem.CodeOf(err) == "invalid_output" {
			reason = run.InvalidOutput
		}
		if r.Use.Repairs >= r.Limits.Repairs {
			return end{reason: reason, cause: err}
		}
		r.Use.Repairs++
		detail := err.Error()
		var p *problem.Error
		if errors.As(err, &p) {
			detail = p.Detail
		}
		w.messages = append(w.messages, repairPrompt(r, detail))
		return nil
	}
	w.keep(answer)
	switch {
	case answer.Insufficient:
		return over(run.Insufficient)
	case r.Kind == run.ForDraft:
		return over(run.DraftReady)
	}
	return over(run.Success)
}

// flush commits what has happened since the last one.
func (w *worker) flush(ctx context.Context) error {
	w.run.Use.Elapsed = w.before + w.now().Sub(w.began)
	err := w.agent.deps.Journal.Commit(ctx, run.Commit{
		Lease: w.lease, Run: w.run, Events: w.events, Evidence: w.fresh, Entries: w.entries,
	})
	if err != nil {
		return err
	}
	w.events, w.fresh, w.entries = nil, nil, nil
	return nil
}

func (w *worker) now() time.Time { return w.agent.deps.Clock().UTC() }

func (w *worker) emit(t event.Type, data map[string]any) {
	w.events = append(w.events, event.New(t, data))
}

func (w *worker) notice(code string) {
	for _, n := range w.run.Notices {
		if n == code {
			return
		}
	}
	w.run.Notices = append(w.run.Notices, code)
}

func (w *worker) reached(limit string, value, allowed int) {
	w.emit(event.LimitReached, map[string]any{"limit": limit, "value": value, "allowed": allowed})
}

// characters counts the code points of a prompt, arguments of tool calls included.
func characters(messages []llm.Message) int {
	n := 0
	for _, m := range messages {
		n += utf8.RuneCountInString(m.Text)
		for _, c := range m.Calls {
			n += utf8.RuneCountInString(c.Arguments)
		}
	}
	return n
}

// estimateTokens guesses tokens from code points: about one for 1.6 of mixed Chinese and English.
func estimateTokens(chars int) int { return chars*5/8 + 1 }
