package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
)

// ends checks the end of a run that came from outside its worker: state, closing event, ledger.
func (w *World) ends(id run.ID, why run.Reason, closing event.Type) {
	w.t.Helper()
	r := w.stored(id)
	is(w, "state", r.State, why.State())
	is(w, "reason", r.Reason, why)
	is(w, "has an end", r.EndedAt.IsZero(), false)
	events := w.log(id)
	last := events[len(events)-1]
	is(w, "closing event", last.Type, closing)
	var data map[string]any
	w.ok(json.Unmarshal(last.Data, &data))
	is(w, "state in the event", data["state"], any(string(why.State())))
	is(w, "reason in the event", data["finish_reason"], any(string(why)))
	if _, ok := data["duration_ms"].(float64); !ok {
		w.t.Fatalf("the closing event has no duration: %s", last.Data)
	}
	if usage, ok := data["usage"].(map[string]any); !ok || usage["prompt_tokens"] != nil || usage["calls"] != float64(0) {
		w.t.Fatalf("usage that was not obtained must be null: %s", last.Data)
	}
	entries := w.entries(acme)
	e := entries[len(entries)-1]
	is(w, "ledger entry", string(e.Kind)+" "+e.RunID+" "+e.Actor, string(ledger.RunEnded)+" "+string(id)+" rita")
	var body map[string]any
	w.ok(json.Unmarshal(e.Body, &body))
	for _, key := range []string{
		"state", "finish_reason", "attempt", "route", "kind", "engine", "model", "host", "goal_hash", "prompt_hash", "answer_hash",
		"citations", "tool_calls", "checks", "use", "usage",
	} {
		if _, ok := body[key]; !ok {
			w.t.Fatalf("the ledger does not tell %s of a run that was ended: %s", key, e.Body)
		}
	}
}

