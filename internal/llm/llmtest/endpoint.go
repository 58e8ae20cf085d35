package llmtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Endpoint is an HTTP endpoint of any protocol that plays handlers in order and keeps what it was
// sent. A request beyond the last handler gets status 418.
type Endpoint struct {
	// URL is the base with /v1.
	URL string

	server   *httptest.Server
	mu       sync.Mutex
	handlers []http.HandlerFunc
	again    bool
	whole    func(http.ResponseWriter, *http.Request, []byte)
	bodies   [][]byte
	headers  []http.Header
	paths    []string
}

// NewEndpoint starts an endpoint that ends with the test.
func NewEndpoint(t testing.TB, handlers ...http.HandlerFunc) *Endpoint {
	t.Helper()
	e := &Endpoint{handlers: handlers}
	e.server = httptest.NewServer(http.HandlerFunc(e.serve))
	e.URL = e.server.URL + "/v1"
	t.Cleanup(e.Close)
	return e
}

// Forever makes the endpoint play its last handler again for every further request.
func (e *Endpoint) Forever() *Endpoint {
	e.again = true
	return e
}

// Handle answers every further request with one function, which is given the body.
func (e *Endpoint) Handle(h func(w http.ResponseWriter, r *http.Request, body []byte)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.whole = h
}

// Close ends the endpoint, and the requests that it still holds.
func (e *Endpoint) Close() {
	e.server.CloseClientConnections()
	e.server.Close()
}

func (e *Endpoint) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	n := len(e.bodies)
	e.bodies, e.headers, e.paths = append(e.bodies, body), append(e.headers, r.Header.Clone()), append(e.paths, r.URL.Path)
	if e.again {
		n = min(n, len(e.handlers)-1)
	}
	whole := e.whole
	e.mu.Unlock()
	if whole != nil {
		whole(w, r, body)
		return
	}
	if n >= len(e.handlers) {
		http.Error(w, "one request too many", http.StatusTeapot)
		return
	}
	e.handlers[n](w, r)
}

// HostPort is what a guarded client must allow to reach the endpoint.
func (e *Endpoint) HostPort() string { return e.server.Listener.Addr().String() }

// Requests counts the requests so far.
func (e *Endpoint) Requests() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.bodies)
}

// Body is that of a request, from 0.
func (e *Endpoint) Body(n int) []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.bodies[n]
}

// Header is that of a request, from 0.
func (e *Endpoint) Header(n int) http.Header {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.headers[n]
}

// Path is that of a request, from 0.
func (e *Endpoint) Path(n int) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.paths[n]
}

// Raw answers with a stream of bytes as they are.
func Raw(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, body)
	}
}

// Status refuses, with headers given in pairs.
func Status(code int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// Document answers with JSON.
func Document(body string) http.HandlerFunc {
	return Status(http.StatusOK, body, "Content-Type", "application/json")
}

// Abort breaks the connection before any byte.
func Abort(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// Hang writes what it is given and then nothing, until the client goes.
func Hang(first string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if first != "" {
			Raw(first)(w, r)
		}
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

// Silent does not even answer, until the client goes.
func Silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// Drip writes the same piece again and again until the client goes.
func Drip(first, piece string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		Raw(first)(w, r)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, piece); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	}
}
