// Package wake tells those who wait for a name that something of it was committed.
package wake

import (
	"context"
	"sync"
	"time"
)

// pollInterval bounds how long a waiter misses what another process wrote: within this process
// it is told at once.
const pollInterval = 500 * time.Millisecond

// Bells wakes everybody who waits for a name. Waiters look before they wait and after every
// wake-up, so that a spurious one does no harm and none is missed: the channel is taken before
// the look, and it is closed after the commit.
type Bells struct {
	mu    sync.Mutex
	bells map[string]*bell
}

// bell is one name's channel, kept while somebody waits for it.
type bell struct {
	rung    chan struct{}
	waiters int
}

// New returns bells that nobody waits for yet.
func New() *Bells { return &Bells{bells: map[string]*bell{}} }

// Ring wakes the waiters of a name.
func (s *Bells) Ring(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.bells[name]; ok {
		close(b.rung)
		delete(s.bells, name)
	}
}

func (s *Bells) take(name string) *bell {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.bells[name]
	if !ok {
		b = &bell{rung: make(chan struct{})}
		s.bells[name] = b
	}
	b.waiters++
	return b
}

func (s *Bells) drop(name string, b *bell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.waiters--
	if b.waiters == 0 && s.bells[name] == b {
		delete(s.bells, name)
	}
}

// Listen returns a channel that is closed when the name is rung next. The caller drops it when it
// listens no longer.
func (s *Bells) Listen(name string) (rung <-chan struct{}, drop func()) {
	b := s.take(name)
	return b.rung, func() { s.drop(name, b) }
}

// Await looks until there is something, an error, or the context ends. It polls besides, for
// changes by other processes and by the passing of time.
func (s *Bells) Await(ctx context.Context, name string, look func() (bool, error)) error {
	for {
		found, err := s.round(ctx, name, look)
		if found || err != nil {
			return err
		}
	}
}

func (s *Bells) round(ctx context.Context, name string, look func() (bool, error)) (bool, error) {
	rung, drop := s.Listen(name)
	defer drop()
	if found, err := look(); found || err != nil {
		return found, err
	}
	timer := time.NewTimer(pollInterval)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-rung:
	case <-timer.C:
	}
	return false, ctx.Err()
}
