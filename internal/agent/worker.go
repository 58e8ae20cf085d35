package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

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
	agent *Agent
	actor access.Actor
	lease run.Lease
	sight
	broken    error // why the sight could not be restored
	generator llm.Generator
	began     time.Time
	before    time.Duration // working time of earlier attempts

	memory   string // of the conversation, as it was when this attempt began
	messages []llm.Message
	anew     bool // the context was made again: it holds what was read, and no earlier turn
	events   []event.Event
	fresh    []citation.Evidence
	entries  []ledger.Entry
	taped    tape
	past     *player // whom to ask in a replay; nil otherwise

	cut      bool         // the answer broke off, by its length or by a filter
	remarks  []llm.Remark // what the generator told of the answer
	scope    access.Scope // under which what is in sight was judged last
	accepted acceptance
}

// acceptance is what an answer that was accepted but not yet stored can be taken back by.
type acceptance struct {
	held    bool
	events  int      // events that waited before the answer
	notices []string // of the run before the answer
	own     []string // notices that belong to the answer
	stale   int      // how often the answer was taken back
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
	err := contained(func() error { return w.loop(ctx) })
	reason, cause := w.reason(ctx, err)
	if errors.Is(cause, errLeaseLost) {
		return
	}
	if reason == run.InternalFault {
		w.agent.deps.Log.Error("run failed inside", "run_id", w.run.ID, "error", cause)
	}
	// The end is committed even though the run's own context may be over.
	final := context.WithoutCancel(ctx)
	// Before the end is stored, so that whoever sees it can ask the next question.
	w.remember(final, reason)
	err = w.ending(final, reason)
	for problem.CodeOf(err) == "scope_stale" {
		// Rights changed since the answer was judged.
		if reason, cause = w.reason(ctx, contained(func() error { return w.reconsider(ctx) })); errors.Is(cause, errLeaseLost) {
			return
		}
		if reason == run.InternalFault {
			w.agent.deps.Log.Error("run failed inside", "run_id", w.run.ID, "error", cause)
		}
		err = w.ending(final, reason)
	}
	if problem.CodeOf(err) == "illegal_move" && reason != run.WasCancelled {
		// The actor's wish to cancel came first.
		err = w.ending(final, run.WasCancelled)
	}
	if err != nil && problem.CodeOf(err) == "panic" && reason != run.InternalFault {
		// What the run came to can't be put into words; that it failed can.
		w.agent.deps.Log.Error("run failed at its end", "run_id", w.run.ID, "error", err)
		err = w.ending(final, run.InternalFault)
	}
	if err != nil && problem.CodeOf(err) != "lease_lost" {
		w.agent.deps.Log.Error("the end of a run could not be stored", "run_id", w.run.ID, "error", err)
	}
}

// contained runs a part of the work and turns a panic into problem.Internal "panic".
func contained(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = problem.Wrap(fmt.Errorf("panic: %v\n%s", p, debug.Stack()), problem.Internal, "panic", "The work on the run broke off.")
		}
	}()
	return do()
}

