package agent

import (
	"context"
	"runtime/debug"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// The tries of a journal that does not answer: with the pauses doubled each time they last about
// six seconds.
const (
	journalTries = 7
	journalPause = 100 * time.Millisecond
)

// queuedLeases is how many times longer than a working run's the lease of a queued one is, so that
// many runs that only wait do not keep the journal busy.
const queuedLeases = 6

// execute claims a run, waits for a slot, and works on it until it ends, keeping the lease alive
// all the while.
func (a *Agent) execute(ctx context.Context, cancel context.CancelCauseFunc, id run.ID, actor access.Actor) {
	lease, r, evidence, ok := a.take(ctx, id, actor)
	if !ok {
		return
	}
	waited := a.keep(ctx, cancel, lease, queuedLeases*a.deps.Lease)
	if a.gate.enter(ctx, seatOf(actor)) {
		defer a.gate.leave()
	} // else the worker below finds out that the run is over, and ends it
	waited()
	defer a.keep(ctx, cancel, lease, a.deps.Lease)()
	limit, release := context.WithTimeoutCause(ctx, max(0, r.Limits.Total-r.Use.Elapsed), errTime)
	defer release()
	w := &worker{agent: a, actor: actor, lease: lease, began: a.deps.Clock(), before: r.Use.Elapsed}
	w.sight, w.broken = restore(r, evidence)
	w.generator = a.generator(r)
	w.whole(limit)
}

// generator is what answers in this attempt: the rule-based engine goes on where it took over in an
// earlier one. The run names it.
func (a *Agent) generator(r *run.Run) llm.Generator {
	if r.Attempt == 1 {
		return a.deps.Generator
	}
	g := a.deps.Generator
	took := r.RulesFallback || slices.Contains(r.Notices, run.LocalOnly)
	if took && r.Model.Engine == llm.Rules && a.deps.Rules != nil {
		g = a.deps.Rules
	}
	r.Model = g.Info()
	return g
}

// take claims a run and reads it. A run that can't be had although it waits is ended, as far as
// the journal lets that happen: it must not look as if it still waited for its turn.
func (a *Agent) take(ctx context.Context, id run.ID, actor access.Actor) (lease run.Lease, r *run.Run, evidence []citation.Evidence, ok bool) {
	err := a.insist(ctx, func() (err error) {
		lease, err = a.deps.Journal.Claim(ctx, id, queuedLeases*a.deps.Lease)
		return err
	})
	if err == nil {
		err = a.insist(ctx, func() (err error) {
			r, evidence, err = a.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
			return err
		})
	}
	if err == nil {
		return lease, r, evidence, true
	}
	if problem.CodeOf(err) == "not_claimable" || ctx.Err() != nil {
		return lease, nil, nil, false
	}
	a.deps.Log.Error("run could not be taken", "run_id", id, "error", err)
	if _, err := a.deps.Journal.Cancel(context.WithoutCancel(ctx), actor.Tenant, actor.User, id); err != nil {
		a.deps.Log.Error("run that could not be taken could not be ended", "run_id", id, "error", err)
	}
	return lease, nil, nil, false
}

// insist does something with the journal again, a bounded number of times, while it is unavailable.
// A panic is problem.Internal "panic".
func (a *Agent) insist(ctx context.Context, do func() error) error {
	wait := journalPause
	for try := 1; ; try++ {
		err := contained(do)
		if !problem.Is(err, problem.Unavailable) || try == journalTries || a.deps.Pause(ctx, wait) != nil {
			return err
		}
		wait *= 2
	}
}

// guarded does a part of the work on a run. A panic in it is that run's trouble alone.
func (a *Agent) guarded(id run.ID, do func()) {
	defer func() {
		if p := recover(); p != nil {
			a.deps.Log.Error("work on a run panicked", "run_id", id, "error", p, "stack", string(debug.Stack()))
		}
	}()
	do()
}

// keep renews a lease in the background at a third of its length until stop is called.
func (a *Agent) keep(ctx context.Context, cancel context.CancelCauseFunc, lease run.Lease, length time.Duration) (stop func()) {
	done := make(chan struct{})
	a.group.Go(func() {
		a.guarded(lease.Run, func() { a.renew(ctx, cancel, lease, length, done) })
	})
	return func() { close(done) }
}

// renew keeps a lease until done, and ends the run's context when the actor cancels or the lease
// is lost.
func (a *Agent) renew(ctx context.Context, cancel context.CancelCauseFunc, lease run.Lease, length time.Duration, done <-chan struct{}) {
	tick := time.NewTicker(length / 3)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		asked, err := a.deps.Journal.Renew(ctx, lease, length)
		switch {
		case err == nil && asked:
			cancel(errCancelled)
		case problem.CodeOf(err) == "lease_lost":
			cancel(errLeaseLost)
		case err != nil && ctx.Err() == nil:
			a.deps.Log.Warn("lease could not be renewed", "run_id", lease.Run, "error", err)
		}
	}
}
