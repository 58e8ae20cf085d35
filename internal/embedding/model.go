// Package embedding gives versions their vectors, after they were published and apart from it, and
// questions theirs, before anything else.
//
// A version's vectors are a durable job of their own: leased, tried again with back-off, and
// written in one transaction with the end of the job. A model that fails delays vectors and
// nothing else: the version is found by its words meanwhile. Changing the model makes a job of
// every version; what they were embedded with before stays in force until the last of them is
// done. Text goes to a model elsewhere only of tenants that let it go there.
package embedding

import (
	"context"
	"errors"
	"sync"

	"github.com/kaoju/kaoju/internal/index/vector"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// Traits are what is known of an embedder beside its name. The zero Traits are those of a model in
// this process that reads every text.
type Traits struct {
	// Mean is subtracted before signs are taken: a constant of the model, nil if there is none.
	Mean []float32
	// Reads reports whether a text is of a script that the model knows; nil means every text.
	Reads func(text string) bool
	// Host receives the texts; Remote is true if it is not on the operator's premises.
	Host   string
	Remote bool
}

// Model is an embedder in use. Questions go before passages: a batch of passages begins only while
// no question is being embedded, and no question ever waits for a batch. It is safe for concurrent
// use.
type Model struct {
	embedder llm.Embedder
	traits   Traits

	mu     sync.Mutex
	space  vector.Space // without dimensions until the embedder tells them
	asking int
	idle   chan struct{} // closed when no question is under way; nil if none waits for that
}

// New puts an embedder to use.
func New(e llm.Embedder, t Traits) *Model {
	m := e.Model()
	return &Model{embedder: e, traits: t, space: vector.Space{Model: m.Name, Dimensions: m.Dimensions, Mean: t.Mean}}
}

// Space returns what makes the model's vectors comparable. An embedder that does not know its
// dimensions has those of its first answer, and has to keep to them.
func (m *Model) Space() vector.Space {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.space
}

// Key names the space, and with it the model in the store.
func (m *Model) Key() string { return m.Space().Key() }

// Reads reports whether the model knows what to make of a text.
func (m *Model) Reads(text string) bool { return m.traits.Reads == nil || m.traits.Reads(text) }

// Remote reports whether texts leave the operator's premises.
func (m *Model) Remote() bool { return m.traits.Remote }

// Host returns who receives the texts; "" if they stay in this process.
func (m *Model) Host() string { return m.traits.Host }

// Question returns the vector of a question, ready to be compared.
func (m *Model) Question(ctx context.Context, text string) (vector.Query, error) {
	m.begin()
	defer m.end()
	out, err := m.embed(ctx, []string{text})
	if err != nil {
		return vector.Query{}, err
	}
	return vector.NewQuery(m.Space(), out[0])
}

// Passages returns the vectors of texts that are to be found, when no question is under way.
func (m *Model) Passages(ctx context.Context, texts []string) ([][]float32, error) {
	for {
		idle := m.idling()
		if idle == nil {
			return m.embed(ctx, texts)
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// embed holds the embedder to its contract: one vector for each text, each of the model's length
// and of numbers. What breaks it is refused whole, so that no vector is taken for another text's.
func (m *Model) embed(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := m.embedder.Embed(ctx, texts)
	if err != nil {
		return nil, failed(err)
	}
	if len(out) != len(texts) {
		return nil, problem.New(problem.Unavailable, "embedding_malformed", "The embedding model gave %d vectors for %d texts.", len(out), len(texts))
	}
	space := m.Space()
	if space.Dimensions == 0 && len(out) > 0 {
		if space.Dimensions = len(out[0]); space.Dimensions == 0 {
			return nil, problem.New(problem.Unavailable, "embedding_malformed", "The embedding model gave an empty vector.")
		}
	}
	for _, v := range out {
		if _, err := vector.NewQuery(space, v); err != nil {
			return nil, err
		}
	}
	m.learn(space.Dimensions)
	return out, nil
}

func (m *Model) learn(dimensions int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.space.Dimensions == 0 {
		m.space.Dimensions = dimensions
	}
}

// failed gives an error of an embedder a kind, if it has none.
func failed(err error) error {
	var p *problem.Error
	if errors.As(err, &p) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return problem.Wrap(err, problem.Unavailable, "embedding_failed", "The embedding model failed.")
}

func (m *Model) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asking++
}

func (m *Model) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asking--; m.asking == 0 && m.idle != nil {
		close(m.idle)
		m.idle = nil
	}
}

// idling returns what is closed when no question is under way any more; nil if none is.
func (m *Model) idling() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asking == 0 {
		return nil
	}
	if m.idle == nil {
		m.idle = make(chan struct{})
	}
	return m.idle
}
