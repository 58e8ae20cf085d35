package retrieval_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

const tenant access.TenantID = "t"

// house is a tenant in memory: directory, store and texts in one, with one epoch over all.
type house struct {
	mu     sync.RWMutex
	epoch  access.Epoch
	users  map[access.UserID]access.Identity
	bases  []access.KnowledgeBase
	papers []paper
	place  map[corpus.DocumentID]int          // in papers
	moved  map[corpus.DocumentID]access.Epoch // since when a paper is as it is, or gone
	cuts   int64                              // how often a paper was cut anew
	cut    map[corpus.DocumentID]int64        // since which of these the chunks of a paper are as they are
	images atomic.Int64                       // how often an image was read
	named  atomic.Int64                       // how many versions were handed out
	bytes  atomic.Int64                       // how many segments were handed out
	fault  error                              // what Image fails with
	local  bool                               // the tenant is local-only
}

// paper is one version with its content.
type paper struct {
	corpus.Document
	chunks  []corpus.Chunk
	segment []byte
}

var (
	_ access.Directory = (*house)(nil)
	_ retrieval.Store  = (*house)(nil)
	_ corpus.Texts     = (*house)(nil)
)

// newHouse has the user "u", who reads the knowledge base "kb" like everybody.
func newHouse() *house {
	return &house{
		epoch: 1, place: map[corpus.DocumentID]int{}, moved: map[corpus.DocumentID]access.Epoch{}, cut: map[corpus.DocumentID]int64{},
		users: map[access.UserID]access.Identity{"u": {User: "u"}},
		bases: []access.KnowledgeBase{{ID: "kb", Tenant: tenant, Grants: []access.Grant{{Principal: access.Everyone, Level: access.Reader}}}},
	}
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// put publishes a version with one chunk for each text.
func (h *house) put(t fataler, d corpus.Document, texts ...string) {
	t.Helper()
	var chunks []corpus.Chunk
	at := 0
	for i, text := range texts {
		n := len([]rune(text))
		chunks = append(chunks, corpus.Chunk{
			ID: corpus.ChunkID(fmt.Sprintf("%s.%d", d.ID, i+1)), Document: d.ID, No: i + 1, Text: text,
			Span: corpus.Span{Start: at, End: at + n}, Locator: corpus.TextLocator{Format: "txt", Line: i + 1},
		})
		at += n + 1
	}
	h.add(t, d, chunks)
}

func (h *house) add(t fataler, d corpus.Document, chunks []corpus.Chunk) {
	t.Helper()
	d.Tenant = tenant
	if d.KnowledgeBase == "" {
		d.KnowledgeBase = "kb"
	}
	if d.Key == "" {
		d.Key = corpus.Key(d.ID)
	}
	if d.Status == "" {
		d.Status = access.StatusPublished
	}
	d.ChunkCount = len(chunks)
	segment, err := index.Build(d.Title, chunks)
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	h.change(func() {
		if i, ok := h.place[d.ID]; ok {
			h.papers[i] = paper{d, chunks, segment}
			return
		}
		h.place[d.ID] = len(h.papers)
		h.papers = append(h.papers, paper{d, chunks, segment})
	})
}

// recut gives a version other chunks, which is none of the changes that raise the epoch.
func (h *house) recut(t fataler, id corpus.DocumentID, texts ...string) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &h.papers[h.place[id]]
	h.cuts++
	h.cut[id] = h.cuts
	p.chunks, p.ChunkCount = nil, len(texts)
	for i, text := range texts {
		p.chunks = append(p.chunks, corpus.Chunk{ID: corpus.ChunkID(fmt.Sprintf("%s.%d/%d", id, i+1, h.cuts)), Document: id, No: i + 1, Text: text})
	}
	var err error
	if p.segment, err = index.Build(p.Title, p.chunks); err != nil {
		t.Fatalf("Build: %v", err)
	}
}

// change does something in the transaction that raises the epoch.
func (h *house) change(fn func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.shown()
	fn()
	h.epoch++
	after := h.shown()
	for _, list := range []map[corpus.DocumentID]string{before, after} {
		for id := range list {
			if before[id] != after[id] {
				h.moved[id] = h.epoch
			}
		}
	}
}

// shown says what an image says of each paper.
func (h *house) shown() map[corpus.DocumentID]string {
	out := map[corpus.DocumentID]string{}
	for _, p := range h.papers {
		if p.Status != access.StatusReserved {
			out[p.ID] = fmt.Sprint(p.Resource(), len(p.chunks))
		}
	}
	return out
}

