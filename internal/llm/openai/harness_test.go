package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/outbound"
)

const testKey = "sk-test-0123456789abcdef"

// stub is an endpoint that plays handlers in order and keeps what it was sent.
type stub struct {
	t        *testing.T
	mu       sync.Mutex
	handlers []http.HandlerFunc
	bodies   []map[string]json.RawMessage
	headers  []http.Header
	paths    []string
	server   *httptest.Server
}

func newStub(t *testing.T, handlers ...http.HandlerFunc) *stub {
	t.Helper()
	s := &stub{t: t, handlers: handlers}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		var body map[string]json.RawMessage
		if err := json.Unmarshal(b, &body); err != nil {
			t.Errorf("the body is no JSON object: %v", err)
		}
		s.mu.Lock()
		n := len(s.bodies)
		s.bodies, s.headers, s.paths = append(s.bodies, body), append(s.headers, r.Header.Clone()), append(s.paths, r.URL.Path)
		s.mu.Unlock()
		if n >= len(s.handlers) {
			http.Error(w, "one request too many", http.StatusTeapot)
			return
		}
		s.handlers[n](w, r)
	}))
	t.Cleanup(s.server.Close)
	return s
}

func (s *stub) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

// model is an adapter for the stub; change adapts its configuration.
func (s *stub) model(change func(*Config)) *Model {
	s.t.Helper()
	c := Config{
		BaseURL: s.server.URL + "/v1/", Model: "m", Key: testKey, Backoff: time.Millisecond,
		Client: outbound.New(outbound.Options{Allow: []string{s.server.Listener.Addr().String()}}),
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

// raw answers with a stream of bytes as they are.
func raw(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, body)
	}
}

// status refuses, with headers given in pairs.
func status(code int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// document answers with JSON.
func document(body string) http.HandlerFunc {
	return status(http.StatusOK, body, "Content-Type", "application/json")
}

// abort breaks the connection before any byte.
func abort(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// hang writes what it is given and then nothing, until the client goes.
func hang(first string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if first != "" {
			raw(first)(w, r)
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	}
}

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
