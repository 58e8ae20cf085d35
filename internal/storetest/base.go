package storetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

var baseTests = []test{
	{"TheMakerManagesANewBase", func(_ *testing.T, w *World) {
		var kb access.KnowledgeBase
		w.changes(func() (err error) {
			kb, err = w.Bases.Create(w.ctx, w.scope("rita", access.Catalog), access.KnowledgeBase{ID: "mine", Grants: []access.Grant{{Principal: access.User("rita"), Level: access.Reader}}})
			return err
		}, ledger.BaseChanged)
		is(w, "publishing", kb.Publishing, access.ByProposal)
		is(w, "name", kb.Name, "mine")
		is(w, "lock version", kb.LockVersion, 1)
		is(w, "level", w.scope("rita", access.Published).Level("mine"), access.Manager)
		is(w, "level of another", w.scope("ed", access.Published).Level("mine"), access.NoLevel)
	}},
	{"AnIdIsMadeWhenNoneIsGiven", func(_ *testing.T, w *World) {
		a := w.createBase(acme, "ed", access.KnowledgeBase{Name: "A"})
		b := w.createBase(acme, "ed", access.KnowledgeBase{Name: "B"})
		if a.ID == "" || a.ID == b.ID {
			w.t.Fatalf("ids %q and %q", a.ID, b.ID)
		}
	}},
	{"AVisibleTakenIdIsAConflict", func(_ *testing.T, w *World) {
		_, err := w.Bases.Create(w.ctx, w.scope("rita", access.Catalog), access.KnowledgeBase{ID: "kb"})
		w.want(err, "exists")
	}},
	{"AnInvisibleTakenIdIsNotToldOf", func(_ *testing.T, w *World) {
		kb := w.createBase(acme, "olga", access.KnowledgeBase{ID: "kb", Name: "Olga's"})
		if kb.ID == "kb" {
			w.t.Fatal("the id of a hidden knowledge base was given twice")
		}
		own, err := w.Bases.Base(w.ctx, w.scope("carol", access.Catalog), "kb")
		w.ok(err)
		is(w, "name of the first", own.Name, "Knowledge")
	}},
	{"TwoTenantsMayUseOneId", func(_ *testing.T, w *World) {
		is(w, "id", w.createBase(globex, "erin", access.KnowledgeBase{ID: "kb"}).ID, "kb")
	}},
	{"OnlyAdmittedBasesAreListedById", func(t *testing.T, w *World) {
		w.createBase(acme, "rita", access.KnowledgeBase{ID: "a"})
		w.createBase(acme, "ed", access.KnowledgeBase{ID: "b"})
		for user, want := range map[access.UserID][]access.KnowledgeBaseID{"rita": {"a", "kb"}, "ed": {"b", "kb"}, "olga": nil, "erin": {"other"}} {
			list, err := w.Bases.List(w.ctx, w.scope(user, access.Published))
			w.ok(err)
			var got []access.KnowledgeBaseID
			for _, kb := range list {
				got = append(got, kb.ID)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %s", user, d)
			}
		}
	}},
	{"UpdateNeedsManagerAndTheLockVersion", func(_ *testing.T, w *World) {
		for _, user := range []access.UserID{"ed", "rita", "olga", "erin"} {
			_, err := w.Bases.Update(w.ctx, w.scope(user, access.Catalog), access.KnowledgeBase{ID: "kb", Name: "X"})
			w.want(err, "not_found")
		}
		var kb access.KnowledgeBase
		w.changes(func() (err error) {
			kb, err = w.Bases.Update(w.ctx, w.scope("mia", access.Catalog), access.KnowledgeBase{ID: "kb", Publishing: access.ByProposal, LockVersion: 1})
			return err
		}, ledger.BaseChanged)
		is(w, "name", kb.Name, "Knowledge")
		is(w, "publishing", kb.Publishing, access.ByProposal)
		is(w, "lock version", kb.LockVersion, 2)
		_, err := w.Bases.Update(w.ctx, w.scope("mia", access.Catalog), access.KnowledgeBase{ID: "kb", Name: "X", LockVersion: 1})
		w.want(err, "lock_conflict")
		_, err = w.Bases.Update(w.ctx, w.scope("mia", access.Catalog), access.KnowledgeBase{ID: "kb", Publishing: "whenever"})
		w.want(err, "invalid_publishing")
	}},
	{"SetGrantsReplacesAndTheNextScopeSeesIt", func(_ *testing.T, w *World) {
		for _, user := range []access.UserID{"ed", "rita", "olga", "erin"} {
			w.want(w.Bases.SetGrants(w.ctx, w.scope(user, access.Catalog), "kb", nil), "not_found")
		}
		old := w.scope("rita", access.Published)
		w.changes(func() error {
			return w.Bases.SetGrants(w.ctx, w.scope("mia", access.Catalog), "kb", []access.Grant{{Principal: access.User("mia"), Level: access.Manager}})
		}, ledger.GrantsChanged)
		_, err := w.Bases.Base(w.ctx, old, "kb")
		w.want(err, "scope_stale")
		_, err = w.Bases.Base(w.ctx, w.scope("rita", access.Published), "kb")
		w.want(err, "not_found")
	}},
	{"GrantsThatMakeNoSenseAreRefused", func(t *testing.T, w *World) {
		for name, grants := range map[string][]access.Grant{
			"principal": {{Principal: "robot:x", Level: access.Reader}},
			"level":     {{Principal: access.Everyone, Level: access.NoLevel}},
			"too high":  {{Principal: access.Everyone, Level: 9}},
			"twice":     {{Principal: access.Everyone, Level: access.Reader}, {Principal: access.Everyone, Level: access.Manager}},
		} {
			if err := w.Bases.SetGrants(w.ctx, w.scope("mia", access.Catalog), "kb", grants); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}},
	{"RemoveHidesTheBaseAndItsDocumentsAtOnce", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		for _, user := range []access.UserID{"ed", "rita", "olga", "erin"} {
			w.want(w.Bases.Remove(w.ctx, w.scope(user, access.Catalog), "kb"), "not_found")
		}
		w.changes(func() error { return w.Bases.Remove(w.ctx, w.scope("carol", access.Catalog), "kb") }, ledger.BaseChanged)
		_, err := w.Bases.Base(w.ctx, w.scope("carol", access.Catalog), "kb")
		w.want(err, "not_found")
		w.hidden(w.scope("carol", access.Content), d.ID)
		_, err = w.Blobs.Open(w.ctx, d.Checksum)
		w.want(err, "not_found")
	}},
	{"ANewBaseOfARemovedIdInheritsNothing", func(_ *testing.T, w *World) {
		old := w.add("carol", "k", "text", published)
		w.ok(w.Bases.Remove(w.ctx, w.scope("carol", access.Catalog), "kb"))
		is(w, "id", w.createBase(acme, "ed", access.KnowledgeBase{ID: "kb", Publishing: access.Directly}).ID, "kb")
		is(w, "level of the former manager", w.scope("carol", access.Catalog).Level("kb"), access.NoLevel)
		d := w.add("ed", "k", "text", published)
		is(w, "version", d.Version, 1)
		w.hidden(w.scope("ed", access.Content), old.ID)
	}},
	{"RemoveCallsOffUploadsOnTheirWay", func(_ *testing.T, w *World) {
		running := w.reserved("carol", "one", corpus.Upload{Key: "a"})
		job, _, err := w.Queue.Claim(w.ctx, lease)
		w.ok(err)
		queued := w.reserved("carol", "two", corpus.Upload{Key: "b"})
		w.ok(w.Bases.Remove(w.ctx, w.scope("carol", access.Catalog), "kb"))
		_, err = w.publish(running.Document, job.ID, job.Token)
		w.want(err, "cancelled")
		for _, id := range []string{running.Job, queued.Job} {
			j, err := w.Jobs.Job(w.ctx, string(acme), "carol", id)
			w.ok(err)
			is(w, "state", j.State, "cancelled")
		}
		for _, res := range []corpus.Reservation{running, queued} {
			_, _, err = w.Publisher.Reserved(w.ctx, res.Job)
			w.want(err, "not_found")
		}
	}},
}

// hidden checks that no read of the catalog or of texts admits the version.
func (w *World) hidden(scope access.Scope, id corpus.DocumentID) {
	w.t.Helper()
	_, err := w.Catalog.Document(w.ctx, scope, id)
	w.want(err, "not_found")
	_, err = w.Texts.Text(w.ctx, scope, id)
	w.want(err, "not_found")
	_, err = w.Texts.Chunks(w.ctx, scope, id, 0, 10)
	w.want(err, "not_found")
	page, err := w.Catalog.Documents(w.ctx, scope, corpus.Filter{Limit: 1000})
	w.ok(err)
	for _, d := range page.Items {
		if d.ID == id {
			w.t.Fatalf("%s is listed", id)
		}
	}
}
