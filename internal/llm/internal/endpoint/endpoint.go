// Package endpoint is what the adapters of model protocols share: one HTTP exchange with retries
// before the first byte, timeouts for the first byte, for silence and for the whole, and a
// reader of server-sent events with caps.
//
// Errors are those of llm.Generator. Their details name neither host nor key; their causes, which
// are for logs, tell what an endpoint said by length and hash alone, since it may repeat the prompt
// and with it the text of documents.
package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/pause"
	"github.com/kaoju/kaoju/internal/problem"
)

// The defaults of a Config.
const (
	DefaultFirstByte = 60 * time.Second
	DefaultIdle      = 60 * time.Second
	DefaultTotal     = 10 * time.Minute
	DefaultRetries   = 2
	DefaultBackoff   = 500 * time.Millisecond
)

// Config says where a model is and how long to wait for it.
type Config struct {
	// BaseURL is the endpoint up to the protocol's own paths, "/v1" included.
	BaseURL string
	Model   string
	// Key is sent as the protocol wants it; empty sends none.
	Key    string
	Client *http.Client

	// FirstByte bounds the wait for the first byte of a response's body, for each try; Idle the
	// silence between two reads after it; Total the whole call with its retries. 0 means the
	// default.
	FirstByte, Idle, Total time.Duration
	// Retries is how often a try is repeated; 0 means DefaultRetries, negative never.
	Retries int
	// Backoff is the first pause before a retry that came with no Retry-After, doubled each
	// time; 0 means DefaultBackoff.
	Backoff time.Duration
	// Place overrides what the host's address says of where the text goes.
	Place llm.Place
}

// Endpoint is a model behind HTTP. It is safe for concurrent use.
type Endpoint struct {
	config Config
	base   *url.URL
	client *http.Client
	budget budget
	state  state
}

// New checks a configuration.
func New(c Config) (*Endpoint, error) {
	if c.Model == "" {
		return nil, problem.New(problem.Invalid, "invalid_model", "The model has no name.")
	}
	if c.Client == nil {
		return nil, problem.New(problem.Invalid, "invalid_model", "The model has no HTTP client.")
	}
	base, err := outbound.ParseURL(strings.TrimRight(c.BaseURL, "/"))
	if err != nil {
		return nil, problem.Wrap(err, problem.Invalid, "invalid_model_url", "The model's URL can't be used: give the base with /v1, such as http://127.0.0.1:11434/v1.")
	}
	if base.RawQuery != "" || base.Fragment != "" {
		return nil, problem.New(problem.Invalid, "invalid_model_url", "The model's URL must be a base without a query.")
	}
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	def(&c.FirstByte, DefaultFirstByte)
	def(&c.Idle, DefaultIdle)
	def(&c.Total, DefaultTotal)
	def(&c.Backoff, DefaultBackoff)
	if c.Retries == 0 {
		c.Retries = DefaultRetries
	}
	if c.Place != llm.ByAddress && c.Place != llm.Local && c.Place != llm.Remote {
		return nil, problem.New(problem.Invalid, "invalid_model", "The model's place must be local or remote, or follow from its address.")
	}
	return &Endpoint{config: c, base: base, client: settled(c.Client), budget: budget{left: budgetSize}}, nil
}

// settled is the client without redirects: where the text and the key go is the operator's choice,
// and no endpoint may send them on.
func settled(c *http.Client) *http.Client {
	still := *c
	still.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &still
}

// Info names the model and the host that receives the text.
func (e *Endpoint) Info() llm.Info {
	remote := !outbound.Loopback(e.base)
	if e.config.Place != llm.ByAddress {
		remote = e.config.Place == llm.Remote
	}
	return llm.Info{Engine: llm.Model, Name: e.config.Model, Host: e.base.Host, Remote: remote}
}

// Model is the model's id.
func (e *Endpoint) Model() string { return e.config.Model }

// Call is one request: a path below the base, headers, and a JSON body.
type Call struct {
	Path   string
	Header http.Header
	Body   []byte
	Tools  bool // whether the body describes tools
}

// Reply is a response whose first byte has arrived. Close it when done.
type Reply struct {
	// JSON is true if the body is one JSON document although a stream was asked for.
	JSON     bool
	Attempts []llm.Attempt

	endpoint *Endpoint
	watch    *watch
	body     *bufio.Reader
	closer   io.Closer
	begun    bool // a first line was read
	cr       bool // the last byte was a carriage return
}

// Close ends the exchange and its timers.
func (r *Reply) Close() {
	r.watch.stop()
	_ = r.closer.Close()
}

// Do sends a call, with retries, until the first byte of a good response has arrived. With an
// error too, the attempts are those that failed.
func (e *Endpoint) Do(ctx context.Context, call Call) (*Reply, []llm.Attempt, error) {
	total, cancel := context.WithTimeoutCause(ctx, e.config.Total, errTimeout("in all", e.config.Total))
	var attempts []llm.Attempt
	for try := 0; ; try++ {
		begun := time.Now()
		reply, err := e.once(total, call)
		if err == nil {
			reply.watch.then(cancel)
			reply.Attempts = attempts
			e.budget.earn()
			e.state.note(llm.Well)
			return reply, attempts, nil
		}
		attempts = append(attempts, llm.Attempt{Code: err.code, Duration: time.Since(begun)})
		wait, again := e.pause(total, err, try)
		if again {
			again = pause.For(total, wait) == nil
		}
		if !again {
			result := e.failure(total, ctx, err)
			cancel()
			return nil, attempts, result
		}
	}
}

// once makes one try.
func (e *Endpoint) once(ctx context.Context, call Call) (*Reply, *failed) {
	w := newWatch(ctx, e.config.FirstByte, e.config.Idle)
	req, err := http.NewRequestWithContext(w.ctx, http.MethodPost, e.base.JoinPath(call.Path).String(), bytes.NewReader(call.Body))
	if err != nil {
		w.stop()
		return nil, &failed{code: "request", cause: bare(err)}
	}
	for name, values := range call.Header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	w.first()
	resp, err := e.client.Do(req)
	if err != nil {
		cause := w.cause(err)
		w.stop()
		return nil, unreached(cause)
	}
	if resp.StatusCode != http.StatusOK {
		f := refusal(resp, call.Tools)
		_ = resp.Body.Close()
		w.stop()
		return nil, f
	}
	body := bufio.NewReaderSize(&watched{r: resp.Body, w: w}, 16<<10)
	head, err := body.Peek(1)
	if err != nil {
		cause := w.cause(err)
		_ = resp.Body.Close()
		w.stop()
		return nil, unreached(cause)
	}
	media := strings.ToLower(resp.Header.Get("Content-Type"))
	isJSON := head[0] == '{' || strings.HasPrefix(media, "application/json") && strings.IndexByte("[ \t\r\n", head[0]) >= 0
	return &Reply{JSON: isJSON, endpoint: e, watch: w, body: body, closer: resp.Body}, nil
}
