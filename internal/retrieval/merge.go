package retrieval

import (
	"maps"
	"slices"

	"github.com/kaoju/kaoju/internal/index"
)

// merge runs a merge apart and lets the tenant's latest snapshot adopt it. There is one at a time
// for a tenant, and one at a time that works, so that merging takes one processor and the memory
// of one result. Neither a search nor a publication waits for it, only for the moment of adopting.
// The caller holds the gate.
func (l *Local) merge(s *shelf, m *index.Merge) {
	if m == nil || s.merging != nil {
		return
	}
	done := make(chan struct{})
	s.merging = done
	go func() {
		defer close(done)
		l.turn <- struct{}{}
		m.Run()
		<-l.turn
		s.gate <- struct{}{}
		defer func() { <-s.gate }()
		now := s.now.Load()
		next := newSnapshot(now.state, now.set.Adopt(m), now.docs)
		s.now.Store(next)
		s.merging = nil
		l.merge(s, next.set.Due())
		l.move()
	}()
}

// Settle waits until no merge is under way. Searches need no such wait; measurements do.
func (l *Local) Settle() {
	l.mu.Lock()
	shelves := slices.Collect(maps.Values(l.tenants))
	l.mu.Unlock()
	for _, s := range shelves {
		for {
			s.gate <- struct{}{}
			done := s.merging
			<-s.gate
			if done == nil {
				break
			}
			<-done
		}
	}
}
