package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// reviewed stores a run of rita's that read two passages and ended in a state.
func (w *World) reviewed(id run.ID, reason run.Reason) *run.Run {
	w.t.Helper()
	r, l := w.started(id)
	w.filled(r)
	r.Kind, r.Reason, r.State, r.EndedAt = run.ForDraft, reason, reason.State(), w.clock.Now()
	w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Evidence: []citation.Evidence{evidence("S1", w.clock.Now()), evidence("S2", w.clock.Now())}}))
	return r
}

func wishOf(id run.ID, base int, body string, refs ...string) draft.Wish {
	return draft.Wish{
		Run: id, Base: base, Title: "标题", Titled: base > 0, Body: body, Refs: refs,
		Checks: []citation.Check{{Sentence: body, Labels: refs, Verdict: citation.Supported, DecidedBy: "rule:literal", Quote: "q"}},
	}
}

func (w *World) save(wish draft.Wish) (draft.Draft, error) {
	return w.Drafts.Save(w.ctx, acme, "rita", wish)
}

func (w *World) saved(wish draft.Wish) draft.Draft {
	w.t.Helper()
	d, err := w.save(wish)
	w.ok(err)
	return d
}

// unsaved checks that a save is refused and leaves everything as it was.
func (w *World) unsaved(code string, wish draft.Wish) {
	w.t.Helper()
	w.changes(func() error {
		_, err := w.save(wish)
		w.want(err, code)
		return nil
	})
}

