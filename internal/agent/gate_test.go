package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
)

// has reports whether a run has its slot.
func (t *ticket) has() bool {
	select {
	case <-t.ready:
		return true
	default:
		return false
	}
}

// at makes a seat of "tenant/user".
func at(name string) seat {
	tenant, user, _ := strings.Cut(name, "/")
	return seat{access.TenantID(tenant), access.UserID(user)}
}

// order lines up runs at a gate whose one slot is taken, and returns the order in which they get
// it, each giving it back to the next.
func order(t *testing.T, names ...string) []string {
	t.Helper()
	g := newGate(1, 100)
	if !g.queue(at("busy/one")).has() {
		t.Fatal("a free gate let nobody in")
	}
	var waiting []*ticket
	for _, n := range names {
		waiting = append(waiting, g.queue(at(n)))
	}
	var out []string
	served := map[int]bool{}
	for range names {
		g.leave()
		for i, w := range waiting {
			if w.has() && !served[i] {
				served[i] = true
				out = append(out, names[i])
			}
		}
	}
	return out
}

func TestSlotsGoToTenantsAndTheirActorsInRotation(t *testing.T) {
	for _, c := range []struct{ lined, want string }{
		{"a/1 a/1 a/1 b/1", "a/1 b/1 a/1 a/1"},
		{"a/1 a/1 a/1 a/2 a/2", "a/1 a/2 a/1 a/2 a/1"},
		{"a/1 a/1 a/1 a/2 b/1 b/1 c/9", "a/1 b/1 c/9 a/2 b/1 a/1 a/1"},
		{"a/1 a/2 a/3 a/4 a/5 b/1", "a/1 b/1 a/2 a/3 a/4 a/5"},
		{"a/1 b/1", "a/1 b/1"},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), order(t, strings.Fields(c.lined)...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.lined, diff)
		}
	}
}

// TestNobodyWaitsLongerThanOneRoundOfTheOthers lines up one run of a tenant behind any crowd of
// other tenants: it is served before any of them is served a second time.
func TestNobodyWaitsLongerThanOneRoundOfTheOthers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var names []string
		for i, n := range rapid.SliceOfN(rapid.IntRange(1, 20), 1, 5).Draw(rt, "runs of each tenant") {
			for j := range n {
				names = append(names, fmt.Sprintf("t%d/u%d", i, j%3))
			}
		}
		names = append(names, "late/one")
		seen := map[string]int{}
		for _, n := range order(t, names...) {
			if n == "late/one" {
				return
			}
			tenant, _, _ := strings.Cut(n, "/")
			if seen[tenant]++; seen[tenant] > 1 {
				rt.Fatalf("%s was served twice before the one who came late", tenant)
			}
		}
		rt.Fatal("the one who came late was never served")
	})
}

// TestSlotsAreNeitherLostNorMultiplied runs any course of arrivals, departures and desertions.
func TestSlotsAreNeitherLostNorMultiplied(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, 3).Draw(t, "slots")
		g := newGate(slots, 100)
		var open []*ticket // in the order they came
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			if len(open) == 0 || rapid.Bool().Draw(t, "arrive") {
				open = append(open, g.queue(at(rapid.SampledFrom([]string{"a/1", "a/2", "b/1", "c/1"}).Draw(t, "who"))))
			} else {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				gone := open[i]
				open = append(open[:i], open[i+1:]...)
				if gone.has() && rapid.Bool().Draw(t, "done") {
					g.leave()
				} else {
					g.abandon(gone)
				}
			}
			working := 0
			for _, o := range open {
				if o.has() {
					working++
				}
			}
			if want := min(slots, len(open)); working != want {
				t.Fatalf("%d of %d runs have one of %d slots", working, len(open), slots)
			}
		}
		for _, o := range open {
			g.abandon(o)
		}
		if g.free != slots || len(g.lanes) != 0 {
			t.Fatalf("%d of %d slots are free at the end, %d tenants wait", g.free, slots, len(g.lanes))
		}
	})
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	g := newGate(1, 100)
	if !g.enter(t.Context(), at("a/1")) {
		t.Fatal("the first was not let in")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if g.enter(ctx, at("b/1")) {
		t.Error("the second got a slot that is taken")
	}
	g.leave()
	if !g.enter(t.Context(), at("c/1")) {
		t.Error("the one who went away still stands in line")
	}
}

func TestActorsRunsAreBounded(t *testing.T) {
	g := newGate(1, 2)
	for i, want := range []bool{true, true, false} {
		if g.admit(at("a/1")) != want {
			t.Errorf("run %d: admitted is not %v", i+1, want)
		}
	}
	if !g.admit(at("a/2")) || !g.admit(at("b/1")) {
		t.Error("one actor's runs count for another")
	}
	g.dismiss(at("a/1"))
	if !g.admit(at("a/1")) || g.admit(at("a/1")) {
		t.Error("a run that ended does not make room for exactly one")
	}
}
