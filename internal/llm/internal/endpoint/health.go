package endpoint

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
)

// refused names why a status other than 200 came. What an endpoint said is looked through for a few
// words, and only the closed word that follows from them is kept. Tools can be refused only where
// some were sent: what was said may be the prompt, which may speak of anything.
func refused(code int, said []byte, tools bool) llm.Cause {
	said = bytes.ToLower(said)
	has := func(words ...string) bool {
		for _, w := range words {
			if bytes.Contains(said, []byte(w)) {
				return true
			}
		}
		return false
	}
	asked := code == http.StatusBadRequest || code == http.StatusUnprocessableEntity
	switch {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return llm.Unauthorized
	case code == http.StatusPaymentRequired:
		return llm.Unpaid
	case code == http.StatusTooManyRequests:
		return llm.RateLimited
	case code == http.StatusRequestEntityTooLarge, asked && has("context_length", "context length", "maximum context", "prompt is too long", "context window"):
		return llm.ContextLength
	case tools && (asked || code == http.StatusNotFound || code == http.StatusInternalServerError || code == http.StatusNotImplemented) && has("tool", "function call"):
		return llm.ToolsRefused
	case code >= 500:
		return llm.Overloaded
	}
	return llm.Rejected
}

// told adds to a status what a person can do something about.
func told(cause llm.Cause) string {
	switch cause {
	case llm.Unauthorized:
		return ": it does not accept the key"
	case llm.Unpaid:
		return ": it wants to be paid"
	case llm.ContextLength:
		return ": the request is longer than the model reads"
	}
	return ""
}

// condition is what a failed call says of the endpoint; "" if nothing.
func condition(cause llm.Cause) llm.Condition {
	switch cause {
	case llm.Unauthorized:
		return llm.Locked
	case llm.Unpaid:
		return llm.Empty
	case llm.Unreached, llm.Silent, llm.Overloaded, llm.RateLimited:
		return llm.Failing
	}
	return ""
}

// state remembers how the endpoint last answered.
type state struct {
	mu     sync.Mutex
	health llm.Health
}

// note takes in what a call found.
func (s *state) note(c llm.Condition) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c != "" && c != s.health.Condition {
		s.health = llm.Health{Condition: c, Since: time.Now().UTC()}
	}
}

// Health tells how the endpoint last answered, without asking it.
func (e *Endpoint) Health() llm.Health {
	e.state.mu.Lock()
	defer e.state.mu.Unlock()
	if e.state.health.Condition == "" {
		return llm.Health{Condition: llm.Untried}
	}
	return e.state.health
}

// probeTime bounds a probe.
const probeTime = 10 * time.Second

// Probe asks for the list of models, which both protocols have, without retries. An endpoint that
// has no such list has answered, which is all that can be told of it.
func (e *Endpoint) Probe(ctx context.Context, header http.Header) error {
	limited, cancel := context.WithTimeoutCause(ctx, probeTime, errTimeout("in all", probeTime))
	defer cancel()
	req, err := http.NewRequestWithContext(limited, http.MethodGet, e.base.JoinPath("models").String(), nil)
	if err != nil {
		return e.failure(limited, ctx, &failed{fault: llm.Unreached, cause: bare(err)})
	}
	for name, values := range header {
		req.Header[name] = values
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return e.failure(limited, ctx, unreached(bare(err)))
	}
	defer func() { _ = resp.Body.Close() }()
	switch resp.StatusCode {
	case http.StatusOK, http.StatusNotFound, http.StatusMethodNotAllowed:
		e.state.note(llm.Well)
		return nil
	}
	return e.failure(limited, ctx, refusal(resp, false))
}
