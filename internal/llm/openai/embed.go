package openai

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/internal/endpoint"
	"github.com/kaoju/kaoju/internal/problem"
)

// batchTexts is how many texts go in one request.
const batchTexts = 64

// shortest is the number of characters below which a text that is too long for a model is not cut
// any further.
const shortest = 64

// Embedder is an embedding model behind an endpoint with "/v1/embeddings". It knows its dimensions
// from its first answer on, and refuses an answer of others. It is safe for concurrent use.
//
// A text that is longer than the model reads is cut in half until it fits; what stands at its
// beginning decides its vector.
type Embedder struct {
	config     Config
	endpoint   *endpoint.Endpoint
	dimensions atomic.Int64
}

var _ llm.Embedder = (*Embedder)(nil)

// NewEmbedder checks a configuration and makes the embedder. It contacts nobody. Of the Config's
// fields for generators none counts but Extra.
func NewEmbedder(c Config) (*Embedder, error) {
	e, err := endpoint.New(endpoint.Config{
		BaseURL: c.BaseURL, Model: c.Model, Key: c.Key, Client: c.Client, FirstByte: c.FirstByte,
		Idle: c.Idle, Total: c.Total, Retries: c.Retries, Backoff: c.Backoff, Place: c.Place,
	})
	if err != nil {
		return nil, err
	}
	return &Embedder{config: c, endpoint: e}, nil
}

// Model names the model. Its dimensions are 0 until the first answer.
func (e *Embedder) Model() llm.EmbeddingModel {
	return llm.EmbeddingModel{Name: e.endpoint.Model(), Dimensions: int(e.dimensions.Load())}
}

// Info names the model and the host that receives the texts.
func (e *Embedder) Info() llm.Info { return e.endpoint.Info() }

// Health tells how the endpoint last answered.
func (e *Embedder) Health() llm.Health { return e.endpoint.Health() }

// Embed implements llm.Embedder. A failure is problem.Unavailable: "embedding_timeout" if the
// endpoint was silent, "embedding_malformed" if it answered with anything but one vector of numbers
// for each text, else "embedding_failed". Where the endpoint refuses the request for what is in it, with
// status 400, 413 or 422, it is problem.Invalid "embedding_refused": one of the texts may be at fault, or
// all are refused alike. A text that is too long is refused only when no shorter one is taken.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := min(batchTexts, len(texts))
		some, err := e.batch(ctx, texts[:n])
		if err != nil {
			return nil, err
		}
		out, texts = append(out, some...), texts[n:]
	}
	return out, nil
}

// batch embeds a few texts, in smaller batches and shorter if they are too long.
func (e *Embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := e.once(ctx, texts)
	if llm.CauseOf(err) != llm.ContextLength {
		return out, sorted(err)
	}
	if len(texts) > 1 {
		half := len(texts) / 2
		first, err := e.batch(ctx, texts[:half])
		if err != nil {
			return nil, err
		}
		second, err := e.batch(ctx, texts[half:])
		if err != nil {
			return nil, err
		}
		return append(first, second...), nil
	}
	runes := []rune(texts[0])
	if len(runes) <= shortest {
		return nil, problem.Wrap(err, problem.Invalid, "embedding_refused", "The embedding model refuses a text as too long however short it is.")
	}
	return e.batch(ctx, []string{string(runes[:len(runes)/2])})
}

// once makes one request.
func (e *Embedder) once(ctx context.Context, texts []string) ([][]float32, error) {
	body := map[string]any{}
	for name, value := range e.config.Extra {
		body[name] = value
	}
	body["model"], body["input"], body["encoding_format"] = e.endpoint.Model(), texts, "float"
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, problem.Wrap(err, problem.Invalid, "invalid_request", "The request to the embedding model can't be written as JSON.")
	}
	header := http.Header{}
	if e.config.Key != "" {
		header.Set("Authorization", "Bearer "+e.config.Key)
	}
	reply, _, err := e.endpoint.Do(ctx, endpoint.Call{Path: "embeddings", Header: header, Body: raw})
	if err != nil {
		return nil, err
	}
	defer reply.Close()
	data, err := reply.Whole()
	if err != nil {
		return nil, reply.Broken(ctx, err)
	}
	return e.read(data, len(texts))
}

// read takes an answer apart. Vectors go to the texts that they name, each once: a list in another
// order is no fault, one with a gap or a double is.
func (e *Embedder) read(data []byte, n int) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     *int    `json:"index"`
			Embedding []digit `json:"embedding"`
		} `json:"data"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, e.endpoint.BadData("malformed JSON", data)
	}
	if len(answer.Error) > 0 && string(answer.Error) != "null" {
		return nil, e.endpoint.BadData("an error inside the response", answer.Error)
	}
	if len(answer.Data) != n {
		return nil, e.endpoint.Bad("another number of vectors than of texts")
	}
	out := make([][]float32, n)
	dimensions := int(e.dimensions.Load())
	for _, d := range answer.Data {
		if d.Index == nil || *d.Index < 0 || *d.Index >= n || out[*d.Index] != nil {
			return nil, e.endpoint.Bad("vectors that do not say which text each is of")
		}
		if dimensions == 0 {
			dimensions = len(d.Embedding)
		}
		if len(d.Embedding) == 0 || len(d.Embedding) != dimensions {
			return nil, e.endpoint.Bad("vectors of different lengths")
		}
		out[*d.Index] = make([]float32, dimensions)
		for i, x := range d.Embedding {
			out[*d.Index][i] = float32(x)
		}
	}
	for _, v := range out {
		if !unit(v) {
			return nil, e.endpoint.Bad("a vector that is no direction")
		}
	}
	if !e.dimensions.CompareAndSwap(0, int64(dimensions)) && int(e.dimensions.Load()) != dimensions {
		return nil, e.endpoint.Bad("vectors of different lengths")
	}
	return out, nil
}

// digit is a number of a vector. What stands for none in JSON is null, which would be read as zero.
type digit float32

// UnmarshalJSON refuses everything but a number of single precision.
func (d *digit) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseFloat(string(b), 32)
	*d = digit(x)
	return err
}

// unit brings a vector to length 1, and reports whether it can be: one of zeros, and one that is too
// long or too short to be told in numbers, has no direction.
func unit(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 1e-12) || math.IsInf(sum, 0) {
		return false
	}
	length := math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return true
}

// sorted names a failure as one of an embedding model.
func sorted(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	code, what := "embedding_failed", "The embedding model's endpoint failed."
	switch llm.CauseOf(err) {
	case llm.Silent:
		code, what = "embedding_timeout", "The embedding model's endpoint does not answer in time."
	case llm.Malformed, llm.BrokenOff, llm.OutputLimit:
		code, what = "embedding_malformed", "The embedding model's endpoint gave an answer that can't be used."
	case llm.Unauthorized:
		what = "The embedding model's endpoint refuses the key."
	case llm.Unpaid:
		what = "The account at the embedding model's endpoint is empty."
	case llm.Rejected:
		if rejected(err) {
			return problem.Wrap(err, problem.Invalid, "embedding_refused", "The embedding model's endpoint refuses what it was to embed.")
		}
	case llm.RateLimited:
		what = "The embedding model's endpoint takes no more requests for now."
	}
	if problem.CodeOf(err) == "model_timeout" {
		code, what = "embedding_timeout", "The embedding model's endpoint does not answer in time."
	}
	return problem.Wrap(err, problem.Unavailable, code, "%s", what)
}
