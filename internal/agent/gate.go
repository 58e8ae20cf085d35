package agent

import (
	"context"
	"slices"
	"sync"

	"github.com/kaoju/kaoju/internal/access"
)

// seat names whose turn it is: an actor in a tenant.
type seat struct {
	tenant access.TenantID
	user   access.UserID
}

func seatOf(actor access.Actor) seat { return seat{actor.Tenant, actor.User} }

// gate shares a number of slots among runs. A slot that comes free goes to the tenants that wait
// in rotation, and inside a tenant to its actors in rotation, so that nobody's many runs hold up
// somebody else's one. It also counts each actor's runs, waiting and working.
type gate struct {
	mu    sync.Mutex
	free  int
	most  int // runs of one actor
	runs  map[seat]int
	lanes []*lane // of the tenants that wait, the next one first
}

// lane holds the actors of one tenant that wait, the next one first.
type lane struct {
	tenant access.TenantID
	lines  []*line
}

// line holds the runs of one actor that wait, in order.
type line struct {
	user    access.UserID
	tickets []*ticket
}

// ticket is a run that wants a slot. Ready is closed when it has one.
type ticket struct {
	seat  seat
	ready chan struct{}
}

func newGate(slots, most int) *gate { return &gate{free: slots, most: most, runs: map[seat]int{}} }

// admit counts a new run of an actor; false if it has too many.
func (g *gate) admit(s seat) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.runs[s] >= g.most {
		return false
	}
	g.runs[s]++
	return true
}

// dismiss counts a run of an actor no more.
func (g *gate) dismiss(s seat) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.runs[s]--; g.runs[s] <= 0 {
		delete(g.runs, s)
	}
}

// enter waits for a slot and reports whether it got one before the context ended; then leave
// gives it back.
func (g *gate) enter(ctx context.Context, s seat) bool {
	t := g.queue(s)
	select {
	case <-t.ready:
		return true
	case <-ctx.Done():
		g.abandon(t)
		return false
	}
}

// leave gives a slot back.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free++
	g.hand()
}

// queue puts a run behind the others of its actor.
func (g *gate) queue(s seat) *ticket {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := &ticket{seat: s, ready: make(chan struct{})}
	i := slices.IndexFunc(g.lanes, func(l *lane) bool { return l.tenant == s.tenant })
	if i < 0 {
		i = len(g.lanes)
		g.lanes = append(g.lanes, &lane{tenant: s.tenant})
	}
	l := g.lanes[i]
	j := slices.IndexFunc(l.lines, func(x *line) bool { return x.user == s.user })
	if j < 0 {
		j = len(l.lines)
		l.lines = append(l.lines, &line{user: s.user})
	}
	l.lines[j].tickets = append(l.lines[j].tickets, t)
	g.hand()
	return t
}

// hand gives the free slots to those who wait. The caller holds the lock.
func (g *gate) hand() {
	for g.free > 0 && len(g.lanes) > 0 {
		lane := g.lanes[0]
		line := lane.lines[0]
		close(line.tickets[0].ready)
		g.free--
		line.tickets = line.tickets[1:]
		if lane.lines = lane.lines[1:]; len(line.tickets) > 0 {
			lane.lines = append(lane.lines, line)
		}
		if g.lanes = g.lanes[1:]; len(lane.lines) > 0 {
			g.lanes = append(g.lanes, lane)
		}
	}
}

// abandon takes a run out, or gives its slot back if it got one meanwhile.
func (g *gate) abandon(t *ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-t.ready:
		g.free++
		g.hand()
		return
	default:
	}
	g.lanes = slices.DeleteFunc(g.lanes, func(l *lane) bool {
		l.lines = slices.DeleteFunc(l.lines, func(x *line) bool {
			x.tickets = slices.DeleteFunc(x.tickets, func(have *ticket) bool { return have == t })
			return len(x.tickets) == 0
		})
		return len(l.lines) == 0
	})
}
