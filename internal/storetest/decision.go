package storetest

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// undecided checks that nothing at all has happened to a proposal and its document.
func (w *World) undecided(p approval.Proposal, fn func() error) {
	w.t.Helper()
	entries, epoch, events := len(w.entries(acme)), w.epoch(acme), len(w.log(run.ID(p.Run)))
	if err := fn(); err == nil {
		w.t.Fatal("it was decided")
	}
	is(w, "ledger entries", len(w.entries(acme)), entries)
	is(w, "epoch", w.epoch(acme), epoch)
	is(w, "events", len(w.log(run.ID(p.Run))), events)
	is(w, "status", w.proposal(p.ID).Status, approval.Pending)
}

var decisionTests = []test{
	{"AnApprovedProposalIsPublishedWithItsDecision", func(t *testing.T, w *World) {
		live, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		var got approval.Proposal
		added := w.changes(func() (err error) {
			got, err = w.decide("carol", p.ID, true, "req_7")
			return err
		}, ledger.ProposalEnded, ledger.RunEnded, ledger.DocumentPublished)
		is(w, "status", got.Status, approval.Executed)
		is(w, "decision", fmt.Sprint(got.Decision.By, got.Decision.Approved, got.Decision.Request), "caroltruereq_7")
		if d := cmp.Diff(got, w.proposal(p.ID)); d != "" {
			t.Fatal(d)
		}
		for _, e := range added {
			is(w, "run of "+string(e.Kind), e.RunID, p.Run)
			is(w, "actor of "+string(e.Kind), e.Actor, "carol")
		}
		var body map[string]any
		w.ok(json.Unmarshal(added[0].Body, &body))
		for field, want := range map[string]any{
			"proposal": string(p.ID), "document": string(draft.ID), "version": 2.0, "approved": true, "request": "req_7",
			"status": "published", "decided_at": got.Decision.At.Format(time.RFC3339Nano), "lock_version": 1.0,
		} {
			is(w, field, body[field], want)
		}
		now, old := w.document(draft.ID), w.document(live.ID)
		is(w, "status", now.Status, access.StatusPublished)
		is(w, "lock version", now.LockVersion, draft.LockVersion+1)
		is(w, "former", old.Status, access.StatusArchived)
		is(w, "one ends as the other begins", old.InForce[0].To, now.InForce[0].From)
		w.finished(p.Run, run.Success, "approved")
		is(w, "text", w.text("rita", draft.ID), "two")
	}},
	{"ADeclinedProposalLeavesTheDocumentAsItIs", func(t *testing.T, w *World) {
		live, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		epoch := w.epoch(acme)
		got, err := w.decide("carol", p.ID, false)
		w.ok(err)
		is(w, "status", got.Status, approval.Cancelled)
		if d := cmp.Diff(live, w.document(live.ID)) + cmp.Diff(draft, w.document(draft.ID)); d != "" {
			t.Fatal(d)
		}
		is(w, "epoch", w.epoch(acme), epoch)
		w.finished(p.Run, run.WasCancelled, "cancelled")
		_, err = w.decide("carol", p.ID, true, "another")
		w.want(err, "already_decided")
	}},
	{"AnotherAdministratorsDecisionIsNotFound", func(t *testing.T, w *World) {
		w.kim()
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		for _, user := range []access.UserID{"kim", "mia", "ed", "olga", "erin"} {
			for _, approved := range []bool{true, false} {
				w.undecided(p, func() error {
					_, err := w.decide(user, p.ID, approved)
					same(t, "Decide by "+string(user), err)
					return err
				})
			}
		}
		_, err := w.decide("carol", "prop_unknown", true)
		same(t, "an unknown proposal", err)
	}},
	{"TwoDecisionsAtOnceHaveOneEffect", func(t *testing.T, w *World) {
		for round := range 8 {
			_, draft := w.add("carol", corpus.Key(fmt.Sprint(round)), "one", published), w.add("carol", corpus.Key(fmt.Sprint(round)), "two", corpus.Upload{})
			p := w.proposed("carol", draft.ID)
			var effects, refused atomic.Int32
			var wg sync.WaitGroup
			for i := range 4 {
				wg.Go(func() {
					actor := access.Actor{Tenant: acme, User: "carol"}
					err := access.Within(w.ctx, w.Directory, actor, access.Request{View: access.Catalog}, func(s access.Scope) error {
						_, err := w.Approvals.Decide(w.ctx, s, p.ID, approval.Decision{Approved: i%2 == 0, Request: fmt.Sprint("req_", i)})
						return err
					})
					switch {
					case err == nil:
						effects.Add(1)
					case problem.CodeOf(err) == "already_decided":
						refused.Add(1)
					default:
						t.Error(err)
					}
				})
			}
			wg.Wait()
			is(w, "effects", effects.Load(), 1)
			is(w, "refused", refused.Load(), 3)
			is(w, "published just if approved", w.document(draft.ID).Status == access.StatusPublished, w.proposal(p.ID).Decision.Approved)
			is(w, "events", len(w.log(run.ID(p.Run))), 4)
		}
	}},
	{"TheSameRequestAgainGetsTheSameAnswer", func(t *testing.T, w *World) {
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		first, err := w.decide("carol", p.ID, true, "req_1")
		w.ok(err)
		w.changes(func() error {
			again, err := w.decide("carol", p.ID, true, "req_1")
			w.ok(err)
			if d := cmp.Diff(first, again); d != "" {
				t.Fatal(d)
			}
			_, err = w.decide("carol", p.ID, false, "req_1")
			w.want(err, "already_decided")
			_, err = w.decide("carol", p.ID, true, "req_2")
			w.want(err, "already_decided")
			_, err = w.decide("carol", p.ID, true, "")
			w.want(err, "already_decided")
			return nil
		})
	}},
	{"TheLastMomentIsTooLate", func(_ *testing.T, w *World) {
		_, draft := w.draft()
		in, out := w.proposed("carol", draft.ID), w.proposed("carol", draft.ID)
		w.clock.Set(in.CreatedAt.Add(899*time.Second - time.Millisecond))
		_, err := w.decide("carol", in.ID, false)
		w.ok(err)
		// The clock of these tests moves a millisecond with every look; the transaction's look is
		// the one that finds the time to be over.
		w.clock.Set(out.ExpiresAt)
		_, err = w.decide("carol", out.ID, true)
		w.want(err, "proposal_expired")
		if !problem.Is(err, problem.Expired) {
			w.t.Fatalf("kind of %v", err)
		}
		is(w, "status", w.proposal(out.ID).Status, approval.Expired)
		w.finished(out.Run, run.Expired, "expired")
		w.status(draft.ID, access.StatusDraft)
	}},
	{"AClockThatGoesBackRevivesNothing", func(_ *testing.T, w *World) {
		w.kim()
		_, draft := w.draft()
		for name, look := range map[string]func(approval.Proposal){
			"a decision":     func(p approval.Proposal) { _, _ = w.decide("carol", p.ID, true) },
			"another's":      func(approval.Proposal) { _, _ = w.decide("kim", "prop_unknown", true) },
			"a read":         func(p approval.Proposal) { w.proposal(p.ID) },
			"a list":         func(approval.Proposal) { w.listedProposals(approval.Filter{}) },
			"a new proposal": func(approval.Proposal) { w.proposed("kim", draft.ID) },
			"a timer":        func(approval.Proposal) { w.expire() },
		} {
			p := w.proposed("carol", draft.ID)
			w.clock.Advance(20 * time.Minute)
			look(p)
			w.clock.Advance(-20 * time.Minute)
			if _, err := w.decide("carol", p.ID, true); problem.CodeOf(err) != "proposal_expired" {
				w.t.Fatalf("after %s saw it too late: %v", name, err)
			}
			is(w, name, w.proposal(p.ID).Status, approval.Expired)
		}
		w.status(draft.ID, access.StatusDraft)
	}},
	{"AnArchivedVersionCanBeTheRollback", func(_ *testing.T, w *World) {
		first := w.add("carol", "k", "one", published)
		second := w.add("carol", "k", "two", published)
		p := w.proposed("carol", first.ID)
		is(w, "from version", p.FromVersion, 2)
		_, err := w.decide("carol", p.ID, true)
		w.ok(err)
		back := w.document(first.ID)
		is(w, "status", back.Status, access.StatusPublished)
		is(w, "times in force", len(back.InForce), 2)
		is(w, "update time", back.UpdatedAt, first.UpdatedAt)
		w.status(second.ID, access.StatusArchived)
	}},
	{"ThePublishedVersionAgainRaisesItsLockVersionOnly", func(t *testing.T, w *World) {
		live, _ := w.draft()
		p := w.proposed("carol", live.ID)
		w.changes(func() error { return errOf(w.decide("carol", p.ID, true)) }, ledger.ProposalEnded, ledger.RunEnded, ledger.DocumentPublished)
		want := live
		want.LockVersion++
		if d := cmp.Diff(want, w.document(live.ID)); d != "" {
			t.Fatal(d)
		}
		w.finished(p.Run, run.Success, "approved")
	}},
	{"AFirstVersionIsPublishedFromNone", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "one", corpus.Upload{})
		p := w.proposed("carol", d.ID)
		is(w, "from version", p.FromVersion, 0)
		w.ok(errOf(w.decide("carol", p.ID, true)))
		w.status(d.ID, access.StatusPublished)
	}},
	{"AStaleScopeDecidesNothing", func(_ *testing.T, w *World) {
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		old := w.scope("carol", access.Catalog)
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "g", nil))
		w.undecided(p, func() error {
			_, err := w.Approvals.Decide(w.ctx, old, p.ID, approval.Decision{Approved: true})
			w.want(err, "scope_stale")
			return err
		})
		_, err := w.Approvals.Propose(w.ctx, old, approval.Proposal{Document: string(draft.ID)})
		w.want(err, "scope_stale")
	}},
}
