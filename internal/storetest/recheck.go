package storetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// recheckTests are about what changes between a proposal and its decision.
var recheckTests = []test{
	{"WhateverChangedMeanwhileIsAConflict", func(t *testing.T, w *World) {
		title := "x"
		carol := func() access.Scope { return w.scope("carol", access.Catalog) }
		for name, happen := range map[string]func(live, draft corpus.Document){
			"an edit of the version": func(_, d corpus.Document) {
				w.ok(errOf(w.Catalog.Edit(w.ctx, carol(), d.ID, corpus.Change{Title: &title})))
			},
			"an edit of the published one": func(l, _ corpus.Document) {
				w.ok(errOf(w.Catalog.Edit(w.ctx, carol(), l.ID, corpus.Change{Title: &title})))
			},
			"a new version":        func(_, d corpus.Document) { w.add("mia", d.Key, "three", corpus.Upload{}) },
			"a published one":      func(_, d corpus.Document) { w.add("mia", d.Key, "three", published) },
			"archiving":            func(l, _ corpus.Document) { w.ok(errOf(w.Catalog.Archive(w.ctx, carol(), l.ID))) },
			"deleting the old one": func(l, _ corpus.Document) { w.ok(w.Catalog.Delete(w.ctx, carol(), l.ID)) },
			"deleting the version": func(_, d corpus.Document) { w.ok(w.Catalog.Delete(w.ctx, carol(), d.ID)) },
			"erasing the version":  func(_, d corpus.Document) { w.ok(w.erase("carol", d.ID)) },
			"another proposal": func(_, d corpus.Document) {
				p := w.proposed("carol", d.ID)
				w.ok(errOf(w.decide("carol", p.ID, true)))
			},
		} {
			key := corpus.Key(name)
			live, draft := w.add("carol", key, "one", published), w.add("carol", key, "two", corpus.Upload{})
			p := w.proposed("carol", draft.ID)
			happen(live, draft)
			before, _ := w.Catalog.Document(w.ctx, unscopedScope(acme), draft.ID)
			epoch := w.epoch(acme)
			_, err := w.decide("carol", p.ID, true, "req_c")
			if problem.CodeOf(err) != "lock_conflict" || !problem.Is(err, problem.Conflict) {
				t.Fatalf("%s: %v", name, err)
			}
			is(w, "status after "+name, w.proposal(p.ID).Status, approval.Conflict)
			w.finished(p.Run, run.Conflict, "approved")
			after, _ := w.Catalog.Document(w.ctx, unscopedScope(acme), draft.ID)
			if d := cmp.Diff(before, after); d != "" {
				t.Fatalf("%s: %s", name, d)
			}
			is(w, "epoch", w.epoch(acme), epoch)
			_, err = w.decide("carol", p.ID, true, "req_c")
			w.want(err, "lock_conflict")
			_, err = w.decide("carol", p.ID, true, "req_d")
			w.want(err, "already_decided")
		}
	}},
	{"AnUploadOnItsWayIsNoChangeYet", func(_ *testing.T, w *World) {
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		w.reserved("carol", "three", corpus.Upload{Key: "k"})
		_, err := w.decide("carol", p.ID, true)
		w.ok(err)
		w.status(draft.ID, access.StatusPublished)
	}},
	{"AnotherKeysChangeIsNone", func(_ *testing.T, w *World) {
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		w.add("carol", "l", "three", published)
		w.createBase(acme, "carol", access.KnowledgeBase{ID: "kb2", Publishing: access.Directly})
		w.add("carol", "k", "three", corpus.Upload{KnowledgeBase: "kb2", Publish: true})
		_, err := w.decide("carol", p.ID, true)
		w.ok(err)
	}},
	{"RightsThatAreGoneAreNotFoundAndChangeNothing", func(t *testing.T, w *World) {
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		whole := access.Identity{User: "carol", DisplayName: "Carol", Roles: []access.Role{access.Member, access.KnowledgeAdmin}}
		deny := access.Policy{Deny: []access.Principal{access.User("carol")}}
		for _, c := range []struct {
			name       string
			take, give func()
		}{
			{"the role", func() { w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "carol"})) }, nil},
			{"being a person", func() {
				w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "carol", Roles: whole.Roles, Service: true}))
			}, nil},
			{"the grant", func() { w.grant("carol", access.NoLevel) }, func() { w.grant("carol", access.Manager) }},
			{"writing", func() { w.grant("carol", access.Reader) }, func() { w.grant("carol", access.Manager) }},
		} {
			c.take()
			w.undecided(p, func() error {
				_, err := w.decide("carol", p.ID, true)
				same(t, "without "+c.name, err)
				_, err = w.decide("carol", p.ID, false)
				same(t, "declining without "+c.name, err)
				return err
			})
			w.ok(w.Admin.PutUser(w.ctx, acme, "root", whole))
			if c.give != nil {
				c.give()
			}
		}
		w.status(draft.ID, access.StatusDraft)
		w.ok(errOf(w.decide("carol", p.ID, true)))
		w.status(draft.ID, access.StatusPublished)

		third := w.add("carol", "k", "three", corpus.Upload{})
		p = w.proposed("carol", third.ID)
		w.ok(errOf(w.Catalog.Edit(w.ctx, w.scope("mia", access.Catalog), third.ID, corpus.Change{Policy: &deny})))
		w.undecided(p, func() error {
			_, err := w.decide("carol", p.ID, true)
			same(t, "past a denial", err)
			return err
		})
	}},
	{"ASuspendedProposerHasNoScopeToDecideWith", func(t *testing.T, w *World) {
		_, draft := w.draft()
		p := w.proposed("carol", draft.ID)
		old := w.scope("carol", access.Catalog)
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "carol", Roles: []access.Role{access.KnowledgeAdmin}, Suspended: true}))
		_, err := w.Approvals.Decide(w.ctx, old, p.ID, approval.Decision{Approved: true})
		w.want(err, "scope_stale")
		err = access.Within(w.ctx, w.Directory, access.Actor{Tenant: acme, User: "carol"}, access.Request{}, func(access.Scope) error { return nil })
		same(t, "a new scope", err)
		w.status(draft.ID, access.StatusDraft)
	}},
}
