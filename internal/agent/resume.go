package agent

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// noTime is a time that has not come.
var noTime time.Time

// Resume goes on with an interrupted run of the actor, in its next attempt. What the actor may see
// is judged anew, and limits, use and numbers are carried over. What was searched for and read before
// may be asked for once more inside these limits; doing so again in the same attempt is no progress. A run that waits for a person goes
// on waiting, since only the decision ends that. Any other run is problem.Conflict "not_resumable";
// a run of anybody else problem.NotFound.
func (a *Agent) Resume(ctx context.Context, actor access.Actor, id run.ID) (*run.Run, error) {
	if a.base.Err() != nil {
		return nil, problem.New(problem.Unavailable, "stopping", "The server is stopping.")
	}
	var err error
	for range 8 {
		var commit run.Commit
		if commit, err = a.resumption(ctx, actor, id); err != nil {
			return nil, err
		}
		if commit.Run.State == run.Waiting {
			return commit.Run, nil
		}
		if !a.gate.admit(seatOf(actor)) {
			return nil, a.tooMany()
		}
		if err = a.deps.Journal.Resume(ctx, commit); err == nil {
			resumed := *commit.Run // the worker has its own
			a.work(id, actor)
			return &resumed, nil
		}
		a.gate.dismiss(seatOf(actor))
		if problem.CodeOf(err) != "scope_stale" {
			return nil, err
		}
	}
	return nil, problem.Wrap(err, problem.Unavailable, "busy", "Permissions change faster than this could be read; try again.")
}

// resumption is what a resume changes: the run as its next attempt begins, and what tells of it. A
// checkpoint that can't be used is left as it is, so that the attempt fails on it, visibly.
func (a *Agent) resumption(ctx context.Context, actor access.Actor, id run.ID) (run.Commit, error) {
	r, evidence, err := a.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
	switch {
	case err != nil || r.State == run.Waiting:
		return run.Commit{Run: r}, err
	case r.State != run.Interrupted || r.Kind.Decides():
		return run.Commit{}, problem.New(problem.Conflict, "not_resumable", "Only a run that was interrupted can be resumed.")
	}
	if r.Model.Engine == llm.Model && a.deps.Generator.Info().Engine != llm.Model && !r.RulesFallback {
		return run.Commit{}, problem.New(problem.Conflict, "model_missing",
			"The run began with a model, and none is configured here. Resume it where the model is, or ask anew.")
	}
	s, broken := restore(r, evidence)
	if broken != nil {
		a.deps.Log.Error("checkpoint of a run can't be used", "run_id", id, "error", broken)
		s = sight{run: r}
	}
	v, err := a.review(ctx, actor, &s)
	if err != nil {
		return run.Commit{}, err
	}
	unfinished := len(s.planned)
	from := goneOnFrom(r, v)
	events := s.again(v)
	a.generator(r)
	from.Model = r.Model
	recording := pack(r, run.Recording{Resumed: from})
	if broken == nil {
		if r.Checkpoint, err = s.checkpoint(); err != nil {
			return run.Commit{}, err
		}
	}
	data := map[string]any{
		"attempt": r.Attempt, "state": r.State, "reason": "restart", scopeChanged: !v.whole(),
		"sources_kept": len(s.evidence), "sources_dropped": len(v.lost), "unfinished_calls": unfinished,
	}
	return run.Commit{
		Run: r, Scope: v.scope, Events: append([]event.Event{event.New(event.Resumed, data)}, events...), Recordings: []run.Packed{recording},
		Entries: []ledger.Entry{{
			Kind: ledger.RunResumed, Tenant: string(r.Tenant), RunID: string(r.ID), Actor: string(r.Actor), Time: a.deps.Clock().UTC(),
			Body: json.RawMessage(mustJSON(data)),
		}},
	}, nil
}

// again makes the run of a sight one that waits for its next attempt, without what a review found lost,
// and returns the events that tell of that.
func (s *sight) again(v review) (events []event.Event) {
	s.forget()
	if !v.whole() {
		events = s.lose(v)
	}
	s.planned = nil
	r := s.run
	// What was read counts, and may be read once more: the model that asked for it has lost its thread.
	r.Windows = slices.Clone(r.Windows)
	for i := range r.Windows {
		r.Windows[i].Span = corpus.Span{}
	}
	r.State, r.Reason, r.Attempt, r.StartedAt, r.EndedAt = run.Queued, "", r.Attempt+1, noTime, noTime
	return events
}

// goneOnFrom is what the recordings of an attempt that was interrupted do not tell of where the next
// one begins.
func goneOnFrom(r *run.Run, v review) *run.Resumed {
	use := r.Use
	use.Elapsed = 0
	return &run.Resumed{
		Lost: slices.Sorted(maps.Keys(v.lost)), Found: v.found, Use: use, Requests: r.Usage.Calls, PromptHash: r.PromptHash,
		Notices: slices.Clone(r.Notices),
	}
}

func (a *Agent) tooMany() error {
	return problem.New(problem.Exhausted, "too_many_runs", "You have %d runs that wait or work already. Wait until one has ended.", a.deps.PerActor)
}

// Watch ends the runs whose worker is gone, here or in another process, whenever the ticker ticks
// and once before, until the context ends. Nothing is replayed by itself.
func (a *Agent) Watch(ctx context.Context, tick <-chan time.Time) {
	for {
		n, err := a.deps.Journal.Interrupt(ctx, a.deps.Clock())
		if err != nil && ctx.Err() == nil {
			a.deps.Log.Error("lost runs could not be looked for", "error", err)
		}
		if n > 0 {
			a.deps.Log.Warn("runs were interrupted: their worker is gone", "runs", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}
