// Package retrieval answers a query with the passages that fit it best among those a scope
// admits. Nothing is fetched first and filtered afterwards: the scope is a condition inside the
// match loop, and scores, order and totals depend on admitted documents alone.
package retrieval

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/llm"
)

// Query is a search by a person or a run.
type Query struct {
	Text   string
	Limit  int // hits on this page
	Offset int // hits before it
}

// Ranks are the places that the legs of a search gave to a hit, from 1; 0 if a leg did not find it.
// Rerank is its place among the first ones by their features, or by the reranking model where that was
// asked; 0 if neither put it in an order.
type Ranks struct {
	Keyword  int
	Semantic int
	Rerank   int
}

// Hit is a chunk that matched. It carries no body, only a snippet around the match. The score is that of
// the legs: what puts the first hits in another order leaves it, so that scores need not fall from hit to hit.
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
	Legs []string // the legs that ran: "keyword", "semantic", and "rerank" for the reranking model
	// Skipped are the legs that are there and did not run, with the reason.
	Skipped []Skipped
	// Stopped says that the query holds stop words alone, so that nothing can be found by it.
	Stopped bool
	// Usage is what the reranker's endpoint told of its use for this page; nil if it was not asked for
	// it, or told nothing.
	Usage *llm.Usage
}

// Skipped is a leg that did not run.
type Skipped struct {
	Leg    string
	Reason Reason
}

// Reason says in a closed word why a leg did not run.
type Reason string

// The reasons. What was found by the other leg holds in any case, under the same rights.
const (
	Failed    Reason = "failed"     // the model or the store of vectors failed
	TooSlow   Reason = "too_slow"   // the model did not answer in time
	Language  Reason = "language"   // the model does not know the script of the query
	LocalOnly Reason = "local_only" // the query must not go where the model is
	Nothing   Reason = "nothing"    // there are not two hits whose order could change
	Literal   Reason = "literal"    // the query is codes, numbers and stop words, which are found as they stand
	NoVectors Reason = "no_vectors" // none of the chunks that may be seen has a vector, or not yet
	Rebuild   Reason = "rebuilding" // the vectors in force are of a model that is not there any more
)

// Fault reports whether the leg should have run: it would have for this query of this tenant, if all
// were well.
func (r Reason) Fault() bool { return r == Failed || r == TooSlow || r == Rebuild }

// Match is a chunk that one leg found. The score of the semantic leg is the cosine of the chunk's
// vector and the query's.
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
	Keyword(ctx context.Context, scope access.Scope, text string, k int) (Words, error)
}

// Words is what a keyword leg found, best first, and what it looked for: the terms of the query, each
// with what it weighs among the chunks that the scope admits, 0 if none of them holds it.
type Words struct {
	Matches []Match
	Terms   []index.Term
}

// Meaning is the seam to the vectors of a tenant.
type Meaning interface {
	// Semantic returns the k chunks nearest in meaning to the text among those that the scope
	// admits, ties by document key and chunk number. It reads under the scope's epoch as
	// Index.Keyword does. A reason, without an error, says why nothing was looked for.
	Semantic(ctx context.Context, scope access.Scope, text string, k int) ([]Match, Reason, error)
}

// Store is the seam from which a server's own index loads and follows a tenant.
type Store interface {
	// State returns how far the tenant is. It is called before each query and must be cheap.
	State(ctx context.Context, tenant access.TenantID) (State, error)
	// Image returns, read at one instant, the state, the versions that any scope could admit and that are
	// otherwise than they were at an earlier state, those that no scope can admit any more, and the bytes of
	// the segments for which have returns false. It may name versions that did not change. For the zero State
	// it returns every version that any scope could admit, and Whole is set.
	Image(ctx context.Context, tenant access.TenantID, since State, have func(id corpus.DocumentID, cut int64) bool) (Image, error)
}

