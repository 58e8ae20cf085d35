package retrieval_test

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/index/vector"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// cellar keeps vectors of the versions of a house: those that the house holds and that do not wait.
type cellar struct {
	*house
	model *embedding.Model

	guard   sync.Mutex
	number  int64
	force   string // the model in force
	waits   map[corpus.DocumentID]bool
	damaged bool
	away    error // what Mark fails with
	refused []corpus.DocumentID
	born    map[corpus.DocumentID]int64 // the number since which a version has vectors; 0 if it moved nothing yet
	gone    map[corpus.DocumentID]int64
	handed  int // segments that were handed out
}

var _ retrieval.Vectors = (*cellar)(nil)

// lexicon holds a few words to mean the same.
func lexicon() *llmtest.Lexicon {
	return &llmtest.Lexicon{Name: "m", Same: map[string]string{"compressor": "pump", "leave": "请假", "absence": "请假"}}
}

func newCellar(h *house, l *llmtest.Lexicon, t embedding.Traits) *cellar {
	m := embedding.New(l, t)
	return &cellar{house: h, model: m, force: m.Key(), number: 1, waits: map[corpus.DocumentID]bool{}, born: map[corpus.DocumentID]int64{}, gone: map[corpus.DocumentID]int64{}}
}

// set changes something, and the mark with it.
func (c *cellar) set(fn func()) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.guard.Lock()
	defer c.guard.Unlock()
	fn()
	c.number++
	now := map[corpus.DocumentID]bool{}
	for _, p := range c.papers {
		if c.holds(p) {
			if now[p.ID] = true; c.born[p.ID] == 0 {
				c.born[p.ID] = c.number
			}
		}
	}
	for id := range c.born {
		if !now[id] {
			delete(c.born, id)
			c.gone[id] = c.number
		}
	}
}

func (c *cellar) holds(p paper) bool { return !c.waits[p.ID] && p.Status != access.StatusReserved }

func (c *cellar) Mark(_ context.Context, t access.TenantID) (retrieval.Mark, error) {
	c.guard.Lock()
	defer c.guard.Unlock()
	if t != tenant {
		return retrieval.Mark{}, problem.Missing()
	}
	return retrieval.Mark{Model: c.force, Number: c.number}, c.away
}

func (c *cellar) Vectors(ctx context.Context, t access.TenantID, since retrieval.Mark) (retrieval.VectorImage, error) {
	mark, err := c.Mark(ctx, t)
	if err != nil {
		return retrieval.VectorImage{}, err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.guard.Lock()
	defer c.guard.Unlock()
	img := retrieval.VectorImage{Mark: mark, Whole: since.Number == 0 || since.Model != mark.Model}
	for _, p := range c.papers {
		if born := c.born[p.ID]; !c.holds(p) || !img.Whole && born > 0 && born <= since.Number {
			continue
		}
		if c.born[p.ID] == 0 {
			c.born[p.ID] = max(1, c.number)
		}
		c.handed++
		x := retrieval.Embedded{Document: p.ID, Key: string(p.Key)}
		if x.Segment, err = c.segment(ctx, p); err != nil {
			return img, err
		}
		img.Documents = append(img.Documents, x)
	}
	for id, number := range c.gone {
		if _, again := c.born[id]; !img.Whole && !again && number > since.Number {
			img.Gone = append(img.Gone, id)
		}
	}
	return img, nil
}

func (c *cellar) segment(ctx context.Context, p paper) ([]byte, error) {
	if c.damaged {
		return []byte("no segment"), nil
	}
	var rows []vector.Row
	for _, k := range p.chunks {
		out, err := c.model.Passages(ctx, []string{embedding.Text(p.Title, k)})
		if err != nil {
			return nil, err
		}
		rows = append(rows, vector.Row{Chunk: k.ID, No: k.No, Vector: out[0]})
	}
	return vector.Build(c.model.Space(), rows)
}

func (c *cellar) Waiting(context.Context, access.TenantID) ([]corpus.DocumentID, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var out []corpus.DocumentID
	for _, p := range c.papers {
		if c.waits[p.ID] {
			out = append(out, p.ID)
		}
	}
	return out, nil
}

func (c *cellar) Pending(_ context.Context, scope access.Scope) (n int, err error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, p := range c.papers {
		if c.waits[p.ID] && scope.Admits(p.Resource()) {
			n++
		}
	}
	return n, nil
}

func (c *cellar) Refused(context.Context, access.TenantID) (out []corpus.DocumentID, err error) {
	c.guard.Lock()
	defer c.guard.Unlock()
	return slices.Clone(c.refused), nil
}

// near is the threshold of these tests: half of the words in common.
const near = 0.45

// hybrid makes a searcher with both legs over a cellar.
func hybrid(c *cellar) *retrieval.Searcher {
	local := retrieval.NewLocal(c.house)
	return retrieval.NewHybrid(local, c.house, retrieval.NewSemantic(local, c, retrieval.SemanticOptions{}, c.model), near)
}

// leg makes the semantic leg alone.
func leg(c *cellar) *retrieval.Semantic {
	return retrieval.NewSemantic(retrieval.NewLocal(c.house), c, retrieval.SemanticOptions{}, c.model)
}

// latin reads texts without Chinese.
func latin(text string) bool { return !strings.ContainsAny(text, "请假流程報銷泵阀") }