// ending commits the end of the run, again while the journal is unavailable, for a while.
func (w *worker) ending(ctx context.Context, reason run.Reason) error {
	ctx, release := context.WithTimeout(ctx, 10*time.Second)
	defer release()
	return w.agent.insist(ctx, func() error { return w.finish(ctx, reason) })
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

// loop begins the attempt and takes steps until one ends the run.
func (w *worker) loop(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r := w.run
	model := r.Model
	placed := w.place(ctx) // before the start is told, which names the model
	if w.broken != nil {
		return w.broken
	}
	r.State, r.StartedAt = run.Running, w.now()
	w.emit(event.RunStarted, map[string]any{"model": modelData(r.Model)})
	if err := w.flush(ctx); err != nil {
		return err
	}
	if placed != nil {
		return placed
	}
	if r.Route == run.Refuse {
		return over(run.RouteRefused)
	}
	w.recall(ctx)
	w.tapeBegan(model)
	w.anew = r.Attempt > 1
	anew, err := w.refresh(ctx)
	if err == nil && !anew {
		err = w.prepare(ctx)
	}
	if err != nil {
		return err
	}
	return w.rounds(ctx)
}

// rounds takes model turns until one ends the run. What is in sight is judged before each request,
// and again before its response is used: if something was lost, the response is not used.
func (w *worker) rounds(ctx context.Context) error {
	for {
		if _, err := w.refresh(ctx); err != nil {
			return err
		}
		response, err := w.turn(ctx)
		if err != nil {
			return err
		}
		if err := w.use(ctx, response); err != nil {
			return err
		}
		r := w.run
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

// use does what a model's response asks for.
func (w *worker) use(ctx context.Context, response llm.Response) error {
	if calls := response.Message.Calls; len(calls) > 0 {
		w.messages = append(w.messages, response.Message)
		return w.callTools(ctx, calls)
	}
	if anew, err := w.refresh(ctx); err != nil || anew {
		return err
	}
	w.messages = append(w.messages, response.Message)
	return w.accept(ctx, response)
}

// accept judges a final text: it ends the run, or asks for one repair.
func (w *worker) accept(ctx context.Context, response llm.Response) error {
	r := w.run
	text, withheld := withhold(response.Message.Text, r.Goal, w.evidence)
	answer, err := w.judge(text)
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
	w.cut, w.remarks = response.Finish == llm.Length || response.Finish == llm.Filtered, response.Remarks
	checks, err := w.support(ctx, answer)
	if err != nil {
		return err
	}
	if withheld {
		return w.conclude(answer, checks, run.AddressesWithheld)
	}
	return w.conclude(answer, checks)
}

// conclude keeps an answer with its checks, and notices that belong to it, and ends the run with it.
func (w *worker) conclude(answer citation.Answer, checks []citation.Check, notices ...string) error {
	r := w.run
	w.accepted.held, w.accepted.events, w.accepted.notices, w.accepted.own = true, len(w.events), slices.Clone(r.Notices), notices
	for _, n := range notices {
		w.notice(n)
	}
	w.keep(answer, checks)
	switch {
	case answer.Insufficient:
		return over(run.Insufficient)
	case r.Kind == run.ForDraft:
		return over(run.DraftReady)
	}
	return over(run.Success)
}

// takeBack undoes what conclude did, as long as it is not stored: nobody has been told of it.
func (w *worker) takeBack() {
	if r := w.run; w.accepted.held {
		w.events, r.Notices = w.events[:w.accepted.events], w.accepted.notices
		r.TakeBack()
		w.accepted.held, w.cut, w.remarks = false, false, nil
	}
}

// flush commits what has happened since the last one.
func (w *worker) flush(ctx context.Context) (err error) {
	w.run.Use.Elapsed = w.before + w.now().Sub(w.began)
	if w.run.Checkpoint, err = w.checkpoint(); err != nil {
		return err
	}
	err = w.agent.deps.Journal.Commit(ctx, run.Commit{
		Lease: w.lease, Run: w.run, Events: w.events, Evidence: w.fresh, Entries: w.entries, Recordings: w.taped.pending,
	})
	if err != nil {
		return err
	}
	w.events, w.fresh, w.entries, w.taped.pending = nil, nil, nil, nil
	return nil
}

func (w *worker) now() time.Time { return w.agent.deps.Clock().UTC() }

func (w *worker) emit(t event.Type, data map[string]any) {
	w.events = append(w.events, event.New(t, data))
}

func (w *worker) notice(code string) { note(w.run, code) }

// note adds a notice to a run, once.
func note(r *run.Run, code string) {
	if !slices.Contains(r.Notices, code) {
		r.Notices = append(r.Notices, code)
	}
}

func (w *worker) reached(limit string, value, allowed int) {
	w.emit(event.LimitReached, map[string]any{"limit": limit, "value": value, "allowed": allowed})
}
