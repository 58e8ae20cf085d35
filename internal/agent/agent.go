// Package agent runs the bounded loop: a model searches and reads through tools until it answers
// or a limit ends it.
//
// Everything that bounds a run is fixed before the model's first turn and enforced here and in
// the tools; the model only proposes. Each step is committed to the journal before the next
// begins, and every way out of a run ends in exactly one closing event with the usage so far.
// The agent never searches by itself: it goes through the tool executor, so that limits, rights
// and ledger see every access.
package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/pause"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// Executor runs tools; *tool.Executor is the one.
type Executor interface {
	Run(ctx context.Context, actor access.Actor, allowed []string, session tool.Session, call llm.ToolCall) tool.Outcome
	Specs(names []string) []llm.ToolSpec
}

// Deps are what an agent works with. Rules, Verifier and Memory may be nil; every other field is needed.
type Deps struct {
	Directory access.Directory
	Journal   run.Journal
	Events    event.Log
	Executor  Executor
	Catalog   Catalog
	Generator llm.Generator
	// Memory keeps what conversations were about; nil means that every question stands alone.
	Memory memory.Store
	// Rules takes over where a request allows it and the model fails; nil if Generator is it.
	Rules llm.Generator
	// Verifier gives a second opinion on the sentences of an answer; nil if the rules alone check.
	Verifier llm.Generator
	Limits   run.Limits
	Clock    func() time.Time
	Log      *slog.Logger
	// Lease is how long a run is this worker's without renewal; 0 means 10 seconds.
	Lease time.Duration
	// Parallel bounds the runs that work at once; 0 means 8. Others wait as queued.
	Parallel int
	// PerActor bounds the runs of one actor that wait or work; 0 means 32. One more is refused.
	PerActor int
	// Pause waits before the journal is tried again and returns the context's error if that ends
	// first. It is for tests; nil waits by the clock.
	Pause func(ctx context.Context, d time.Duration) error
}

// Agent starts runs and works on them in the background. It is safe for concurrent use.
type Agent struct {
	deps  Deps
	gate  *gate
	base  context.Context
	stop  context.CancelCauseFunc
	group sync.WaitGroup

	mu       sync.Mutex
	attempts map[run.ID]*attempt
}

// attempt is the work on a run in this process.
type attempt struct{ cancel context.CancelCauseFunc }

// The causes for which a run's context ends before its work is done.
var (
	errCancelled = errors.New("the actor cancelled the run")
	errLeaseLost = errors.New("another worker holds the run")
	errShutdown  = errors.New("the server is stopping")
	errTime      = errors.New("the run's time is used up")
)

// New returns an agent. Close it before what it depends on.
func New(deps Deps) *Agent {
	if deps.Lease <= 0 {
		deps.Lease = 10 * time.Second
	}
	if deps.Parallel <= 0 {
		deps.Parallel = 8
	}
	if deps.PerActor <= 0 {
		deps.PerActor = 32
	}
	if deps.Pause == nil {
		deps.Pause = pause.For
	}
	base, stop := context.WithCancelCause(context.Background())
	return &Agent{
		deps: deps, gate: newGate(deps.Parallel, deps.PerActor), base: base, stop: stop,
		attempts: map[run.ID]*attempt{},
	}
}

// Close interrupts the runs under way, waits until their work has stopped, and returns.
func (a *Agent) Close() {
	a.stop(errShutdown)
	a.group.Wait()
}

// Start fixes the run of a request and begins to work on it in the background. A knowledge base
// that the actor can't see is problem.NotFound for the whole request, like one that does not
// exist. A route that the actor may not use makes a run that ends refused. An actor who has too
// many runs that wait or work gets problem.Exhausted "too_many_runs".
func (a *Agent) Start(ctx context.Context, actor access.Actor, req Request) (run.ID, error) {
	if a.base.Err() != nil {
		return "", problem.New(problem.Unavailable, "stopping", "The server is stopping.")
	}
	if err := req.check(); err != nil {
		return "", err
	}
	scope, err := access.Resolve(ctx, a.deps.Directory, actor, access.Request{Bases: req.Bases})
	if err != nil {
		return "", err
	}
	for _, kb := range req.Bases {
		if scope.Level(kb) < access.Reader {
			return "", problem.Missing()
		}
	}
	r, by := a.plan(actor, req, scope)
	if !a.gate.admit(seatOf(actor)) {
		return "", a.tooMany()
	}
	if err := a.deps.Journal.Create(ctx, r, createdEvents(r, by)); err != nil {
		a.gate.dismiss(seatOf(actor))
		return "", err
	}
	a.work(r.ID, actor)
	return r.ID, nil
}

// plan makes the run that the request fixes.
func (a *Agent) plan(actor access.Actor, req Request, scope access.Scope) (*run.Run, string) {
	route, by := a.route(req, scope)
	info := a.answerer(scope).Info()
	return &run.Run{
		ID:     run.ID("run_" + strings.ToLower(rand.Text())),
		Tenant: actor.Tenant, Actor: actor.User, Kind: req.Kind, Goal: req.Goal, Conversation: req.Conversation,
		Scope: run.Scope{
			Bases: scope.Bases(), DocKey: req.DocKey, UpdatedFrom: req.UpdatedFrom, UpdatedTo: req.UpdatedTo, AsOf: req.AsOf.UTC(),
		},
		Route: route, Tools: routeTools[route], Model: info, Notices: a.notices(scope),
		RulesFallback: req.RulesFallback && a.deps.Rules != nil,
		State:         run.Queued, Attempt: 1, Limits: a.deps.Limits, CreatedAt: a.deps.Clock().UTC(),
	}, by
}

// work runs a queued run, which the gate has admitted, in the background. An earlier attempt of it
// that this process may still hold has lost its lease.
func (a *Agent) work(id run.ID, actor access.Actor) {
	ctx, cancel := context.WithCancelCause(a.base)
	own := &attempt{cancel}
	a.mu.Lock()
	former := a.attempts[id]
	a.attempts[id] = own
	a.mu.Unlock()
	if former != nil {
		former.cancel(errLeaseLost)
	}
	a.group.Go(func() {
		defer func() {
			a.mu.Lock()
			if a.attempts[id] == own {
				delete(a.attempts, id)
			}
			a.mu.Unlock()
			cancel(nil)
			a.gate.dismiss(seatOf(actor))
		}()
		a.guarded(id, func() { a.execute(ctx, cancel, id, actor) })
	})
}

// Cancel asks a run of the actor to stop. It reaches a model request under way at once; the run
// is cancelled when its work has stopped.
func (a *Agent) Cancel(ctx context.Context, actor access.Actor, id run.ID) (*run.Run, error) {
	r, err := a.deps.Journal.Cancel(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	own := a.attempts[id]
	a.mu.Unlock()
	if own != nil {
		own.cancel(errCancelled)
	}
	return r, nil
}

// Await returns when the attempt of a run of the actor has ended, or with the context's error.
func (a *Agent) Await(ctx context.Context, actor access.Actor, id run.ID) error {
	var seen int64
	for {
		r, _, err := a.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
		if err != nil {
			return err
		}
		if r.State.Final() || r.State == run.Waiting {
			return nil
		}
		events, err := a.deps.Events.After(ctx, string(id), seen, 1000)
		if err != nil {
			return err
		}
		if len(events) > 0 {
			seen = events[len(events)-1].Sequence
			continue
		}
		if err := a.deps.Events.Wait(ctx, string(id), seen); err != nil {
			return err
		}
	}
}
