package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// vectorClaim claims a job of vectors, which must be due.
func (w *World) vectorClaim() queue.Job {
	w.t.Helper()
	job, ok, err := w.VectorQueue.Claim(w.ctx, lease)
	w.ok(err)
	is(w, "a job is due", ok, true)
	return job
}

func (w *World) noVectorJob() {
	w.t.Helper()
	job, ok, err := w.VectorQueue.Claim(w.ctx, lease)
	w.ok(err)
	if ok {
		w.t.Fatalf("claimed %+v", job)
	}
}

// embed works on every job that is due: the segment of a version is its model's name and its text.
func (w *World) embed(model string) {
	w.t.Helper()
	for {
		job, ok, err := w.VectorQueue.Claim(w.ctx, lease)
		w.ok(err)
		if !ok {
			return
		}
		w.ok(w.embedOne(model, job))
	}
}

func (w *World) embedOne(model string, job queue.Job) error {
	w.t.Helper()
	source, err := w.Embeddings.Source(w.ctx, job.ID, job.Token)
	if err != nil {
		return err
	}
	segment := "vectors by " + model
	for _, c := range source.Chunks {
		segment += "/" + c.Text
	}
	return w.Embeddings.Keep(w.ctx, job.ID, job.Token, embedding.Made{Segment: []byte(segment)})
}

// near reads the segments in force in acme by the ids of their versions.
func (w *World) near() (retrieval.Mark, map[corpus.DocumentID]string) {
	w.t.Helper()
	img, err := w.Vectors.Vectors(w.ctx, acme, retrieval.Mark{})
	w.ok(err)
	out := map[corpus.DocumentID]string{}
	for _, d := range img.Documents {
		out[d.Document] = string(d.Segment)
	}
	return img.Mark, out
}

func (w *World) waiting(want ...corpus.DocumentID) {
	w.t.Helper()
	got, err := w.Vectors.Waiting(w.ctx, acme)
	w.ok(err)
	if d := cmp.Diff(append([]corpus.DocumentID{}, want...), append([]corpus.DocumentID{}, got...)); d != "" {
		w.t.Fatalf("versions that wait: %s", d)
	}
	w.counted(want, func(scope access.Scope) (int, error) { return w.Vectors.Pending(w.ctx, scope) })
}

// counted holds what is counted of versions that wait against what the scopes of several people admit of them, with bounds
// and without.
func (w *World) counted(waiting []corpus.DocumentID, count func(access.Scope) (int, error)) {
	w.t.Helper()
	for _, user := range []access.UserID{"rita", "carol", "mia"} {
		for _, req := range []access.Request{{View: access.Published}, {View: access.Catalog}, {View: access.Catalog, DocKey: "k"}, {View: access.Published, Bases: []access.KnowledgeBaseID{}}, {View: access.Catalog, UpdatedTo: w.clock.Now()}, {View: access.Catalog, UpdatedFrom: w.clock.Now()}} {
			scope := w.request(user, req)
			want := 0
			for _, id := range waiting {
				d, err := w.Catalog.Document(w.ctx, w.scope("mia", access.Catalog), id)
				if err == nil && scope.Admits(d.Resource()) {
					want++
				}
			}
			n, err := count(scope)
			w.ok(err)
			is(w, fmt.Sprintf("pending for %s, %+v", user, req), n, want)
		}
	}
}

func (w *World) wanted(model string) {
	w.t.Helper()
	w.ok(w.Embeddings.Want(w.ctx, embedding.Wanted{Model: model}))
}

