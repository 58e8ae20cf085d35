package retrieval

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

const (
	// DefaultReranked is how many hits are reordered: as many as Text Embeddings Inference takes at once,
	// and a few less.
	DefaultReranked = 30
	// remembered bounds how many orders are kept, and sulk is how long a failure counts for the same
	// candidates, so that the pages of a search are parts of one order.
	remembered = 256
	sulk       = time.Minute
)

// Reranking gives the first hits of a search the order in which a model puts them. The model is sent
// the query, and title, headings and text of passages that the scope admits, and of no others. It is safe
// for concurrent use.
//
// Orders are kept for a while, for the same actor, query and passages: further pages belong to the first.
type Reranking struct {
	// Model scores passages.
	Model llm.Reranker
	// Hits is how many of the fused hits are reordered; 0 means DefaultReranked.
	Hits int
	// Clock defaults to time.Now, and Log to nobody.
	Clock func() time.Time
	Log   *slog.Logger

	mu   sync.Mutex
	kept map[[sha256.Size]byte]verdict
	past [][sha256.Size]byte // the keys of kept, the oldest first
}

// verdict is what a model said of candidates: their scores, or why it said nothing.
type verdict struct {
	scores []float64
	reason Reason
	until  time.Time // of a failure
}

// hits is how many are reordered.
func (r *Reranking) hits() int {
	if r == nil {
		return 0
	}
	if r.Hits <= 0 {
		return DefaultReranked
	}
	return r.Hits
}

// reorder gives the first candidates the order of the model's scores, ties as they were, and adds to
// the result that it did, or why it did not. What the legs scored stays with the hit. The error is one of
// rights or of the end of the whole search.
//
// A model takes its time: what was loaded for it is loaded again for whoever is shown the hits.
func (r *Reranking) reorder(ctx context.Context, query string, found []Ranked, read *reading, out *Result) error {
	some := found[:min(len(found), r.hits())]
	v, used, err := r.judge(ctx, query, some, read)
	clear(read.held)
	if err != nil {
		return err
	}
	if v.reason != "" {
		out.Skipped = append(out.Skipped, Skipped{Leg: "rerank", Reason: v.reason})
		return nil
	}
	out.Legs, out.Usage = append(out.Legs, "rerank"), used
	order := make([]int, len(some))
	for i := range some {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v.scores[b], v.scores[a]) })
	former := slices.Clone(some)
	for place, i := range order {
		some[place] = former[i]
		some[place].Ranks.Rerank = place + 1
	}
	return nil
}

// judge asks the model about candidates, unless it has said of the same ones already.
func (r *Reranking) judge(ctx context.Context, query string, some []Ranked, read *reading) (verdict, *llm.Usage, error) {
	scope := read.scope
	switch {
	case len(some) < 2:
		return verdict{reason: Nothing}, nil, nil
	case r.Model.Info().Remote && scope.LocalOnly():
		return verdict{reason: LocalOnly}, nil, nil
	}
	texts := make([]string, len(some))
	for i, m := range some {
		p, _, err := read.passage(ctx, m.Chunk)
		if err != nil {
			return verdict{}, nil, err
		}
		texts[i] = p.shown()
	}
	key := r.key(scope, query, texts)
	if v, ok := r.recall(key); ok {
		return v, nil, nil
	}
	ranking, err := r.Model.Rerank(ctx, query, texts)
	if ctx.Err() != nil {
		return verdict{}, nil, ctx.Err()
	}
	v := verdict{scores: ranking.Scores}
	if err == nil && len(v.scores) != len(texts) {
		err = errors.New("another number of scores than of passages")
	}
	if err != nil {
		r.log().Warn("the reranker failed; hits keep the order of the other legs", "error", err)
		v = verdict{reason: Failed, until: r.now().Add(sulk)}
		if problem.CodeOf(err) == "rerank_timeout" {
			v.reason = TooSlow
		}
	}
	r.keep(key, v)
	return v, ranking.Usage, nil
}

// shown is what the model is shown of a passage: what a reader sees.
func (p passage) shown() string {
	lines := []string{p.document.Title}
	if len(p.chunk.HeadingPath) > 0 {
		lines = append(lines, strings.Join(p.chunk.HeadingPath, " › "))
	}
	return strings.Join(append(lines, p.chunk.Text), "\n")
}

// key names a question about candidates. It belongs to one actor, so that nobody can tell by the time
// that a search takes what somebody else looked for.
func (r *Reranking) key(scope access.Scope, query string, texts []string) (key [sha256.Size]byte) {
	h := sha256.New()
	for _, s := range slices.Concat([]string{string(scope.Tenant()), string(scope.Actor()), r.Model.Info().Name, query}, texts) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	h.Sum(key[:0])
	return key
}

func (r *Reranking) recall(key [sha256.Size]byte) (verdict, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.kept[key]
	return v, ok && (v.reason == "" || r.now().Before(v.until))
}

func (r *Reranking) keep(key [sha256.Size]byte, v verdict) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = map[[sha256.Size]byte]verdict{}
	}
	if _, ok := r.kept[key]; !ok {
		if len(r.past) >= remembered {
			delete(r.kept, r.past[0])
			r.past = r.past[1:]
		}
		r.past = append(r.past, key)
	}
	r.kept[key] = v
}

func (r *Reranking) now() time.Time {
	if r.Clock == nil {
		return time.Now()
	}
	return r.Clock()
}

func (r *Reranking) log() *slog.Logger {
	if r.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return r.Log
}
