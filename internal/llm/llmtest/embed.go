package llmtest

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"unicode"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// Lexicon is an embedder whose vectors are sums over the words of a text: texts that share words, or
// words that it holds to mean the same, are near each other. It is safe for concurrent use.
type Lexicon struct {
	Name       string
	Dimensions int // 0 means 64
	// Untold hides the dimensions from Model, as with an endpoint that was not asked yet.
	Untold bool
	// Same gives words the vector of another one.
	Same map[string]string
	// Before is called with the texts of each request; its error is the answer.
	Before func(ctx context.Context, texts []string) error
	// After may change the vectors of an answer.
	After func(texts []string, out [][]float32) [][]float32

	calls atomic.Int64
}

// Calls returns how many requests there were.
func (l *Lexicon) Calls() int { return int(l.calls.Load()) }

// Model implements llm.Embedder.
func (l *Lexicon) Model() llm.EmbeddingModel {
	if l.Untold {
		return llm.EmbeddingModel{Name: l.Name}
	}
	return llm.EmbeddingModel{Name: l.Name, Dimensions: l.size()}
}

func (l *Lexicon) size() int {
	if l.Dimensions > 0 {
		return l.Dimensions
	}
	return 64
}

// Embed implements llm.Embedder.
func (l *Lexicon) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	l.calls.Add(1)
	if l.Before != nil {
		if err := l.Before(ctx, texts); err != nil {
			return nil, err
		}
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = l.vector(text)
	}
	if l.After != nil {
		out = l.After(texts, out)
	}
	return out, ctx.Err()
}

func (l *Lexicon) vector(text string) []float32 {
	sum := make([]float64, l.size())
	sum[0] = 0.01 // a text without words has a direction too
	split := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	for _, word := range strings.FieldsFunc(strings.ToLower(text), split) {
		if same, ok := l.Same[word]; ok {
			word = same
		}
		h := fnv.New64a()
		_, _ = h.Write([]byte(word))
		state := h.Sum64() | 1
		for i := range sum {
			state ^= state << 13
			state ^= state >> 7
			state ^= state << 17
			sum[i] += float64(int64(state)) / math.MaxInt64
		}
	}
	length := 0.0
	for _, x := range sum {
		length += x * x
	}
	out := make([]float32, len(sum))
	for i, x := range sum {
		out[i] = float32(x / math.Sqrt(length))
	}
	return out
}

// Serve makes an endpoint that speaks the embeddings protocol and answers from the lexicon. It ends
// with the test.
func (l *Lexicon) Serve(t testing.TB) *Endpoint {
	t.Helper()
	e := NewEndpoint(t)
	e.Handle(func(w http.ResponseWriter, r *http.Request, body []byte) {
		var in struct {
			Model string
			Input []string
		}
		if err := json.Unmarshal(body, &in); err != nil || r.URL.Path != "/v1/embeddings" {
			http.Error(w, "this is no request for embeddings", http.StatusNotFound)
			return
		}
		out, err := l.Embed(r.Context(), in.Input)
		if problem.Is(err, problem.Invalid) {
			http.Error(w, "refused", http.StatusUnprocessableEntity)
			return
		}
		if err != nil {
			http.Error(w, "away", http.StatusServiceUnavailable)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		items := make([]item, len(out))
		for i, v := range out {
			items[i] = item{i, v}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": in.Model, "data": items})
	})
	return e
}
