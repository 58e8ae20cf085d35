package httpapi

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

func aKey(key string) keyID { return keyOf(access.Actor{Tenant: acme, User: "alice"}, "op", key) }

func TestConcurrentRequestsWithOneKeyDoTheWorkOnce(t *testing.T) {
	k := newKeys(time.Now)
	var done atomic.Int32
	release := make(chan struct{})
	var group sync.WaitGroup
	results := make([]string, 20)
	for i := range results {
		group.Go(func() {
			got, err := once(t.Context(), k, aKey("k"), "request", func() (string, error) {
				<-release
				return fmt.Sprint("made ", done.Add(1)), nil
			})
			if err != nil {
				t.Error(err)
			}
			results[i] = got
		})
	}
	close(release)
	group.Wait()
	for _, r := range results {
		if r != "made 1" {
			t.Fatalf("results %v", results)
		}
	}
}

func TestFailureIsNotRemembered(t *testing.T) {
	k := newKeys(time.Now)
	fault := errors.New("no")
	if _, err := once(t.Context(), k, aKey("k"), 1, func() (int, error) { return 0, fault }); !errors.Is(err, fault) {
		t.Fatal(err)
	}
	if got, err := once(t.Context(), k, aKey("k"), 2, func() (int, error) { return 7, nil }); err != nil || got != 7 {
		t.Errorf("%d %v", got, err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = once(t.Context(), k, aKey("p"), 1, func() (int, error) { panic("fault") })
	}()
	if got, err := once(t.Context(), k, aKey("p"), 1, func() (int, error) { return 8, nil }); err != nil || got != 8 {
		t.Errorf("after a panic: %d %v", got, err)
	}
}

func TestKeysAreForgottenAfterADayAndBeyondTheirNumber(t *testing.T) {
	now := time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	k := newKeys(func() time.Time { return now })
	n := 0
	do := func(key string) int {
		got, err := once(t.Context(), k, aKey(key), "r", func() (int, error) { n++; return n, nil })
		must(t, err)
		return got
	}
	first := do("k")
	now = now.Add(keyLife - time.Second)
	if do("k") != first {
		t.Error("forgotten too early")
	}
	now = now.Add(time.Second)
	if do("k") == first {
		t.Error("remembered for more than a day")
	}
	for i := range keyCount + 10 {
		do(fmt.Sprint(i))
	}
	if len(k.made) != keyCount || len(k.order[aKey("").actor()]) != keyCount {
		t.Errorf("%d keys, %d in order", len(k.made), len(k.order[aKey("").actor()]))
	}
	now = now.Add(keyLife)
	_, err := once(t.Context(), k, bobs("k"), "r", func() (int, error) { return 0, nil })
	must(t, err)
	if len(k.made) != 1 || len(k.order) != 1 {
		t.Errorf("a day later %d keys of %d actors are left", len(k.made), len(k.order))
	}
}

func bobs(key string) keyID { return keyOf(access.Actor{Tenant: acme, User: "bob"}, "op", key) }

func TestOneActorsKeysDoNotDriveOutAnothers(t *testing.T) {
	k := newKeys(time.Now)
	n := 0
	do := func(id keyID) int {
		got, err := once(t.Context(), k, id, "r", func() (int, error) { n++; return n, nil })
		must(t, err)
		return got
	}
	first := do(bobs("mine"))
	for i := range 3 * keyCount {
		do(aKey(fmt.Sprint(i)))
	}
	if got := do(bobs("mine")); got != first {
		t.Errorf("the work of a key was done twice: %d after %d", got, first)
	}
}

func TestAKeyWhoseWorkIsUnderWayIsNeverForgotten(t *testing.T) {
	now := time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	k := newKeys(func() time.Time { return now })
	entry, mine := k.take(aKey("slow"), "d")
	if !mine {
		t.Fatal("a new key is somebody else's")
	}
	for i := range 2 * keyCount {
		_, err := once(t.Context(), k, aKey(fmt.Sprint(i)), "r", func() (int, error) { return i, nil })
		must(t, err)
	}
	now = now.Add(3 * keyLife)
	if again, mine := k.take(aKey("slow"), "d"); mine || again != entry {
		t.Fatal("a second request would do the work again")
	}
	if _, err := perform(k, aKey("slow"), entry, func() (int, error) { return 7, nil }); err != nil {
		t.Fatal(err)
	}
	if _, mine := k.take(aKey("slow"), "d"); !mine {
		t.Error("what ended is remembered for more than a day")
	}
}

func TestAnActorCannotHaveMoreUnderWayThanIsRemembered(t *testing.T) {
	k := newKeys(time.Now)
	for i := range keyCount {
		if e, mine := k.take(aKey(fmt.Sprint(i)), "d"); e == nil || !mine {
			t.Fatalf("key %d was refused", i)
		}
	}
	_, err := once(t.Context(), k, aKey("one more"), "r", func() (int, error) { return 1, nil })
	if !problem.Is(err, problem.Exhausted) {
		t.Fatalf("got %v", err)
	}
	if _, err := once(t.Context(), k, bobs("k"), "r", func() (int, error) { return 1, nil }); err != nil {
		t.Fatalf("another actor: %v", err)
	}
}

func TestWaiterLeavesWithItsContext(t *testing.T) {
	k := newKeys(time.Now)
	ctx, cancel := context.WithCancel(t.Context())
	started, release := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		_, _ = once(t.Context(), k, aKey("k"), "r", func() (int, error) {
			close(started)
			<-release
			return 1, nil
		})
	})
	<-started
	cancel()
	if _, err := once(ctx, k, aKey("k"), "r", func() (int, error) { return 2, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(release)
	group.Wait()
}
