package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// Status is the error of an endpoint that answered with a status other than 200. It is the cause
// inside a *problem.Error.
type Status struct {
	Code int
	Said string // what it said, by length and hash
}

// Error names the status, and what was said by length and hash.
func (s *Status) Error() string { return "status " + strconv.Itoa(s.Code) + " with " + s.Said }

// failed is one try that gave no response to read.
type failed struct {
	code  string
	fault llm.Cause
	cause error
	retry bool
	after string // Retry-After, as received
}

// unreached classifies an exchange that broke before the first byte.
func unreached(cause error) *failed {
	var certificate *tls.CertificateVerificationError
	var refused *problem.Error
	switch {
	case errors.As(cause, &refused) && refused.Code == "model_timeout":
		return &failed{code: "timeout", fault: llm.Silent, cause: cause}
	case errors.Is(cause, context.Canceled), errors.Is(cause, context.DeadlineExceeded):
		return &failed{code: "cancelled", fault: llm.Silent, cause: cause}
	case errors.As(cause, &certificate), errors.As(cause, &refused):
		return &failed{code: "connect", fault: llm.Unreached, cause: cause}
	}
	return &failed{code: "connect", fault: llm.Unreached, cause: wordless(cause), retry: true}
}

// refusal reads why an endpoint answered with a status other than 200.
func refusal(resp *http.Response, tools bool) *failed {
	said, _ := io.ReadAll(io.LimitReader(resp.Body, mostSaid))
	f := &failed{
		code: "http_" + strconv.Itoa(resp.StatusCode), fault: refused(resp.StatusCode, said, tools), after: resp.Header.Get("Retry-After"),
		cause: &Status{Code: resp.StatusCode, Said: fingerprint(said)},
	}
	switch c := resp.StatusCode; {
	case f.fault == llm.ToolsRefused:
		// Asking again can't help, whatever the status.
	case c == http.StatusTooManyRequests:
		f.code, f.retry = "rate_limited", true
	case c == http.StatusRequestTimeout, c == http.StatusConflict, c >= 500:
		f.retry = true
	}
	return f
}

// failure turns the last failed try into the error of a generator, and remembers how the endpoint
// is. That the caller gave up says nothing of the endpoint.
func (e *Endpoint) failure(total, ctx context.Context, f *failed) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e.state.note(condition(f.fault))
	var p *problem.Error
	if errors.As(context.Cause(total), &p) || errors.As(f.cause, &p) && p.Code == "model_timeout" {
		return p
	}
	fault := &llm.Fault{Cause: f.fault, Err: f.cause}
	var s *Status
	if errors.As(f.cause, &s) {
		return problem.Wrap(fault, problem.Unavailable, "model_error", "The language model's endpoint answered with status %d%s.", s.Code, told(f.fault))
	}
	return problem.Wrap(fault, problem.Unavailable, "model_error", "The language model's endpoint could not be reached.")
}

// Bad is the error for an endpoint that sent something it must not. What is said of it is this
// program's own words and holds nothing of what was sent.
func (e *Endpoint) Bad(what string) error { return unusable(llm.Malformed, what) }

// TooLong is Bad for what is longer than is taken in.
func (e *Endpoint) TooLong(what string) error { return unusable(llm.OutputLimit, what) }

// Incomplete is Bad for a response that ended before its end.
func (e *Endpoint) Incomplete(what string) error { return unusable(llm.BrokenOff, what) }

func unusable(cause llm.Cause, what string) error {
	return problem.Wrap(&llm.Fault{Cause: cause, Err: errors.New(what)}, problem.Unavailable, "model_error", "The language model's response can't be used.")
}

// BadData is Bad for data of which the error is to tell length and hash.
func (e *Endpoint) BadData(what string, data []byte) error {
	return e.Bad(what + ": " + fingerprint(data))
}

// Broken is the error for a response that broke off; cause is what reading it returned.
func (r *Reply) Broken(ctx context.Context, cause error) error {
	cause = r.watch.cause(cause)
	if err := ctx.Err(); err != nil {
		return err
	}
	var p *problem.Error
	if errors.As(cause, &p) && (p.Code == "model_timeout" || p.Code == "model_error") {
		return p
	}
	fault := &llm.Fault{Cause: llm.BrokenOff, Err: wordless(cause)}
	return problem.Wrap(fault, problem.Unavailable, "model_error", "The language model's response broke off.")
}

// bare takes the URL out of an error of net/http, since a URL may hold secrets.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
