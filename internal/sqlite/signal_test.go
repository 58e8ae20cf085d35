package sqlite

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/run"
)

func TestAWaiterIsWokenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, began := newSignal(), time.Now()
		ready := false
		done := make(chan error, 1)
		go func() { done <- s.await(t.Context(), "a", func() (bool, error) { return ready, nil }) }()
		synctest.Wait() // the waiter has looked and waits
		s.fire("b")
		synctest.Wait()
		ready = true
		s.fire("a")
		if err := <-done; err != nil || time.Since(began) != 0 {
			t.Fatalf("woken after %v, %v", time.Since(began), err)
		}
		if len(s.bells) != 0 {
			t.Fatalf("%d names are kept for nobody", len(s.bells))
		}
	})
}

func TestAWaiterLooksNowAndThenWithoutBeingWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, began, looks := newSignal(), time.Now(), 0
		err := s.await(t.Context(), "a", func() (bool, error) { looks++; return looks == 3, nil })
		if err != nil || time.Since(began) != 2*pollInterval {
			t.Fatalf("after %v, %v", time.Since(began), err)
		}
	})
}

func TestAWaitEndsWithItsContextOrAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, broken := newSignal(), errors.New("disk")
		if err := s.await(t.Context(), "a", func() (bool, error) { return false, broken }); !errors.Is(err, broken) {
			t.Fatalf("got %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), pollInterval/2)
		defer cancel()
		if err := s.await(ctx, "a", func() (bool, error) { return false, nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		if len(s.bells) != 0 {
			t.Fatalf("%d names are kept for nobody", len(s.bells))
		}
	})
}

// rung reports whether a bell was rung.
func rung(b *bell) bool {
	select {
	case <-b.rung:
		return true
	default:
		return false
	}
}

func TestWritersWakeThoseWhoWait(t *testing.T) {
	db, ctx := filled(t, t.TempDir()), context.Background()
	events, jobs := db.events.take("run_1"), db.jobs.take("")
	r := &run.Run{ID: "run_1", Tenant: "acme", Actor: "u1", State: run.Queued, Attempt: 1}
	if err := db.Journal().Create(ctx, r, []event.Event{event.New(event.RunCreated, nil)}); err != nil {
		t.Fatal(err)
	}
	if !rung(events) || rung(jobs) {
		t.Fatalf("after a new run: events %v, jobs %v", rung(events), rung(jobs))
	}
	events = db.events.take("run_1")
	if _, err := db.Journal().Cancel(ctx, "acme", access.UserID("u1"), "run_1"); err != nil || !rung(events) {
		t.Fatalf("after a cancel: %v, %v", rung(events), err)
	}
	upload(t, db, "acme", "u1", "text")
	if !rung(jobs) {
		t.Fatal("an upload woke no worker")
	}
}
