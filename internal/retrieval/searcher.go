package retrieval

import (
	"context"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval/rerank"
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
	r := &reading{scope: scope, texts: s.texts, held: map[corpus.ChunkID]passage{}}
	meant := means(terms)
	found, out, err := s.rank(ctx, scope, q.Text, meant, max(q.Offset+limit+1, s.Reranking.hits()))
	if err != nil {
		return Result{}, err
	}
	if found.list, err = found.reordered(ctx, lexicon, q.Text, r); err != nil {
		return Result{}, err
	}
	if err := s.ask(ctx, q, meant, found.list, r, &out); err != nil {
		return Result{}, err
	}
	out.Stopped = !slices.ContainsFunc(terms, func(t analysis.Token) bool { return !t.Stop })
	end := min(len(found.list), q.Offset+limit)
	out.More = len(found.list) > end && end <= MaxOffset
	view := newView(q.Text, terms)
	for i := q.Offset; i < end; i++ {
		p, ok, err := r.passage(ctx, found.list[i].Chunk)
		if err != nil {
			return Result{}, err
		}
		if ok {
			out.Hits = append(out.Hits, p.hit(found.list[i], view))
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

// ask gives the first hits the order of the reranking model, where there is one, and says in the result
// that it did or why not.
func (s *Searcher) ask(ctx context.Context, q Query, meant bool, found []Ranked, r *reading, out *Result) error {
	switch {
	case s.Reranking == nil:
		return nil
	case !meant:
		out.Skipped = append(out.Skipped, Skipped{Leg: "rerank", Reason: Literal})
		return nil
	case q.Offset >= s.Reranking.hits():
		out.Skipped = append(out.Skipped, Skipped{Leg: "rerank", Reason: Nothing})
		return nil
	}
	return s.Reranking.reorder(ctx, q.Text, found, r, out)
}

// standing is what the legs found together, and the terms that the keyword leg looked for.
type standing struct {
	list  []Ranked
	terms []index.Term
	both  bool
}

// rank returns at least the n best chunks of both legs, if there are so many and no fewer than are
// put in a new order, and a result that says which legs ran.
func (s *Searcher) rank(ctx context.Context, scope access.Scope, text string, meant bool, n int) (standing, Result, error) {
	n = max(n, rerank.Pool)
	if s.meaning != nil {
		n += depth
	}
	words, err := s.index.Keyword(ctx, scope, text, n)
	if err != nil {
		return standing{}, Result{}, err
	}
	out := Result{Legs: []string{"keyword"}}
	found := standing{list: Alone(words.Matches), terms: words.Terms}
	if s.meaning == nil {
		return found, out, nil
	}
	var near []Match
	reason := Literal
	if meant {
		near, reason, err = s.meaning.Semantic(ctx, scope, text, reach)
	}
	switch {
	case err != nil:
		return standing{}, Result{}, err
	case reason != "":
		out.Skipped = []Skipped{{Leg: "semantic", Reason: reason}}
		return found, out, nil
	}
	out.Legs = append(out.Legs, "semantic")
	found.list, found.both = Fuse(words.Matches, near, s.threshold), true
	return found, out, nil
}
