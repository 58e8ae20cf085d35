package retrieval

import (
	"context"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
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
	// Reranking reorders the first hits; nil leaves them as they are. It is set before the first
	// search, or not.
	Reranking *Reranking

	index     Index
	texts     corpus.Texts
	meaning   Meaning // nil: words alone
	threshold float64
}

// NewSearcher makes a searcher that finds in the index and shows from the texts.
func NewSearcher(index Index, texts corpus.Texts) *Searcher {
	return &Searcher{index: index, texts: texts}
}

// NewHybrid makes a searcher with both legs. A chunk that holds no word of the query is a hit if its
// similarity is at least the threshold.
func NewHybrid(index Index, texts corpus.Texts, meaning Meaning, threshold float64) *Searcher {
	return &Searcher{index: index, texts: texts, meaning: meaning, threshold: threshold}
}

// Search returns one page of the chunks that match the query among those the scope admits. A
// text without any letter or number is problem.Invalid "empty_query"; one that holds stop words
// alone is a valid search without hits, which says so (Stopped). A scope that the tenant has moved past is
// problem.Conflict "scope_stale", as access.Within expects. A semantic leg that fails is named in the
// result, which then holds what was found by words.
func (s *Searcher) Search(ctx context.Context, scope access.Scope, q Query) (Result, error) {
	began := time.Now()
	lexicon, err := s.Lexicons.Of(ctx, scope.Tenant())
	if err != nil {
		return Result{}, err
	}
	terms := lexicon.Query(q.Text)
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
	found, out, err := s.rank(ctx, scope, q, means(terms), max(q.Offset+limit+1, s.Reranking.hits()))
	if err != nil {
		return Result{}, err
	}
	out.Stopped = !slices.ContainsFunc(terms, func(t analysis.Token) bool { return !t.Stop })
	end := min(len(found), q.Offset+limit)
	out.More = len(found) > end && end <= MaxOffset
	view := newView(q.Text, terms)
	for i := q.Offset; i < end; i++ {
		hit, ok, err := s.hit(ctx, scope, found[i].Match, view)
		if err != nil {
			return Result{}, err
		}
		if ok {
			hit.Ranks = found[i].ranks
			out.Hits = append(out.Hits, hit)
		}
	}
	out.Took = time.Since(began)
	return out, nil
}

// means reports whether a query holds a word that means something. One of codes and numbers is to be
// found literally, and whatever else is near it in meaning must not come before.
func means(terms []analysis.Token) bool {
	return slices.ContainsFunc(terms, func(t analysis.Token) bool {
		switch t.Kind {
		case analysis.Identifier, analysis.Number, analysis.Numeral, analysis.Date:
			return false
		}
		return t.Of < 0 && !t.Stop
	})
}

// rank returns at least the n best chunks of both legs, if there are so many, in the order of the
// reranker where there is one, and a result that says which legs ran.
func (s *Searcher) rank(ctx context.Context, scope access.Scope, q Query, meant bool, n int) ([]ranked, Result, error) {
	found, out, err := s.join(ctx, scope, q.Text, meant, n)
	switch {
	case err != nil || s.Reranking == nil:
		return found, out, err
	case !meant:
		out.Skipped = append(out.Skipped, Skipped{Leg: "rerank", Reason: Literal})
	case q.Offset >= s.Reranking.hits():
		out.Skipped = append(out.Skipped, Skipped{Leg: "rerank", Reason: Nothing})
	default:
		err = s.Reranking.reorder(ctx, scope, q.Text, found, s.texts.Chunk, &out)
	}
	return found, out, err
}

// join returns at least the n best chunks of both legs.
func (s *Searcher) join(ctx context.Context, scope access.Scope, text string, meant bool, n int) ([]ranked, Result, error) {
	if s.meaning != nil {
		n += depth
	}
	words, err := s.index.Keyword(ctx, scope, text, n)
	if err != nil {
		return nil, Result{}, err
	}
	out := Result{Legs: []string{"keyword"}}
	if s.meaning == nil {
		return alone(words), out, nil
	}
	var near []Match
	reason := Literal
	if meant {
		near, reason, err = s.meaning.Semantic(ctx, scope, text, depth)
	}
	switch {
	case err != nil:
		return nil, Result{}, err
	case reason != "":
		out.Skipped = []Skipped{{Leg: "semantic", Reason: reason}}
		return alone(words), out, nil
	}
	out.Legs = append(out.Legs, "semantic")
	return fuse(words, near, s.threshold), out, nil
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
