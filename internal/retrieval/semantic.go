package retrieval

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index/vector"
	"github.com/kaoju/kaoju/internal/problem"
)

// Questioner turns questions into vectors: an embedding model at the side of who asks.
type Questioner interface {
	// Key names what vectors have to be of to be compared with the model's.
	Key() string
	// Reads reports whether the model knows what to make of a text.
	Reads(text string) bool
	// Remote reports whether the text leaves the operator's premises.
	Remote() bool
	// Question returns the vector of a text. The space of the query is the model's.
	Question(ctx context.Context, text string) (vector.Query, error)
}

// Semantic is the semantic leg over a Local: the same tenants, documents and epochs, with the
// vectors of a store. It is safe for concurrent use.
//
// Of a tenant's vectors the signs are kept in memory, a bit a dimension: some 50 bytes a chunk at 384
// dimensions, and some 60 MB for a million chunks with what stands beside them. The rest is in a file without a name in the folder of the
// options. They go with the tenant, of which a Local keeps a bounded number. Those of an erased or
// withdrawn version can't be found from then on. Those of an erased one leave memory with the next search
// by meaning, those of a withdrawn one with the next that finds others stored or erased; what the file
// has of them is overwritten when that memory is given back.
type Semantic struct {
	local   *Local
	vectors Vectors
	models  []Questioner
	options SemanticOptions

	making sync.Mutex
	made   bool
	chest  *vector.Chest
}

// SemanticOptions say how a Semantic works. The zero options are for tests.
type SemanticOptions struct {
	// Patience bounds how long a query waits for its vector; 0 means three seconds.
	Patience time.Duration
	// Folder is where the file with the full vectors is; "" keeps them in memory.
	Folder string
	// Log is told why the leg failed; nil means nobody.
	Log *slog.Logger
}

// NewSemantic makes the semantic leg. The first model is the one that versions are embedded with;
// another one answers where its vectors are still in force.
func NewSemantic(local *Local, vectors Vectors, o SemanticOptions, models ...Questioner) *Semantic {
	if o.Patience <= 0 {
		o.Patience = 3 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Semantic{local: local, vectors: vectors, models: models, options: o}
}

// store returns where the full vectors are; nil is in memory. A file that can't be made is tried again by the next search.
func (s *Semantic) store() (*vector.Chest, error) {
	s.making.Lock()
	defer s.making.Unlock()
	if s.made || s.options.Folder == "" {
		return s.chest, nil
	}
	chest, err := vector.NewChest(s.options.Folder)
	if err != nil {
		return nil, err
	}
	s.chest, s.made = chest, true
	return chest, nil
}

// cloud is what a server holds of a tenant's vectors, as of one mark.
type cloud struct {
	mark Mark
	set  *vector.Set
	// held are the filters over the set, of one epoch.
	held *epochFilters
}

type epochFilters struct {
	snap *snapshot
	// places has, for each version of the set, its number in the snapshot's, and -1 where that does not have it.
	places func() []int32
	filters[*vector.Filter]
}

// placed returns the numbers in the snapshot of the versions of a set.
func placed(snap *snapshot, set *vector.Set) []int32 {
	number := map[corpus.DocumentID]int32{}
	snap.set.Each(func(id corpus.DocumentID) { number[id] = int32(len(number)) })
	var out []int32
	set.Each(func(id corpus.DocumentID) {
		at, ok := number[id]
		if !ok {
			at = -1
		}
		out = append(out, at)
	})
	return out
}

// choose returns the vectors of the versions that the scope admits.
func (e *epochFilters) choose(scope access.Scope, set *vector.Set) *vector.Filter {
	places := e.places()
	judged, admitted := scope.Judge(e.snap.roll()), make([]uint64, (len(places)+63)/64)
	for i, at := range places {
		if at >= 0 {
			admitted[i/64] |= judged[at/64] >> (at % 64) & 1 << (i % 64)
		}
	}
	return set.Select(admitted)
}

// Semantic implements Meaning. What fails apart from rights and epochs is a reason and no error:
// the query is still answered by its words.
func (s *Semantic) Semantic(ctx context.Context, scope access.Scope, text string, k int) ([]Match, Reason, error) {
	if !scope.Valid() {
		return nil, "", problem.Missing()
	}
	mark, err := s.vectors.Mark(ctx, scope.Tenant())
	if err != nil {
		return s.failed(ctx, err)
	}
	model, reason := s.model(scope, mark, text)
	if model == nil {
		return nil, reason, nil
	}
	q, err := s.question(ctx, model, text)
	if err != nil {
		return s.failed(ctx, err)
	}
	// Rights are looked at after the wait for the vector, and the vectors after the rights.
	snap, err := s.local.current(ctx, scope)
	if err != nil {
		return nil, "", err
	}
	filter, err := s.filter(ctx, scope, snap, q.Space())
	if problem.CodeOf(err) == "segment_outdated" {
		s.options.Log.Error("stored vectors are not of the model that goes by this name", "model", q.Space().Model, "error", err)
		return nil, Rebuild, nil
	}
	if err != nil {
		return s.failed(ctx, err)
	}
	if filter.Chunks() == 0 && snap.filter(scope).Chunks() > 0 {
		return nil, NoVectors, nil
	}
	found, err := filter.Nearest(q, k)
	if err != nil {
		return s.failed(ctx, err)
	}
	out := make([]Match, len(found))
	for i, m := range found {
		out[i] = Match{Chunk: m.Chunk, Document: m.Document, Score: m.Similarity}
	}
	return out, "", nil
}

// model chooses the model whose vectors are in force, and says why it can't be asked. Where nobody's
// are, there is nothing to be found yet; the first model tells so like in a tenant that is empty.
func (s *Semantic) model(scope access.Scope, mark Mark, text string) (Questioner, Reason) {
	for i, m := range s.models {
		if m.Key() != mark.Model && !(mark.Model == "" && i == 0) {
			continue
		}
		switch {
		case m.Remote() && scope.LocalOnly():
			return nil, LocalOnly
		case !m.Reads(text):
			return nil, Language
		}
		return m, ""
	}
	return nil, Rebuild
}

var errPatience = errors.New("the model took too long")

func (s *Semantic) question(ctx context.Context, m Questioner, text string) (vector.Query, error) {
	wait, release := context.WithTimeoutCause(ctx, s.options.Patience, errPatience)
	defer release()
	q, err := m.Question(wait, text)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(wait), errPatience) {
		return q, errPatience
	}
	return q, err
}

