package retrieval

import (
	"container/list"
	"sync"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
)

// The bounds of the filters that one snapshot keeps.
const (
	maxFilters     = 512
	maxFilterBytes = 32 << 20
)

// snapshot is a tenant as of one epoch. Filters are kept by the digest of their scope, and go
// with the snapshot when the epoch moves: no filter outlives the rights that it was made from.
type snapshot struct {
	epoch access.Epoch
	set   *index.Set
	docs  map[corpus.DocumentID]access.Resource

	// roll has the resources in the order of the set, so that a scope is held against all at once.
	roll func() *access.Roll

	mu      sync.Mutex
	filters map[string]*list.Element
	recent  list.List // of *kept, the last used one first
	bytes   int
}

// newSnapshot makes the snapshot of an epoch. The roll is made when it is first needed: many
// epochs pass without a search.
func newSnapshot(epoch access.Epoch, set *index.Set, docs map[corpus.DocumentID]access.Resource) *snapshot {
	return &snapshot{epoch: epoch, set: set, docs: docs, roll: sync.OnceValue(func() *access.Roll {
		list := make([]access.Resource, 0, len(docs))
		set.Each(func(id corpus.DocumentID) { list = append(list, docs[id]) })
		return access.NewRoll(list)
	})}
}

// has reports whether the snapshot holds the segment of a version.
func (s *snapshot) has(id corpus.DocumentID) bool {
	_, ok := s.docs[id]
	return ok
}

// kept is a filter in the cache.
type kept struct {
	digest string
	filter *index.Filter
}

// filter returns the chunks that the scope admits. The scope must be current at the epoch.
func (s *snapshot) filter(scope access.Scope) *index.Filter {
	if f := s.cached(scope.Digest()); f != nil {
		return f
	}
	admitted := scope.Judge(s.roll())
	f := s.set.Select(func(i int) bool { return admitted[i] })
	s.keep(scope.Digest(), f)
	return f
}

func (s *snapshot) cached(digest string) *index.Filter {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.filters[digest]
	if e == nil {
		return nil
	}
	s.recent.MoveToFront(e)
	return e.Value.(*kept).filter
}

func (s *snapshot) keep(digest string, f *index.Filter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.filters == nil {
		s.filters = map[string]*list.Element{}
	}
	if s.filters[digest] != nil {
		return
	}
	s.filters[digest] = s.recent.PushFront(&kept{digest, f})
	s.bytes += f.Bytes()
	for s.recent.Len() > 1 && (s.recent.Len() > maxFilters || s.bytes > maxFilterBytes) {
		last := s.recent.Remove(s.recent.Back()).(*kept)
		delete(s.filters, last.digest)
		s.bytes -= last.filter.Bytes()
	}
}
