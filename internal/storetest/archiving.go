package storetest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
)

// archiving proposes to take a version out of force.
func (w *World) archiving(user access.UserID, id corpus.DocumentID) (approval.Proposal, error) {
	return w.Approvals.Propose(w.ctx, w.scope(user, access.Catalog), approval.Proposal{Kind: approval.Archive, Document: string(id), Summary: card})
}

var archivingTests = []test{
	{"AnApprovedProposalToArchiveLeavesNothingInForce", func(_ *testing.T, w *World) {
		live, draft := w.draft()
		p, err := w.archiving("carol", live.ID)
		w.ok(err)
		is(w, "kind and state", fmt.Sprint(p.Kind, " ", p.Status, " ", p.FromVersion, " ", p.Version), "archive pending 1 1")
		is(w, "tool", fmt.Sprint(w.data(w.log(run.ID(p.Run))[1])["tool"]), "archive_document")
		is(w, "meanwhile", w.document(live.ID).Status, access.StatusPublished)
		var got approval.Proposal
		added := w.changes(func() (err error) {
			got, err = w.decide("carol", p.ID, true)
			return err
		}, ledger.ProposalEnded, ledger.RunEnded, ledger.DocumentArchived)
		is(w, "status", got.Status, approval.Archived)
		if d := cmp.Diff(got, w.proposal(p.ID)); d != "" {
			w.t.Fatal(d)
		}
		is(w, "run of the archiving", added[2].RunID, p.Run)
		is(w, "status", w.document(live.ID).Status, access.StatusArchived)
		is(w, "draft", w.document(draft.ID).Status, access.StatusDraft)
		w.finished(p.Run, run.Success, "approved")
		w.lists("in force", w.scope("rita", access.Published), corpus.Filter{})
	}},
	{"ADeclinedProposalToArchiveLeavesTheVersionInForce", func(_ *testing.T, w *World) {
		live, _ := w.draft()
		p, err := w.archiving("carol", live.ID)
		w.ok(err)
		got, err := w.decide("carol", p.ID, false)
		w.ok(err)
		is(w, "status", got.Status, approval.Cancelled)
		if d := cmp.Diff(live, w.document(live.ID)); d != "" {
			w.t.Fatal(d)
		}
	}},
	{"WhatChangedSinceItWasProposedIsNotArchived", func(_ *testing.T, w *World) {
		live, _ := w.draft()
		p, err := w.archiving("carol", live.ID)
		w.ok(err)
		w.add("carol", "k", "three", published)
		_, err = w.decide("carol", p.ID, true)
		w.want(err, "lock_conflict")
		is(w, "status", w.proposal(p.ID).Status, approval.Conflict)
	}},
	{"ArchivingIsProposedByManagersWithTheRoleAndOfWhatIsInForce", func(t *testing.T, w *World) {
		live, draft := w.draft()
		_, err := w.archiving("carol", draft.ID)
		w.want(err, "not_published")
		_, err = w.archiving("carol", "doc_unknown")
		same(t, "an unknown version", err)
		for _, user := range []access.UserID{"mia", "ed", "rita", "olga", "erin"} { // mia has no role, and the others no right
			_, err := w.archiving(user, live.ID)
			same(t, "proposed by "+string(user), err)
		}
		w.kim()
		_, err = w.archiving("kim", live.ID)
		same(t, "proposed by an editor with the role", err)
		w.grant("kim", access.Manager)
		_, err = w.archiving("kim", live.ID)
		w.ok(err)
	}},
	{"WhoManagesNoMoreCannotArchiveByAnEarlierProposal", func(t *testing.T, w *World) {
		live, _ := w.draft()
		w.kim()
		w.grant("kim", access.Manager)
		p, err := w.archiving("kim", live.ID)
		w.ok(err)
		w.grant("kim", access.Editor)
		_, err = w.decide("kim", p.ID, true)
		same(t, "decided by an editor", err)
		is(w, "status", w.document(live.ID).Status, access.StatusPublished)
	}},
}
