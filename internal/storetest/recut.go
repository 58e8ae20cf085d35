package storetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// recutClaim claims a job of cutting anew, which must be due.
func (w *World) recutClaim() queue.Job {
	w.t.Helper()
	job, ok, err := w.RecutQueue.Claim(w.ctx, lease)
	w.ok(err)
	is(w, "a job is due", ok, true)
	return job
}

// whole cuts a version into one chunk that holds all of its text.
func whole(source recut.Source, chunker int) recut.Made {
	b := source.Parsed.Blocks
	var segments []corpus.Segment
	for _, x := range b {
		segments = append(segments, x.Segments...)
	}
	text := source.Parsed.Text
	return recut.Made{Chunker: chunker, Title: source.Title, Segment: []byte("whole " + text), Chunks: []corpus.Chunk{{
		ID: corpus.NewChunkID(), No: 1, Text: text, Span: corpus.Span{End: len([]rune(text))}, HeadingPath: b[0].HeadingPath,
		Segments: segments, Locator: corpus.Under(corpus.Cover(segments), b[0].HeadingPath),
	}}}
}

// recutOne works on a job that was claimed.
func (w *World) recutOne(job queue.Job, chunker int) error {
	w.t.Helper()
	source, err := w.Recuts.Source(w.ctx, job.ID, job.Token)
	if err != nil {
		return err
	}
	_, err = w.Recuts.Keep(w.ctx, job.ID, job.Token, whole(source, chunker))
	return err
}

// recutAll cuts all versions anew that a former chunker cut.
func (w *World) recutAll(chunker int) (subjects []string) {
	w.t.Helper()
	w.ok(w.Recuts.Want(w.ctx, chunker))
	for {
		job, ok, err := w.RecutQueue.Claim(w.ctx, lease)
		w.ok(err)
		if !ok {
			return subjects
		}
		w.ok(w.recutOne(job, chunker))
		subjects = append(subjects, job.Subject)
	}
}

// recutWaits holds the versions of acme that wait for a chunker against a list.
func (w *World) recutWaits(chunker int, want ...recut.Waiting) {
	w.t.Helper()
	got, err := w.Recuts.Waiting(w.ctx, acme, chunker)
	w.ok(err)
	if d := cmp.Diff(append([]recut.Waiting{}, want...), append([]recut.Waiting{}, got...)); d != "" {
		w.t.Fatalf("versions that wait: %s", d)
	}
	ids := make([]corpus.DocumentID, len(want))
	for i, x := range want {
		ids[i] = x.Document
	}
	w.counted(ids, func(scope access.Scope) (int, error) { return w.Recuts.Pending(w.ctx, scope, chunker) })
}

