package retrieval

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// The bounds of a page. A longer one is cut to MaxLimit; there is no page beyond MaxOffset.
const (
	DefaultLimit = 10
	MaxLimit     = 50
	MaxOffset    = 1000
)

// Searcher answers queries with pages of hits.
type Searcher struct {
	// Lexicons gives the words and synonyms of a tenant, the same as the index has. It is set before
	// the first search, or not.
	Lexicons Lexicons

	index Index
	texts corpus.Texts
}

// NewSearcher makes a searcher that finds in the index and shows from the texts.
func NewSearcher(index Index, texts corpus.Texts) *Searcher {
	return &Searcher{index: index, texts: texts}
}

// Search returns one page of the chunks that match the query among those the scope admits. A
// text without any letter or number is problem.Invalid "empty_query"; one that holds stop words
// alone is a valid search without hits. A scope that the tenant has moved past is
// problem.Conflict "scope_stale", as access.Within expects.
func (s *Searcher) Search(ctx context.Context, scope access.Scope, q Query) (Result, error) {
	began := time.Now()
	terms := s.Lexicons.of(scope.Tenant()).Query(q.Text)
	if len(terms) == 0 {
		return Result{}, problem.New(problem.Invalid, "empty_query", "The query has no word or number to search for.")
	}
	if q.Offset < 0 || q.Offset > MaxOffset {
		return Result{}, problem.New(problem.Invalid, "invalid_offset", "A search can be paged through its first %d hits.", MaxOffset)
	}
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	limit = min(limit, MaxLimit)
	found, err := s.index.Keyword(ctx, scope, q.Text, q.Offset+limit+1)
	if err != nil {
		return Result{}, err
	}
	out := Result{Legs: []string{"keyword"}}
	end := min(len(found), q.Offset+limit)
	out.More = len(found) > end && end <= MaxOffset
	view := newView(q.Text, terms)
	for i := q.Offset; i < end; i++ {
		hit, ok, err := s.hit(ctx, scope, found[i], view)
		if err != nil {
			return Result{}, err
		}
		if ok {
			hit.Ranks.Keyword = i + 1
			out.Hits = append(out.Hits, hit)
		}
	}
	out.Took = time.Since(began)
	return out, nil
}

// hit loads what is shown of a match. A scope without epoch can meet a version that went away
// meanwhile: it is left out. For any other scope that is a fault, since rows and index are read
// at one epoch.
func (s *Searcher) hit(ctx context.Context, scope access.Scope, m Match, v *view) (Hit, bool, error) {
	chunk, doc, err := s.texts.Chunk(ctx, scope, m.Chunk)
	if problem.Is(err, problem.NotFound) {
		if scope.Unbounded() {
			return Hit{}, false, nil
		}
		return Hit{}, false, problem.Wrap(err, problem.Unavailable, "index_ahead", "A passage that was found can't be loaded.")
	}
	if err != nil {
		return Hit{}, false, err
	}
	return Hit{
		Document:    doc,
		Chunk:       chunk.ID,
		HeadingPath: chunk.HeadingPath,
		Locator:     chunk.Locator,
		Span:        chunk.Span,
		Snippet:     v.snippet(chunk.Text),
		Score:       m.Score,
		Matched:     v.matched(doc.Title, chunk),
	}, true, nil
}
