package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

func unscopedScope(tenant access.TenantID) access.Scope { return unscoped.Scope(tenant) }

func sumOf(text string) corpus.Checksum {
	sum := sha256.Sum256([]byte(text))
	return corpus.Checksum(hex.EncodeToString(sum[:]))
}

// status checks the status of a version in acme.
func (w *World) status(id corpus.DocumentID, want access.Status) {
	w.t.Helper()
	d, err := w.Catalog.Document(w.ctx, unscopedScope(acme), id)
	w.ok(err)
	is(w, "status of "+string(id), d.Status, want)
}

func (w *World) text(user access.UserID, id corpus.DocumentID) string {
	w.t.Helper()
	x, err := w.Texts.Text(w.ctx, w.scope(user, access.Published), id)
	w.ok(err)
	return x.Text
}

// stretches reads every part of a text, and holds it against the whole.
func (w *World) stretches(whole corpus.Text) {
	w.t.Helper()
	text := []rune(whole.Text)
	for start := -1; start <= len(text)+1; start++ {
		for end := start - 1; end <= len(text)+2; end++ {
			got, err := w.Texts.Stretch(w.ctx, w.scope("rita", access.Published), whole.Document.ID, corpus.Span{Start: start, End: end})
			w.ok(err)
			want := corpus.Stretch{Total: len(text)}
			want.Span.Start = min(max(start, 0), len(text))
			want.Span.End = min(max(end, want.Span.Start), len(text))
			want.Text = string(text[want.Span.Start:want.Span.End])
			for i, b := range whole.Blocks {
				if b.Span.Overlap(want.Span) > 0 {
					if want.Blocks == nil {
						want.First = i
					}
					want.Blocks = append(want.Blocks, b)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				w.t.Fatalf("from %d to %d: %s", start, end, diff)
			}
		}
	}
}

// claim takes the next job.
func (w *World) claim() queue.Job {
	w.t.Helper()
	j, ok, err := w.Queue.Claim(w.ctx, lease)
	w.ok(err)
	is(w, "a job is due", ok, true)
	return j
}

var publishTests = []test{
	{"AVersionIsCompleteWhenItIsVisible", func(t *testing.T, w *World) {
		res := w.reserved("carol", "第一行\nsecond", corpus.Upload{Key: "k", Publish: true, FileName: "f.txt", SourceURI: "s", MediaType: "x/y"})
		job := w.claim()
		v := parse(res.Document, "第一行\nsecond")
		v.Notices = []string{"low_quality"}
		var d corpus.Document
		w.changes(func() (err error) {
			d, err = w.Publisher.Publish(w.ctx, v, job.ID, job.Token)
			return err
		}, ledger.DocumentAdded, ledger.DocumentPublished)
		stored, err := w.Catalog.Document(w.ctx, w.scope("rita", access.Published), res.Document)
		w.ok(err)
		want := corpus.Document{
			ID: res.Document, Tenant: acme, KnowledgeBase: "kb", Key: "k", Title: v.Title, Version: 1, Status: access.StatusPublished,
			SourceURI: "s", Checksum: sumOf("第一行\nsecond"), MediaType: "text/plain", Language: "en", Size: 16, Notices: v.Notices,
			ChunkCount: 2, CharCount: 10, LockVersion: 1, CreatedAt: stored.CreatedAt, UpdatedAt: stored.UpdatedAt, PublishedAt: stored.UpdatedAt,
			InForce: []access.Interval{{From: stored.UpdatedAt}},
		}
		if diff := cmp.Diff(want, stored) + cmp.Diff(want, d); diff != "" {
			t.Fatal(diff)
		}
		x, err := w.Texts.Text(w.ctx, w.scope("rita", access.Published), res.Document)
		w.ok(err)
		wantText := corpus.Text{Document: want, Text: v.Text, Segments: slices.Concat(v.Blocks[0].Segments, v.Blocks[1].Segments), Blocks: v.Blocks}
		if diff := cmp.Diff(wantText, x); diff != "" {
			t.Fatal(diff)
		}
		w.stretches(x)
		chunks, err := w.Texts.Chunks(w.ctx, w.scope("rita", access.Published), res.Document, 0, 10)
		w.ok(err)
		for i, c := range chunks {
			if strings.HasPrefix(string(c.ID), "doc-") || c.ID == "" {
				t.Errorf("chunk id %q", c.ID)
			}
			one, of, err := w.Texts.Chunk(w.ctx, w.scope("rita", access.Published), c.ID)
			w.ok(err)
			if diff := cmp.Diff(c, one) + cmp.Diff(want, of); diff != "" {
				t.Error(diff)
			}
			v.Chunks[i].ID, v.Chunks[i].Document = c.ID, res.Document
		}
		if diff := cmp.Diff(v.Chunks, chunks); diff != "" {
			t.Fatal(diff)
		}
		j, err := w.Jobs.Job(w.ctx, string(acme), "carol", res.Job)
		w.ok(err)
		is(w, "job", j.State, queue.Succeeded)
		if diff := cmp.Diff(v.Notices, j.Notices); diff != "" {
			t.Fatal(diff)
		}
	}},
	{"AFailedPublishLeavesNothing", func(t *testing.T, w *World) {
		first := w.add("carol", "k", "one", published)
		chunk := w.chunks(first.ID)[0]
		res := w.reserved("carol", "two\nthree", corpus.Upload{Key: "k", Publish: true})
		job := w.claim()
		for name, spoil := range map[string]func(*corpus.Version){
			"a chunk id that is taken":         func(v *corpus.Version) { v.Chunks[1].ID = chunk.ID },
			"chunk numbers with a gap":         func(v *corpus.Version) { v.Chunks[1].No = 3 },
			"a chunk id like a document's":     func(v *corpus.Version) { v.Chunks[1].ID = "doc-1" },
			"a document that is not the job's": func(v *corpus.Version) { v.Document = first.ID },
		} {
			epoch, entries := w.epoch(acme), len(w.entries(acme))
			v := parse(res.Document, "two\nthree")
			spoil(&v)
			if _, err := w.Publisher.Publish(w.ctx, v, job.ID, job.Token); err == nil {
				t.Errorf("%s was published", name)
			}
			is(w, "epoch", w.epoch(acme), epoch)
			is(w, "entries", len(w.entries(acme)), entries)
			w.status(first.ID, access.StatusPublished)
			w.hidden(w.scope("carol", access.Content), res.Document)
		}
		_, err := w.publish(res.Document, job.ID, job.Token)
		w.ok(err)
		w.status(first.ID, access.StatusArchived)
	}},
	{"PublishingArchivesTheFormerVersion", func(_ *testing.T, w *World) {
		a := w.add("carol", "k", "one", published)
		b := w.add("carol", "k", "two", published)
		w.status(a.ID, access.StatusArchived)
		w.status(b.ID, access.StatusPublished)
		old, err := w.Catalog.Document(w.ctx, unscopedScope(acme), a.ID)
		w.ok(err)
		is(w, "lock version of the archived one", old.LockVersion, a.LockVersion+1)
		is(w, "its update time", old.UpdatedAt, a.UpdatedAt)
		is(w, "its publication time", old.PublishedAt, a.PublishedAt)
	}},
	{"ThePolicyOfThePublishedVersionHoldsForTheArchivedOnes", func(t *testing.T, w *World) {
		deny := access.Policy{Deny: []access.Principal{access.Group("readers")}}
		policyOf := func(id corpus.DocumentID) access.Policy {
			d, err := w.Catalog.Document(w.ctx, unscopedScope(acme), id)
			w.ok(err)
			return d.Policy
		}
		edit := func(id corpus.DocumentID, p access.Policy) error {
			return errOf(w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), id, corpus.Change{Policy: &p}))
		}
		first := w.add("carol", "k", "one", published)
		second := w.add("carol", "k", "two", published)
		other := w.add("carol", "l", "other", published)
		w.add("carol", "l", "another", published)
		cited := w.scope("rita", access.Cited)
		w.ok(errOf(w.Catalog.Document(w.ctx, cited, first.ID)))
		draft := w.add("carol", "k", "three", corpus.Upload{Policy: deny})
		is(w, "a draft rules nothing", policyOf(first.ID).Equal(access.Policy{}), true)
		is(w, "published", w.reserved("carol", "three", corpus.Upload{Key: "k", Publish: true}).Published, true)
		for _, id := range []corpus.DocumentID{first.ID, second.ID, draft.ID} {
			is(w, "policy of "+string(id), policyOf(id).Equal(deny), true)
			w.hidden(w.scope("rita", access.Cited), id)
		}
		is(w, "another key is left alone", policyOf(other.ID).Equal(access.Policy{}), true)
		w.want(edit(first.ID, access.Policy{}), "policy_of_published")
		w.ok(edit(draft.ID, access.Policy{}))
		old, err := w.Catalog.Document(w.ctx, w.scope("rita", access.Cited), first.ID)
		w.ok(err)
		is(w, "lock version of the archived one", old.LockVersion, first.LockVersion+1)
		w.ok(edit(draft.ID, deny))
		w.hidden(w.scope("rita", access.Cited), second.ID)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), draft.ID))
		w.hidden(w.scope("rita", access.Cited), second.ID)
		w.ok(edit(second.ID, access.Policy{}))
		if _, err := w.Catalog.Document(w.ctx, w.scope("rita", access.Cited), second.ID); err != nil {
			t.Fatalf("without a published version, the archived one has a policy of its own: %v", err)
		}
	}},
	{"ADraftWithoutAPolicyOfItsOwnFollowsThePublishedOne", func(_ *testing.T, w *World) {
		deny := access.Policy{Deny: []access.Principal{access.Group("readers")}}
		mine := access.Policy{Restricted: true, Allow: []access.Principal{access.User("carol"), access.User("ed")}}
		first := w.add("carol", "k", "one", published)
		silent := w.add("ed", "k", "two", corpus.Upload{})
		own := w.add("carol", "k", "three", corpus.Upload{Policy: mine})
		heir := w.add("ed", "k", "four", corpus.Upload{})
		w.ok(errOf(w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), first.ID, corpus.Change{Policy: &deny})))
		for id, want := range map[corpus.DocumentID]access.Policy{silent.ID: deny, own.ID: mine, heir.ID: mine} {
			d, err := w.Catalog.Document(w.ctx, unscopedScope(acme), id)
			w.ok(err)
			is(w, "policy of "+string(id), d.Policy.Equal(want), true)
			is(w, "its lock version", d.LockVersion, 1)
		}
		// A draft that an edit gave a policy keeps it, and brings it with it.
		open := access.Policy{}
		w.ok(errOf(w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), heir.ID, corpus.Change{Policy: &open})))
		w.ok(errOf(w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), first.ID, corpus.Change{Policy: &mine})))
		w.hidden(w.scope("rita", access.Cited), first.ID)
		is(w, "published", w.reserved("carol", "four", corpus.Upload{Key: "k", Publish: true}).Published, true)
		w.ok(errOf(w.Catalog.Document(w.ctx, w.scope("rita", access.Cited), first.ID)))
	}},
	{"ADraftLeavesThePublishedVersionAlone", func(_ *testing.T, w *World) {
		a := w.add("carol", "k", "one", published)
		b := w.add("carol", "k", "two", corpus.Upload{})
		w.status(a.ID, access.StatusPublished)
		w.status(b.ID, access.StatusDraft)
		is(w, "publication time", b.PublishedAt.IsZero(), true)
	}},
	{"AFailedJobFreesItsNumber", func(_ *testing.T, w *World) {
		a := w.reserved("carol", "one", corpus.Upload{Key: "k"})
		b := w.reserved("carol", "two", corpus.Upload{Key: "k"})
		c := w.reserved("carol", "three", corpus.Upload{Key: "k"})
		is(w, "number of the third", c.Version, 3)
		job := w.claim()
		w.changes(func() error {
			return w.Publisher.Release(w.ctx, a.Document, job.ID, job.Token, problem.New(problem.Invalid, "encrypted", "f.pdf is encrypted."))
		})
		j, err := w.Jobs.Job(w.ctx, string(acme), "carol", a.Job)
		w.ok(err)
		is(w, "state", j.State, queue.Failed)
		is(w, "cause", j.Code+" "+j.Detail, "encrypted f.pdf is encrypted.")
		_, err = w.Blobs.Open(w.ctx, sumOf("one"))
		w.want(err, "not_found")
		w.work()
		for i, id := range []corpus.DocumentID{b.Document, c.Document} {
			d, err := w.Catalog.Document(w.ctx, unscopedScope(acme), id)
			w.ok(err)
			is(w, "version", d.Version, i+1)
		}
	}},
	{"VersionsOfOneKeyComeInTheOrderOfTheirUploads", func(_ *testing.T, w *World) {
		a := w.reserved("carol", "one", corpus.Upload{Key: "k", Publish: true})
		b := w.reserved("carol", "two", corpus.Upload{Key: "k", Publish: true})
		other := w.reserved("carol", "three", corpus.Upload{Key: "l", Publish: true})
		first, second := w.claim(), w.claim()
		is(w, "first job", first.Subject, string(a.Document))
		is(w, "second job skips the key that is worked on", second.Subject, string(other.Document))
		_, ok, err := w.Queue.Claim(w.ctx, lease)
		w.ok(err)
		is(w, "a third is due", ok, false)
		_, err = w.publish(a.Document, first.ID, first.Token)
		w.ok(err)
		w.work()
		w.status(a.Document, access.StatusArchived)
		w.status(b.Document, access.StatusPublished)
	}},
	{"AStaleTokenIsFencedOff", func(_ *testing.T, w *World) {
		res := w.reserved("carol", "one", corpus.Upload{Key: "k", Publish: true})
		old := w.claim()
		w.clock.Advance(2 * lease)
		now := w.claim()
		is(w, "same job", now.ID, old.ID)
		_, err := w.publish(res.Document, old.ID, old.Token)
		w.want(err, "lease_lost")
		w.want(w.Publisher.Release(w.ctx, res.Document, old.ID, old.Token, nil), "lease_lost")
		_, err = w.publish(res.Document, now.ID, now.Token)
		w.ok(err)
		_, err = w.Publisher.Publish(w.ctx, parse(res.Document, "one"), now.ID, now.Token)
		w.want(err, "lease_lost")
	}},
	{"ACancelledJobPublishesNothing", func(_ *testing.T, w *World) {
		res := w.reserved("carol", "one", corpus.Upload{Key: "k", Publish: true})
		job := w.claim()
		_, err := w.Jobs.Cancel(w.ctx, string(acme), "carol", res.Job)
		w.ok(err)
		w.changes(func() error {
			_, err := w.publish(res.Document, job.ID, job.Token)
			w.want(err, "cancelled")
			return nil
		})
		j, err := w.Jobs.Job(w.ctx, string(acme), "carol", res.Job)
		w.ok(err)
		is(w, "state", j.State, queue.Cancelled)
		_, _, err = w.Publisher.Reserved(w.ctx, res.Job)
		w.want(err, "not_found")
		_, err = w.Blobs.Open(w.ctx, sumOf("one"))
		w.want(err, "not_found")
		is(w, "number", w.reserved("carol", "two", corpus.Upload{Key: "k"}).Version, 1)
	}},
	{"AnOwnerWhoIsNoManagerAnyMoreMakesADraft", func(_ *testing.T, w *World) {
		for user, rest := range map[access.UserID]access.Level{"mia": access.Editor, "carol": access.Manager} {
			res := w.reserved(user, "by "+string(user), corpus.Upload{Key: corpus.Key(user), Publish: true})
			w.ok(w.Bases.SetGrants(w.ctx, w.scope("carol", access.Catalog), "kb", []access.Grant{
				{Principal: access.User("carol"), Level: access.Manager}, {Principal: access.User("mia"), Level: rest},
			}))
			w.work()
			want := access.StatusPublished
			if rest < access.Manager {
				want = access.StatusDraft
			}
			w.status(res.Document, want)
		}
	}},
	{"AnOwnerWhoMayNotTouchTheFormerVersionAnyMoreMakesADraft", func(_ *testing.T, w *World) {
		first := w.add("carol", "k", "one", published)
		res := w.reserved("mia", "two", corpus.Upload{Key: "k", Publish: true})
		deny := access.Policy{Deny: []access.Principal{access.User("mia")}}
		w.ok(errOf(w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), first.ID, corpus.Change{Policy: &deny})))
		w.work()
		w.status(res.Document, access.StatusDraft)
		w.status(first.ID, access.StatusPublished)
	}},
	{"ASuspendedOwnerMakesADraft", func(_ *testing.T, w *World) {
		res := w.reserved("mia", "text", corpus.Upload{Key: "k", Publish: true})
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "mia", Suspended: true}))
		w.work()
		w.status(res.Document, access.StatusDraft)
	}},
	{"ABaseThatChangedToProposalsHoldsALaterVersion", func(_ *testing.T, w *World) {
		w.add("carol", "k", "one", published)
		res := w.reserved("carol", "two", corpus.Upload{Key: "k", Publish: true})
		is(w, "held", res.Held, false)
		_, err := w.Bases.Update(w.ctx, w.scope("carol", access.Catalog), access.KnowledgeBase{ID: "kb", Publishing: access.ByProposal})
		w.ok(err)
		w.work()
		w.status(res.Document, access.StatusDraft)
	}},
	{"TheTitleIsTheUploadsThenTheDocumentsThenTheFileName", func(_ *testing.T, w *World) {
		is(w, "of the upload", w.add("carol", "a", "one", corpus.Upload{Title: "Own"}).Title, "Own")
		is(w, "of the document", w.add("carol", "b", "two", corpus.Upload{}).Title, "Title of two")
		res := w.reserved("carol", "three", corpus.Upload{Key: "c", FileName: "f.txt"})
		job := w.claim()
		v := parse(res.Document, "three")
		v.Title = ""
		d, err := w.Publisher.Publish(w.ctx, v, job.ID, job.Token)
		w.ok(err)
		is(w, "of the file", d.Title, "f.txt")
	}},
	{"AReadableFileWithoutTextHasNoChunks", func(_ *testing.T, w *World) {
		res := w.reserved("carol", "scan", corpus.Upload{Key: "k", Publish: true})
		job := w.claim()
		d, err := w.Publisher.Publish(w.ctx, corpus.Version{Document: res.Document, Notices: []string{"no_text_layer"}}, job.ID, job.Token)
		w.ok(err)
		is(w, "chunks", d.ChunkCount, 0)
		is(w, "chunks stored", len(w.chunks(res.Document)), 0)
		is(w, "text", w.text("rita", res.Document), "")
	}},
	{"TheLedgerHoldsNoTitleAndNoText", func(t *testing.T, w *World) {
		d := w.add("carol", "KEYWORD", "CANARY", corpus.Upload{Title: "HEADLINE", SourceURI: "ORIGIN", FileName: "FILENAME", Publish: true})
		title := "SECOND"
		_, err := w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), d.ID, corpus.Change{Title: &title, Labels: &[]string{"LABEL"}})
		w.ok(err)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), d.ID))
		for _, e := range w.entries(acme) {
			raw, err := json.Marshal(e)
			w.ok(err)
			for _, word := range []string{"KEYWORD", "CANARY", "HEADLINE", "ORIGIN", "FILENAME", "SECOND", "LABEL"} {
				if strings.Contains(string(raw), word) {
					t.Errorf("entry %s holds %s", raw, word)
				}
			}
		}
	}},
}

// chunks reads all chunks of a version of acme.
func (w *World) chunks(id corpus.DocumentID) []corpus.Chunk {
	w.t.Helper()
	list, err := w.Texts.Chunks(w.ctx, unscopedScope(acme), id, 0, 1000)
	w.ok(err)
	return list
}
