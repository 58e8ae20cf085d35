package wake

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestAWaiterIsWokenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, began := New(), time.Now()
		ready := false
		done := make(chan error, 1)
		go func() { done <- s.Await(t.Context(), "a", func() (bool, error) { return ready, nil }) }()
		synctest.Wait() // the waiter has looked and waits
		s.Ring("b")
		synctest.Wait()
		ready = true
		s.Ring("a")
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
		s, began, looks := New(), time.Now(), 0
		err := s.Await(t.Context(), "a", func() (bool, error) { looks++; return looks == 3, nil })
		if err != nil || time.Since(began) != 2*pollInterval {
			t.Fatalf("after %v, %v", time.Since(began), err)
		}
	})
}

func TestAWaitEndsWithItsContextOrAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, broken := New(), errors.New("disk")
		if err := s.Await(t.Context(), "a", func() (bool, error) { return false, broken }); !errors.Is(err, broken) {
			t.Fatalf("got %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), pollInterval/2)
		defer cancel()
		if err := s.Await(ctx, "a", func() (bool, error) { return false, nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v", err)
		}
		if len(s.bells) != 0 {
			t.Fatalf("%d names are kept for nobody", len(s.bells))
		}
	})
}
