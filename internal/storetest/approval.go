package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
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

var approvalTests = []test{
	{"AProposalIsPendingAndItsRunWaits", func(t *testing.T, w *World) {
		live, draft := w.draft()
		epoch, before := w.epoch(acme), len(w.entries(acme))
		p, err := w.Approvals.Propose(w.ctx, w.scope("carol", access.Catalog), approval.Proposal{
			ID: "prop_1", Run: "run_p", Document: string(draft.ID), Summary: card,
			Tenant: globex, Proposer: "mia", Status: approval.Executed, LockVersion: 99, Decision: &approval.Decision{By: "mia"},
		})
		w.ok(err)
		want := approval.Proposal{
			ID: "prop_1", Tenant: acme, Proposer: "carol", Kind: approval.Publish, Run: "run_p", Document: string(draft.ID), KnowledgeBase: "kb",
			DocKey: "k", Version: 2, FromVersion: live.Version, LockVersion: draft.LockVersion, KeyState: p.KeyState, Summary: card,
			Status: approval.Pending, CreatedAt: p.CreatedAt, ExpiresAt: p.CreatedAt.Add(15 * time.Minute), Seal: p.Seal,
		}
		if d := cmp.Diff(want, p) + cmp.Diff(want, w.proposal(p.ID)); d != "" {
			t.Fatal(d)
		}
		is(w, "length of the key's state", len(p.KeyState), 64)
		is(w, "length of the seal", len(p.Seal.Key), 64)
		r, _, err := w.Journal.Run(w.ctx, acme, "carol", "run_p")
		w.ok(err)
		is(w, "kind and state", fmt.Sprint(r.Kind, " ", r.State), "publish waiting_for_human")
		log := w.log("run_p")
		if d := cmp.Diff([]event.Type{event.RunCreated, event.Waiting}, types(log)); d != "" {
			t.Fatal(d)
		}
		told := map[string]any{
			"approval_id": "prop_1", "kind": "publish", "tool": "publish_document",
			"target":  map[string]any{"document_id": string(draft.ID), "from_version": 1.0, "to_version": 2.0},
			"summary": map[string]any{"added": 1.0}, "expires_at": p.ExpiresAt.Format(time.RFC3339Nano), "url": "/approvals/prop_1",
		}
		if d := cmp.Diff(told, w.data(log[1])); d != "" {
			t.Fatal(d)
		}
		entries := w.entries(acme)[before:]
		is(w, "entries", len(entries), 1)
		is(w, "entry", string(entries[0].Kind)+" "+entries[0].RunID+" "+entries[0].Actor, string(ledger.ProposalMade)+" run_p carol")
		is(w, "epoch", w.epoch(acme), epoch)
		is(w, "lock version", w.document(draft.ID).LockVersion, draft.LockVersion)
	}},
	{"EventsAndLedgerHoldNoTextAndNoTitle", func(t *testing.T, w *World) {
		w.add("carol", "KEYWORD", "CANARY one", published)
		d := w.add("carol", "KEYWORD", "CANARY two", corpus.Upload{Title: "HEADLINE", SourceURI: "ORIGIN"})
		p := w.proposed("carol", d.ID)
		_, err := w.decide("carol", p.ID, true)
		w.ok(err)
		var all []byte
		for _, e := range w.entries(acme) {
			all = append(append(all, e.Body...), e.ID...)
		}
		for _, e := range w.log(run.ID(p.Run))[1:] { // the first repeats the run's own scope, which names the key
			all = append(all, e.Data...)
		}
		for _, word := range []string{"KEYWORD", "CANARY", "HEADLINE", "ORIGIN"} {
			if strings.Contains(string(all), word) {
				t.Errorf("%s is told", word)
			}
		}
	}},
	{"ProposingNeedsTheRoleEditorAndAnAdmittedVersion", func(t *testing.T, w *World) {
		w.kim()
		_, draft := w.draft()
		gone := w.add("carol", "l", "gone", published)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), gone.ID))
		foreign := w.add("erin", "f", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		denied := w.add("carol", "d", "denied", corpus.Upload{Publish: true, Policy: access.Policy{Deny: []access.Principal{access.User("kim")}}})
		coming := w.reserved("carol", "three", corpus.Upload{Key: "k"})
		robot := access.Identity{User: "robot", Roles: []access.Role{access.KnowledgeAdmin}, Service: true}
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", robot))
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "admin", Roles: []access.Role{access.KnowledgeAdmin}}))
		w.ok(w.Bases.SetGrants(w.ctx, w.scope("mia", access.Catalog), "kb", []access.Grant{
			{Principal: access.User("mia"), Level: access.Manager}, {Principal: access.User("carol"), Level: access.Manager},
			{Principal: access.User("kim"), Level: access.Editor}, {Principal: access.User("robot"), Level: access.Manager},
			{Principal: access.User("admin"), Level: access.Reader}, {Principal: access.User("ed"), Level: access.Editor},
		}))
		for _, c := range []struct {
			name string
			user access.UserID
			id   corpus.DocumentID
		}{
			{"no such id", "carol", "doc_unknown"}, {"deleted", "carol", gone.ID}, {"reserved", "carol", coming.Document},
			{"another tenant's", "carol", foreign.ID}, {"denied", "kim", denied.ID}, {"without the role", "mia", draft.ID},
			{"an editor without the role", "ed", draft.ID}, {"a service account", "robot", draft.ID}, {"a reader", "admin", draft.ID},
			{"without any right", "olga", draft.ID}, {"of another tenant", "erin", draft.ID},
		} {
			before := len(w.entries(acme))
			_, err := w.propose(c.user, c.id)
			same(t, c.name, err)
			is(w, "entries", len(w.entries(acme)), before)
		}
		_, err := w.Approvals.Propose(w.ctx, unscopedScope(acme), approval.Proposal{Document: string(draft.ID)})
		same(t, "without an actor", err)
		is(w, "an editor with the role", w.proposed("kim", draft.ID).Proposer, "kim")
	}},
	{"BadProposalsAreRefused", func(t *testing.T, w *World) {
		_, draft := w.draft()
		w.proposed("carol", draft.ID)
		taken := w.proposed("carol", draft.ID)
		for name, p := range map[string]approval.Proposal{
			"summary": {Summary: json.RawMessage(`{`)}, "kind": {Kind: "delete"}, "id": {ID: taken.ID}, "run": {Run: taken.Run},
		} {
			p.Document = string(draft.ID)
			_, err := w.Approvals.Propose(w.ctx, w.scope("carol", access.Catalog), p)
			if !problem.Is(err, problem.Invalid) && !problem.Is(err, problem.Conflict) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		is(w, "runs", len(w.runsOf("carol")), 2)
	}},
	{"OnlyTheProposerSeesAProposal", func(t *testing.T, w *World) {
		w.kim()
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		for _, user := range []access.UserID{"kim", "mia", "olga"} {
			_, err := w.Approvals.Proposal(w.ctx, acme, user, p.ID)
			same(t, "Proposal", err)
			list, next, err := w.Approvals.Proposals(w.ctx, acme, user, approval.Filter{})
			w.ok(err)
			is(w, "listed", len(list), 0)
			is(w, "cursor", next, "")
		}
		_, err := w.Approvals.Proposal(w.ctx, globex, "carol", p.ID)
		same(t, "in another tenant", err)
		_, err = w.Approvals.Proposal(w.ctx, acme, "carol", "prop_unknown")
		same(t, "unknown", err)
	}},
	{"ProposalsAreListedNewestFirst", func(t *testing.T, w *World) {
		_, draft := w.draft()
		var all []approval.ID
		for range 5 {
			all = append([]approval.ID{w.proposed("carol", draft.ID).ID}, all...)
		}
		_, err := w.decide("carol", all[2], false)
		w.ok(err)
		for _, size := range []int{1, 2, 3, 10} {
			if d := cmp.Diff(all, w.listedProposals(approval.Filter{Limit: size})); d != "" {
				t.Fatalf("pages of %d: %s", size, d)
			}
		}
		if d := cmp.Diff([]approval.ID{all[2]}, w.listedProposals(approval.Filter{Status: approval.Cancelled})); d != "" {
			t.Fatal(d)
		}
		is(w, "pending", len(w.listedProposals(approval.Filter{Status: approval.Pending})), 4)
		_, _, err = w.Approvals.Proposals(w.ctx, acme, "carol", approval.Filter{After: "x"})
		w.want(err, "invalid_cursor")
	}},
	{"ATimerEndsWhatIsTooLate", func(_ *testing.T, w *World) {
		_, draft := w.draft()
		first := w.proposed("carol", draft.ID)
		w.clock.Advance(5 * time.Minute)
		second := w.proposed("carol", draft.ID)
		is(w, "ended", w.expire(), 0)
		w.clock.Advance(10 * time.Minute)
		epoch := w.epoch(acme)
		is(w, "ended", w.expire(), 1)
		is(w, "ended again", w.expire(), 0)
		is(w, "first", w.proposal(first.ID).Status, approval.Expired)
		is(w, "second", w.proposal(second.ID).Status, approval.Pending)
		w.finished(first.Run, run.Expired, "expired")
		is(w, "epoch", w.epoch(acme), epoch)
		is(w, "lock version", w.document(draft.ID).LockVersion, draft.LockVersion)
	}},
	{"AReadShowsThatAProposalIsTooLate", func(_ *testing.T, w *World) {
		_, draft := w.draft()
		one, two := w.proposed("carol", draft.ID), w.proposed("carol", draft.ID)
		w.clock.Advance(15 * time.Minute)
		is(w, "status", w.proposal(one.ID).Status, approval.Expired)
		is(w, "listed as expired", len(w.listedProposals(approval.Filter{Status: approval.Expired})), 2)
		w.finished(two.Run, run.Expired, "expired")
	}},
	{"AWaitingRunOutlivesARestart", func(_ *testing.T, w *World) {
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		is(w, "interrupted", w.interrupt(w.clock.Now().Add(1000*time.Hour)), 0)
		_, err := w.Journal.Claim(w.ctx, run.ID(p.Run), lease)
		w.want(err, "not_claimable")
		_, err = w.decide("carol", p.ID, true)
		w.ok(err)
	}},
	{"CancellingTheRunCancelsTheProposal", func(t *testing.T, w *World) {
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		_, err := w.Journal.Cancel(w.ctx, acme, "mia", run.ID(p.Run))
		same(t, "Cancel by another", err)
		r, err := w.Journal.Cancel(w.ctx, acme, "carol", run.ID(p.Run))
		w.ok(err)
		is(w, "answer", fmt.Sprint(r.State, " ", r.Reason), "completed cancelled")
		got := w.proposal(p.ID)
		is(w, "status", got.Status, approval.Cancelled)
		is(w, "decided by", got.Decision.By, "carol")
		w.finished(p.Run, run.WasCancelled, "cancelled")
		is(w, "event", w.log(run.ID(p.Run))[2].Type, event.CancelAsked)
		_, err = w.decide("carol", p.ID, true)
		w.want(err, "already_decided")
		is(w, "lock version", w.document(draft.ID).LockVersion, draft.LockVersion)
		n := len(w.log(run.ID(p.Run)))
		_, err = w.Journal.Cancel(w.ctx, acme, "carol", run.ID(p.Run))
		w.ok(err)
		is(w, "events after cancelling again", len(w.log(run.ID(p.Run))), n)
	}},
	{"CancellingTooLateMeansExpired", func(_ *testing.T, w *World) {
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		w.clock.Advance(15 * time.Minute)
		r, err := w.Journal.Cancel(w.ctx, acme, "carol", run.ID(p.Run))
		w.ok(err)
		is(w, "reason", r.Reason, run.Expired)
		is(w, "status", w.proposal(p.ID).Status, approval.Expired)
	}},
}