var vectorTests = []test{
	{"AVersionBringsItsJob", func(t *testing.T, w *World) {
		w.wanted("m")
		a := w.add("carol", "a", "one\ntwo", published)
		w.waiting(a.ID)
		job := w.vectorClaim()
		want := queue.Job{ID: job.ID, Tenant: "acme", Subject: string(a.ID), State: queue.Running, Stage: "embed", Attempt: 1, Token: 1, UpdatedAt: job.UpdatedAt}
		if d := cmp.Diff(want, job); d != "" {
			t.Fatal(d)
		}
		source, err := w.Embeddings.Source(w.ctx, job.ID, job.Token)
		w.ok(err)
		is(w, "title", source.Title, a.Title)
		is(w, "chunks", len(source.Chunks), 2)
		c := source.Chunks[1]
		is(w, "the second chunk", c.Text+c.Context+c.HeadingPath[0], "tworow: 总则")
		is(w, "its number", c.No, 2)
		w.noVectorJob()
		w.ok(w.Embeddings.Keep(w.ctx, job.ID, job.Token, embedding.Made{Segment: []byte("segment")}))
		w.waiting()
		w.clock.Advance(2 * lease)
		w.noVectorJob()
	}},
	{"VersionsOfWhichAPassageWasRefusedAreNamedWhileTheModelIsWanted", func(t *testing.T, w *World) {
		refused := func(want ...corpus.DocumentID) {
			w.t.Helper()
			got, err := w.Vectors.Refused(w.ctx, acme)
			w.ok(err)
			if d := cmp.Diff(append([]corpus.DocumentID{}, want...), append([]corpus.DocumentID{}, got...)); d != "" {
				t.Fatalf("refused: %s", d)
			}
		}
		w.wanted("m")
		a, b := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published)
		for i := range 2 {
			job := w.vectorClaim()
			w.ok(w.Embeddings.Keep(w.ctx, job.ID, job.Token, embedding.Made{Segment: []byte("vectors by m"), Refused: i}))
		}
		refused(b.ID)
		mark, got := w.near()
		is(w, "in force", mark.Model, "m")
		is(w, "vectors", len(got), 2)
		w.wanted("next")
		refused()
		w.wanted("m")
		refused(b.ID)
		w.ok(w.erase("carol", b.ID))
		refused()
		w.waiting()
		is(w, "another version", got[a.ID], "vectors by m")
	}},
	{"WithoutAModelThereIsNoJob", func(_ *testing.T, w *World) {
		w.add("carol", "a", "one", published)
		w.noVectorJob()
		w.wanted("m")
		w.wanted("")
		w.add("carol", "b", "two", published)
		w.noVectorJob()
		w.waiting()
	}},
	{"AVersionWithoutChunksHasNoJob", func(_ *testing.T, w *World) {
		w.wanted("m")
		res := w.reserved("carol", "scan", corpus.Upload{Key: "k", Publish: true})
		job := w.claim()
		_, err := w.Publisher.Publish(w.ctx, corpus.Version{Document: res.Document}, job.ID, job.Token)
		w.ok(err)
		w.noVectorJob()
	}},
	{"WantingAModelMakesAJobOfEveryVersionThatAnyScopeCouldAdmit", func(_ *testing.T, w *World) {
		old := w.add("carol", "k", "one", published)
		now := w.add("carol", "k", "two", published)
		draft := w.add("carol", "d", "three", corpus.Upload{})
		gone := w.add("carol", "gone", "four", published)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), gone.ID))
		w.reserved("carol", "five", corpus.Upload{Key: "r"})
		w.wanted("m")
		w.waiting(old.ID, now.ID, draft.ID)
	}},
	{"WantingTheSameModelAgainDisturbsNobody", func(_ *testing.T, w *World) {
		w.wanted("m")
		w.add("carol", "a", "one", published)
		job := w.vectorClaim()
		w.wanted("m")
		w.ok(w.embedOne("m", job))
		w.wanted("m")
		w.noVectorJob()
	}},
	{"KeptVectorsAreThereAndChangeNoRight", func(t *testing.T, w *World) {
		w.wanted("m")
		a, b := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published)
		w.add("erin", "x", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		before, err := w.Vectors.Mark(w.ctx, acme)
		w.ok(err)
		w.changes(func() error { w.embed("m"); return nil })
		mark, got := w.near()
		if d := cmp.Diff(map[corpus.DocumentID]string{a.ID: "vectors by m/one", b.ID: "vectors by m/two"}, got); d != "" {
			t.Fatal(d)
		}
		is(w, "model", mark.Model, "m")
		is(w, "the mark grew", mark.Number > before.Number, true)
		now, err := w.Vectors.Mark(w.ctx, acme)
		w.ok(err)
		is(w, "the mark of the image", mark, now)
	}},
	{"OnlyWhatChangedSinceAMarkIsRead", func(t *testing.T, w *World) {
		changed := func(since retrieval.Mark, want ...string) retrieval.Mark {
			w.t.Helper()
			img, err := w.Vectors.Vectors(w.ctx, acme, since)
			w.ok(err)
			got := []string{}
			for _, d := range img.Documents {
				got = append(got, d.Key+": "+string(d.Segment))
			}
			for range img.Gone {
				got = append(got, "gone")
			}
			if d := cmp.Diff(append([]string{}, want...), got); d != "" {
				t.Fatalf("since %+v: %s", since, d)
			}
			return img.Mark
		}
		w.wanted("m")
		a := w.add("carol", "a", "one", published)
		b := w.add("carol", "b", "two", published)
		w.embed("m")
		both := changed(retrieval.Mark{}, "a: vectors by m/one", "b: vectors by m/two")
		changed(both)
		w.add("carol", "c", "three", published)
		changed(both)
		w.embed("m")
		three := changed(both, "c: vectors by m/three")
		w.ok(w.erase("carol", a.ID))
		changed(both, "c: vectors by m/three", "gone")
		changed(three, "gone")
		other := retrieval.Mark{Model: "other", Number: three.Number}
		last := changed(other, "b: vectors by m/two", "c: vectors by m/three")
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), b.ID))
		changed(last, "gone")
		changed(other, "c: vectors by m/three")
	}},
	{"AStaleWorkerLosesTheJob", func(_ *testing.T, w *World) {
		w.wanted("m")
		w.add("carol", "a", "one", published)
		stale := w.vectorClaim()
		w.clock.Advance(2 * lease)
		w.ok(w.VectorQueue.Report(w.ctx, stale.ID, stale.Token, queue.Progress{}, time.Second)) // late, but nobody else came
		w.clock.Advance(2 * time.Second)
		job := w.vectorClaim()
		is(w, "token", job.Token > stale.Token, true)
		is(w, "attempt", job.Attempt, 2)
		w.want(w.embedOne("m", stale), "lease_lost")
		w.want(w.Embeddings.Keep(w.ctx, stale.ID, stale.Token, embedding.Made{}), "lease_lost")
		w.want(w.VectorQueue.Report(w.ctx, stale.ID, stale.Token, queue.Progress{}, lease), "lease_lost")
		w.want(w.VectorQueue.Retry(w.ctx, stale.ID, stale.Token, 0, nil), "lease_lost")
		w.ok(w.embedOne("m", job))
		w.want(w.embedOne("m", job), "lease_lost")
	}},
	{"AJobThatIsPutBackIsDueAfterItsDelay", func(_ *testing.T, w *World) {
		w.wanted("m")
		w.add("carol", "a", "one", published)
		job := w.vectorClaim()
		w.ok(w.VectorQueue.Retry(w.ctx, job.ID, job.Token, time.Minute, problem.New(problem.Unavailable, "embedding_failed", "It is away.")))
		w.want(w.embedOne("m", job), "lease_lost")
		w.noVectorJob()
		w.clock.Advance(time.Minute)
		is(w, "attempt", w.vectorClaim().Attempt, 2)
	}},
	{"RecoveredJobsAreDueAtOnce", func(_ *testing.T, w *World) {
		w.wanted("m")
		w.add("carol", "a", "one", published)
		stale := w.vectorClaim()
		n, err := w.VectorQueue.Recover(w.ctx)
		w.ok(err)
		is(w, "recovered", n, 1)
		is(w, "token", w.vectorClaim().Token, stale.Token+1)
	}},
	{"TenantsTakeTurnsForTheirVectors", func(_ *testing.T, w *World) {
		w.wanted("m")
		for _, key := range []corpus.Key{"a", "b", "c"} {
			w.add("carol", key, string(key), published)
		}
		w.add("erin", "x", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		turns := ""
		for range 4 {
			turns += w.vectorClaim().Tenant + " "
		}
		is(w, "turns", turns == "acme globex acme acme " || turns == "globex acme acme acme ", true)
	}},
	{"AVersionThatIsGoneEndsItsJobAndKeepsNothing", func(_ *testing.T, w *World) {
		w.wanted("m")
		a, b := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published)
		first, second := w.vectorClaim(), w.vectorClaim()
		for _, d := range []corpus.Document{a, b} {
			w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), d.ID))
		}
		w.want(w.embedOne("m", first), "not_found")
		w.want(w.Embeddings.Keep(w.ctx, second.ID, second.Token, embedding.Made{Segment: []byte("late")}), "not_found")
		w.clock.Advance(2 * lease)
		w.noVectorJob()
		_, got := w.near()
		is(w, "segments", len(got), 0)
	}},
	{"AnArchivedVersionKeepsItsVectorsAndADeletedOneShowsNone", func(_ *testing.T, w *World) {
		w.wanted("m")
		a, b := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published)
		w.embed("m")
		_, err := w.Catalog.Archive(w.ctx, w.scope("carol", access.Catalog), a.ID)
		w.ok(err)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), b.ID))
		_, got := w.near()
		is(w, "segments", len(got), 1)
		is(w, "the archived one", got[a.ID], "vectors by m/one")
	}},
	{"ErasedVectorsAreNowhere", func(t *testing.T, w *World) {
		w.wanted("m")
		d := w.add("carol", "a", "canaryvector", published)
		w.add("carol", "b", "two", published)
		w.embed("m")
		before, err := w.Vectors.Mark(w.ctx, acme)
		w.ok(err)
		w.found(t, []string{"vectors by m/canaryvector"}, true)
		w.ok(w.erase("carol", d.ID))
		w.found(t, []string{"vectors by m/canaryvector"}, false)
		mark, got := w.near()
		is(w, "segments", len(got), 1)
		is(w, "the mark grew", mark.Number > before.Number, true)
	}},
	{"AVersionErasedWhileItIsEmbeddedComesBackInNoWay", func(t *testing.T, w *World) {
		w.wanted("m")
		d := w.add("carol", "a", "canaryvector", published)
		job := w.vectorClaim()
		w.ok(w.erase("carol", d.ID))
		w.want(w.Embeddings.Keep(w.ctx, job.ID, job.Token, embedding.Made{Segment: []byte("late canaryvector")}), "lease_lost")
		w.found(t, []string{"late canaryvector"}, false)
		w.waiting()
	}},
	{"AnUnknownTenantHasNoVectors", func(_ *testing.T, w *World) {
		_, err := w.Vectors.Mark(w.ctx, "nobody")
		w.want(err, "not_found")
		_, err = w.Vectors.Vectors(w.ctx, "nobody", retrieval.Mark{})
		w.want(err, "not_found")
	}},
	{"WaitingEndsWhenAJobMayBeDueOrTheContextEnds", func(_ *testing.T, w *World) {
		w.wanted("m")
		ctx, cancel := context.WithCancel(w.ctx)
		cancel()
		is(w, "the end of the context", w.VectorQueue.Wait(ctx), context.Canceled)
		w.add("carol", "a", "one", published)
		w.ok(w.VectorQueue.Wait(w.ctx))
	}},
}
