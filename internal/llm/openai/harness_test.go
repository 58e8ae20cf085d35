package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/outbound"
)

const testKey = "sk-test-0123456789abcdef"

// stub is a scripted endpoint and the adapters for it.
type stub struct {
	*llmtest.Endpoint
	t *testing.T
}

func newStub(t *testing.T, handlers ...http.HandlerFunc) *stub {
	t.Helper()
	return &stub{llmtest.NewEndpoint(t, handlers...), t}
}

// body is that of a request, field by field.
func (s *stub) body(n int) map[string]json.RawMessage {
	s.t.Helper()
	var out map[string]json.RawMessage
	if err := json.Unmarshal(s.Body(n), &out); err != nil {
		s.t.Fatalf("the body is no JSON object: %v", err)
	}
	return out
}

// model is an adapter for the stub; change adapts its configuration.
func (s *stub) model(change func(*Config)) *Model {
	s.t.Helper()
	c := Config{
		BaseURL: s.URL + "/", Model: "m", Key: testKey, Backoff: time.Millisecond,
		Client: outbound.New(outbound.Options{Allow: []string{s.HostPort()}}),
	}
	if change != nil {
		change(&c)
	}
	m, err := New(c)
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

// generate asks and returns what was streamed too.
func generate(m *Model, req llm.Request) (resp llm.Response, text, reasoning string, err error) {
	var t, r strings.Builder
	resp, err = m.Generate(context.Background(), req, func(d llm.Delta) {
		t.WriteString(d.Text)
		r.WriteString(d.Reasoning)
	})
	return resp, t.String(), r.String(), err
}

// events answers with a stream of the given chunks, each as one event.
func events(chunks ...string) http.HandlerFunc {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString("data: " + c + "\n\n")
	}
	return raw(b.String())
}

func raw(body string) http.HandlerFunc      { return llmtest.Raw(body) }
func document(body string) http.HandlerFunc { return llmtest.Document(body) }
func hang(first string) http.HandlerFunc    { return llmtest.Hang(first) }

func status(code int, body string, headers ...string) http.HandlerFunc {
	return llmtest.Status(code, body, headers...)
}

func abort(w http.ResponseWriter, r *http.Request) { llmtest.Abort(w, r) }

const (
	hello = `{"choices":[{"index":0,"delta":{"content":"hello"}}]}`
	stop  = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	done  = `[DONE]`
)

// causes joins the texts of an error and all its causes, as a log would show them.
func causes(err error) string {
	var out []string
	for ; err != nil; err = errors.Unwrap(err) {
		out = append(out, err.Error())
	}
	return strings.Join(out, " | ")
}
