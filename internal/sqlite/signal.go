package sqlite

import (
	"context"
	"sync"
	"time"
)

// pollInterval bounds how long a waiter misses what another process wrote: within this process
// it is told at once.
const pollInterval = 500 * time.Millisecond

// signal wakes everybody who waits for a name. Waiters look before they wait and after every
// wake-up, so that a spurious one does no harm and none is missed: the channel is taken before
// the look, and it is closed after the commit.
type signal struct {
	mu    sync.Mutex
	bells map[string]*bell
}

// bell is one name's channel, kept while somebody waits for it.
type bell struct {
	rung    chan struct{}
	waiters int
}

func newSignal() *signal { return &signal{bells: map[string]*bell{}} }

// fire wakes the waiters of a name.
func (s *signal) fire(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.bells[name]; ok {
		close(b.rung)
		delete(s.bells, name)
	}
}

func (s *signal) take(name string) *bell {
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

func (s *signal) drop(name string, b *bell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.waiters--
	if b.waiters == 0 && s.bells[name] == b {
		delete(s.bells, name)
	}
}

// await looks until there is something, an error, or the context ends. It polls besides, for
// changes by other processes and by the passing of time.
func (s *signal) await(ctx context.Context, name string, look func() (bool, error)) error {
	for {
		found, err := s.round(ctx, name, look)
		if found || err != nil {
			return err
		}
	}
}

func (s *signal) round(ctx context.Context, name string, look func() (bool, error)) (bool, error) {
	b := s.take(name)
	defer s.drop(name, b)
	if found, err := look(); found || err != nil {
		return found, err
	}
	timer := time.NewTimer(pollInterval)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-b.rung:
	case <-timer.C:
	}
	return false, ctx.Err()
}
