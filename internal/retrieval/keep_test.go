package retrieval_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// loft keeps merged segments of a house, and lets them go with what they were made of.
type loft struct {
	*house
	guard  sync.Mutex
	number int64
	boxes  map[int64]*box
	fault  error         // what Merged fails with
	stored chan struct{} // gets a token whenever something was retained; nil if nobody waits
}

type box struct {
	versions []corpus.DocumentID
	bytes    []byte
	cuts     int64
}

var _ retrieval.Merged = (*loft)(nil)

func newLoft(h *house) *loft { return &loft{house: h, boxes: map[int64]*box{}} }

// standing returns the numbers of what nothing was erased of, or cut anew.
func (a *loft) standing() []int64 {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var out []int64
	for n, b := range a.boxes {
		if !slices.ContainsFunc(b.versions, func(id corpus.DocumentID) bool { _, ok := a.place[id]; return !ok || a.cut[id] > b.cuts }) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

func (a *loft) Merged(context.Context, access.TenantID) ([]retrieval.Kept, int64, error) {
	a.guard.Lock()
	defer a.guard.Unlock()
	cuts := a.cuts
	var out []retrieval.Kept
	for _, n := range a.standing() {
		out = append(out, retrieval.Kept{Number: n, Bytes: a.boxes[n].bytes})
	}
	return out, cuts, a.fault
}

func (a *loft) Numbers(context.Context, access.TenantID) ([]int64, error) {
	a.guard.Lock()
	defer a.guard.Unlock()
	return a.standing(), nil
}

func (a *loft) Keep(_ context.Context, _ access.TenantID, cuts int64, m retrieval.Joined) (int64, error) {
	a.guard.Lock()
	defer a.guard.Unlock()
	a.number++
	a.boxes[a.number] = &box{m.Versions, m.Bytes, cuts}
	if !slices.Contains(a.standing(), a.number) {
		delete(a.boxes, a.number)
		return 0, problem.New(problem.Conflict, "merged_stale", "A version is gone.")
	}
	return a.number, nil
}

func (a *loft) Retain(_ context.Context, _ access.TenantID, numbers []int64) error {
	a.guard.Lock()
	defer a.guard.Unlock()
	for n := range a.boxes {
		if !slices.Contains(numbers, n) {
			delete(a.boxes, n)
		}
	}
	if a.stored != nil {
		a.stored <- struct{}{}
	}
	return nil
}

// server makes an index that keeps into the loft.
func (a *loft) server() *retrieval.Local {
	l := retrieval.NewLocal(a.house)
	l.Merged = a
	return l
}

// kept loads the house in a first server and lets it keep what it merged.
func (a *loft) kept(t *testing.T) *retrieval.Local {
	t.Helper()
	l := a.server()
	keyword(t, a.house, l, "w1x")
	if err := retrieval.KeepNow(context.Background(), l); err != nil {
		t.Fatal(err)
	}
	if len(a.standing()) == 0 {
		t.Fatal("nothing is kept")
	}
	return l
}

const words = "w1x w20x w300x"

func TestASecondServerOpensNoSegmentThatIsKeptMerged(t *testing.T) {
	h := newHouse()
	shelve(t, h, "a", 100)
	a := newLoft(h)
	want := keyword(t, h, a.kept(t), words)
	before := h.bytes.Load()
	if diff := cmp.Diff(want, keyword(t, h, a.server(), words)); diff != "" {
		t.Error(diff)
	}
	if n := h.bytes.Load() - before; n > 30 {
		t.Errorf("%d segments of 100 were read", n)
	}
}

// What was published, withdrawn and closed while no server ran is so at the first search of the next.
func TestWhatIsKeptDecidesNothing(t *testing.T) {
	h := newHouse()
	shelve(t, h, "a", 100)
	a := newLoft(h)
	a.kept(t)
	shelve(t, h, "b", 2)
	h.change(func() {
		for i := range h.papers {
			switch i % 3 {
			case 0:
				h.papers[i].Policy = access.Policy{Restricted: true}
			case 1:
				h.papers[i].Status = access.StatusReserved // as far as an image goes, it is gone
			}
		}
	})
	want := keyword(t, h, retrieval.NewLocal(h), words)
	if len(want) == 0 {
		t.Fatal("nothing is left to be found")
	}
	if diff := cmp.Diff(want, keyword(t, h, a.server(), words)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeReadIsMadeAnew(t *testing.T) {
	for name, spoil := range map[string]func(*loft){
		"damaged":   func(a *loft) { a.each(func(b []byte) []byte { b[len(b)/2] ^= 1; return b }) },
		"cut short": func(a *loft) { a.each(func(b []byte) []byte { return b[:len(b)*2/3] }) },
		"empty":     func(a *loft) { a.each(func([]byte) []byte { return nil }) },
		"away":      func(a *loft) { a.fault = errors.New("a page of the database is damaged") },
		"of another database": func(a *loft) {
			a.change(func() {
				for i, p := range a.papers {
					a.papers[i].Key = p.Key + "2"
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse()
			shelve(t, h, "a", 100)
			a := newLoft(h)
			a.kept(t)
			spoil(a)
			var said bytes.Buffer
			l := a.server()
			l.Log = slog.New(slog.NewTextHandler(&said, nil))
			want := keyword(t, h, retrieval.NewLocal(h), words)
			if diff := cmp.Diff(want, keyword(t, h, l, words)); diff != "" || len(want) == 0 {
				t.Errorf("%d matches, %s", len(want), diff)
			}
			if !strings.Contains(said.String(), "made anew") {
				t.Errorf("the log says %q", said.String())
			}
			a.fault = nil
			if err := retrieval.KeepNow(context.Background(), l); err != nil {
				t.Fatal(err)
			}
			before := h.bytes.Load()
			if diff := cmp.Diff(want, keyword(t, h, a.server(), words)); diff != "" {
				t.Error(diff)
			}
			if n := h.bytes.Load() - before; n > 30 {
				t.Errorf("%d segments of 100 are read though they were kept again", n)
			}
		})
	}
}

// each changes the bytes of all that is kept.
func (a *loft) each(fn func([]byte) []byte) {
	for _, b := range a.boxes {
		b.bytes = fn(slices.Clone(b.bytes))
	}
}

// A process that ends after it kept a larger part and before it removed the smaller ones leaves both.
func TestTheLaterOfTwoWithTheSameVersionCounts(t *testing.T) {
	h := newHouse()
	shelve(t, h, "a", 100)
	a := newLoft(h)
	l := a.kept(t)
	former := map[int64]*box{}
	for n, b := range a.boxes {
		former[n] = b
	}
	shelve(t, h, "b", 120)
	keyword(t, h, l, words)
	if err := retrieval.KeepNow(context.Background(), l); err != nil {
		t.Fatal(err)
	}
	for n, b := range former {
		if a.boxes[n] != nil {
			t.Fatal("the former part is still kept, so that the test tries nothing")
		}
		a.boxes[n] = b
	}
	before := h.bytes.Load()
	next := a.server()
	if diff := cmp.Diff(keyword(t, h, l, words), keyword(t, h, next, words)); diff != "" {
		t.Error(diff)
	}
	if n := h.bytes.Load() - before; n > 40 {
		t.Errorf("%d segments of 220 were read", n)
	}
	if err := retrieval.KeepNow(context.Background(), next); err != nil {
		t.Fatal(err)
	}
	for n := range former {
		if a.boxes[n] != nil {
			t.Error("the former part is kept for ever")
		}
	}
}

// An erased version takes the merged segment with it; the server makes one without its words.
func TestAPartIsRidOfErasedVersionsAndKeptAgain(t *testing.T) {
	h := newHouse()
	shelve(t, h, "a", 100)
	a := newLoft(h)
	l := a.kept(t)
	before := len(a.boxes[a.standing()[0]].versions)
	h.drop("a7")
	if len(a.standing()) != 0 {
		t.Fatal("the merged segment outlived a version in it")
	}
	for range 2 { // one that does not know of it yet, and one that does
		if err := retrieval.KeepNow(context.Background(), l); err != nil {
			t.Fatal(err)
		}
		if len(a.standing()) != 0 {
			t.Fatal("a part with the erased version was kept")
		}
		keyword(t, h, l, words)
	}
	for range 2 { // which makes the part anew, and which keeps it
		if err := retrieval.KeepNow(context.Background(), l); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.standing()) != 1 {
		t.Fatalf("%d parts are kept", len(a.standing()))
	}
	for _, b := range a.boxes {
		if slices.Contains(b.versions, "a7") || len(b.versions) != before-1 {
			t.Errorf("kept of %v", b.versions)
		}
	}
}

func TestAServerKeepsAsItChangesAndLoadsBeforeItIsAsked(t *testing.T) {
	h := newHouse()
	shelve(t, h, "a", 100)
	a := newLoft(h)
	a.stored = make(chan struct{}, 100)
	run := func() (*retrieval.Local, func()) {
		l := a.server()
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); l.Keep(ctx, []access.TenantID{tenant, "nobody"}) }()
		return l, func() { stop(); <-done }
	}
	first, stop := run()
	if h.images.Load() != 0 {
		t.Error("a tenant of which nothing is kept was loaded before anybody asked")
	}
	keyword(t, h, first, words)
	for n := 0; n == 0; {
		<-a.stored
		numbers, err := a.Numbers(context.Background(), tenant)
		if err != nil {
			t.Fatal(err)
		}
		n = len(numbers)
	}
	stop()
	for len(a.stored) > 0 {
		<-a.stored
	}
	before := h.images.Load()
	second, stop := run()
	defer stop()
	<-a.stored // the first thing that it does with a tenant it has loaded is to remove what others left
	if n := h.images.Load(); n != before+1 {
		t.Errorf("%d images were read before anybody asked", n-before)
	}
	keyword(t, h, second, words)
	if n := h.images.Load(); n != before+1 {
		t.Errorf("the first question read %d images", n-before-1)
	}
}

// Whatever is published, closed, erased, kept and started in whatever order: what is found is what one
// finds that never kept anything.
func TestKeepingChangesNothingThatIsFound(t *testing.T) {
	for seed := range uint64(8) {
		h := newHouse()
		a := newLoft(h)
		l := a.server()
		rnd := rand.New(rand.NewPCG(seed, 5))
		same := func(when string, l *retrieval.Local) {
			if diff := cmp.Diff(keyword(t, h, retrieval.NewLocal(h), words), keyword(t, h, l, words)); diff != "" {
				t.Fatalf("seed %d, %s: %s", seed, when, diff)
			}
		}
		shelve(t, h, "a", 70)
		for step := range 6 {
			switch rnd.IntN(6) {
			case 5:
				for range 1 + rnd.IntN(12) {
					p := h.papers[rnd.IntN(len(h.papers))]
					h.recut(t, p.ID, p.chunks[0].Text, "w1x once more")
				}
			case 0:
				shelve(t, h, string(rune('b'+step)), 1+rnd.IntN(40))
			case 1:
				h.drop(h.papers[rnd.IntN(len(h.papers))].ID)
			case 2:
				h.change(func() {
					for i := range h.papers {
						h.papers[i].Policy = access.Policy{Restricted: i%3 == step%3}
					}
				})
			case 3:
				if err := retrieval.KeepNow(context.Background(), l); err != nil {
					t.Fatal(err)
				}
			case 4:
				l = a.server()
			}
			if rnd.IntN(2) == 0 {
				same("under way", l)
			}
		}
		if err := retrieval.KeepNow(context.Background(), l); err != nil {
			t.Fatal(err)
		}
		same("at the end", l)
		same("a new server", a.server())
	}
}
