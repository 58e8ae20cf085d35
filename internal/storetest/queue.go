package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

// job reads a job of carol's.
func (w *World) job(id string) queue.Job {
	w.t.Helper()
	j, err := w.Jobs.Job(w.ctx, string(acme), "carol", id)
	w.ok(err)
	return j
}

// noneDue checks that there is nothing to claim.
func (w *World) noneDue() {
	w.t.Helper()
	_, ok, err := w.Queue.Claim(w.ctx, lease)
	w.ok(err)
	is(w, "a job is due", ok, false)
}

var transient = problem.New(problem.Unavailable, "busy", "The parser is busy.")

var queueTests = []test{
	{"JobsAreClaimedOldestFirstByOneWorker", func(_ *testing.T, w *World) {
		w.noneDue()
		a := w.reserved("carol", "one", corpus.Upload{Key: "a"})
		b := w.reserved("carol", "two", corpus.Upload{Key: "b"})
		first := w.claim()
		is(w, "first", first.ID, a.Job)
		is(w, "state", first.State, queue.Running)
		is(w, "attempt", first.Attempt, 1)
		is(w, "tenant", first.Tenant, string(acme))
		is(w, "second", w.claim().ID, b.Job)
		w.noneDue()
	}},
	{"TenantsTakeTurns", func(_ *testing.T, w *World) {
		var big []corpus.Reservation
		for i := range 6 {
			big = append(big, w.reserved("carol", fmt.Sprint("big ", i), corpus.Upload{Key: corpus.Key(fmt.Sprint(i))}))
		}
		is(w, "first", w.claim().ID, big[0].Job)
		small := w.reserved("erin", "small", corpus.Upload{Key: "k", KnowledgeBase: "other"})
		is(w, "the other tenant's turn", w.claim().ID, small.Job)
		is(w, "back to the first", w.claim().ID, big[1].Job)
		is(w, "nobody else waits", w.claim().ID, big[2].Job)
		more := []corpus.Reservation{
			w.reserved("erin", "m", corpus.Upload{Key: "m", KnowledgeBase: "other"}), w.reserved("erin", "n", corpus.Upload{Key: "n", KnowledgeBase: "other"}),
		}
		for _, want := range []string{more[0].Job, big[3].Job, more[1].Job, big[4].Job, big[5].Job} {
			is(w, "in turns", w.claim().ID, want)
		}
		w.noneDue()
	}},
	{"ATenantWhoseJobsAreNotDueLosesNoTurn", func(_ *testing.T, w *World) {
		theirs := w.reserved("erin", "theirs", corpus.Upload{Key: "k", KnowledgeBase: "other"})
		j := w.claim()
		w.ok(w.Queue.Retry(w.ctx, j.ID, j.Token, lease, transient))
		mine := []corpus.Reservation{w.reserved("carol", "one", corpus.Upload{Key: "a"}), w.reserved("carol", "two", corpus.Upload{Key: "b"}), w.reserved("carol", "three", corpus.Upload{Key: "c"})}
		is(w, "while the other waits", w.claim().ID, mine[0].Job)
		is(w, "and again", w.claim().ID, mine[1].Job)
		w.clock.Advance(lease)
		is(w, "the one that waited longest", w.claim().ID, theirs.Job)
	}},
	{"ReportStoresProgressAndRenewsTheLease", func(_ *testing.T, w *World) {
		w.reserved("carol", "one", corpus.Upload{Key: "a"})
		j := w.claim()
		for range 3 {
			w.clock.Advance(lease / 2)
			w.ok(w.Queue.Report(w.ctx, j.ID, j.Token, queue.Progress{Stage: "parse", Done: 2, Total: 5}, lease))
			w.noneDue()
		}
		got := w.job(j.ID)
		is(w, "progress", fmt.Sprintf("%s %d/%d", got.Stage, got.Done, got.Total), "parse 2/5")
		is(w, "moved", got.UpdatedAt.After(got.CreatedAt), true)
	}},
	{"AJobWhoseLeaseRanOutIsClaimedAgainAndTheFirstWorkerFenced", func(_ *testing.T, w *World) {
		w.reserved("carol", "one", corpus.Upload{Key: "a"})
		old := w.claim()
		w.clock.Advance(2 * lease)
		now := w.claim()
		is(w, "same job", now.ID, old.ID)
		is(w, "attempt", now.Attempt, 2)
		is(w, "the token rose", now.Token > old.Token, true)
		w.want(w.Queue.Report(w.ctx, old.ID, old.Token, queue.Progress{}, lease), "lease_lost")
		w.want(w.Queue.Retry(w.ctx, old.ID, old.Token, 0, transient), "lease_lost")
		w.ok(w.Queue.Report(w.ctx, now.ID, now.Token, queue.Progress{}, lease))
		w.want(w.Queue.Report(w.ctx, "job_unknown", 1, queue.Progress{}, lease), "lease_lost")
	}},
	{"RetryPutsBackWithDelayAndCause", func(_ *testing.T, w *World) {
		res := w.reserved("carol", "one", corpus.Upload{Key: "a"})
		j := w.claim()
		w.ok(w.Queue.Retry(w.ctx, j.ID, j.Token, lease, transient))
		got := w.job(res.Job)
		is(w, "state", got.State, queue.Queued)
		is(w, "cause", got.Code+": "+got.Detail, "busy: The parser is busy.")
		w.noneDue()
		w.want(w.Queue.Report(w.ctx, j.ID, j.Token, queue.Progress{}, lease), "lease_lost")
		w.clock.Advance(lease)
		is(w, "attempt", w.claim().Attempt, 2)
	}},
	{"RecoverMakesEveryRunningJobDueAtOnce", func(_ *testing.T, w *World) {
		w.reserved("carol", "one", corpus.Upload{Key: "a"})
		w.reserved("carol", "two", corpus.Upload{Key: "b"})
		w.reserved("carol", "three", corpus.Upload{Key: "c"})
		old := w.claim()
		w.claim()
		n, err := w.Queue.Recover(w.ctx)
		w.ok(err)
		is(w, "recovered", n, 2)
		w.want(w.Queue.Report(w.ctx, old.ID, old.Token, queue.Progress{}, lease), "lease_lost")
		is(w, "claimed again", w.claim().ID, old.ID)
	}},
	{"CancelEndsAQueuedJobAtOnceAndFreesItsNumber", func(_ *testing.T, w *World) {
		a := w.reserved("carol", "one", corpus.Upload{Key: "k"})
		b := w.reserved("carol", "two", corpus.Upload{Key: "k"})
		j, err := w.Jobs.Cancel(w.ctx, string(acme), "carol", a.Job)
		w.ok(err)
		is(w, "state", j.State, queue.Cancelled)
		d, _, err := w.Publisher.Reserved(w.ctx, b.Job)
		w.ok(err)
		is(w, "version of the next", d.Version, 1)
		w.work()
		w.ok(errOf(w.Jobs.Cancel(w.ctx, string(acme), "carol", b.Job)))
		is(w, "an ended job stays", w.job(b.Job).State, queue.Succeeded)
		is(w, "a cancelled job stays", w.job(a.Job).State, queue.Cancelled)
	}},
	{"CancelStopsARunningJobAtItsNextReport", func(_ *testing.T, w *World) {
		res := w.reserved("carol", "one", corpus.Upload{Key: "k"})
		j := w.claim()
		got, err := w.Jobs.Cancel(w.ctx, string(acme), "carol", res.Job)
		w.ok(err)
		is(w, "state", got.State, queue.Running)
		w.want(w.Queue.Report(w.ctx, j.ID, j.Token, queue.Progress{}, lease), "cancelled")
		w.ok(w.Publisher.Release(w.ctx, res.Document, j.ID, j.Token, nil))
		is(w, "state", w.job(res.Job).State, queue.Cancelled)
	}},
	{"AJobThatIsPutBackAfterACancelEnds", func(_ *testing.T, w *World) {
		for name, back := range map[string]func(queue.Job) error{
			"retry":   func(j queue.Job) error { return w.Queue.Retry(w.ctx, j.ID, j.Token, 0, transient) },
			"recover": func(queue.Job) error { return errOf(w.Queue.Recover(w.ctx)) },
		} {
			res := w.reserved("carol", name, corpus.Upload{Key: corpus.Key(name)})
			j := w.claim()
			w.ok(errOf(w.Jobs.Cancel(w.ctx, string(acme), "carol", res.Job)))
			w.ok(back(j))
			is(w, "state after "+name, w.job(res.Job).State, queue.Cancelled)
			_, _, err := w.Publisher.Reserved(w.ctx, res.Job)
			w.want(err, "not_found")
		}
	}},
	{"AJobIsNotFoundByAnyoneElse", func(t *testing.T, w *World) {
		res := w.reserved("carol", "one", corpus.Upload{Key: "k"})
		for _, c := range [][3]string{{"acme", "mia", res.Job}, {"globex", "carol", res.Job}, {"acme", "carol", "job_unknown"}, {"acme", "", res.Job}} {
			same(t, "Job", errOf(w.Jobs.Job(w.ctx, c[0], c[1], c[2])))
			same(t, "Cancel", errOf(w.Jobs.Cancel(w.ctx, c[0], c[1], c[2])))
		}
		is(w, "state", w.job(res.Job).State, queue.Queued)
	}},
	{"WaitReturnsWhenAJobIsDue", func(t *testing.T, w *World) {
		done := make(chan error, 1)
		go func() { done <- w.Queue.Wait(w.ctx) }()
		w.reserved("carol", "one", corpus.Upload{Key: "k"})
		w.ok(<-done)
		w.claim()
		ctx, cancel := context.WithCancel(w.ctx)
		go func() { done <- w.Queue.Wait(ctx) }()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatalf("an ended wait returned %v", err)
		}
	}},
	{"ConcurrentWorkersNeverShareAJob", func(t *testing.T, w *World) {
		const jobs = 30
		for i := range jobs {
			w.reserved("carol", fmt.Sprint("text ", i), corpus.Upload{Key: corpus.Key(fmt.Sprint("k", i))})
		}
		var mu sync.Mutex
		var wg sync.WaitGroup
		got := map[string]int{}
		for range 4 {
			wg.Go(func() {
				for {
					j, ok, err := w.Queue.Claim(w.ctx, 1000*time.Hour)
					if err != nil {
						t.Error(err)
					}
					if !ok || err != nil {
						return
					}
					mu.Lock()
					got[j.ID]++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		is(w, "jobs claimed", len(got), jobs)
		for id, n := range got {
			if n != 1 {
				t.Errorf("%s was claimed %d times", id, n)
			}
		}
	}},
	{"AJobReadsBackWhole", func(t *testing.T, w *World) {
		res := w.reserved("carol", "one", corpus.Upload{Key: "k"})
		claimed := w.claim()
		if d := cmp.Diff(claimed, w.job(res.Job)); d != "" {
			t.Fatal(d)
		}
	}},
}

// errOf drops a value.
func errOf[T any](_ T, err error) error { return err }
