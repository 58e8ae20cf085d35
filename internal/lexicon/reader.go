package lexicon

import (
	"context"
	"sync"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/problem"
)

// maxHeld bounds how many lexicons a Reader keeps.
const maxHeld = 128

// Reader gives the lexicons of tenants as their lists are now. It reads a list again when its mark
// has changed, whoever changed it. It is safe for concurrent use.
type Reader struct {
	store Store
	mu    sync.Mutex
	held  map[access.TenantID]held
}

// held is a lexicon and the mark of the list that it was made of.
type held struct {
	mark    int
	lexicon *analysis.Lexicon
}

// NewReader makes a reader of a store's lists.
func NewReader(store Store) *Reader {
	return &Reader{store: store, held: map[access.TenantID]held{}}
}

// Of returns the tenant's lexicon; nil for one that has no list. A list that can't be read or used is
// an error: a search that left it out would look like one that found nothing.
func (r *Reader) Of(ctx context.Context, tenant access.TenantID) (*analysis.Lexicon, error) {
	mark, err := r.store.Mark(ctx, tenant)
	if err != nil || mark == 0 {
		return nil, err
	}
	r.mu.Lock()
	h, ok := r.held[tenant]
	r.mu.Unlock()
	if ok && h.mark == mark {
		return h.lexicon, nil
	}
	list, err := r.store.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	lexicon, err := Compile(list.Lines)
	if err != nil {
		return nil, problem.Wrap(err, problem.Internal, "lexicon_damaged", "The stored list of words and synonyms can't be used.")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.held) >= maxHeld {
		clear(r.held)
	}
	r.held[tenant] = held{list.LockVersion, lexicon}
	return lexicon, nil
}
