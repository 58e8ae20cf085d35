package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// asOf makes a user's scope for a moment.
func (w *World) asOf(user access.UserID, at time.Time) access.Scope {
	w.t.Helper()
	return w.request(user, access.Request{AsOf: at})
}

// inForce checks which versions a user sees as of a moment, in the list, by reading, and in the
// image of the index.
func (w *World) inForce(what string, user access.UserID, at time.Time, want ...corpus.DocumentID) {
	w.t.Helper()
	scope := w.asOf(user, at)
	got := w.listed(scope, corpus.Filter{}, 2)
	img, err := w.Segments.Image(w.ctx, acme, retrieval.State{}, nil)
	w.ok(err)
	var indexed []corpus.DocumentID
	for _, d := range img.Documents {
		if scope.Admits(d.Resource) {
			if len(d.Segment) == 0 {
				w.t.Fatalf("%s: %s has no segment", what, d.Document)
			}
			indexed = append(indexed, d.Document)
		}
		_, err := w.Texts.Text(w.ctx, scope, d.Document)
		if (err == nil) != slices.Contains(want, d.Document) {
			w.t.Fatalf("%s: reading %s: %v", what, d.Document, err)
		}
	}
	for _, list := range [][]corpus.DocumentID{want, got, indexed} {
		slices.Sort(list)
	}
	if d := cmp.Diff(want, got) + cmp.Diff(want, indexed); d != "" {
		w.t.Fatalf("%s: %s", what, d)
	}
}

