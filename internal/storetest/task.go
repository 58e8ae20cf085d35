package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// called is a call with every field set.
func called(effect approval.Effect) *approval.Call {
	return &approval.Call{
		Tool: "open_ticket", Sensitivity: "write", Args: json.RawMessage(`{"note":"WISH"}`), SpecHash: "aa", Evidence: "run_e", Level: access.Reader,
		Effect: effect, Owner: "ed",
	}
}

// call proposes a call about a version.
func (w *World) call(user access.UserID, id corpus.DocumentID, c *approval.Call) (approval.Proposal, error) {
	w.t.Helper()
	return w.Approvals.Propose(w.ctx, w.scope(user, access.Published), approval.Proposal{Kind: approval.CallTool, Document: string(id), Summary: card, Call: c})
}

// queued is an approved call of rita's whose effect is outside, about a new document.
func (w *World) queued(key corpus.Key) (corpus.Document, approval.Task) {
	w.t.Helper()
	d := w.add("carol", key, "one", published)
	p, err := w.call("rita", d.ID, called(approval.Outside))
	w.ok(err)
	p, err = w.decide("rita", p.ID, true)
	w.ok(err)
	return d, w.taskOf("rita", p.Task.ID)
}

func (w *World) taskOf(user access.UserID, id approval.TaskID) approval.Task {
	w.t.Helper()
	k, err := w.Tasks.Task(w.ctx, acme, user, id)
	w.ok(err)
	return k
}

func (w *World) claimTask(user access.UserID, k approval.Task) (approval.Task, error) {
	w.t.Helper()
	return w.Tasks.Claim(w.ctx, w.scope(user, access.Content), k.ID, k.Token, lease)
}

func (w *World) due(at time.Time) (out []approval.TaskID) {
	w.t.Helper()
	list, err := w.Tasks.Due(w.ctx, at)
	w.ok(err)
	for _, k := range list {
		out = append(out, k.ID)
	}
	return out
}

// enters does something that writes these ledger entries and lets everybody's scope stand.
func (w *World) enters(do func() error, kinds ...ledger.Kind) {
	w.t.Helper()
	before, epoch := len(w.entries(acme)), w.epoch(acme)
	w.ok(do())
	var got []ledger.Kind
	for _, e := range w.entries(acme)[before:] {
		got = append(got, e.Kind)
	}
	is(w, "entries", fmt.Sprint(got), fmt.Sprint(kinds))
	is(w, "epoch", w.epoch(acme), epoch)
}

