package storetest

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// lost stores a run whose worker read one passage and is gone, and returns its last lease.
func (w *World) lost(id run.ID) (*run.Run, run.Lease) {
	w.t.Helper()
	r, l := w.started(id)
	r.Step, r.Checkpoint = 1, `{"at":1}`
	w.ok(w.Journal.Commit(w.ctx, run.Commit{
		Lease: l, Run: r, Evidence: []citation.Evidence{evidence("S1", w.clock.Now())}, Events: []event.Event{event.New(event.SourceAdded, map[string]any{"ref": "S1"})},
	}))
	is(w, "interrupted", w.interrupt(w.clock.Now().Add(time.Hour)), 1)
	return w.stored(id), l
}

// next is the run as its next attempt begins.
func next(r *run.Run) *run.Run {
	out := *r
	out.State, out.Reason, out.Attempt, out.StartedAt, out.EndedAt = run.Queued, "", r.Attempt+1, time.Time{}, time.Time{}
	return &out
}

// resume queues the next attempt of a run.
func (w *World) resume(r *run.Run) error {
	return w.Journal.Resume(w.ctx, run.Commit{
		Run: next(r), Events: []event.Event{event.New(event.Resumed, map[string]any{"attempt": r.Attempt + 1})}, Entries: []ledger.Entry{{Kind: ledger.RunResumed, Body: json.RawMessage(`{}`)}},
	})
}

