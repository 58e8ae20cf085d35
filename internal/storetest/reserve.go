package storetest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

var reserveTests = []test{
	{"AReservationIsAdmittedByNoScope", func(_ *testing.T, w *World) {
		var res corpus.Reservation
		w.changes(func() (err error) {
			res, err = w.reserve("carol", "text", corpus.Upload{Key: "k", Publish: true})
			return err
		})
		is(w, "version", res.Version, 1)
		for _, view := range []access.View{access.Published, access.Catalog, access.Content, access.Cited} {
			w.hidden(w.scope("carol", view), res.Document)
		}
		w.hidden(unscopedScope(acme), res.Document)
	}},
	{"TheJobBelongsToTheActorAndWorksOnTheReservation", func(_ *testing.T, w *World) {
		res := w.reserved("ed", "text", corpus.Upload{Key: "k"})
		j, err := w.Jobs.Job(w.ctx, string(acme), "ed", res.Job)
		w.ok(err)
		is(w, "subject", j.Subject, string(res.Document))
		is(w, "state", j.State, queue.Queued)
	}},
	{"TheReservationKeepsTheUploadsWishes", func(t *testing.T, w *World) {
		policy := access.Policy{Restricted: true, Allow: []access.Principal{access.User("ed"), access.User("carol")}, Deny: []access.Principal{access.Group("x")}}
		up := corpus.Upload{
			ID: "doc-1", Key: "制度/差旅.md", Title: "差旅", FileName: "travel.md", Policy: policy, OwnPolicy: true, SourceURI: "https://example.org/a",
			MediaType: "text/markdown", Publish: true,
		}
		res := w.reserved("carol", "text", up)
		d, got, err := w.Publisher.Reserved(w.ctx, res.Job)
		w.ok(err)
		up.KnowledgeBase, up.Checksum, up.Size = "kb", got.Checksum, 4
		if diff := cmp.Diff(up, got); diff != "" {
			t.Fatal(diff)
		}
		is(w, "status", d.Status, access.StatusReserved)
		is(w, "tenant", d.Tenant, acme)
		is(w, "version", d.Version, 1)
	}},
	{"ANewVersionInheritsWhatTheUploadLeavesOut", func(t *testing.T, w *World) {
		secret := access.Policy{Restricted: true, Allow: []access.Principal{access.User("carol"), access.User("ed")}}
		w.add("carol", "k", "one", corpus.Upload{Publish: true, Title: "Named", SourceURI: "https://example.org/a", Policy: secret})
		second := w.add("carol", "k", "two", corpus.Upload{})
		if !second.Policy.Equal(secret) || second.Title != "Named" || second.SourceURI != "https://example.org/a" {
			t.Fatalf("the second version is %+v", second)
		}
		// An edit between the upload and its end counts.
		res := w.reserved("carol", "three", corpus.Upload{Key: "k"})
		narrow, labels := access.Policy{Restricted: true, Allow: []access.Principal{access.User("carol")}}, []string{"hr"}
		_, err := w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), second.ID, corpus.Change{Policy: &narrow, Labels: &labels})
		w.ok(err)
		w.work()
		third, err := w.Catalog.Document(w.ctx, w.scope("carol", access.Catalog), res.Document)
		w.ok(err)
		if !third.Policy.Equal(narrow) || len(third.Labels) != 1 {
			t.Fatalf("the third version is %+v", third)
		}
		// Said out loud, the policy changes; a title from the file is not kept for the next.
		fourth := w.add("carol", "k", "four", corpus.Upload{OwnPolicy: true, Title: "Other"})
		if !fourth.Policy.Equal(access.Policy{}) || fourth.Title != "Other" {
			t.Fatalf("the fourth version is %+v", fourth)
		}
		w.add("carol", "free", "one", corpus.Upload{})
		if again := w.add("carol", "free", "two", corpus.Upload{}); again.Title != "Title of two" {
			t.Fatalf("a title that nobody gave was kept: %q", again.Title)
		}
	}},
	{"AnEditorCannotChangeThePolicyByANewVersion", func(_ *testing.T, w *World) {
		w.add("carol", "k", "one", corpus.Upload{Policy: access.Policy{Deny: []access.Principal{access.User("mia")}}})
		_, err := w.reserve("ed", "two", corpus.Upload{Key: "k", OwnPolicy: true})
		w.want(err, "not_found")
		w.reserved("ed", "two", corpus.Upload{Key: "k"})
	}},
	{"APolicyNeedsManagerAlsoWithTheFirstVersion", func(_ *testing.T, w *World) {
		for name, policy := range map[string]access.Policy{
			"deny":  {Deny: []access.Principal{access.User("rita")}},
			"allow": {Restricted: true, Allow: []access.Principal{access.User("ed")}},
		} {
			_, err := w.reserve("ed", name, corpus.Upload{Key: corpus.Key(name), Policy: policy})
			w.want(err, "not_found")
		}
		w.reserved("ed", "text", corpus.Upload{Key: "k", OwnPolicy: true})
	}},
	{"APolicyThatExcludesItsUploaderIsRefused", func(t *testing.T, w *World) {
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "bosses", []access.Principal{access.User("mia")}))
		for name, policy := range map[string]access.Policy{
			"denied": {Deny: []access.Principal{access.User("mia")}}, "denied as a member": {Deny: []access.Principal{access.Group("bosses")}},
			"everyone": {Deny: []access.Principal{access.Everyone}}, "not allowed": {Restricted: true, Allow: []access.Principal{access.User("carol")}},
			"nobody": {Restricted: true},
		} {
			up := corpus.Upload{Key: corpus.Key(name), Policy: policy}
			_, err := w.reserve("mia", name, up)
			w.want(err, "policy_excludes_you")
			excluded(t, err)
			_, err = w.Blobs.Open(w.ctx, sumOf(name))
			w.want(err, "not_found")
			up.Operator = true
			w.reserved("mia", name, up)
		}
		member := access.Policy{Restricted: true, Allow: []access.Principal{access.Group("bosses")}}
		w.reserved("mia", "as a member", corpus.Upload{Key: "k", Policy: member})
		sum, size := w.put("unbounded")
		_, err := w.Catalog.Reserve(w.ctx, unscopedScope(acme), corpus.Upload{KnowledgeBase: "kb", Key: "u", Policy: access.Policy{Restricted: true}, Checksum: sum, Size: size})
		w.ok(err)
	}},
	{"TheSameBytesUnderAnotherPolicyAreAConflict", func(_ *testing.T, w *World) {
		deny := access.Policy{Deny: []access.Principal{access.User("rita")}}
		d := w.add("carol", "k", "text", published)
		w.changes(func() error {
			for _, publish := range []bool{false, true} {
				_, err := w.reserve("carol", "text", corpus.Upload{Key: "k", Policy: deny, Publish: publish})
				w.want(err, "policy_differs")
			}
			is(w, "the policy in force said again", w.reserved("carol", "text", corpus.Upload{Key: "k", OwnPolicy: true}).Unchanged, true)
			return nil
		})
		w.ok(errOf(w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), d.ID, corpus.Change{Policy: &deny})))
		_, err := w.reserve("carol", "text", corpus.Upload{Key: "k", OwnPolicy: true})
		w.want(err, "policy_differs")
		is(w, "the edited policy said again", w.reserved("carol", "text", corpus.Upload{Key: "k", Policy: deny}).Unchanged, true)
		draft := w.add("carol", "l", "draft", corpus.Upload{})
		_, err = w.reserve("carol", "draft", corpus.Upload{Key: "l", Policy: deny, Publish: true})
		w.want(err, "policy_differs")
		w.status(draft.ID, access.StatusDraft)
	}},
	{"TheSameBytesOnTheirWayUnderAnotherPolicyAreAConflict", func(_ *testing.T, w *World) {
		deny := access.Policy{Deny: []access.Principal{access.User("rita")}}
		a := w.reserved("carol", "text", corpus.Upload{Key: "k"})
		_, err := w.reserve("carol", "text", corpus.Upload{Key: "k", Policy: deny})
		w.want(err, "policy_differs")
		is(w, "job of the same wish", w.reserved("carol", "text", corpus.Upload{Key: "k", OwnPolicy: true}).Job, a.Job)
		b := w.reserved("carol", "other", corpus.Upload{Key: "l", Policy: deny})
		_, err = w.reserve("carol", "other", corpus.Upload{Key: "l", OwnPolicy: true})
		w.want(err, "policy_differs")
		is(w, "job of the same policy", w.reserved("carol", "other", corpus.Upload{Key: "l", Policy: deny}).Job, b.Job)
		is(w, "job without a wish", w.reserved("carol", "other", corpus.Upload{Key: "l"}).Job, b.Job)
	}},
	{"AJobWhoseBytesCameInMeanwhileUnderAnotherPolicyFails", func(_ *testing.T, w *World) {
		deny := access.Policy{Deny: []access.Principal{access.User("rita")}}
		a := w.reserved("ed", "text", corpus.Upload{Key: "k"})
		b := w.reserved("carol", "text", corpus.Upload{Key: "k", Policy: deny, Publish: true})
		first := w.claim()
		w.ok(errOf(w.publish(a.Document, first.ID, first.Token)))
		second := w.claim()
		w.changes(func() error {
			_, err := w.publish(b.Document, second.ID, second.Token)
			w.want(err, "policy_differs")
			return nil
		})
		w.status(a.Document, access.StatusDraft)
		is(w, "the job is its worker's still", w.job(b.Job).State, queue.Running)
	}},
	{"TheBytesOfAnUploadThatEndsAreGoneWhateverEndedIt", func(_ *testing.T, w *World) {
		sum, size := w.put("broken off")
		scope := w.scope("carol", access.Catalog)
		ctx, cancel := context.WithCancel(w.ctx)
		cancel()
		if _, err := w.Catalog.Reserve(ctx, scope, corpus.Upload{KnowledgeBase: "kb", Key: "k", Checksum: sum, Size: size}); err == nil {
			w.t.Fatal("an upload whose client is gone was reserved")
		}
		_, err := w.Blobs.Open(w.ctx, sum)
		w.want(err, "not_found")
	}},
	{"AKeyOf512CodePointsOfAnyKindIsTaken", func(_ *testing.T, w *World) {
		for _, r := range []string{"k", "é", "考", "𠮷"} {
			w.reserved("carol", r, corpus.Upload{Key: corpus.Key(strings.Repeat(r, 512))})
		}
	}},
	{"TwoTenantsMayHaveOneIdOnItsWay", func(_ *testing.T, w *World) {
		mine := w.reserved("carol", "one", corpus.Upload{Key: "k", ID: "doc-1", Publish: true})
		theirs := w.reserved("erin", "two", corpus.Upload{Key: "k", ID: "doc-1", KnowledgeBase: "other", Publish: true})
		is(w, "mine", mine.Document, "doc-1")
		is(w, "theirs", theirs.Document, "doc-1")
		w.work()
		is(w, "text", w.text("carol", "doc-1"), "one")
		is(w, "text", w.text("erin", "doc-1"), "two")
	}},
	{"NeedsEditorAndManagerToPublish", func(_ *testing.T, w *World) {
		for _, user := range []access.UserID{"rita", "olga", "erin"} {
			_, err := w.reserve(user, "text", corpus.Upload{Key: "k"})
			w.want(err, "not_found")
		}
		_, err := w.reserve("ed", "text", corpus.Upload{Key: "k", Publish: true})
		w.want(err, "not_found")
		w.reserved("ed", "text", corpus.Upload{Key: "k"})
	}},
	{"ARefusedUploadLeavesNoBytes", func(_ *testing.T, w *World) {
		_, err := w.reserve("rita", "refused bytes", corpus.Upload{Key: "k"})
		w.want(err, "not_found")
		sum, _ := w.put("kept")
		_ = sum
		_, err = w.Blobs.Open(w.ctx, sumOf("refused bytes"))
		w.want(err, "not_found")
	}},
	{"TheBytesOfTheNewestVersionChangeNothing", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		w.changes(func() error {
			res := w.reserved("ed", "text", corpus.Upload{Key: "k", Title: "other", FileName: "other.txt"})
			if diff := cmp.Diff(corpus.Reservation{Document: d.ID, Version: 1, Unchanged: true}, res); diff != "" {
				w.t.Fatal(diff)
			}
			return nil
		})
	}},
	{"TheBytesOfTheNewestDraftPublishItWhereTheBaseAllows", func(_ *testing.T, w *World) {
		first := w.add("carol", "k", "one", published)
		draft := w.add("ed", "k", "two", corpus.Upload{})
		var res corpus.Reservation
		w.changes(func() (err error) {
			res, err = w.reserve("mia", "two", corpus.Upload{Key: "k", Publish: true})
			return err
		}, ledger.DocumentPublished)
		if diff := cmp.Diff(corpus.Reservation{Document: draft.ID, Version: 2, Unchanged: true, Published: true}, res); diff != "" {
			w.t.Fatal(diff)
		}
		w.status(draft.ID, access.StatusPublished)
		w.status(first.ID, access.StatusArchived)
	}},
	{"OlderBytesMakeANewVersion", func(_ *testing.T, w *World) {
		w.add("carol", "k", "one", published)
		w.add("carol", "k", "two", published)
		res := w.reserved("carol", "one", corpus.Upload{Key: "k"})
		is(w, "version", res.Version, 3)
		is(w, "unchanged", res.Unchanged, false)
	}},
	{"TheFileNameDecidesNothing", func(_ *testing.T, w *World) {
		w.add("carol", "k", "one", corpus.Upload{FileName: "a.txt", Publish: true})
		res := w.reserved("carol", "two", corpus.Upload{Key: "k", FileName: "b.txt"})
		is(w, "version", res.Version, 2)
		res = w.reserved("carol", "one", corpus.Upload{Key: "l", FileName: "a.txt"})
		is(w, "version under another key", res.Version, 1)
	}},
	{"ByProposalOnlyTheFirstVersionIsPublished", func(_ *testing.T, w *World) {
		w.createBase(acme, "carol", access.KnowledgeBase{ID: "slow"})
		up := corpus.Upload{KnowledgeBase: "slow", Publish: true}
		first := w.add("carol", "k", "one", up)
		is(w, "first", first.Status, access.StatusPublished)
		up.Key = "k"
		res := w.reserved("carol", "two", up)
		is(w, "held", res.Held, true)
		w.work()
		w.status(res.Document, access.StatusDraft)
		w.status(first.ID, access.StatusPublished)
		again := w.reserved("carol", "two", up)
		if diff := cmp.Diff(corpus.Reservation{Document: res.Document, Version: 2, Unchanged: true, Held: true}, again); diff != "" {
			w.t.Fatal(diff)
		}
		up.Operator = true
		again = w.reserved("carol", "two", up)
		is(w, "published by the operator", again.Published, true)
		w.status(first.ID, access.StatusArchived)
	}},
	{"ASecondUploadOfTheSameBytesSharesTheJob", func(_ *testing.T, w *World) {
		a := w.reserved("ed", "text", corpus.Upload{Key: "k"})
		b := w.reserved("ed", "text", corpus.Upload{Key: "k"})
		if diff := cmp.Diff(a, b); diff != "" {
			w.t.Fatal(diff)
		}
		c := w.reserved("carol", "text", corpus.Upload{Key: "k"})
		if c.Job == a.Job {
			w.t.Fatal("an upload of somebody else shares a job that its owner alone can see")
		}
	}},
	{"BytesThatBecameTheNewestVersionMeanwhileChangeNothing", func(_ *testing.T, w *World) {
		a := w.reserved("ed", "text", corpus.Upload{Key: "k"})
		b := w.reserved("carol", "text", corpus.Upload{Key: "k", Publish: true})
		w.work()
		j, err := w.Jobs.Job(w.ctx, string(acme), "carol", b.Job)
		w.ok(err)
		is(w, "state", j.State, queue.Succeeded)
		is(w, "subject", j.Subject, string(a.Document))
		w.status(a.Document, access.StatusPublished)
		w.hidden(w.scope("carol", access.Content), b.Document)
	}},
	{"AnotherReservedVersionGetsTheNextNumber", func(_ *testing.T, w *World) {
		is(w, "first", w.reserved("ed", "one", corpus.Upload{Key: "k"}).Version, 1)
		is(w, "second", w.reserved("ed", "two", corpus.Upload{Key: "k"}).Version, 2)
		is(w, "other key", w.reserved("ed", "three", corpus.Upload{Key: "l"}).Version, 1)
	}},
	{"AChosenIdIsGrantedOrAConflictWithAVisibleOne", func(_ *testing.T, w *World) {
		is(w, "id", w.add("carol", "k", "one", corpus.Upload{ID: "doc-1", Publish: true}).ID, "doc-1")
		_, err := w.reserve("carol", "two", corpus.Upload{Key: "l", ID: "doc-1"})
		w.want(err, "exists")
	}},
	{"AnIdTakenByAnInvisibleDocumentIsNotToldOf", func(_ *testing.T, w *World) {
		w.createBase(acme, "olga", access.KnowledgeBase{ID: "secret"})
		hidden := w.add("olga", "k", "one", corpus.Upload{KnowledgeBase: "secret", ID: "doc-1", Publish: true})
		gone := w.add("carol", "gone", "gone", corpus.Upload{ID: "doc-2", Publish: true})
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), gone.ID))
		for _, id := range []corpus.DocumentID{hidden.ID, gone.ID} {
			res := w.reserved("carol", "of "+string(id), corpus.Upload{Key: corpus.Key(id), ID: id})
			if res.Document == id || !strings.HasPrefix(string(res.Document), "doc_") {
				w.t.Fatalf("%s was given as %s", id, res.Document)
			}
		}
	}},
	{"TwoTenantsMayUseOneDocumentId", func(_ *testing.T, w *World) {
		w.add("carol", "k", "one", corpus.Upload{ID: "doc-1", Publish: true})
		d := w.add("erin", "k", "two", corpus.Upload{ID: "doc-1", KnowledgeBase: "other", Publish: true})
		is(w, "id", d.ID, "doc-1")
		is(w, "text", w.text("carol", "doc-1"), "one")
		is(w, "text", w.text("erin", "doc-1"), "two")
	}},
	{"AKeyWithAVersionBehindAPolicyCantBeWritten", func(_ *testing.T, w *World) {
		w.add("carol", "k", "one", corpus.Upload{Publish: true, Policy: access.Policy{Deny: []access.Principal{access.User("mia")}}})
		_, err := w.reserve("mia", "two", corpus.Upload{Key: "k"})
		w.want(err, "not_found")
		_, err = w.reserve("mia", "one", corpus.Upload{Key: "k", Publish: true})
		w.want(err, "not_found")
	}},
	{"AnArchivedNewestVersionDoesNotCountAsUnchanged", func(_ *testing.T, w *World) {
		w.add("carol", "k", "one", published)
		second := w.add("carol", "k", "two", published)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), second.ID))
		res := w.reserved("carol", "one", corpus.Upload{Key: "k", Publish: true})
		is(w, "unchanged", res.Unchanged, false)
		is(w, "version", res.Version, 3)
		w.work()
		w.status(res.Document, access.StatusPublished)
	}},
	{"BadUploadsAreRefused", func(t *testing.T, w *World) {
		for name, up := range map[string]corpus.Upload{
			"no key": {}, "key": {Key: "a\nb"}, "utf8": {Key: "\xff"}, "long": {Key: corpus.Key(strings.Repeat("k", 3000))},
			"id":      {Key: "k", ID: "../x"},
			"policy":  {Key: "k", Policy: access.Policy{Deny: []access.Principal{"robot:x"}}},
			"allowed": {Key: "k", Policy: access.Policy{Allow: []access.Principal{access.Everyone}}},
		} {
			if _, err := w.reserve("carol", "text", up); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		for name, sum := range map[string]corpus.Checksum{"no checksum": "", "path": "../../etc/passwd", "bytes not stored": sumOf("never stored")} {
			_, err := w.Catalog.Reserve(w.ctx, w.scope("carol", access.Catalog), corpus.Upload{KnowledgeBase: "kb", Key: "k", Checksum: sum})
			if !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}},
	{"AStaleScopeIsRefusedAndTheBytesStay", func(_ *testing.T, w *World) {
		sum, size := w.put("text")
		old := w.scope("carol", access.Catalog)
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "x"}))
		up := corpus.Upload{KnowledgeBase: "kb", Key: "k", Checksum: sum, Size: size}
		_, err := w.Catalog.Reserve(w.ctx, old, up)
		w.want(err, "scope_stale")
		_, err = w.Catalog.Reserve(w.ctx, w.scope("carol", access.Catalog), up)
		w.ok(err)
	}},
}

// excluded checks that a refusal names the policy as its cause.
func excluded(t *testing.T, err error) {
	t.Helper()
	var p *problem.Error
	if !errors.As(err, &p) || p.Kind != problem.Invalid || len(p.Fields) != 1 || p.Fields[0].Pointer != "/access_policy" {
		t.Fatalf("got %+v, want a refusal of /access_policy", p)
	}
}
