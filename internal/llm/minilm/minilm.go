// Package minilm is the embedding model that is part of the program: all-MiniLM-L6-v2, a
// transformer of six layers that turns English text, and to some degree other text in Latin
// script, into vectors of 384 numbers. Texts of like meaning have vectors of a large product.
//
// Weights and activations are bytes; the matrices are multiplied as integers and everything else
// is done in single precision. There is a version in plain Go for every machine and assembly for
// amd64, chosen at run time by what the processor can do. Nothing is loaded before the first
// text comes.
package minilm

import (
	"context"
	_ "embed" // the weights and the vocabulary
	"runtime"
	"sync"

	"github.com/kaoju/kaoju/internal/llm"
)

// Name is the model's name, as it stands beside vectors that are kept.
const Name = "all-MiniLM-L6-v2"

// Dimensions is the length of a vector.
const Dimensions = 384

// batchTokens bounds how many tokens go through the network at a time. It is at least MaxTokens.
const batchTokens = 256

//go:embed model-int8.safetensors
var weightFile []byte

//go:embed vocab.txt
var vocabularyFile string

// Embedder is the model. It is safe for concurrent use.
//
// Memory: the packed weights take 10.7 MB and the vocabulary about 3 MB from the first use on;
// each pass under way takes 5 MB, and no more passes are under way than GOMAXPROCS had been when
// the Embedder was made.
type Embedder struct {
	load func() (*loaded, error)
	// passes holds memory for passes that nobody uses; an entry may be nil until it is needed.
	passes chan *scratch
}

type loaded struct {
	*network
	*vocabulary
}

var _ llm.Embedder = (*Embedder)(nil)

// New returns the model at the best level of this processor.
func New() *Embedder { return at(levels()[0]) }

// at returns the model at a level.
func at(k *kernels) *Embedder {
	e := &Embedder{passes: make(chan *scratch, runtime.GOMAXPROCS(0))}
	for range cap(e.passes) {
		e.passes <- nil
	}
	e.load = sync.OnceValues(func() (*loaded, error) {
		v, err := readVocabulary(vocabularyFile)
		if err != nil {
			return nil, err
		}
		if v.size() != miniLM.words {
			return nil, malformed("the vocabulary has %d tokens, not %d", v.size(), miniLM.words)
		}
		n, err := readNetwork(weightFile, miniLM, k)
		return &loaded{n, v}, err
	})
	return e
}

// Model returns name and dimensions.
func (e *Embedder) Model() llm.EmbeddingModel {
	return llm.EmbeddingModel{Name: Name, Dimensions: Dimensions}
}

// Embed returns one vector of length 1 for each text. Of a text of more than MaxTokens tokens
// the first are embedded and the rest has no influence; whoever embeds documents cuts them before.
// A text without any token has the vector of nothing, which means nothing.
//
// The work is done by the calling goroutine, in batches. Between two layers of a batch it looks
// whether the context ended, and between two batches others that wait get their turn.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l, err := e.load()
	if err != nil {
		return nil, err
	}
	out := make([][]float32, 0, len(texts))
	var batch [][]int32
	tokens := 0
	for i, text := range texts {
		ids, _ := l.tokens(text, MaxTokens)
		if tokens+len(ids) > batchTokens {
			if out, err = e.pass(ctx, l, batch, out); err != nil {
				return nil, err
			}
			batch, tokens = batch[:0], 0
		}
		batch, tokens = append(batch, ids), tokens+len(ids)
		if i == len(texts)-1 {
			if out, err = e.pass(ctx, l, batch, out); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// pass appends the vectors of one batch to out.
func (e *Embedder) pass(ctx context.Context, l *loaded, batch [][]int32, out [][]float32) ([][]float32, error) {
	var s *scratch
	select {
	case s = <-e.passes:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { e.passes <- s }()
	if s == nil {
		s = l.memory(batchTokens, MaxTokens)
	}
	vectors, err := l.embed(ctx, s, batch)
	if err != nil {
		return nil, err
	}
	return append(out, vectors...), nil
}
