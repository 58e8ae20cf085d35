// Package openai speaks the Chat Completions protocol to any endpoint that offers it: OpenAI,
// DeepSeek, Qwen, Ollama, vLLM, llama.cpp and their gateways.
//
// It streams, keeps what was not reported apart from zero, and sends a provider's reasoning back
// under the name it came with, also when it was empty. Where endpoints differ, the difference is
// a field of Config.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/internal/endpoint"
	"github.com/kaoju/kaoju/internal/problem"
)

// Config says where a model is and how its endpoint differs from the others.
type Config struct {
	// BaseURL is the endpoint with "/v1", such as http://127.0.0.1:11434/v1.
	BaseURL string
	Model   string
	// Key is sent as a bearer token; empty sends none.
	Key string
	// Client reaches the endpoint; it must allow its host.
	Client *http.Client
	// FirstByte, Idle and Total bound the wait for the first byte, for the next piece, and for
	// the whole call; 0 means 60 s, 60 s and 10 min.
	FirstByte, Idle, Total time.Duration
	// Retries after 408, 409, 429, 5xx and failed connections; 0 means 2, negative none.
	Retries int
	// Backoff is the first pause before a retry that came with no Retry-After; 0 means 500 ms.
	Backoff time.Duration

	// Place overrides what the address says of where the text goes.
	Place llm.Place

	// NoUsageOption leaves stream_options out. Without it an endpoint that rejects the option is
	// asked again without, and remembered.
	NoUsageOption bool
	// MaxTokensField names the bound of the output; empty means max_tokens.
	MaxTokensField string
	// NoStream asks for whole responses.
	NoStream bool
	// Extra are further fields of every request, such as enable_thinking; they can't replace
	// those that are set here.
	Extra map[string]json.RawMessage
}

// Model is a generator over one endpoint. It is safe for concurrent use.
type Model struct {
	config   Config
	endpoint *endpoint.Endpoint
	noUsage  atomic.Bool
}

// New checks a configuration and makes the generator. It contacts nobody.
func New(c Config) (*Model, error) {
	e, err := endpoint.New(endpoint.Config{
		BaseURL: c.BaseURL, Model: c.Model, Key: c.Key, Client: c.Client, FirstByte: c.FirstByte,
		Idle: c.Idle, Total: c.Total, Retries: c.Retries, Backoff: c.Backoff, Place: c.Place,
	})
	if err != nil {
		return nil, err
	}
	if c.MaxTokensField == "" {
		c.MaxTokensField = "max_tokens"
	}
	m := &Model{config: c, endpoint: e}
	m.noUsage.Store(c.NoUsageOption || c.NoStream)
	return m, nil
}

// Info names the model and the host that receives the text.
func (m *Model) Info() llm.Info { return m.endpoint.Info() }

// Health tells how the endpoint last answered.
func (m *Model) Health() llm.Health { return m.endpoint.Health() }

// Generate produces one turn. With an error the response holds the failed attempts alone.
func (m *Model) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	if emit == nil {
		emit = func(llm.Delta) {}
	}
	reply, attempts, err := m.send(ctx, req)
	if err != nil {
		return llm.Response{Attempts: attempts}, err
	}
	defer reply.Close()
	t := newTurn(m.endpoint, req, emit)
	if reply.JSON {
		err = m.whole(ctx, reply, t)
	} else {
		err = m.stream(ctx, reply, t)
	}
	if err != nil {
		return llm.Response{Attempts: attempts}, err
	}
	resp, err := t.response()
	resp.Attempts = attempts
	return resp, err
}

// send makes the call, and once more without stream_options if the endpoint rejects the request
// with them.
func (m *Model) send(ctx context.Context, req llm.Request) (*endpoint.Reply, []llm.Attempt, error) {
	withUsage := !m.noUsage.Load()
	reply, attempts, err := m.once(ctx, req, withUsage)
	if err == nil || !withUsage || !rejected(err) {
		return reply, attempts, err
	}
	reply, more, second := m.once(ctx, req, false)
	attempts = append(attempts, more...)
	if second != nil {
		return nil, attempts, second
	}
	m.noUsage.Store(true)
	return reply, attempts, nil
}

func (m *Model) once(ctx context.Context, req llm.Request, withUsage bool) (*endpoint.Reply, []llm.Attempt, error) {
	body, err := m.body(req, withUsage)
	if err != nil {
		return nil, nil, problem.Wrap(err, problem.Invalid, "invalid_request", "The request to the language model can't be written as JSON.")
	}
	return m.endpoint.Do(ctx, endpoint.Call{Path: "chat/completions", Header: m.header(), Body: body, Tools: len(req.Tools) > 0})
}

func (m *Model) header() http.Header {
	header := http.Header{}
	if m.config.Key != "" {
		header.Set("Authorization", "Bearer "+m.config.Key)
	}
	return header
}

// Probe asks whether the endpoint is there and takes the key.
func (m *Model) Probe(ctx context.Context) error { return m.endpoint.Probe(ctx, m.header()) }

// rejected reports whether an endpoint refused the form of a request.
func rejected(err error) bool {
	var s *endpoint.Status
	return errors.As(err, &s) && (s.Code == http.StatusBadRequest || s.Code == http.StatusUnprocessableEntity)
}
