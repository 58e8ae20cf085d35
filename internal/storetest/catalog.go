package storetest

import (
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// listed returns the ids of all pages of a list, read with a page size.
func (w *World) listed(scope access.Scope, f corpus.Filter, size int) (out []corpus.DocumentID) {
	w.t.Helper()
	f.Limit = size
	for {
		page, err := w.Catalog.Documents(w.ctx, scope, f)
		w.ok(err)
		if len(page.Items) > size || page.Next != "" && len(page.Items) < size {
			w.t.Fatalf("a page of %d items, next %q, at a limit of %d", len(page.Items), page.Next, size)
		}
		for _, d := range page.Items {
			out = append(out, d.ID)
		}
		if page.Next == "" {
			return out
		}
		f.After = page.Next
	}
}

func (w *World) lists(what string, scope access.Scope, f corpus.Filter, want ...corpus.DocumentID) {
	w.t.Helper()
	for _, size := range []int{1, 2, 3, 100} {
		if d := cmp.Diff(want, w.listed(scope, f, size)); d != "" {
			w.t.Fatalf("%s, pages of %d: %s", what, size, d)
		}
	}
}

var catalogTests = []test{
	{"DocumentsAreListedNewestFirstInFullPages", func(_ *testing.T, w *World) {
		secret := access.Policy{Restricted: true, Allow: []access.Principal{access.User("carol")}}
		var seen, all []corpus.DocumentID
		for i := range 14 {
			up := corpus.Upload{Publish: true}
			if i%3 != 0 {
				up.Policy = secret
			}
			d := w.add("carol", corpus.Key(fmt.Sprint("k", i)), fmt.Sprint("text ", i), up)
			all = append([]corpus.DocumentID{d.ID}, all...)
			if i%3 == 0 {
				seen = append([]corpus.DocumentID{d.ID}, seen...)
			}
		}
		w.lists("carol", w.scope("carol", access.Published), corpus.Filter{}, all...)
		w.lists("rita", w.scope("rita", access.Published), corpus.Filter{}, seen...)
		page, err := w.Catalog.Documents(w.ctx, w.scope("rita", access.Published), corpus.Filter{Limit: len(seen)})
		w.ok(err)
		is(w, "cursor after the last that is visible", page.Next, "")
	}},
	{"ManyHiddenRowsBeforeAVisibleOneArePassedOver", func(_ *testing.T, w *World) {
		first := w.add("carol", "first", "first", published)
		for i := range 110 {
			w.reserved("carol", fmt.Sprint("hidden ", i), corpus.Upload{
				Key: corpus.Key(fmt.Sprint(i)), Policy: access.Policy{Deny: []access.Principal{access.User("rita")}},
			})
		}
		w.work()
		w.lists("rita", w.scope("rita", access.Catalog), corpus.Filter{}, first.ID)
		is(w, "carol sees all", len(w.listed(w.scope("carol", access.Catalog), corpus.Filter{}, 1000)), 111)
	}},
	{"FiltersSelect", func(_ *testing.T, w *World) {
		w.createBase(acme, "carol", access.KnowledgeBase{ID: "two", Publishing: access.Directly})
		a1 := w.add("carol", "a", "a1", published)
		a2 := w.add("carol", "a", "a2", published)
		a3 := w.add("carol", "a", "a3", corpus.Upload{})
		b := w.add("carol", "b", "b", corpus.Upload{KnowledgeBase: "two", Publish: true})
		s := w.scope("carol", access.Catalog)
		w.lists("all", s, corpus.Filter{}, b.ID, a3.ID, a2.ID, a1.ID)
		w.lists("base", s, corpus.Filter{KnowledgeBase: "two"}, b.ID)
		w.lists("key", s, corpus.Filter{Key: "a"}, a3.ID, a2.ID, a1.ID)
		w.lists("status", s, corpus.Filter{Status: access.StatusArchived}, a1.ID)
		w.lists("reserved", s, corpus.Filter{Status: access.StatusReserved})
		w.lists("deleted", s, corpus.Filter{Status: "deleted"})
		w.lists("newest", s, corpus.Filter{Newest: true}, b.ID, a3.ID)
		w.lists("newest to a reader of published ones", w.scope("carol", access.Published), corpus.Filter{Newest: true}, b.ID, a2.ID)
		w.lists("newest of the published", s, corpus.Filter{Newest: true, Status: access.StatusPublished}, b.ID, a2.ID)
		w.lists("from, inclusive", s, corpus.Filter{UpdatedFrom: a2.UpdatedAt}, b.ID, a3.ID, a2.ID)
		w.lists("from, after", s, corpus.Filter{UpdatedFrom: a2.UpdatedAt.Add(time.Nanosecond)}, b.ID, a3.ID)
		w.lists("to, exclusive", s, corpus.Filter{UpdatedTo: a2.UpdatedAt}, a1.ID)
		w.lists("to, after", s, corpus.Filter{UpdatedTo: a2.UpdatedAt.Add(time.Nanosecond)}, a2.ID, a1.ID)
		w.lists("scope of one key", w.request("carol", access.Request{View: access.Catalog, DocKey: "b"}), corpus.Filter{}, b.ID)
		w.lists("scope of one base", w.request("carol", access.Request{View: access.Catalog, Bases: []access.KnowledgeBaseID{"two"}}), corpus.Filter{}, b.ID)
		w.lists("scope of no base", w.request("carol", access.Request{View: access.Catalog, Bases: []access.KnowledgeBaseID{}}), corpus.Filter{})
		w.lists("scope of a time", w.request("carol", access.Request{View: access.Catalog, UpdatedFrom: a2.UpdatedAt, UpdatedTo: b.UpdatedAt}), corpus.Filter{}, a3.ID, a2.ID)
	}},
	{"ABadCursorIsRefused", func(t *testing.T, w *World) {
		for _, cursor := range []string{"x", "!!", base64.RawURLEncoding.EncodeToString([]byte("1")), base64.RawURLEncoding.EncodeToString([]byte("a b"))} {
			if _, err := w.Catalog.Documents(w.ctx, w.scope("carol", access.Catalog), corpus.Filter{After: cursor}); problem.CodeOf(err) != "invalid_cursor" {
				t.Errorf("%q: got %v", cursor, err)
			}
		}
	}},
	{"EditChangesWhatIsGivenAndRaisesTheLockVersion", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		title, policy := "新标题", access.Policy{Restricted: true, Allow: []access.Principal{access.User("carol"), access.User("ed")}}
		var got corpus.Document
		edit := func(user access.UserID, c corpus.Change) error {
			var err error
			got, err = w.Catalog.Edit(w.ctx, w.scope(user, access.Catalog), d.ID, c)
			return err
		}
		w.changes(func() error {
			return edit("ed", corpus.Change{Title: &title, Labels: &[]string{"a", "b"}, LockVersion: 1})
		}, ledger.DocumentEdited)
		want := d
		want.Title, want.Labels, want.LockVersion = title, []string{"a", "b"}, 2
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		w.changes(func() error { return edit("carol", corpus.Change{Policy: &policy}) }, ledger.DocumentEdited)
		want.Policy, want.LockVersion = policy, 3
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		w.hidden(w.scope("rita", access.Published), d.ID)
		w.changes(func() error { return edit("carol", corpus.Change{}) })
		is(w, "lock version", got.LockVersion, 3)
		w.changes(func() error {
			w.want(edit("carol", corpus.Change{Title: &title, LockVersion: 2}), "lock_conflict")
			return nil
		})
	}},
	{"EditNeedsEditorAndThePolicyManager", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		title, policy := "x", access.Policy{}
		for _, user := range []access.UserID{"rita", "olga", "erin"} {
			_, err := w.Catalog.Edit(w.ctx, w.scope(user, access.Catalog), d.ID, corpus.Change{Title: &title})
			w.want(err, "not_found")
		}
		_, err := w.Catalog.Edit(w.ctx, w.scope("ed", access.Catalog), d.ID, corpus.Change{Policy: &policy})
		w.want(err, "not_found")
		empty := " "
		_, err = w.Catalog.Edit(w.ctx, w.scope("ed", access.Catalog), d.ID, corpus.Change{Title: &empty})
		w.want(err, "invalid_title")
		policy.Deny = []access.Principal{"robot:x"}
		_, err = w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), d.ID, corpus.Change{Policy: &policy})
		w.want(err, "invalid_principal")
	}},
	{"APolicyThatExcludesItsEditorIsRefused", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		out := access.Policy{Restricted: true, Allow: []access.Principal{access.User("carol")}}
		w.changes(func() error {
			_, err := w.Catalog.Edit(w.ctx, w.scope("mia", access.Catalog), d.ID, corpus.Change{Policy: &out})
			w.want(err, "policy_excludes_you")
			excluded(t, err)
			return nil
		})
		operator, err := access.Resolve(w.ctx, w.Directory, access.Actor{Tenant: acme, User: "mia", Operator: true}, access.Request{View: access.Catalog})
		w.ok(err)
		w.ok(errOf(w.Catalog.Edit(w.ctx, operator, d.ID, corpus.Change{Policy: &out})))
		w.ok(errOf(w.Catalog.Edit(w.ctx, unscopedScope(acme), d.ID, corpus.Change{Policy: &access.Policy{Restricted: true}})))
	}},
	{"DeleteHidesAtOnceAndForGood", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		chunk := w.chunks(d.ID)[0]
		for _, user := range []access.UserID{"ed", "rita", "olga", "erin"} {
			w.want(w.Catalog.Delete(w.ctx, w.scope(user, access.Catalog), d.ID), "not_found")
		}
		w.changes(func() error { return w.Catalog.Delete(w.ctx, w.scope("mia", access.Catalog), d.ID) }, ledger.DocumentDeleted)
		for _, s := range []access.Scope{w.scope("carol", access.Catalog), w.scope("carol", access.Content), w.scope("carol", access.Cited), unscopedScope(acme)} {
			w.hidden(s, d.ID)
			_, _, err := w.Texts.Chunk(w.ctx, s, chunk.ID)
			w.want(err, "not_found")
		}
		w.want(w.Catalog.Delete(w.ctx, w.scope("mia", access.Catalog), d.ID), "not_found")
		is(w, "original, until it is erased", w.original(d.Checksum), "text")
		is(w, "version of the same bytes again", w.add("carol", "k", "text", published).Version, 2)
	}},
	{"ChunksArePagedByNumber", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "a\nb\nc\nd", published)
		s := w.scope("rita", access.Published)
		for after, want := range map[int]string{0: "ab", 1: "bc", 3: "d", 4: ""} {
			list, err := w.Texts.Chunks(w.ctx, s, d.ID, after, 2)
			w.ok(err)
			got := ""
			for _, c := range list {
				got += c.Text
			}
			is(w, fmt.Sprint("after ", after), got, want)
		}
	}},
}