// State is how far a tenant is: its epoch, by which rights are judged, and how often chunks of its versions were cut
// anew, which changes nothing about rights. Both only ever grow.
type State struct {
	Epoch access.Epoch
	Cuts  int64
}

// Image is a tenant's index as stored: all of it if Whole is set, else what changed.
type Image struct {
	State
	Whole     bool
	Documents []Indexed
	Gone      []corpus.DocumentID
}

// Indexed is one version with its segment. Segment is nil if it was not asked for, or if the
// version has no chunks. Cut is the number of cuts of the tenant from which on its chunks are these.
type Indexed struct {
	Document corpus.DocumentID
	Resource access.Resource
	Chunks   int
	Cut      int64
	Segment  []byte
}

// Merged is the seam to the merged segments that a server keeps, so that the next one need not open and
// merge those of all versions. They are never more than a copy: none outlives what it was made of.
type Merged interface {
	// Merged returns the merged segments of a tenant, read at one instant, and the number of its cuts then.
	Merged(ctx context.Context, tenant access.TenantID) ([]Kept, int64, error)
	// Numbers returns the numbers of what Merged would return.
	Numbers(ctx context.Context, tenant access.TenantID) ([]int64, error)
	// Keep stores a merged segment with the words of the given versions, as they were at a number of cuts,
	// and returns its number, which no other ever has. It goes in the transaction in which the segment of
	// any of them goes or is replaced. If that has happened already, or happens before all is stored, it is
	// problem.Conflict "merged_stale", and nothing of it is kept.
	Keep(ctx context.Context, tenant access.TenantID, cuts int64, m Joined) (int64, error)
	// Retain removes what is kept of a tenant but for the given numbers, and with it what a Keep left
	// that never came to its end. It is not called while a Keep of the tenant runs.
	Retain(ctx context.Context, tenant access.TenantID, numbers []int64) error
}

// Joined is a merged segment with the versions whose words are in it.
type Joined struct {
	Versions []corpus.DocumentID
	Bytes    []byte
}

// Kept is a merged segment with its number.
type Kept struct {
	Number int64
	Bytes  []byte
}

// Vectors is the seam from which a server's own index follows the vectors of a tenant. They say
// nothing about rights: what may be found is decided by the documents of an Image.
type Vectors interface {
	// Mark returns whose vectors are in force and a number that changes with them. It is called
	// before each query and must be cheap. An unknown tenant is problem.NotFound.
	Mark(ctx context.Context, tenant access.TenantID) (Mark, error)
	// Vectors returns, read at one instant, the mark and what came to be since another one: versions
	// whose vectors of the model in force were stored, with their segments, and versions whose vectors
	// are gone. It may name versions that did not change. If another model is in force than then, and
	// for the zero Mark, it returns every version with vectors of the model in force, and Whole is set.
	Vectors(ctx context.Context, tenant access.TenantID, since Mark) (VectorImage, error)
	// Waiting returns the versions whose vectors are to come from the model that is wanted now.
	Waiting(ctx context.Context, tenant access.TenantID) ([]corpus.DocumentID, error)
	// Pending counts those of Waiting that a scope admits, without a list of them: it is asked for with every look at the
	// server, however many wait.
	Pending(ctx context.Context, scope access.Scope) (int, error)
	// Refused returns the versions of which that model refused a passage for what it says.
	Refused(ctx context.Context, tenant access.TenantID) ([]corpus.DocumentID, error)
}

// Mark says whose vectors are in force, "" if nobody's are. The number only ever grows.
type Mark struct {
	Model  string
	Number int64
}

// VectorImage is what is stored of a tenant's vectors: all of it if Whole is set, else what changed.
type VectorImage struct {
	Mark      Mark
	Whole     bool
	Documents []Embedded
	Gone      []corpus.DocumentID
}

// Embedded is one version with its key and its segment.
type Embedded struct {
	Document corpus.DocumentID
	Key      string
	Segment  []byte
}
