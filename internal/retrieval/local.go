package retrieval

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
)

// maxTenants bounds how many tenants a Local keeps loaded; the one not searched for longest goes.
const maxTenants = 128

// Local is a server's own index over the segments of a Store. It asks for the tenant's state
// before every query, follows the tenant when that has changed, and answers from what it holds at
// exactly that state: a right that was taken away is gone with the next query. It is safe for
// concurrent use.
type Local struct {
	// Lexicons gives the words and synonyms of a tenant. It is set before the first search, or not.
	Lexicons Lexicons
	// Merged holds what a server before has merged; nil if nothing is kept. It is set before the first
	// search too.
	Merged Merged
	// Log hears of what could not be kept, or not be used; nil hears nothing.
	Log *slog.Logger

	store   Store
	mu      sync.Mutex
	clock   uint64
	tenants map[access.TenantID]*shelf
	turn    chan struct{} // holds one token while a merge runs
	moved   chan struct{} // holds one token if a snapshot was replaced that Keep has not seen
}

// shelf is what a Local holds of one tenant.
type shelf struct {
	gate chan struct{} // holds one token while the tenant is being loaded
	now  atomic.Pointer[snapshot]
	near atomic.Pointer[cloud] // nil until the tenant is searched by meaning
	used uint64

	kept    []stock       // under the gate, as what follows
	swept   bool          // whether what a process before left was removed
	merging chan struct{} // closed when the merge under way is done; nil if there is none; under the gate
}

// NewLocal makes an index that loads tenants from the store when they are first searched.
func NewLocal(store Store) *Local {
	return &Local{store: store, tenants: map[access.TenantID]*shelf{}, turn: make(chan struct{}, 1), moved: make(chan struct{}, 1)}
}

// Keyword implements Index.
func (l *Local) Keyword(ctx context.Context, scope access.Scope, text string, k int) (Words, error) {
	snap, err := l.current(ctx, scope)
	if err != nil {
		return Words{}, err
	}
	lexicon, err := l.Lexicons.Of(ctx, scope.Tenant())
	if err != nil {
		return Words{}, err
	}
	out := Words{Terms: index.TermsWith(lexicon, text)}
	found, weights := snap.filter(scope).Rank(out.Terms, k)
	for i, w := range weights {
		out.Terms[i].Weight = w
	}
	out.Matches = make([]Match, len(found))
	for i, m := range found {
		out.Matches[i] = Match{Chunk: m.Chunk, Document: m.Document, Score: m.Score}
	}
	return out, nil
}

// Count counts those versions of a list that the scope admits.
func (l *Local) Count(ctx context.Context, scope access.Scope, list []corpus.DocumentID) (int, error) {
	snap, err := l.current(ctx, scope)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, id := range list {
		if snap.admits(scope, id) {
			n++
		}
	}
	return n, nil
}

// current returns the tenant at the epoch of the scope, with its chunks as they are cut now.
func (l *Local) current(ctx context.Context, scope access.Scope) (*snapshot, error) {
	if !scope.Valid() {
		return nil, problem.Missing()
	}
	state, err := l.store.State(ctx, scope.Tenant())
	if err != nil {
		return nil, err
	}
	if err := scope.Current(state.Epoch); err != nil {
		return nil, err
	}
	snap, err := l.at(ctx, scope.Tenant(), state)
	if err != nil {
		return nil, err
	}
	// The tenant may have moved on between the two reads.
	return snap, scope.Current(snap.state.Epoch)
}

// at returns the tenant as of the state, or as of a later one.
func (l *Local) at(ctx context.Context, tenant access.TenantID, state State) (*snapshot, error) {
	s := l.shelf(tenant)
	if snap := s.now.Load(); snap != nil && snap.state == state {
		return snap, nil
	}
	select {
	case s.gate <- struct{}{}:
		defer func() { <-s.gate }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if snap := s.now.Load(); snap != nil && snap.state == state {
		return snap, nil
	}
	snap, err := l.next(ctx, tenant, s)
	if err != nil {
		return nil, err
	}
	s.now.Store(snap)
	l.merge(s, snap.set.Due())
	l.move()
	return snap, nil
}

// next makes the snapshot that follows that of a shelf. The caller holds the gate.
func (l *Local) next(ctx context.Context, tenant access.TenantID, s *shelf) (*snapshot, error) {
	old := s.now.Load()
	if old == nil {
		return l.load(ctx, tenant, s)
	}
	img, err := l.store.Image(ctx, tenant, old.state, old.has)
	if err != nil {
		return nil, err
	}
	return old.follow(img)
}

func (l *Local) log() *slog.Logger {
	if l.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return l.Log
}

// shelf returns the place of a tenant, making room for it if need be.
func (l *Local) shelf(tenant access.TenantID) *shelf {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clock++
	s := l.tenants[tenant]
	if s == nil {
		if len(l.tenants) >= maxTenants {
			l.evict()
		}
		s = &shelf{gate: make(chan struct{}, 1)}
		l.tenants[tenant] = s
	}
	s.used = l.clock
	return s
}

// evict forgets the tenant that was not searched for longest. Queries under way keep theirs.
func (l *Local) evict() {
	var oldest access.TenantID
	first := true
	for id, s := range l.tenants {
		if first || s.used < l.tenants[oldest].used {
			oldest, first = id, false
		}
	}
	delete(l.tenants, oldest)
}