var pastTests = []test{
	{"AVersionIsInForceFromItsPublishingToTheNext", func(_ *testing.T, w *World) {
		before := w.clock.Now()
		one := w.add("carol", "k", "one", published)
		draft := w.add("carol", "l", "draft", corpus.Upload{})
		two := w.add("carol", "k", "two", published)
		other := w.add("carol", "m", "other", published)
		w.ok(errOf(w.Catalog.Archive(w.ctx, w.scope("carol", access.Catalog), two.ID)))
		one, two = w.document(one.ID), w.document(two.ID)
		change := one.InForce[0].To
		is(w, "the next begins as it ends", two.InForce[0].From, change)
		is(w, "never in force", len(w.document(draft.ID).InForce), 0)
		end := two.InForce[0].To
		w.inForce("before all", "carol", before)
		w.inForce("at the first moment", "carol", one.InForce[0].From, one.ID)
		w.inForce("just before", "carol", one.InForce[0].From.Add(-time.Nanosecond))
		w.inForce("at the last moment", "carol", change.Add(-time.Nanosecond), one.ID)
		w.inForce("at the change", "carol", change, two.ID)
		w.inForce("with the other", "carol", end.Add(-time.Microsecond), two.ID, other.ID)
		w.inForce("after archiving", "carol", end, other.ID)
		w.inForce("now", "carol", w.clock.Now(), other.ID)
	}},
	{"OrdinaryScopesSeeNothingOfThePast", func(t *testing.T, w *World) {
		one := w.add("carol", "k", "one", published)
		two := w.add("carol", "k", "two", published)
		for _, user := range []access.UserID{"carol", "mia", "rita"} {
			scope := w.scope(user, access.Published)
			if d := cmp.Diff([]corpus.DocumentID{two.ID}, w.listed(scope, corpus.Filter{}, 10)); d != "" {
				t.Errorf("%s: %s", user, d)
			}
			w.hidden(scope, one.ID)
		}
	}},
	{"ThePastNeedsTheRoleAndTheRightToRead", func(t *testing.T, w *World) {
		one := w.add("carol", "k", "one", published)
		secret := w.add("carol", "s", "secret", corpus.Upload{Publish: true, Policy: access.Policy{Deny: []access.Principal{access.User("kim")}}})
		w.add("carol", "k", "two", published)
		at := w.document(one.ID).InForce[0].From
		later := w.document(one.ID).InForce[0].To.Add(-time.Nanosecond)
		for _, user := range []access.UserID{"mia", "ed", "rita", "olga"} {
			w.inForce(string(user), user, at)
		}
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "kim", Roles: []access.Role{access.KnowledgeAdmin}}))
		w.inForce("without a grant", "kim", at)
		w.grant("kim", access.Reader)
		w.inForce("a reader with the role", "kim", later, one.ID)
		w.inForce("past no denial", "carol", later, one.ID, secret.ID)
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "kim"}))
		w.inForce("without the role any more", "kim", later)
	}},
	{"ARightOfTodayDecidesAboutThePast", func(_ *testing.T, w *World) {
		one := w.add("carol", "k", "one", published)
		two := w.add("carol", "k", "two", published)
		at := w.document(one.ID).InForce[0].From
		w.inForce("before", "carol", at, one.ID)
		deny := access.Policy{Deny: []access.Principal{access.User("carol")}}
		w.ok(errOf(w.Catalog.Edit(w.ctx, w.scope("mia", access.Catalog), two.ID, corpus.Change{Policy: &deny})))
		w.inForce("denied today", "carol", at)
	}},
	{"ARolledBackVersionWasInForceTwice", func(_ *testing.T, w *World) {
		one := w.add("carol", "k", "one", published)
		two := w.add("carol", "k", "two", published)
		p := w.proposed("carol", one.ID)
		w.ok(errOf(w.decide("carol", p.ID, true)))
		times := w.document(one.ID).InForce
		is(w, "times in force", len(times), 2)
		w.inForce("between", "carol", times[0].To, two.ID)
		w.inForce("again", "carol", times[1].From, one.ID)
		is(w, "still open", times[1].To.IsZero(), true)
	}},
	{"ADeletedVersionIsGoneFromThePastToo", func(_ *testing.T, w *World) {
		one := w.add("carol", "k", "one", published)
		two := w.add("carol", "k", "two", published)
		at, later := one.InForce[0].From, two.InForce[0].From
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), one.ID))
		w.inForce("deleted", "carol", at)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), two.ID))
		w.inForce("the published one deleted", "carol", later)
	}},
	{"AClockThatGoesBackLeavesNoOverlap", func(t *testing.T, w *World) {
		var all []corpus.Document
		for i, back := range []time.Duration{0, time.Hour, -2 * time.Hour, time.Hour, -time.Hour} {
			w.clock.Advance(-back)
			all = append(all, w.add("carol", "k", string(rune('a'+i)), published))
		}
		var end time.Time
		for i, d := range all {
			d = w.document(d.ID)
			is(w, "times", len(d.InForce), 1)
			in := d.InForce[0]
			if in.From.Before(end) || i > 0 && !in.From.Equal(end) {
				t.Errorf("version %d is in force from %v, the former one to %v", d.Version, in.From, end)
			}
			if end = in.To; end.IsZero() != (i == len(all)-1) {
				t.Errorf("version %d is in force until %v", d.Version, in.To)
			}
		}
	}},
	{"ArchivingTakesOutOfForceWithoutAnother", func(t *testing.T, w *World) {
		one := w.add("carol", "k", "one", published)
		draft := w.add("carol", "k", "two", corpus.Upload{})
		archive := func(user access.UserID, id corpus.DocumentID) (corpus.Document, error) {
			return w.Catalog.Archive(w.ctx, w.scope(user, access.Catalog), id)
		}
		for _, user := range []access.UserID{"ed", "rita", "olga", "erin"} {
			_, err := archive(user, one.ID)
			same(t, "Archive by "+string(user), err)
		}
		var got corpus.Document
		added := w.changes(func() (err error) {
			got, err = archive("mia", one.ID)
			return err
		}, ledger.DocumentArchived)
		is(w, "actor", added[0].Actor, "mia")
		want := one
		want.Status, want.LockVersion = access.StatusArchived, one.LockVersion+1
		want.InForce = []access.Interval{{From: one.InForce[0].From, To: got.InForce[0].To}}
		if d := cmp.Diff(want, got) + cmp.Diff(want, w.document(one.ID)); d != "" {
			t.Fatal(d)
		}
		w.hidden(w.scope("rita", access.Published), one.ID)
		for _, id := range []corpus.DocumentID{one.ID, draft.ID} {
			w.changes(func() error {
				_, err := archive("mia", id)
				w.want(err, "not_published")
				return nil
			})
		}
		is(w, "next version", w.add("carol", "k", "three", published).Version, 3)
	}},
}
