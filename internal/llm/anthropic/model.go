// Package anthropic speaks the Messages protocol, which Anthropic and a few other providers
// offer: the system text apart, tool calls and results as blocks, thinking blocks that go back
// unchanged.
package anthropic

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/internal/endpoint"
	"github.com/kaoju/kaoju/internal/problem"
)

// Version is the protocol's version that is asked for.
const Version = "2023-06-01"

// DefaultMaxOutput bounds an answer whose request sets no bound, since the protocol demands one.
const DefaultMaxOutput = 4096

// Config says where a model is.
type Config struct {
	// BaseURL is the endpoint with "/v1", such as https://api.anthropic.com/v1.
	BaseURL string
	Model   string
	// Key is sent as x-api-key; empty sends none.
	Key string
	// Client reaches the endpoint; it must allow its host.
	Client *http.Client
	// FirstByte, Idle and Total bound the wait for the first byte, for the next piece, and for
	// the whole call; 0 means 60 s, 60 s and 10 min.
	FirstByte, Idle, Total time.Duration
	// Retries after 408, 409, 429, 5xx (529, overloaded, too) and failed connections; 0 means 2,
	// negative none.
	Retries int
	// Backoff is the first pause before a retry that came with no Retry-After; 0 means 500 ms.
	Backoff time.Duration

	// Place overrides what the address says of where the text goes.
	Place llm.Place
	// NoStream asks for whole responses.
	NoStream bool
	// Extra are further fields of every request, such as thinking; they can't replace those that
	// are set here.
	Extra map[string]json.RawMessage
}

// Model is a generator over one endpoint. It is safe for concurrent use.
type Model struct {
	config   Config
	endpoint *endpoint.Endpoint
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
	return &Model{config: c, endpoint: e}, nil
}

// Info names the model and the host that receives the text.
func (m *Model) Info() llm.Info { return m.endpoint.Info() }

// Health tells how the endpoint last answered.
func (m *Model) Health() llm.Health { return m.endpoint.Health() }

// Probe asks whether the endpoint is there and takes the key.
func (m *Model) Probe(ctx context.Context) error { return m.endpoint.Probe(ctx, m.header()) }

func (m *Model) header() http.Header {
	header := http.Header{"Anthropic-Version": {Version}}
	if m.config.Key != "" {
		header.Set("X-Api-Key", m.config.Key)
	}
	return header
}

// Generate produces one turn. With an error the response holds the failed attempts alone.
func (m *Model) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	if emit == nil {
		emit = func(llm.Delta) {}
	}
	body, err := m.body(req)
	if err != nil {
		return llm.Response{}, problem.Wrap(err, problem.Invalid, "invalid_request", "The request to the language model can't be written as JSON.")
	}
	reply, attempts, err := m.endpoint.Do(ctx, endpoint.Call{Path: "messages", Header: m.header(), Body: body, Tools: len(req.Tools) > 0})
	if err != nil {
		return llm.Response{Attempts: attempts}, err
	}
	defer reply.Close()
	t := &turn{endpoint: m.endpoint, emit: emit, ids: endpoint.NewIDs(req), slots: map[int]*block{}}
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
