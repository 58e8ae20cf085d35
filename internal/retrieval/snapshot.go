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

// snapshot is a tenant as of one state. Filters are kept by the digest of their scope, and go
// with the snapshot when the epoch moves: no filter outlives the rights that it was made from.
type snapshot struct {
	state State
	set   *index.Set
	docs  map[corpus.DocumentID]access.Resource

	// roll has the resources in the order of the set, so that a scope is held against all at once.
	roll func() *access.Roll

	filters filters[*index.Filter]
}

// newSnapshot makes the snapshot of a state. The roll is made when it is first needed: many
// states pass without a search.
func newSnapshot(state State, set *index.Set, docs map[corpus.DocumentID]access.Resource) *snapshot {
	return &snapshot{state: state, set: set, docs: docs, roll: sync.OnceValue(func() *access.Roll {
		list := make([]access.Resource, 0, len(docs))
		set.Each(func(id corpus.DocumentID) { list = append(list, docs[id]) })
		return access.NewRoll(list)
	})}
}

// has reports whether the snapshot holds the segment of a version as it was cut by then.
func (s *snapshot) has(id corpus.DocumentID, cut int64) bool {
	_, ok := s.docs[id]
	return ok && cut <= s.state.Cuts
}

// filter returns the chunks that the scope admits. The scope must be current at the epoch.
func (s *snapshot) filter(scope access.Scope) *index.Filter {
	return s.filters.of(scope, func() *index.Filter {
		return s.set.Select(scope.Judge(s.roll()))
	})
}

func (s *snapshot) admits(scope access.Scope, id corpus.DocumentID) bool {
	r, ok := s.docs[id]
	return ok && scope.Admits(r)
}

// filters keeps what scopes of one epoch admit, by their digests.
type filters[F interface{ Bytes() int }] struct {
	mu     sync.Mutex
	held   map[string]*list.Element
	recent list.List // of *kept[F], the last used one first
	bytes  int
}

// kept is a filter in the cache.
type kept[F any] struct {
	digest string
	filter F
}

// of returns the filter of a scope, made if it is not there.
func (c *filters[F]) of(scope access.Scope, fresh func() F) F {
	if f, ok := c.cached(scope.Digest()); ok {
		return f
	}
	f := fresh()
	c.keep(scope.Digest(), f)
	return f
}

func (c *filters[F]) cached(digest string) (f F, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.held[digest]
	if e == nil {
		return f, false
	}
	c.recent.MoveToFront(e)
	return e.Value.(*kept[F]).filter, true
}

func (c *filters[F]) keep(digest string, f F) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == nil {
		c.held = map[string]*list.Element{}
	}
	if c.held[digest] != nil {
		return
	}
	c.held[digest] = c.recent.PushFront(&kept[F]{digest, f})
	c.bytes += f.Bytes()
	for c.recent.Len() > 1 && (c.recent.Len() > maxFilters || c.bytes > maxFilterBytes) {
		last := c.recent.Remove(c.recent.Back()).(*kept[F])
		delete(c.held, last.digest)
		c.bytes -= last.filter.Bytes()
	}
}
