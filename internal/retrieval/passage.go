package retrieval

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval/rerank"
)

// reading loads passages for one search, each once.
type reading struct {
	scope access.Scope
	texts corpus.Texts
	held  map[corpus.ChunkID]passage
}

// passage is what is loaded of a match.
type passage struct {
	chunk    corpus.Chunk
	document corpus.Document
}

// passage loads what is shown of a match. A scope without epoch can meet a version that went away
// meanwhile: it is left out. For any other scope rows and index are read at one epoch, so that the version was cut anew
// since it was found: the search is stale as under a scope whose epoch is over, and whoever asked begins again.
func (r *reading) passage(ctx context.Context, id corpus.ChunkID) (passage, bool, error) {
	if p, ok := r.held[id]; ok {
		return p, true, nil
	}
	chunk, doc, err := r.texts.Chunk(ctx, r.scope, id)
	if problem.Is(err, problem.NotFound) {
		if r.scope.Unbounded() {
			return passage{}, false, nil
		}
		return passage{}, false, access.Stale()
	}
	if err != nil {
		return passage{}, false, err
	}
	p := passage{chunk, doc}
	r.held[id] = p
	return p, true, nil
}

// hit returns what is shown of a passage.
func (p passage) hit(r Ranked, v *view) Hit {
	return Hit{
		Document:    p.document,
		Chunk:       p.chunk.ID,
		HeadingPath: p.chunk.HeadingPath,
		Locator:     p.chunk.Locator,
		Span:        p.chunk.Span,
		Snippet:     v.snippet(p.chunk.Text),
		Score:       r.Score,
		Ranks:       r.Ranks,
		Matched:     v.matched(p.document.Title, p.chunk),
	}
}

// Candidate is a chunk with its title as the features of package rerank see it.
func (r Ranked) Candidate(title string, c corpus.Chunk) rerank.Candidate {
	return rerank.Candidate{
		Title: title, Headings: c.HeadingPath, Text: c.Full(),
		Fused: r.Score, Keyword: r.Keyword, Similarity: r.Similarity,
	}
}

// reordered returns the list with its first chunks in the order of their features, where there is a
// model for the query. What comes after them stays where it was.
func (s standing) reordered(ctx context.Context, l *analysis.Lexicon, text string, r *reading) ([]Ranked, error) {
	q := rerank.NewQuery(l, text, s.terms)
	model := rerank.For(q, s.both)
	if model == nil {
		return s.list, nil
	}
	pool := s.list[:min(rerank.Pool, len(s.list))]
	candidates := make([]rerank.Candidate, len(pool))
	for i, c := range pool {
		p, _, err := r.passage(ctx, c.Chunk)
		if err != nil {
			return nil, err
		}
		candidates[i] = c.Candidate(p.document.Title, p.chunk)
	}
	out := make([]Ranked, 0, len(s.list))
	for place, i := range model.Order(q, candidates) {
		c := pool[i]
		c.Ranks.Rerank = place + 1
		out = append(out, c)
	}
	return append(out, s.list[len(pool):]...), nil
}