// failed sorts what went wrong: an end of the whole query, or the leg's alone.
func (s *Semantic) failed(ctx context.Context, err error) ([]Match, Reason, error) {
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	s.options.Log.Warn("search by meaning failed", "error", err)
	if errors.Is(err, errPatience) {
		return nil, TooSlow, nil
	}
	return nil, Failed, nil
}

// filter returns the vectors that the scope admits at the snapshot.
func (s *Semantic) filter(ctx context.Context, scope access.Scope, snap *snapshot, space vector.Space) (*vector.Filter, error) {
	shelf := s.local.shelf(scope.Tenant())
	c, err := s.follow(ctx, shelf, scope.Tenant(), space)
	if err != nil {
		return nil, err
	}
	if c.held == nil || c.held.snap != snap {
		// Another query may put its own in place meanwhile: each has filters of its snapshot.
		next := *c
		next.held = &epochFilters{snap: snap, places: sync.OnceValue(func() []int32 { return placed(snap, next.set) })}
		shelf.near.CompareAndSwap(c, &next)
		c = &next
	}
	return c.held.of(scope, func() *vector.Filter { return c.held.choose(scope, c.set) }), nil
}

// follow returns the tenant's vectors as they are stored now.
func (s *Semantic) follow(ctx context.Context, shelf *shelf, tenant access.TenantID, space vector.Space) (*cloud, error) {
	mark, err := s.vectors.Mark(ctx, tenant)
	if err != nil {
		return nil, err
	}
	if c := shelf.near.Load(); c != nil && c.mark == mark && c.set.Space().Same(space) {
		return c, nil
	}
	select {
	case shelf.gate <- struct{}{}:
		defer func() { <-shelf.gate }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c := shelf.near.Load()
	if c == nil || !c.set.Space().Same(space) || c.mark.Model != mark.Model {
		c = &cloud{set: vector.NewSet(space)}
	}
	img, err := s.vectors.Vectors(ctx, tenant, c.mark)
	if err != nil {
		return nil, err
	}
	if img.Mark.Model != mark.Model || mark.Model != "" && mark.Model != space.Key() {
		return nil, problem.New(problem.Unavailable, "embedding_changed", "The embedding model was changed during the search.")
	}
	chest, err := s.store()
	if err != nil {
		return nil, err
	}
	set, err := join(c.set, img, chest)
	if err != nil {
		return nil, err
	}
	next := &cloud{mark: img.Mark, set: set}
	shelf.near.Store(next)
	return next, nil
}

// join returns the set that an image makes of another, with the full vectors in the chest.
func join(set *vector.Set, img VectorImage, chest *vector.Chest) (*vector.Set, error) {
	if img.Whole {
		set = vector.NewSet(set.Space())
	}
	add := make([]vector.Entry, len(img.Documents))
	for i, d := range img.Documents {
		seg, err := vector.Open(d.Segment)
		if err != nil {
			return nil, err
		}
		if seg, err = chest.Keep(seg); err != nil {
			return nil, err
		}
		add[i] = vector.Entry{Document: d.Document, Segment: seg, Key: d.Key}
	}
	return set.Change(add, img.Gone)
}

// Pending counts the versions that the scope admits whose vectors are to come.
func (s *Semantic) Pending(ctx context.Context, scope access.Scope) (int, error) {
	return s.vectors.Pending(ctx, scope)
}

// Refused counts the versions that the scope admits of which the model refused a passage: it is found
// by its words alone.
func (s *Semantic) Refused(ctx context.Context, scope access.Scope) (int, error) {
	all, err := s.vectors.Refused(ctx, scope.Tenant())
	if err != nil {
		return 0, err
	}
	return s.local.Count(ctx, scope, all)
}