var eventTests = []test{
	{"CancelEndsAQueuedRunAtOnce", func(t *testing.T, w *World) {
		w.created("run_1")
		l, err := w.Journal.Claim(w.ctx, "run_1", lease)
		w.ok(err)
		r, err := w.Journal.Cancel(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		w.ends("run_1", run.WasCancelled, event.Completed)
		if d := cmp.Diff([]event.Type{event.RunCreated, event.CancelAsked, event.Completed}, types(w.log("run_1"))); d != "" {
			t.Fatal(d)
		}
		r.State = run.Running
		w.want(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}), "lease_lost")
	}},
	{"CancelEndsARunThatWaitsForAPersonAtOnce", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		r.State = run.Waiting
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
		w.ok(errOf(w.Journal.Cancel(w.ctx, acme, "rita", "run_1")))
		w.ends("run_1", run.WasCancelled, event.Completed)
		w.want(errOf(w.Journal.Renew(w.ctx, l, lease)), "lease_lost")
	}},
	{"CancelAsksARunningRunOnce", func(t *testing.T, w *World) {
		r, l := w.started("run_1")
		for range 2 {
			got, err := w.Journal.Cancel(w.ctx, acme, "rita", "run_1")
			w.ok(err)
			is(w, "state", got.State, run.Cancelling)
		}
		if d := cmp.Diff([]event.Type{event.RunCreated, event.RunStarted, event.CancelAsked}, types(w.log("run_1"))); d != "" {
			t.Fatal(d)
		}
		w.want(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}), "illegal_move")
		r.State, r.Reason = run.Cancelled, run.WasCancelled
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
	}},
	{"CancelLeavesAnEndedRunAlone", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		r.State, r.Reason = run.Completed, run.Success
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
		n := len(w.log("run_1"))
		got, err := w.Journal.Cancel(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		is(w, "state", got.State, run.Completed)
		is(w, "events", len(w.log("run_1")), n)
	}},
	{"InterruptEndsRunsWhoseWorkerIsGone", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		w.started("run_2")
		w.ok(errOf(w.Journal.Cancel(w.ctx, acme, "rita", "run_2")))
		w.created("run_3")
		done, dl := w.started("run_4")
		done.State, done.Reason = run.Completed, run.Success
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: dl, Run: done}))
		is(w, "interrupted while leases hold", w.interrupt(w.clock.Now()), 0)
		is(w, "interrupted", w.interrupt(w.clock.Now().Add(1000*time.Hour)), 3)
		w.ends("run_3", run.ProcessGone, event.Interrupted)
		for _, id := range []run.ID{"run_1", "run_2"} {
			is(w, "state", w.stored(id).State, run.Interrupted)
		}
		r.Step++
		w.want(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}), "lease_lost")
		is(w, "again", w.interrupt(time.Unix(1<<40, 0)), 0)
		is(w, "the ended one", w.stored("run_4").State, run.Completed)
	}},
	{"InterruptLeavesARunThatWaitsForAPersonAlone", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		r.State = run.Waiting
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
		is(w, "interrupted", w.interrupt(time.Unix(1<<40, 0)), 0)
		is(w, "state", w.stored("run_1").State, run.Waiting)
	}},
	{"EventsComeInOrderAfterANumber", func(t *testing.T, w *World) {
		r, l := w.started("run_1")
		for i := range 5 {
			w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Events: []event.Event{
				event.New(event.AnswerDelta, map[string]any{"n": i}), event.New(event.Warning, nil),
			}}))
		}
		all := w.log("run_1")
		is(w, "events", len(all), 12)
		part, err := w.Events.After(w.ctx, "run_1", 3, 4)
		w.ok(err)
		if d := cmp.Diff(all[3:7], part); d != "" {
			t.Fatal(d)
		}
		none, err := w.Events.After(w.ctx, "run_1", 12, 4)
		w.ok(err)
		is(w, "after the last", len(none), 0)
		none, err = w.Events.After(w.ctx, "run_2", 0, 4)
		w.ok(err)
		is(w, "of an unknown run", len(none), 0)
	}},
	{"NumbersHaveNoGapsUnderConcurrentCommits", func(t *testing.T, w *World) {
		r, l := w.started("run_1")
		const workers, each = 4, 20
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				own := *r
				for range each {
					if err := w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: &own, Events: []event.Event{event.New(event.Warning, nil), event.New(event.Warning, nil)}}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		is(w, "events", len(w.log("run_1")), 2+2*workers*each)
	}},
	{"AWaiterMissesNoEvent", func(t *testing.T, w *World) {
		r, l := w.started("run_1")
		const total = 60
		got := make(chan []event.Event, 3)
		for range cap(got) {
			go func() { got <- w.follow(t, "run_1", 2+total) }()
		}
		for i := range total {
			w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Events: []event.Event{event.New(event.AnswerDelta, map[string]any{"n": i})}}))
		}
		all := w.log("run_1")
		for range cap(got) {
			if d := cmp.Diff(all, <-got); d != "" {
				t.Fatal(d)
			}
		}
	}},
	{"WaitEndsWithItsContext", func(t *testing.T, w *World) {
		w.created("run_1")
		w.ok(w.Events.Wait(w.ctx, "run_1", 0))
		for _, id := range []string{"run_1", "run_unknown"} {
			ctx, cancel := context.WithCancel(w.ctx)
			done := make(chan error, 1)
			go func() { done <- w.Events.Wait(ctx, id, 1) }()
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v", id, err)
			}
		}
	}},
	{"AttemptAndTimeAreGivenWhenAnEventIsAppended", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		r.Attempt = 3
		e := event.New(event.Resumed, nil)
		e.Sequence, e.Attempt, e.RunID, e.Time = 99, 99, "run_9", time.Unix(1, 0)
		from := w.clock.Now()
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Events: []event.Event{e}}))
		log := w.log("run_1")
		last := log[len(log)-1]
		is(w, "attempt", last.Attempt, 3)
		is(w, "time", last.Time.After(from) && last.Time.Before(w.clock.Now()), true)
	}},
}

// follow reads a run's events as a stream would, until n have come.
func (w *World) follow(t *testing.T, id string, n int) (out []event.Event) {
	for len(out) < n {
		if err := w.Events.Wait(w.ctx, id, int64(len(out))); err != nil {
			t.Error(fmt.Errorf("wait: %w", err))
			return out
		}
		next, err := w.Events.After(w.ctx, id, int64(len(out)), 7)
		if err != nil {
			t.Error(err)
			return out
		}
		out = append(out, next...)
	}
	return out
}