var recutTests = []test{
	{"EveryVersionOfAFormerChunkerWaitsThatAnyScopeCouldAdmit", func(_ *testing.T, w *World) {
		archived := w.add("carol", "k", "one", published)
		now := w.add("carol", "k", "two", published)
		draft := w.add("carol", "k", "three", corpus.Upload{})
		gone, erased := w.add("carol", "gone", "gone", published), w.add("carol", "erased", "erased", published)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), gone.ID))
		w.ok(w.Catalog.Erase(w.ctx, w.scope("carol", access.Catalog), erased.ID))
		w.reserved("carol", "four", corpus.Upload{Key: "k"})
		w.ok(w.Recuts.Want(w.ctx, 0))
		w.recutWaits(0)
		w.ok(w.Recuts.Want(w.ctx, 1))
		w.ok(w.Recuts.Want(w.ctx, 1))
		w.recutWaits(1, recut.Waiting{Document: archived.ID}, recut.Waiting{Document: now.ID}, recut.Waiting{Document: draft.ID})
		w.ok(w.Recuts.Want(w.ctx, 0))
		_, ok, err := w.RecutQueue.Claim(w.ctx, lease)
		w.ok(err)
		is(w, "a job that nobody wants any more", ok, false)
		want := []string{string(archived.ID), string(now.ID), string(draft.ID)}
		if d := cmp.Diff(want, w.recutAll(2)); d != "" {
			w.t.Fatal(d)
		}
		is(w, "of those with the number", len(w.recutAll(2)), 0)
		is(w, "of a later number", len(w.recutAll(3)), 3)
	}},
	{"AVersionWithTheNumberOfTheChunkerNeverWaits", func(_ *testing.T, w *World) {
		res := w.reserved("carol", "text", corpus.Upload{Key: "k", Publish: true})
		job := w.claim()
		v := parse(res.Document, "text")
		v.Chunker = 7
		_, err := w.Publisher.Publish(w.ctx, v, job.ID, job.Token)
		w.ok(err)
		is(w, "jobs", len(w.recutAll(7)), 0)
		is(w, "jobs of the next chunker", len(w.recutAll(8)), 1)
	}},
	{"NewChunksTakeThePlaceOfTheOldOnesInOneStep", func(t *testing.T, w *World) {
		d, other := w.add("carol", "k", "one\ntwo\nthree", published), w.add("carol", "other", "stays", published)
		foreign := w.add("erin", "foreign", "foreign\n2", corpus.Upload{KnowledgeBase: "other", Publish: true})
		w.ok(w.Embeddings.Want(w.ctx, embedding.Wanted{Model: "m"}))
		w.embed("m")
		kept := w.keep(acme, "merged", d.ID, other.ID)
		before, scope, was := w.state(acme), w.scope("rita", access.Published), w.chunks(d.ID)
		entries := len(w.entries(acme))
		w.ok(w.Recuts.Want(w.ctx, 1))
		var job queue.Job
		for job = w.recutClaim(); job.Subject != string(d.ID); job = w.recutClaim() {
			continue
		}
		source, err := w.Recuts.Source(w.ctx, job.ID, job.Token)
		w.ok(err)
		text, err := w.Texts.Text(w.ctx, scope, d.ID)
		w.ok(err)
		if diff := cmp.Diff(recut.Source{Tenant: acme, Title: d.Title, Parsed: corpus.Parsed{Text: text.Text, Blocks: text.Blocks}}, source); diff != "" {
			t.Fatal(diff)
		}
		made := whole(source, 1)
		replaced, err := w.Recuts.Keep(w.ctx, job.ID, job.Token, made)
		w.ok(err)
		is(w, "replaced", replaced, true)
		now := w.chunks(d.ID)
		is(w, "chunks", len(now), 1)
		is(w, "id", now[0].ID, made.Chunks[0].ID)
		is(w, "text", now[0].Text, "one\ntwo\nthree")
		for _, c := range was {
			_, _, err := w.Texts.Chunk(w.ctx, scope, c.ID)
			w.want(err, "not_found")
		}
		got, err := w.Catalog.Document(w.ctx, scope, d.ID) // under a scope from before
		w.ok(err)
		d.ChunkCount = 1
		if diff := cmp.Diff(d, got); diff != "" {
			t.Error(diff)
		}
		is(w, "state", w.state(acme), retrieval.State{Epoch: before.Epoch, Cuts: before.Cuts + 1})
		is(w, "state of another tenant", w.state(globex).Cuts, 0)
		img, err := w.Segments.Image(w.ctx, acme, before, func(_ corpus.DocumentID, cut int64) bool { return cut <= before.Cuts })
		w.ok(err)
		want := []retrieval.Indexed{{Document: d.ID, Resource: d.Resource(), Chunks: 1, Cut: before.Cuts + 1, Segment: made.Segment}}
		if diff := cmp.Diff(want, img.Documents); diff != "" {
			t.Error("what a follower is told:", diff)
		}
		w.merged(acme)
		_, err = w.Merged.Keep(w.ctx, acme, before.Cuts, retrieval.Joined{Versions: []corpus.DocumentID{d.ID}, Bytes: kept.Bytes})
		w.want(err, "merged_stale")
		w.keep(acme, "merged again", d.ID, other.ID)
		added := w.entries(acme)[entries:]
		if len(added) != 1 || added[0].Kind != ledger.DocumentRecut || added[0].Actor != "" || !strings.Contains(string(added[0].Body), string(d.ID)) {
			t.Errorf("the ledger tells %+v", added)
		}
		_, near := w.near()
		if near[d.ID] != "" || near[other.ID] == "" {
			t.Errorf("vectors in force: %v", near)
		}
		w.waiting(d.ID)
		w.embed("m")
		if _, near := w.near(); near[d.ID] != "vectors by m/one\ntwo\nthree" {
			t.Errorf("vectors in force: %v", near)
		}
		is(w, "chunks of another tenant", len(w.foreignChunks(foreign.ID)), 2)
	}},
	{"WhatWasCutAnewIsToldOnce", func(_ *testing.T, w *World) {
		w.add("carol", "a", "one\n2", published)
		w.add("carol", "b", "two\n2", published)
		w.ok(w.Recuts.Want(w.ctx, 1))
		since := w.state(acme)
		told := func(want ...string) {
			w.t.Helper()
			var got []string
			img, err := w.Segments.Image(w.ctx, acme, since, nil)
			w.ok(err)
			for _, d := range img.Documents {
				got = append(got, string(d.Document))
			}
			since = img.State
			if diff := cmp.Diff(want, got); diff != "" {
				w.t.Fatalf("what a follower is told: %s", diff)
			}
		}
		for range 2 {
			job := w.recutClaim()
			w.ok(w.recutOne(job, 1))
			told(job.Subject)
		}
		is(w, "of which only the number changes", len(w.recutAll(2)), 2)
		told()
	}},
	{"ASegmentThatIsBuiltAgainOfFormerChunksIsRefused", func(_ *testing.T, w *World) {
		w.add("carol", "k", "one\ntwo", published)
		list, err := w.Archive.Outdated(w.ctx, func([]byte) bool { return true })
		w.ok(err)
		is(w, "jobs", len(w.recutAll(1)), 1)
		_, _, err = w.Archive.Content(w.ctx, list[0])
		w.want(err, "not_found")
		segment := func() string {
			img, err := w.Segments.Image(w.ctx, acme, retrieval.State{}, nil)
			w.ok(err)
			return string(img.Documents[0].Segment)
		}
		w.ok(w.Archive.Renew(w.ctx, list[0], []byte("of former chunks")))
		is(w, "segment", segment(), "whole one\ntwo")
		list, err = w.Archive.Outdated(w.ctx, func([]byte) bool { return true })
		w.ok(err)
		_, chunks, err := w.Archive.Content(w.ctx, list[0])
		w.ok(err)
		is(w, "chunks", len(chunks), 1)
		w.ok(w.Archive.Renew(w.ctx, list[0], []byte("of present chunks")))
		is(w, "segment", segment(), "of present chunks")
	}},
	{"ChunksThatAreTheSameStayWithTheirIDs", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "one\ntwo", published)
		w.ok(w.Embeddings.Want(w.ctx, embedding.Wanted{Model: "m"}))
		w.embed("m")
		is(w, "jobs", len(w.recutAll(1)), 1)
		before, was, entries := w.state(acme), w.chunks(d.ID), len(w.entries(acme))
		is(w, "jobs", len(w.recutAll(2)), 1)
		is(w, "state", w.state(acme), before)
		if diff := cmp.Diff(was, w.chunks(d.ID)); diff != "" {
			t.Error(diff)
		}
		is(w, "entries", len(w.entries(acme)), entries)
		is(w, "jobs that are left", len(w.recutAll(2)), 0)
	}},
	{"OnlyTheWorkerThatHoldsAJobDecides", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "one\ntwo", published)
		w.ok(w.Recuts.Want(w.ctx, 1))
		late := w.recutClaim()
		source, err := w.Recuts.Source(w.ctx, late.ID, late.Token)
		w.ok(err)
		w.clock.Advance(2 * lease)
		job := w.recutClaim()
		is(w, "job", job.ID, late.ID)
		_, err = w.Recuts.Keep(w.ctx, late.ID, late.Token, whole(source, 1))
		w.want(err, "lease_lost")
		w.want(w.RecutQueue.Report(w.ctx, late.ID, late.Token, queue.Progress{}, lease), "lease_lost")
		w.ok(w.RecutQueue.Report(w.ctx, job.ID, job.Token, queue.Progress{}, lease))
		is(w, "chunks", len(w.chunks(d.ID)), 2)
		w.ok(w.RecutQueue.Retry(w.ctx, job.ID, job.Token, lease, problem.New(problem.Internal, "broken", "why")))
		w.recutWaits(1, recut.Waiting{Document: d.ID, Code: "broken"})
		_, ok, err := w.RecutQueue.Claim(w.ctx, lease)
		w.ok(err)
		is(w, "due before its time", ok, false)
		w.ok(w.Recuts.Want(w.ctx, 1))
		w.ok(w.recutOne(w.recutClaim(), 1))
		is(w, "chunks", len(w.chunks(d.ID)), 1)
		w.recutWaits(1)
	}},
	{"WhatGoesMeanwhileIsNotBroughtBack", func(t *testing.T, w *World) {
		for key, erase := range map[corpus.Key]bool{"deleted": false, "erased": true} {
			d := w.add("carol", key, "one\ncanary"+string(key), published)
			w.ok(w.Recuts.Want(w.ctx, 1))
			job := w.recutClaim()
			source, err := w.Recuts.Source(w.ctx, job.ID, job.Token)
			w.ok(err)
			w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), d.ID))
			code := "not_found"
			if erase {
				w.ok(w.erase("carol", d.ID))
				code = "lease_lost"
			}
			_, err = w.Recuts.Keep(w.ctx, job.ID, job.Token, whole(source, 1))
			w.want(err, code)
			w.recutWaits(1)
			_, ok, err := w.RecutQueue.Claim(w.ctx, lease)
			w.ok(err)
			is(w, "a job is left", ok, false)
			if erase && slices.Contains(w.Holds(t, "canaryerased"), "kaoju.db") {
				t.Error("the erased text is there again")
			}
		}
	}},
	{"ASegmentWithAFormerTitleIsRefused", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "one\ntwo", published)
		w.ok(w.Recuts.Want(w.ctx, 1))
		job := w.recutClaim()
		source, err := w.Recuts.Source(w.ctx, job.ID, job.Token)
		w.ok(err)
		title := "another"
		_, err = w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), d.ID, corpus.Change{Title: &title})
		w.ok(err)
		_, err = w.Recuts.Keep(w.ctx, job.ID, job.Token, whole(source, 1))
		w.want(err, "title_changed")
		is(w, "chunks", len(w.chunks(d.ID)), 2)
		w.ok(w.recutOne(job, 1))
		is(w, "chunks", len(w.chunks(d.ID)), 1)
	}},
	{"VectorsOfFormerChunksAreNotKept", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "one\ntwo", published)
		w.ok(w.Embeddings.Want(w.ctx, embedding.Wanted{Model: "m"}))
		late := w.vectorClaim()
		_, err := w.Embeddings.Source(w.ctx, late.ID, late.Token)
		w.ok(err)
		is(w, "jobs", len(w.recutAll(1)), 1)
		w.want(w.Embeddings.Keep(w.ctx, late.ID, late.Token, embedding.Made{Segment: []byte("of former chunks")}), "lease_lost")
		w.embed("m")
		if _, near := w.near(); near[d.ID] != "vectors by m/one\ntwo" {
			t.Errorf("vectors in force: %v", near)
		}
	}},
	{"AProposalOutlivesThatItsVersionIsCutAnew", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "one\ntwo", corpus.Upload{})
		before := d.LockVersion
		w.recutAll(1)
		got, err := w.Catalog.Document(w.ctx, w.scope("carol", access.Catalog), d.ID)
		w.ok(err)
		is(w, "lock version", got.LockVersion, before)
		is(w, "updated", got.UpdatedAt, d.UpdatedAt)
	}},
}

// foreignChunks reads the chunks of a version of globex.
func (w *World) foreignChunks(id corpus.DocumentID) []corpus.Chunk {
	w.t.Helper()
	list, err := w.Texts.Chunks(w.ctx, w.scope("erin", access.Published), id, 0, 10)
	w.ok(err)
	return list
}
