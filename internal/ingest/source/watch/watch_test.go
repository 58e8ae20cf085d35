package watch_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/ingest/source/watch"
)

// bell is a Bell that a test rings.
type bell struct {
	rings   chan struct{}
	renewed int
	mu      sync.Mutex
	err     error
}

func (b *bell) Rings() <-chan struct{} { return b.rings }

func (b *bell) Renew(context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.renewed++
	return b.err
}

func (b *bell) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
}

func (b *bell) ring() { b.rings <- struct{}{} }

// watched is folders that are followed on a clock of their own.
type watched struct {
	bell  *bell
	looks []time.Duration // when, since the beginning
	next  atomic.Value    // the watch.Outcome of the looks that come
	deaf  []string
}

// follow runs body while folders are followed, and ends that after it.
func follow(t *testing.T, times watch.Times, body func(w *watched)) *watched {
	t.Helper()
	w := &watched{bell: &bell{}}
	w.next.Store(watch.Done)
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		start := time.Now()
		w.bell.rings = make(chan struct{})
		go watch.Follow(ctx, w.bell, times, func(context.Context) watch.Outcome {
			w.looks = append(w.looks, time.Since(start))
			return w.next.Load().(watch.Outcome)
		}, func(err error) { w.deaf = append(w.deaf, err.Error()) })
		body(w)
		stop()
		synctest.Wait()
	})
	return w
}

func after(d time.Duration) { // on the clock of the test
	time.Sleep(d)
	synctest.Wait()
}

func looked(t *testing.T, w *watched, want ...time.Duration) {
	t.Helper()
	if diff := cmp.Diff(want, w.looks); diff != "" {
		t.Error(diff)
	}
}

const second = time.Second

func TestFoldersAreLookedThroughAtOnceAndEveryWhile(t *testing.T) {
	w := follow(t, watch.Times{Every: time.Minute}, func(*watched) { after(150 * second) })
	looked(t, w, 0, 60*second, 120*second)
	if w.bell.renewed != 3 {
		t.Errorf("listened anew %d times, want before each look", w.bell.renewed)
	}
}

func TestAChangeIsLookedAtWhenItIsQuiet(t *testing.T) {
	w := follow(t, watch.Times{}, func(w *watched) {
		after(10 * second)
		w.bell.ring()
		after(1500 * time.Millisecond)
		w.bell.ring()
		after(60 * second)
	})
	looked(t, w, 0, 13500*time.Millisecond)
}

func TestChangesWithoutEndDoNotPutALookOffForEver(t *testing.T) {
	w := follow(t, watch.Times{Most: 20500 * time.Millisecond}, func(w *watched) {
		for range 45 {
			after(second)
			w.bell.ring()
		}
	})
	looked(t, w, 0, 21500*time.Millisecond, 42500*time.Millisecond)
}

func TestWhatIsStillBeingWrittenIsLookedAtAgainSoon(t *testing.T) {
	w := follow(t, watch.Times{}, func(w *watched) {
		after(0)
		w.bell.ring()
		w.next.Store(watch.Unquiet)
		after(3 * second)
		w.next.Store(watch.Done)
		after(60 * second)
	})
	looked(t, w, 0, 2*second, 4*second)
}

func TestALookThatFailedIsTriedAgainAfterAWhile(t *testing.T) {
	w := follow(t, watch.Times{}, func(w *watched) {
		w.next.Store(watch.Failed)
		after(40 * second)
		w.next.Store(watch.Done)
		after(80 * second)
	})
	looked(t, w, 0, 30*second, 60*second)
	w = follow(t, watch.Times{Every: 10 * second}, func(w *watched) {
		w.next.Store(watch.Failed)
		after(25 * second)
	})
	looked(t, w, 0, 10*second, 20*second)
}

func TestABellThatDoesNotTellOfEverythingIsSaidOnce(t *testing.T) {
	w := follow(t, watch.Times{Every: time.Minute}, func(w *watched) {
		w.bell.fail(errors.New("no space left"))
		after(130 * second)
		w.bell.fail(nil)
		after(60 * second)
		w.bell.fail(errors.New("again"))
		after(60 * second)
	})
	if diff := cmp.Diff([]string{"no space left", "again"}, w.deaf); diff != "" {
		t.Error(diff)
	}
	if len(w.looks) != 5 {
		t.Errorf("%d looks, want one a minute all the same", len(w.looks))
	}
}

func TestAnEndIsNoLook(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	watch.Follow(ctx, &bell{}, watch.Times{}, func(context.Context) watch.Outcome {
		t.Error("looked after the end")
		return watch.Done
	}, func(error) {})
}
