package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

// Problem is an error on its way out. Its body names no request, so that two answers for what
// cannot be seen are equal byte for byte.
type Problem struct{ api.Problem }

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType makes the media type that of problem details.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// statusOf maps the kinds of error to statuses, once for every operation.
func statusOf(kind problem.Kind, code string) int {
	switch code {
	case "unauthenticated":
		return http.StatusUnauthorized
	case "invalid_last_event_id", "malformed_json", "malformed_form", "sign_in_stale", "invalid_logout_token", "invalid_json":
		return http.StatusBadRequest
	case "too_large":
		return http.StatusRequestEntityTooLarge
	case "precondition_failed":
		return http.StatusPreconditionFailed
	case "precondition_required":
		return http.StatusPreconditionRequired
	case "unsupported_media_type":
		return http.StatusUnsupportedMediaType
	case "method_not_allowed":
		return http.StatusMethodNotAllowed
	case "wrong_host":
		return http.StatusMisdirectedRequest
	}
	switch kind {
	case problem.NotFound:
		return http.StatusNotFound
	case problem.Denied:
		return http.StatusForbidden
	case problem.Invalid:
		return http.StatusUnprocessableEntity
	case problem.Conflict:
		return http.StatusConflict
	case problem.Expired:
		return http.StatusGone
	case problem.Exhausted:
		return http.StatusTooManyRequests
	case problem.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// fault turns an error into what the client sees, and logs what it must not see.
func (s *server) fault(ctx context.Context, err error) error {
	var ready *Problem
	if errors.As(err, &ready) {
		return ready
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) { // The client has gone; nothing failed.
		err = problem.Wrap(err, problem.Unavailable, "cancelled", "The request ended before its work was done.")
	}
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError && ctx.Err() == nil {
		s.deps.Log.ErrorContext(ctx, "request failed", "request_id", requestID(ctx), "code", p.Code, "error", err)
	}
	return headed(p, err)
}

// headed adds the headers that some refusals carry: how to authenticate, and when to come back.
func headed(p *Problem, cause error) error {
	h := http.Header{}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	var l *auth.Limited
	if errors.As(cause, &l) {
		h.Set("Retry-After", strconv.Itoa(l.Seconds()))
	}
	if len(h) == 0 {
		return p
	}
	return huma.ErrorWithHeaders(p, h)
}

// problemOf maps an error to its wire form. A fault of ours, or one nobody classified, tells nothing.
func problemOf(err error) *Problem {
	var e *problem.Error
	if !errors.As(err, &e) || e.Kind == problem.Internal {
		e = problem.New(problem.Internal, "internal", "Something went wrong on the server.")
	}
	if e.Kind == problem.NotFound {
		// One answer for all that is absent or invisible, whatever the store said of it.
		e = problem.Missing()
	}
	code := e.Code
	if code == "" {
		code = e.Kind.String()
	}
	p := body(statusOf(e.Kind, code), code, e.Detail)
	for _, f := range e.Fields {
		p.Errors = append(p.Errors, api.FieldError{Pointer: f.Pointer, Detail: f.Detail})
	}
	return p
}

func body(status int, code, detail string) *Problem {
	return &Problem{api.Problem{
		Type: "urn:kaoju:problem:" + code, Title: http.StatusText(status), Status: status, Detail: detail, Code: code,
	}}
}

// newProblem makes the framework's own refusals look like ours: a place and a reason for each
// wrong field, and never the value that was sent.
func newProblem(status int, _ string, errs ...error) huma.StatusError {
	code, detail := "invalid_request", "The request is not as this operation needs it."
	switch status {
	case http.StatusBadRequest:
		code, detail = "malformed_json", "The body is missing or is not one JSON value."
	case http.StatusRequestTimeout:
		code, detail = "body_timeout", "The body took too long to arrive."
	case http.StatusRequestEntityTooLarge:
		code, detail = "too_large", "The body is larger than this operation takes."
	case http.StatusUnsupportedMediaType:
		code, detail = "unsupported_media_type", "Send the body as application/json."
	case http.StatusInternalServerError:
		code, detail = "internal", "Something went wrong on the server."
	}
	p := body(status, code, detail)
	if status == http.StatusInternalServerError || status == http.StatusUnsupportedMediaType {
		// Of the latter the framework would repeat what the client sent.
		return p
	}
	for _, err := range errs {
		var d *huma.ErrorDetail
		if !errors.As(err, &d) {
			continue
		}
		if status == http.StatusBadRequest && d.Location == "body" {
			p.Detail = "The body is not one JSON value: " + d.Message + "."
			continue
		}
		p.Errors = append(p.Errors, fieldError(d))
	}
	return p
}

// fieldError names the field itself where the framework names the object that lacks it.
func fieldError(d *huma.ErrorDetail) api.FieldError {
	before, after, _ := strings.Cut(validation.MsgExpectedRequiredProperty, "%s")
	if name, ok := strings.CutPrefix(d.Message, before); ok && strings.HasSuffix(name, after) {
		return api.FieldError{Pointer: pointer(d.Location) + "/" + strings.TrimSuffix(name, after), Detail: "is missing"}
	}
	return api.FieldError{Pointer: pointer(d.Location), Detail: d.Message}
}

// pointer turns the framework's "body.a[0].b" into "/a/0/b", and "query.limit" into "?limit".
func pointer(location string) string {
	rest, inBody := strings.CutPrefix(location, "body")
	if !inBody {
		_, name, _ := strings.Cut(location, ".")
		return "?" + name
	}
	var b strings.Builder
	for _, part := range strings.FieldsFunc(rest, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~", "~0"), "/", "~1")
		b.WriteString("/" + part)
	}
	return b.String()
}

// writeProblem writes an error that no operation has seen, in the same form.
func writeProblem(w http.ResponseWriter, p *Problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	// The client has gone if this fails; there is nobody to tell.
	_ = enc.Encode(p)
}

// unmet is the answer to an If-Match that the row's present state does not satisfy.
func unmet() error {
	return problem.New(problem.Conflict, "precondition_failed", "This was changed meanwhile; read it again.")
}

// etag returns the entity tag of a lock version.
func etag(lock int) string { return `"` + strconv.Itoa(lock) + `"` }

// lockOf reads an If-Match header: 0 if it is absent or "*", -1 if no row can satisfy it.
func lockOf(header string) int {
	header = strings.TrimSpace(header)
	if header == "" || header == "*" {
		return 0
	}
	inner, ok := strings.CutPrefix(header, `"`)
	if inner, ok2 := strings.CutSuffix(inner, `"`); ok && ok2 {
		if n, err := strconv.Atoi(inner); err == nil && n > 0 {
			return n
		}
	}
	return -1
}

// matched turns the conflict of a row's lock into the answer to If-Match.
func matched(header string, err error) error {
	if header != "" && problem.CodeOf(err) == "lock_conflict" {
		return unmet()
	}
	return err
}
