// Package retrieval answers a query with the passages that fit it best among those a scope
// admits. Nothing is fetched first and filtered afterwards: the scope is a condition inside the
// match loop, and scores, order and totals depend on admitted documents alone.
package retrieval

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
)

// Query is a search by a person or a run.
type Query struct {
	Text   string
	Limit  int // hits on this page
	Offset int // hits before it
}

// Ranks are the places that the legs of a search gave to a hit, from 1; 0 if a leg did not find it.
type Ranks struct {
	Keyword  int
	Semantic int
	Rerank   int
}

// Hit is a chunk that matched. It carries no body, only a snippet around the match.
type Hit struct {
	Document    corpus.Document
	Chunk       corpus.ChunkID
	HeadingPath []string
	Locator     corpus.Locator
	Span        corpus.Span
	Snippet     string
	Score       float64
	Ranks       Ranks
	Matched     []string // the query's terms that the chunk holds, as the person wrote them
}

// Result is one page of hits, best first.
type Result struct {
	Hits []Hit
	More bool // there is a next page
	Took time.Duration
	Legs []string // the legs that ran: "keyword", "semantic"
}

// Match is a chunk that one leg found.
type Match struct {
	Chunk    corpus.ChunkID
	Document corpus.DocumentID
	Score    float64
}

// Index is the seam to the search structures of a tenant.
type Index interface {
	// Keyword returns the k best chunks for the text among those that the scope admits, ties by
	// document key and chunk number. It reads under the scope's epoch: problem.Conflict
	// "scope_stale" if the tenant has moved on.
	Keyword(ctx context.Context, scope access.Scope, text string, k int) ([]Match, error)
}

// Store is the seam from which a server's own index loads and follows a tenant.
type Store interface {
	// Epoch returns the tenant's epoch. It is called before each query and must be cheap.
	Epoch(ctx context.Context, tenant access.TenantID) (access.Epoch, error)
	// Image returns, read at one instant, the epoch, every version that any scope could admit,
	// and the bytes of the segments for which have returns false.
	Image(ctx context.Context, tenant access.TenantID, have func(corpus.DocumentID) bool) (Image, error)
}

// Image is a tenant's index as stored.
type Image struct {
	Epoch     access.Epoch
	Documents []Indexed
}

// Indexed is one version with its segment. Segment is nil if it was not asked for, or if the
// version has no chunks.
type Indexed struct {
	Document corpus.DocumentID
	Resource access.Resource
	Chunks   int
	Segment  []byte
}