func (h *house) Snapshot(_ context.Context, t access.TenantID, u access.UserID) (access.Snapshot, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	id, ok := h.users[u]
	if t != tenant || !ok {
		return access.Snapshot{}, problem.Missing()
	}
	return access.Snapshot{Epoch: h.epoch, Identity: id, Bases: slices.Clone(h.bases), LocalOnly: h.local}, nil
}

func (h *house) State(_ context.Context, t access.TenantID) (retrieval.State, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if t != tenant {
		return retrieval.State{}, problem.Missing()
	}
	return retrieval.State{Epoch: h.epoch, Cuts: h.cuts}, nil
}

func (h *house) Image(_ context.Context, _ access.TenantID, since retrieval.State, have func(corpus.DocumentID, int64) bool) (retrieval.Image, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	h.images.Add(1)
	if h.fault != nil {
		return retrieval.Image{}, h.fault
	}
	img := retrieval.Image{State: retrieval.State{Epoch: h.epoch, Cuts: h.cuts}, Whole: since == retrieval.State{}}
	there := map[corpus.DocumentID]bool{}
	for _, p := range h.papers {
		if p.Status == access.StatusReserved {
			continue
		}
		there[p.ID] = true
		if !img.Whole && h.moved[p.ID] <= since.Epoch && h.cut[p.ID] <= since.Cuts {
			continue
		}
		x := retrieval.Indexed{Document: p.ID, Resource: p.Resource(), Chunks: len(p.chunks), Cut: h.cut[p.ID]}
		if !have(p.ID, x.Cut) {
			x.Segment = p.segment
			h.bytes.Add(1)
		}
		img.Documents = append(img.Documents, x)
		h.named.Add(1)
	}
	for id, epoch := range h.moved {
		if !img.Whole && !there[id] && epoch > since.Epoch {
			img.Gone = append(img.Gone, id)
		}
	}
	return img, nil
}

func (h *house) Chunk(_ context.Context, scope access.Scope, id corpus.ChunkID) (corpus.Chunk, corpus.Document, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if err := scope.Current(h.epoch); err != nil {
		return corpus.Chunk{}, corpus.Document{}, err
	}
	for _, p := range h.papers {
		for _, c := range p.chunks {
			if c.ID == id && scope.Admits(p.Resource()) {
				return c, p.Document, nil
			}
		}
	}
	return corpus.Chunk{}, corpus.Document{}, problem.Missing()
}

func (h *house) Text(context.Context, access.Scope, corpus.DocumentID) (corpus.Text, error) {
	return corpus.Text{}, problem.New(problem.Internal, "unused", "A search reads no whole text.")
}

func (h *house) Stretch(context.Context, access.Scope, corpus.DocumentID, corpus.Span) (corpus.Stretch, error) {
	return corpus.Stretch{}, problem.New(problem.Internal, "unused", "A search reads no stretch of a text.")
}

func (h *house) Chunks(context.Context, access.Scope, corpus.DocumentID, int, int) ([]corpus.Chunk, error) {
	return nil, problem.New(problem.Internal, "unused", "A search reads chunks one by one.")
}

// scope resolves the scope of a user as of now.
func (h *house) scope(t fataler, user access.UserID, req access.Request) access.Scope {
	t.Helper()
	s, err := access.Resolve(context.Background(), h, access.Actor{Tenant: tenant, User: user}, req)
	if err != nil {
		t.Fatalf("Resolve: %v", err)
	}
	return s
}

// ask searches as a user and fails the test on an error. The time taken is left out.
func ask(t fataler, h *house, s *retrieval.Searcher, user access.UserID, q retrieval.Query) retrieval.Result {
	t.Helper()
	out, err := s.Search(context.Background(), h.scope(t, user, access.Request{}), q)
	if err != nil {
		t.Fatalf("Search(%q): %v", q.Text, err)
	}
	out.Took = 0
	return out
}

func searcher(h *house) *retrieval.Searcher {
	return retrieval.NewSearcher(retrieval.NewLocal(h), h)
}

// ids returns the chunks of a result, in order.
func ids(r retrieval.Result) []corpus.ChunkID {
	var out []corpus.ChunkID
	for _, h := range r.Hits {
		out = append(out, h.Chunk)
	}
	return out
}

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

// drop removes a version for good.
func (h *house) drop(id corpus.DocumentID) {
	h.change(func() {
		h.papers = slices.DeleteFunc(h.papers, func(p paper) bool { return p.ID == id })
		h.place = map[corpus.DocumentID]int{}
		for i, p := range h.papers {
			h.place[p.ID] = i
		}
	})
}