var taskTests = []test{
	{"ARecordedCallSucceedsWithItsDecision", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "one", published)
		epoch, before := w.epoch(acme), w.document(d.ID)
		p, err := w.call("rita", d.ID, called(approval.Recorded))
		w.ok(err)
		is(w, "status", p.Status, approval.Pending)
		is(w, "task", p.Task == nil, true)
		var got approval.Proposal
		w.enters(func() (err error) {
			got, err = w.decide("rita", p.ID, true, "req_1")
			return err
		}, ledger.ProposalEnded, ledger.TaskEnded, ledger.RunEnded)
		is(w, "status", got.Status, approval.Approved)
		is(w, "task", got.Task.ID, approval.TaskOf(p.ID))
		k := w.taskOf("rita", got.Task.ID)
		is(w, "task's status", k.Status, approval.Succeeded)
		want := got
		want.Task = nil
		proposed := called(approval.Recorded)
		proposed.Nonce = k.Proposal.Call.Nonce
		if diff := cmp.Diff(want, k.Proposal) + cmp.Diff(proposed, k.Proposal.Call); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff([]event.Type{event.RunCreated, event.Waiting, event.Decided, event.ToolStarted, event.ToolCompleted, event.Completed}, types(w.log(run.ID(p.Run)))); diff != "" {
			t.Fatal(diff)
		}
		is(w, "epoch", w.epoch(acme), epoch)
		if diff := cmp.Diff(before, w.document(d.ID)); diff != "" {
			t.Fatal(diff)
		}
		again, err := w.decide("rita", p.ID, true, "req_1")
		w.ok(err)
		if diff := cmp.Diff(got, again); diff != "" {
			t.Fatal(diff)
		}
		_, err = w.decide("rita", p.ID, true, "req_2")
		w.want(err, "already_decided")
	}},
	{"ACallOutsideGoesOnUntilItsTaskEnds", func(t *testing.T, w *World) {
		_, k := w.queued("k")
		is(w, "status", k.Status, approval.Queued)
		r := func() *run.Run {
			r, _, err := w.Journal.Run(w.ctx, acme, "rita", run.ID(k.Proposal.Run))
			w.ok(err)
			return r
		}
		is(w, "run", r().State, run.Running)
		is(w, "interrupted", w.interrupt(w.clock.Now().Add(1000*time.Hour)), 0)
		got, err := w.Journal.Cancel(w.ctx, acme, "rita", run.ID(k.Proposal.Run))
		w.ok(err)
		is(w, "after cancelling", got.State, run.Running)
		k, err = w.claimTask("rita", k)
		w.ok(err)
		is(w, "claimed", fmt.Sprint(k.Status, k.Token, k.StartedAt.IsZero()), "running1 false")
		w.enters(func() (err error) {
			k, err = w.Tasks.Finish(w.ctx, k.ID, k.Token, approval.Result{Status: approval.Succeeded, Answer: json.RawMessage(`{"a":"ANSWER"}`)})
			return err
		}, ledger.TaskEnded, ledger.RunEnded)
		if diff := cmp.Diff(k, w.taskOf("rita", k.ID)); diff != "" {
			t.Fatal(diff)
		}
		is(w, "run", fmt.Sprint(r().State, r().Reason), "completedsuccess")
		for _, e := range append(w.log(run.ID(k.Proposal.Run)), event.Event{Data: w.entries(acme)[len(w.entries(acme))-2].Body}) {
			if strings.Contains(string(e.Data), "ANSWER") || strings.Contains(string(e.Data), "WISH") {
				t.Errorf("%s tells %s", e.Type, e.Data)
			}
		}
	}},
	{"ATaskThatDidNotSucceedFailsItsRun", func(_ *testing.T, w *World) {
		for i, status := range []approval.TaskStatus{approval.Failed, approval.Unknown} {
			_, k := w.queued(corpus.Key(fmt.Sprint(i)))
			k, err := w.Tasks.Finish(w.ctx, k.ID, k.Token, approval.Result{Status: status, Code: "why"})
			w.ok(err)
			is(w, "code", k.Code, "why")
			r, _, err := w.Journal.Run(w.ctx, acme, "rita", run.ID(k.Proposal.Run))
			w.ok(err)
			is(w, "run", fmt.Sprint(r.State, r.Reason), "failedtool_error")
			events := w.log(run.ID(k.Proposal.Run))
			is(w, "told", w.data(events[len(events)-2])["code"], any("why"))
			is(w, "closing", events[len(events)-1].Type, event.Failed)
		}
	}},
	{"ATaskEndsOnceAndForItsHolderAlone", func(_ *testing.T, w *World) {
		_, k := w.queued("k")
		held, err := w.claimTask("rita", k)
		w.ok(err)
		_, err = w.claimTask("rita", k)
		w.want(err, "lease_lost")
		_, err = w.Tasks.Finish(w.ctx, k.ID, k.Token, approval.Result{Status: approval.Failed})
		w.want(err, "lease_lost")
		for _, bad := range []approval.Result{{Status: approval.Running}, {Status: approval.Queued}, {}, {Status: approval.Succeeded, Answer: json.RawMessage(`{`)}} {
			if _, err := w.Tasks.Finish(w.ctx, k.ID, held.Token, bad); !problem.Is(err, problem.Invalid) {
				w.t.Fatalf("%+v: %v", bad, err)
			}
		}
		_, err = w.Tasks.Finish(w.ctx, k.ID, held.Token, approval.Result{Status: approval.Unknown, Code: "outcome_unknown"})
		w.ok(err)
		_, err = w.Tasks.Finish(w.ctx, k.ID, held.Token, approval.Result{Status: approval.Succeeded})
		w.want(err, "lease_lost")
		_, err = w.claimTask("rita", held)
		w.want(err, "lease_lost")
		is(w, "status", w.taskOf("rita", k.ID).Status, approval.Unknown)
		_, err = w.Tasks.Finish(w.ctx, "task_unknown", 0, approval.Result{Status: approval.Failed})
		same(w.t.(*testing.T), "an unknown task", err)
	}},
	{"WhatNobodyWorksOnIsDue", func(t *testing.T, w *World) {
		_, one := w.queued("one")
		_, two := w.queued("two")
		_, three := w.queued("three")
		now := w.clock.Now()
		if diff := cmp.Diff([]approval.TaskID{one.ID, two.ID, three.ID}, w.due(now)); diff != "" {
			t.Fatal(diff)
		}
		two, err := w.claimTask("rita", two)
		w.ok(err)
		three, err = w.claimTask("rita", three)
		w.ok(err)
		_, err = w.Tasks.Finish(w.ctx, three.ID, three.Token, approval.Result{Status: approval.Succeeded})
		w.ok(err)
		if diff := cmp.Diff([]approval.TaskID{one.ID}, w.due(w.clock.Now())); diff != "" {
			t.Fatal(diff)
		}
		for _, at := range []time.Time{w.clock.Now().Add(lease), time.Date(100000, 1, 1, 0, 0, 0, 0, time.UTC)} {
			if diff := cmp.Diff([]approval.TaskID{one.ID, two.ID}, w.due(at)); diff != "" {
				t.Fatal(diff)
			}
		}
		again, err := w.claimTask("rita", two)
		w.ok(err)
		is(w, "token", again.Token, int64(2))
	}},
	{"OneOfManyWorkersClaimsATask", func(t *testing.T, w *World) {
		for i := range 6 {
			_, k := w.queued(corpus.Key(fmt.Sprint(i)))
			scope := w.scope("rita", access.Content)
			var won atomic.Int32
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					switch _, err := w.Tasks.Claim(w.ctx, scope, k.ID, k.Token, lease); {
					case err == nil:
						won.Add(1)
					case problem.CodeOf(err) != "lease_lost":
						t.Error(err)
					}
				})
			}
			wg.Wait()
			is(w, "claims", won.Load(), 1)
		}
	}},
	{"AClaimChecksEverythingAgain", func(_ *testing.T, w *World) {
		title := "x"
		for name, c := range map[string]struct {
			happen func(d corpus.Document)
			code   string
		}{
			"an edit": {func(d corpus.Document) {
				w.ok(errOf(w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), d.ID, corpus.Change{Title: &title})))
			}, "lock_conflict"},
			"a new version": {func(d corpus.Document) { w.add("mia", d.Key, "two", corpus.Upload{}) }, "lock_conflict"},
			"deletion":      {func(d corpus.Document) { w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), d.ID)) }, "lock_conflict"},
			"a lost right":  {func(corpus.Document) { w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "readers", nil)) }, "permission_denied"},
		} {
			for _, begun := range []bool{false, true} {
				w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "readers", []access.Principal{access.User("rita")}))
				d, k := w.queued(corpus.Key(fmt.Sprint(name, begun)))
				if begun {
					var err error
					k, err = w.claimTask("rita", k)
					w.ok(err)
				}
				c.happen(d)
				got, err := w.claimTask("rita", k)
				w.ok(err)
				want := approval.Failed
				if begun {
					want = approval.Unknown
				}
				is(w, fmt.Sprint(name, " begun: ", begun), fmt.Sprint(got.Status, got.Code), fmt.Sprint(want, c.code))
			}
		}
	}},
	{"AClaimIsTheProposersInAFreshScope", func(t *testing.T, w *World) {
		_, k := w.queued("k")
		old := w.scope("rita", access.Content)
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "g", nil))
		_, err := w.Tasks.Claim(w.ctx, old, k.ID, k.Token, lease)
		w.want(err, "scope_stale")
		_, err = w.claimTask("carol", k)
		same(t, "another's claim", err)
		is(w, "status", w.taskOf("rita", k.ID).Status, approval.Queued)
	}},
	{"ATaskIsItsProposersAndItsOwners", func(t *testing.T, w *World) {
		_, k := w.queued("k")
		is(w, "the owner sees", w.taskOf("ed", k.ID).ID, k.ID)
		for _, user := range []access.UserID{"carol", "mia", "olga", ""} {
			_, err := w.Tasks.Task(w.ctx, acme, user, k.ID)
			same(t, "Task for "+string(user), err)
		}
		_, err := w.Tasks.Task(w.ctx, globex, "rita", k.ID)
		same(t, "in another tenant", err)
		_, err = w.Tasks.Task(w.ctx, acme, "rita", "task_unknown")
		same(t, "unknown", err)
	}},
	{"ACallNeedsItsRoleItsLevelAndTheVersionInForce", func(t *testing.T, w *World) {
		live, draft := w.draft()
		c := func(change func(*approval.Call)) *approval.Call {
			c := called(approval.Outside)
			change(c)
			return c
		}
		admin, editor := func(c *approval.Call) { c.Role = access.KnowledgeAdmin }, func(c *approval.Call) { c.Level = access.Editor }
		robot := access.Identity{User: "robot", Service: true}
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", robot))
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "readers", []access.Principal{access.User("rita"), access.User("robot")}))
		for _, x := range []struct {
			name string
			user access.UserID
			id   corpus.DocumentID
			call *approval.Call
		}{
			{"without the role", "rita", live.ID, c(admin)}, {"without the level", "rita", live.ID, c(editor)}, {"a draft", "carol", draft.ID, c(editor)},
			{"nobody's", "olga", live.ID, c(func(*approval.Call) {})}, {"no such id", "rita", "doc_unknown", c(editor)}, {"a service account", "robot", live.ID, c(func(*approval.Call) {})},
			{"no level named, and none held", "olga", live.ID, c(func(c *approval.Call) { c.Level = access.NoLevel })},
		} {
			before := len(w.entries(acme))
			_, err := w.call(x.user, x.id, x.call)
			same(t, x.name, err)
			is(w, "entries", len(w.entries(acme)), before)
		}
		for _, ok := range []struct {
			user access.UserID
			call *approval.Call
		}{{"carol", c(admin)}, {"ed", c(editor)}, {"rita", c(func(*approval.Call) {})}} {
			_, err := w.call(ok.user, live.ID, ok.call)
			w.ok(err)
		}
		for name, p := range map[string]approval.Proposal{
			"a call of no kind": {Call: called(approval.Outside)}, "publishing with a call": {Kind: approval.Publish, Call: called(approval.Outside)}, "a call of nothing": {Kind: approval.CallTool},
		} {
			p.Document = string(live.ID)
			if _, err := w.Approvals.Propose(w.ctx, w.scope("carol", access.Catalog), p); problem.CodeOf(err) != "invalid_kind" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}},
	{"ACallThatNeedsNoDecisionHasNone", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "one", published)
		for effect, want := range map[approval.Effect]approval.TaskStatus{approval.Recorded: approval.Succeeded, approval.Outside: approval.Queued} {
			c := called(effect)
			c.Automatic = true
			p, err := w.call("rita", d.ID, c)
			w.ok(err)
			is(w, "status", p.Status, approval.Approved)
			is(w, "decision", p.Decision == nil, true)
			is(w, "task", p.Task.Status, want)
			_, err = w.decide("rita", p.ID, true)
			w.want(err, "already_decided")
			for _, e := range w.log(run.ID(p.Run)) {
				if e.Type == event.Waiting || e.Type == event.Decided {
					t.Errorf("%s is told", e.Type)
				}
			}
		}
	}},
	{"CallsEndAsProposalsDo", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "one", published)
		wish := func() approval.Proposal {
			p, err := w.call("carol", d.ID, called(approval.Outside))
			w.ok(err)
			return p
		}
		declined, cancelled, late := wish(), wish(), wish()
		w.ok(errOf(w.decide("carol", declined.ID, false)))
		_, err := w.Journal.Cancel(w.ctx, acme, "carol", run.ID(cancelled.Run))
		w.ok(err)
		w.finished(declined.Run, run.WasCancelled, "cancelled")
		w.finished(cancelled.Run, run.WasCancelled, "cancelled")
		w.clock.Advance(15 * time.Minute)
		is(w, "ended by the timer", w.expire(), 1)
		w.finished(late.Run, run.Expired, "expired")
		is(w, "due", len(w.due(w.clock.Now().Add(1000*time.Hour))), 0)
		kinds := func(k approval.Kind) int { return len(w.listedProposals(approval.Filter{Kind: k})) }
		w.proposed("carol", d.ID)
		is(w, "listed by kind", fmt.Sprint(kinds(approval.CallTool), kinds(approval.Publish), kinds("")), "3 1 4")
	}},
}