var resumeTests = []test{
	{"AResumedRunIsQueuedInTheSameSequence", func(t *testing.T, w *World) {
		r, _ := w.lost("run_1")
		before := w.log("run_1")
		w.ok(w.resume(r))
		if d := cmp.Diff(next(r), w.stored("run_1")); d != "" {
			t.Fatal(d)
		}
		log := w.log("run_1")
		is(w, "events", len(log), len(before)+1)
		is(w, "type", log[len(before)].Type, event.Resumed)
		is(w, "attempt", log[len(before)].Attempt, 2)
		is(w, "attempt before", log[len(before)-1].Attempt, 1)
		_, kept, err := w.Journal.Run(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		is(w, "evidence", len(kept), 1)
		is(w, "checkpoint", w.stored("run_1").Checkpoint, `{"at":1}`)
	}},
	{"AResumedRunWorksToItsSecondEnd", func(_ *testing.T, w *World) {
		r, old := w.lost("run_1")
		w.ok(w.resume(r))
		l, err := w.Journal.Claim(w.ctx, "run_1", lease)
		w.ok(err)
		is(w, "token rose", l.Token > old.Token, true)
		got := w.stored("run_1")
		got.State, got.Step = run.Running, got.Step+1
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: got, Evidence: []citation.Evidence{evidence("S2", w.clock.Now())}}))
		got.State, got.Reason = run.Completed, run.Success
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: got, Events: []event.Event{event.New(event.Completed, nil)}}))
		w.want(w.resume(got), "not_resumable")
	}},
	{"OnlyAnInterruptedRunIsResumed", func(_ *testing.T, w *World) {
		queued := w.created("run_1")
		w.want(w.resume(queued), "not_resumable")
		r, l := w.started("run_2")
		for _, s := range []run.State{run.Running, run.Waiting, run.Cancelling, run.Failed} {
			r.State = s
			w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
			n := len(w.log("run_2"))
			w.want(w.resume(r), "not_resumable")
			is(w, "events", len(w.log("run_2")), n)
			is(w, "state", w.stored("run_2").State, s)
		}
	}},
	{"OfManyResumesAtOnceOneWins", func(_ *testing.T, w *World) {
		r, _ := w.lost("run_1")
		n := len(w.log("run_1"))
		errs := make([]error, 8)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = w.resume(r) })
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			w.want(err, "not_resumable")
		}
		is(w, "winners", won, 1)
		is(w, "events", len(w.log("run_1")), n+1)
		is(w, "attempt", w.stored("run_1").Attempt, 2)
	}},
	{"AResumeOfAnOlderAttemptComesTooLate", func(_ *testing.T, w *World) {
		r, _ := w.lost("run_1")
		w.ok(w.resume(r))
		is(w, "interrupted again", w.interrupt(w.clock.Now().Add(time.Hour)), 1)
		w.want(w.resume(r), "not_resumable")
		w.ok(w.resume(w.stored("run_1")))
		is(w, "attempt", w.stored("run_1").Attempt, 3)
	}},
	{"NobodyElseResumesARun", func(t *testing.T, w *World) {
		r, _ := w.lost("run_1")
		unknown := next(r)
		unknown.ID = "run_unknown"
		same(t, "an unknown run", w.Journal.Resume(w.ctx, run.Commit{Run: unknown}))
		for _, who := range []struct {
			tenant access.TenantID
			actor  access.UserID
		}{{acme, "carol"}, {globex, "rita"}} {
			foreign := next(r)
			foreign.Tenant, foreign.Actor = who.tenant, who.actor
			same(t, string(who.actor), w.Journal.Resume(w.ctx, run.Commit{Run: foreign}))
		}
		is(w, "state", w.stored("run_1").State, run.Interrupted)
	}},
	{"AWorkerFromBeforeTheResumeCommitsNothing", func(t *testing.T, w *World) {
		r, old := w.lost("run_1")
		w.ok(w.resume(r))
		stale := *r
		stale.State, stale.Step = run.Running, r.Step+1
		late := run.Commit{Lease: old, Run: &stale, Events: []event.Event{event.New(event.Warning, nil)}, Evidence: []citation.Evidence{evidence("S2", w.clock.Now())}}
		w.want(w.Journal.Commit(w.ctx, late), "lease_lost")
		w.want(errOf(w.Journal.Renew(w.ctx, old, lease)), "lease_lost")
		_, err := w.Journal.Claim(w.ctx, "run_1", lease)
		w.ok(err)
		before := w.log("run_1")
		w.want(w.Journal.Commit(w.ctx, late), "lease_lost")
		w.want(errOf(w.Journal.Renew(w.ctx, old, lease)), "lease_lost")
		if d := cmp.Diff(before, w.log("run_1")); d != "" {
			t.Fatal(d)
		}
	}},
	{"AResumedRunThatNobodyClaimsIsInterruptedAfterAWhile", func(_ *testing.T, w *World) {
		r, _ := w.lost("run_1")
		w.ok(w.resume(r))
		is(w, "at once", w.interrupt(w.clock.Now()), 0)
		is(w, "later", w.interrupt(w.clock.Now().Add(24*time.Hour)), 1)
	}},
	{"ACancelledResumeEndsAtOnce", func(_ *testing.T, w *World) {
		r, _ := w.lost("run_1")
		w.ok(w.resume(r))
		got, err := w.Journal.Cancel(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		is(w, "state", got.State, run.Cancelled)
		w.want(errOf(w.Journal.Claim(w.ctx, "run_1", lease)), "not_claimable")
		w.want(w.resume(w.stored("run_1")), "not_resumable")
	}},
	{"AStepUnderAnOlderScopeIsNotStored", func(t *testing.T, w *World) {
		r, _ := w.lost("run_1")
		old := w.scope("rita", access.Cited)
		w.add("carol", "another", "text", published) // the directory moves on
		c := run.Commit{Run: next(r), Scope: old, Events: []event.Event{event.New(event.Resumed, nil)}, Entries: []ledger.Entry{{Kind: ledger.RunResumed, Body: json.RawMessage(`{}`)}}}
		before, entries := w.log("run_1"), len(w.entries(acme))
		w.want(w.Journal.Resume(w.ctx, c), "scope_stale")
		is(w, "state", w.stored("run_1").State, run.Interrupted)
		c.Scope = w.scope("rita", access.Cited)
		w.ok(w.Journal.Resume(w.ctx, c))
		is(w, "entries", len(w.entries(acme)), entries+1)
		l, err := w.Journal.Claim(w.ctx, "run_1", lease)
		w.ok(err)
		got := w.stored("run_1")
		got.State = run.Running
		w.want(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: got, Scope: old, Events: []event.Event{event.New(event.Warning, nil)}}), "scope_stale")
		if d := cmp.Diff(append(types(before), event.Resumed), types(w.log("run_1"))); d != "" {
			t.Fatal(d)
		}
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: got, Scope: w.scope("rita", access.Cited)}))
	}},
	{"AResumeBringsNoErasedTextBack", func(t *testing.T, w *World) {
		d := w.laden("k")
		r, l := w.started("run_1")
		w.leaned(r, l, d, "S1")
		is(w, "interrupted", w.interrupt(w.clock.Now().Add(time.Hour)), 1)
		held := w.stored("run_1") // with what it wrote from the version
		w.ok(w.erase("carol", d.ID))
		w.ok(w.resume(held))
		w.found(t, append(canaries, derived...), false)
	}},
	{"TheTimeOfALostWorkerCounts", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		r.Use.Elapsed = 4 * time.Second
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
		w.clock.Advance(7 * time.Second)
		w.ok(errOf(w.Journal.Renew(w.ctx, l, lease)))
		w.clock.Advance(24 * time.Hour) // nobody knows what the worker did after its last sign
		is(w, "interrupted", w.interrupt(w.clock.Now()), 1)
		got := w.stored("run_1")
		if got.Use.Elapsed < 11*time.Second || got.Use.Elapsed > 12*time.Second {
			w.t.Fatalf("%v were used, want 4 s that were committed and 7 s until the last sign", got.Use.Elapsed)
		}
		w.ok(w.resume(got))
		_, err := w.Journal.Claim(w.ctx, "run_1", lease)
		w.ok(err)
		w.clock.Advance(24 * time.Hour)
		is(w, "again, before it worked", w.interrupt(w.clock.Now()), 1)
		is(w, "time of a run that waited", w.stored("run_1").Use.Elapsed, got.Use.Elapsed)
	}},
	{"ResumingNeverGivesAReferenceTwice", func(_ *testing.T, w *World) {
		r, _ := w.lost("run_1")
		w.ok(w.resume(r))
		l, err := w.Journal.Claim(w.ctx, "run_1", lease)
		w.ok(err)
		got := w.stored("run_1")
		got.State = run.Running
		err = w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: got, Evidence: []citation.Evidence{evidence("S1", w.clock.Now())}})
		if problem.CodeOf(err) != "duplicate_reference" {
			w.t.Fatalf("got %v", err)
		}
	}},
}