var draftTests = []test{
	{"AFirstSaveMakesTheDraft", func(t *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		before := len(w.entries(acme))
		d := w.saved(wishOf("run_1", 0, "650 元 [S1]", "S1"))
		hash := testSeal.Hash("S1", "excerpt S1")
		want := draft.Draft{
			ID: d.ID, Tenant: acme, Actor: "rita", Run: "run_1", Newest: 1, CreatedAt: d.CreatedAt,
			Version: draft.Version{
				No: 1, Title: "标题", Body: "650 元 [S1]", Nonce: d.Nonce, Hash: seal.Seal{Key: d.Nonce}.Hash("body", "650 元 [S1]"), SavedAt: d.CreatedAt,
				Cited:  []draft.Cited{{Ref: "S1", Document: "doc-1", Version: 2, Hash: hash}},
				Checks: wishOf("run_1", 0, "650 元 [S1]", "S1").Checks,
			},
		}
		if diff := cmp.Diff(want, d); diff != "" || d.ID == "" || len(d.Nonce) != 64 || d.CreatedAt.IsZero() {
			t.Fatal(diff)
		}
		for _, no := range []int{0, 1} {
			got, err := w.Drafts.Draft(w.ctx, acme, "rita", d.ID, no)
			w.ok(err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
		}
		got, err := w.Drafts.OfRun(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		is(w, "of its run", got.ID, d.ID)
		added := w.entries(acme)[before:]
		is(w, "entries", len(added), 1)
		is(w, "kind", added[0].Kind, ledger.DraftSaved)
		is(w, "run", added[0].RunID, "run_1")
		body, _ := json.Marshal(string(added[0].Body))
		for _, word := range []string{"650 元", "标题", "差旅", "excerpt S1"} {
			is(w, word+" in the ledger", strings.Contains(string(body), word), false)
		}
		is(w, "hashes in the ledger", strings.Contains(string(added[0].Body), hash) && strings.Contains(string(added[0].Body), want.Hash), true)
	}},
	{"EveryVersionIsKept", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		var id draft.ID
		for i := range 4 {
			d := w.saved(wishOf("run_1", i, fmt.Sprint("text ", i+1)))
			id = d.ID
			is(w, "version", d.No, i+1)
		}
		all, err := w.Drafts.Versions(w.ctx, acme, "rita", id)
		w.ok(err)
		is(w, "versions", len(all), 4)
		for i, v := range all {
			is(w, "number", v.No, 4-i)
			is(w, "newest", v.Newest, 4)
			is(w, "body", v.Body, fmt.Sprint("text ", 4-i))
			old, err := w.Drafts.Draft(w.ctx, acme, "rita", id, v.No)
			w.ok(err)
			is(w, "old body", old.Body, v.Body)
			is(w, "title given by a person", old.Titled, v.No > 1)
		}
		_, err = w.Drafts.Draft(w.ctx, acme, "rita", id, 5)
		w.want(err, "not_found")
		_, err = w.Drafts.Draft(w.ctx, acme, "rita", id, -1)
		w.want(err, "not_found")
	}},
	{"AStaleBaseIsAConflict", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		for _, base := range []int{1, 2, -1} {
			w.unsaved("version_conflict", wishOf("run_1", base, "x"))
		}
		w.saved(wishOf("run_1", 0, "one"))
		w.saved(wishOf("run_1", 1, "two"))
		for _, base := range []int{0, 1, 3} {
			w.unsaved("version_conflict", wishOf("run_1", base, "x"))
		}
		_, err := w.save(wishOf("run_1", 1, "x"))
		is(w, "kind", problem.KindOf(err), problem.Conflict)
	}},
	{"OnlyARunThatAwaitsReviewIsSaved", func(_ *testing.T, w *World) {
		for i, reason := range []run.Reason{run.Success, run.Insufficient, run.InvalidOutput, run.WasCancelled, run.RouteRefused} {
			id := run.ID(fmt.Sprint("run_", i))
			w.reviewed(id, reason)
			w.unsaved("not_awaiting_review", wishOf(id, 0, "x"))
		}
		w.started("run_running")
		w.unsaved("not_awaiting_review", wishOf("run_running", 0, "x"))
	}},
	{"ADraftIsNobodyElses", func(t *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		d := w.saved(wishOf("run_1", 0, "x"))
		for _, who := range []struct {
			tenant access.TenantID
			user   access.UserID
		}{{acme, "carol"}, {acme, "mia"}, {globex, "erin"}, {globex, "rita"}, {acme, ""}, {acme, "nobody"}} {
			_, err := w.Drafts.Save(w.ctx, who.tenant, who.user, wishOf("run_1", 1, "y"))
			same(t, fmt.Sprint("Save ", who), err)
			_, err = w.Drafts.Draft(w.ctx, who.tenant, who.user, d.ID, 0)
			same(t, fmt.Sprint("Draft ", who), err)
			_, err = w.Drafts.OfRun(w.ctx, who.tenant, who.user, "run_1")
			same(t, fmt.Sprint("OfRun ", who), err)
			_, err = w.Drafts.Versions(w.ctx, who.tenant, who.user, d.ID)
			same(t, fmt.Sprint("Versions ", who), err)
			page, err := w.Drafts.Drafts(w.ctx, who.tenant, who.user, draft.Filter{})
			w.ok(err)
			is(w, "listed", len(page.Items), 0)
		}
		_, err := w.Drafts.OfRun(w.ctx, acme, "rita", "run_2")
		same(t, "OfRun of nothing", err)
	}},
	{"OnlyWhatTheRunReadIsCited", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		w.reviewed("run_2", run.DraftReady)
		for _, ref := range []string{"S3", "C1", "s1", ""} {
			w.unsaved("invalid_citations", wishOf("run_1", 0, "x", "S1", ref))
		}
		is(w, "cited", len(w.saved(wishOf("run_1", 0, "x", "S2", "S1")).Cited), 2)
	}},
	{"TextsHaveLimits", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		long := wishOf("run_1", 0, strings.Repeat("字", draft.MaxBody+1))
		w.unsaved("invalid_draft", long)
		w.unsaved("invalid_draft", wishOf("run_1", 0, " \n"))
		title := wishOf("run_1", 0, "x")
		title.Title = strings.Repeat("字", draft.MaxTitle+1)
		w.unsaved("invalid_draft", title)
		w.saved(wishOf("run_1", 0, strings.Repeat("字", draft.MaxBody)))
	}},
	{"ADraftHasSoManyVersionsAndNoMore", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		for i := range draft.MaxVersions {
			w.saved(wishOf("run_1", i, "x"))
		}
		w.unsaved("too_many_versions", wishOf("run_1", draft.MaxVersions, "x"))
	}},
	{"DraftsAreListedNewestFirst", func(t *testing.T, w *World) {
		var want []draft.ID
		for i := range 5 {
			id := run.ID(fmt.Sprint("run_", i))
			w.reviewed(id, run.DraftReady)
			want = append([]draft.ID{w.saved(wishOf(id, 0, "one")).ID}, want...)
		}
		w.saved(wishOf("run_0", 1, "two"))
		for _, size := range []int{1, 2, 5, 100} {
			var got []draft.ID
			f := draft.Filter{Limit: size}
			for {
				page, err := w.Drafts.Drafts(w.ctx, acme, "rita", f)
				w.ok(err)
				for _, d := range page.Items {
					got = append(got, d.ID)
					is(w, "newest version", d.No, d.Newest)
				}
				if f.After = page.Next; f.After == "" {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("pages of %d: %s", size, diff)
			}
		}
		_, err := w.Drafts.Drafts(w.ctx, acme, "rita", draft.Filter{After: "x"})
		w.want(err, "invalid_cursor")
	}},
	{"OfManySavesAtOnceOneSucceeds", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		for round := range 3 {
			var group sync.WaitGroup
			errs := make([]error, 8)
			for i := range errs {
				group.Go(func() { _, errs[i] = w.save(wishOf("run_1", round, fmt.Sprint("text ", i))) })
			}
			group.Wait()
			saved := 0
			for _, err := range errs {
				if err == nil {
					saved++
				} else {
					w.want(err, "version_conflict")
				}
			}
			is(w, "saved", saved, 1)
		}
		d, err := w.Drafts.OfRun(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		is(w, "newest", d.Newest, 3)
	}},
	{"ASaveWritesItsReceipt", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		k := keyOf("rita", "k")
		c := w.claimed(k, "d")
		d, err := w.Drafts.Save(idempotency.With(w.ctx, c), acme, "rita", wishOf("run_1", 0, "x"))
		w.ok(err)
		is(w, "receipt", w.repeated(k, "d"), idempotency.Receipt{ID: string(d.ID), Version: 1})
		slow := w.claimed(keyOf("rita", "slow"), "d")
		w.clock.Advance(idempotency.Lease)
		w.claimed(keyOf("rita", "slow"), "d")
		_, err = w.Drafts.Save(idempotency.With(w.ctx, slow), acme, "rita", wishOf("run_1", 1, "canarylate33"))
		w.want(err, "request_in_progress")
	}},
	{"ErasingASourceEmptiesWhatWasWrittenFromIt", func(t *testing.T, w *World) {
		d := w.laden("k")
		r, l := w.started("run_1")
		w.leaned(r, l, d, "S1")
		r.Kind, r.State, r.Reason, r.EndedAt = run.ForDraft, run.AwaitingReview, run.DraftReady, w.clock.Now()
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
		first := w.saved(wishOf("run_1", 0, "canarydraft71 [S1]", "S1"))
		second := wishOf("run_1", 1, "canarydraft72")
		second.Title = "canarytitle73"
		w.saved(second)
		w.reviewed("run_2", run.DraftReady)
		w.saved(wishOf("run_2", 0, "another text"))
		words := []string{"canarydraft71", "canarydraft72", "canarytitle73"}
		w.found(t, words, true)
		w.ok(w.erase("carol", d.ID))
		w.found(t, words, false)
		all, err := w.Drafts.Versions(w.ctx, acme, "rita", first.ID)
		w.ok(err)
		is(w, "versions", len(all), 2)
		for _, v := range all {
			is(w, "text", v.Title+v.Body, "")
			is(w, "checks", len(v.Checks), 0)
		}
		is(w, "hash", all[1].Hash, first.Hash)
		if diff := cmp.Diff(first.Cited, all[1].Cited); diff != "" {
			t.Fatal(diff)
		}
		w.unsaved("evidence_erased", wishOf("run_1", 2, "canarydraft74"))
		other, err := w.Drafts.OfRun(w.ctx, acme, "rita", "run_2")
		w.ok(err)
		is(w, "another draft", other.Body, "another text")
	}},
	{"NoSaveBringsBackWhatIsErased", func(t *testing.T, w *World) {
		d := w.laden("k")
		var ids []run.ID
		for i := range 4 {
			r, l := w.started(run.ID(fmt.Sprint("run_", i)))
			w.leaned(r, l, d, "S1")
			r.Kind, r.State, r.Reason, r.EndedAt = run.ForDraft, run.AwaitingReview, run.DraftReady, w.clock.Now()
			w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
			ids = append(ids, r.ID)
		}
		var group sync.WaitGroup
		errs := make([]error, len(ids))
		for i, id := range ids {
			group.Go(func() {
				for n := 0; n < 20 && errs[i] == nil; n++ {
					if _, errs[i] = w.save(wishOf(id, n, "canaryrace51 [S1]", "S1")); errs[i] == nil {
						_, errs[i] = w.Feedback.Mark(w.ctx, acme, markOf(id, "canaryrace52", desk.Wrong, "canaryrace53"))
					}
				}
			})
		}
		erased := w.erase("carol", d.ID)
		group.Wait()
		w.ok(erased)
		for i, err := range errs {
			if code := problem.CodeOf(err); err != nil && code != "evidence_erased" && code != "no_answer" {
				t.Errorf("run %d: %v", i, err)
			}
		}
		// What was written before is overwritten for good with the erasure, and nothing came after it.
		w.ok(w.erase("carol", d.ID))
		w.found(t, []string{"canaryrace51", "canaryrace52", "canaryrace53"}, false)
		for _, id := range ids {
			w.unsaved("evidence_erased", wishOf(id, 99, "canaryrace54"))
		}
	}},
	{"WhatASaveSaysIsOfItsTime", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		first := w.saved(wishOf("run_1", 0, "one"))
		w.clock.Advance(time.Hour)
		second := w.saved(wishOf("run_1", 1, "two"))
		is(w, "made", second.CreatedAt, first.CreatedAt)
		is(w, "saved an hour later", second.SavedAt.Sub(first.SavedAt) >= time.Hour, true)
		is(w, "document", corpus.DocumentID("doc-1"), w.saved(wishOf("run_1", 2, "three", "S2")).Cited[0].Document)
	}},
}
