package storetest

import (
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/queue"
)

var vectorModelTests = []test{
	{"ANewModelComesIntoForceWhenAllOfATenantIsDone", func(t *testing.T, w *World) {
		w.wanted("former")
		a, b := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published)
		w.add("erin", "x", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		w.embed("former")
		w.wanted("next")
		w.waiting(a.ID, b.ID)
		was, got := w.near()
		is(w, "in force", was.Model, "former")
		is(w, "vectors", got[a.ID], "vectors by former/one")
		for done := 0; done < 2; {
			job := w.vectorClaim()
			w.ok(w.embedOne("next", job))
			if job.Tenant == "acme" {
				done++
			}
			now, got := w.near()
			switch done {
			case 2:
				is(w, "in force in the end", now.Model, "next")
				is(w, "vectors in the end", got[a.ID]+got[b.ID], "vectors by next/onevectors by next/two")
				is(w, "the mark grew", now.Number > was.Number, true)
			default:
				is(w, "still in force", now, was)
				is(w, "vectors on the way", got[a.ID]+got[b.ID], "vectors by former/onevectors by former/two")
			}
		}
		w.embed("next")
		w.ok(w.erase("carol", a.ID)) // the file is rebuilt, and with it goes what was overwritten
		w.found(t, []string{"vectors by former"}, false)
	}},
	{"AVersionStoredMeanwhileHasToBeDoneToo", func(_ *testing.T, w *World) {
		w.wanted("former")
		w.add("carol", "a", "one", published)
		w.embed("former")
		w.wanted("next")
		w.add("carol", "b", "two", published)
		w.ok(w.embedOne("next", w.vectorClaim()))
		mark, _ := w.near()
		is(w, "in force", mark.Model, "former")
		w.embed("next")
		mark, got := w.near()
		is(w, "in force in the end", mark.Model, "next")
		is(w, "vectors", len(got), 2)
	}},
	{"TheLastVersionMayGoInsteadOfBeingDone", func(_ *testing.T, w *World) {
		w.wanted("former")
		a := w.add("carol", "a", "one", published)
		w.embed("former")
		w.wanted("next")
		job := w.vectorClaim()
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), a.ID))
		w.want(w.embedOne("next", job), "not_found")
		mark, _ := w.near()
		is(w, "in force", mark.Model, "next")
	}},
	{"ATenantWithoutVectorsHasThoseOfTheModelFromTheFirstOn", func(_ *testing.T, w *World) {
		a := w.add("carol", "a", "one", published)
		w.add("carol", "b", "two", published)
		w.wanted("m")
		w.ok(w.embedOne("m", w.vectorClaim()))
		mark, got := w.near()
		is(w, "in force", mark.Model, "m")
		is(w, "vectors", got[a.ID], "vectors by m/one")
	}},
	{"AModelThatIsTakenBackFindsItsVectorsAgain", func(_ *testing.T, w *World) {
		w.wanted("m")
		a := w.add("carol", "a", "one", published)
		w.embed("m")
		w.wanted("")
		b := w.add("carol", "b", "two", published)
		mark, _ := w.near()
		is(w, "in force", mark.Model, "m")
		w.wanted("m")
		w.waiting(b.ID)
		_, got := w.near()
		is(w, "vectors", got[a.ID], "vectors by m/one")
	}},
	{"TheLastVersionMayBeErasedInsteadOfBeingDone", func(_ *testing.T, w *World) {
		w.wanted("former")
		a := w.add("carol", "a", "one", published)
		w.embed("former")
		w.wanted("next")
		w.ok(w.erase("carol", a.ID))
		w.noVectorJob()
		mark, _ := w.near()
		is(w, "in force", mark.Model, "next")
	}},
	{"AModelThatWasNeverCompleteLeavesNothing", func(_ *testing.T, w *World) {
		w.wanted("m")
		a, b := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published)
		w.embed("m")
		w.wanted("other")
		w.ok(w.embedOne("other", w.vectorClaim()))
		w.wanted("m")
		w.waiting()
		w.wanted("other")
		w.waiting(a.ID, b.ID)
	}},
	{"AWorkerOfTheFormerModelStoresNothing", func(_ *testing.T, w *World) {
		w.wanted("former")
		w.add("carol", "a", "one", published)
		job := w.vectorClaim()
		w.wanted("next")
		w.want(w.embedOne("former", job), "lease_lost")
		w.embed("next")
		_, got := w.near()
		for _, segment := range got {
			is(w, "vectors", segment, "vectors by next/one")
		}
	}},
	{"TextOfATenantThatIsLocalOnlyWaitsForAModelOnThePremises", func(_ *testing.T, w *World) {
		far := embedding.Wanted{Model: "far", Remote: true}
		w.ok(w.Embeddings.Want(w.ctx, far))
		a := w.add("carol", "a", "one", published)
		job := w.vectorClaim()
		w.ok(w.VectorQueue.Report(w.ctx, job.ID, job.Token, queue.Progress{}, lease))
		w.ok(w.Tenancy.SetLocalOnly(w.ctx, acme, "olga", true))
		w.want(w.VectorQueue.Report(w.ctx, job.ID, job.Token, queue.Progress{}, lease), "cancelled")
		w.want(w.embedOne("far", job), "lease_lost")
		w.noVectorJob()
		w.waiting(a.ID)
		w.ok(w.Tenancy.SetLocalOnly(w.ctx, acme, "olga", false))
		again := w.vectorClaim()
		is(w, "the same job", again.ID, job.ID)
		w.ok(w.Tenancy.SetLocalOnly(w.ctx, acme, "olga", true))
		w.wanted("near")
		w.ok(w.embedOne("near", w.vectorClaim()))
		w.waiting()
	}},
}
