package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

type contextKey int

const (
	actorKey contextKey = iota
	requestKey
)

// actorOf returns who is asking. Outside a request that the front let through it is nobody.
func actorOf(ctx context.Context) access.Actor {
	actor, _ := ctx.Value(actorKey).(access.Actor)
	return actor
}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey).(string)
	return id
}

// open are the addresses that need no token. Metrics are none of this door's: it has nothing there,
// whoever asks.
var open = []string{"/", "/healthz", "/readyz", "/metrics"}

// front stands before every operation.
func (s *server) front() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := strings.ToLower(rand.Text())
		ctx := context.WithValue(r.Context(), requestKey, id)
		rec := &recorder{ResponseWriter: w}
		began := s.deps.Clock()
		secure(rec.Header(), id)
		r = unversioned(r.WithContext(ctx))
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &patient{r.Body, http.NewResponseController(w), s.deps.Pace.Body}
		}
		_, pattern := s.mux.Handler(r)
		var actor access.Actor
		defer func() {
			s.contain(rec, r, recover())
			s.deps.Log.LogAttrs(ctx, slog.LevelInfo, "request",
				slog.String("request_id", id), slog.String("method", method(r.Method)), slog.String("route", route(pattern)),
				slog.Int("status", rec.status), slog.Duration("duration", s.deps.Clock().Sub(began)),
				slog.String("tenant", string(actor.Tenant)), slog.String("user", string(actor.User)))
		}()
		var err error
		if actor, err = s.admit(r); err != nil {
			s.refuse(rec, r, err)
			return
		}
		s.serve(rec, r.WithContext(context.WithValue(ctx, actorKey, actor)), pattern)
	})
}

// secure sets the headers that hold for every answer.
func secure(h http.Header, id string) {
	h.Set("X-Request-Id", id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// unversioned makes /api/v1/… the same as /api/….
func unversioned(r *http.Request) *http.Request {
	rest, ok := strings.CutPrefix(r.URL.Path, "/api/v1/")
	if !ok {
		return r
	}
	u := *r.URL
	u.Path = "/api/" + rest
	if raw, ok := strings.CutPrefix(u.RawPath, "/api/v1/"); ok {
		u.RawPath = "/api/" + raw
	} else {
		u.RawPath = ""
	}
	copied := *r
	copied.URL = &u
	return &copied
}

// admit checks the host and finds out who is asking.
func (s *server) admit(r *http.Request) (access.Actor, error) {
	if len(s.deps.Hosts) > 0 {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if !slices.Contains(s.deps.Hosts, strings.ToLower(strings.Trim(host, "[]"))) {
			return access.Actor{}, problem.New(problem.Denied, "wrong_host", "This server does not answer by that name.")
		}
	}
	if slices.Contains(open, r.URL.Path) {
		return access.Actor{}, nil
	}
	return s.authenticate(r)
}

// authenticate checks the credentials of a request as they are now. Long streams call it again.
// Credentials that cannot be checked admit nobody.
func (s *server) authenticate(r *http.Request) (access.Actor, error) {
	actor, err := auth.Bearer(r.Context(), s.deps.Tokens, r.Header.Get("Authorization"), s.deps.Clock())
	if problem.Is(err, problem.Internal) {
		err = problem.Wrap(err, problem.Unavailable, "credentials_unchecked", "Credentials cannot be checked at present; try again.")
	}
	return actor, err
}

// refuse answers a request that reaches no operation.
func (s *server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var p *Problem
	if !errors.As(s.fault(r.Context(), err), &p) {
		return
	}
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	writeProblem(w, p)
}

// serve passes a request on to its operation. An address that is not written plainly, or that no
// operation has, is the uniform 404; the mux's own redirects and texts are never sent.
func (s *server) serve(w http.ResponseWriter, r *http.Request, pattern string) {
	switch {
	case path.Clean(r.URL.Path) != r.URL.Path:
		s.refuse(w, r, problem.Missing())
	case pattern == "":
		h, _ := s.mux.Handler(r)
		probe := &discard{header: http.Header{}}
		h.ServeHTTP(probe, r)
		if allow := probe.header.Get("Allow"); probe.status == http.StatusMethodNotAllowed && allow != "" {
			w.Header().Set("Allow", allow)
			s.refuse(w, r, problem.New(problem.Invalid, "method_not_allowed", "This address does not take the method."))
			return
		}
		s.refuse(w, r, problem.Missing())
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// contain turns a panic into a plain 500, or cuts the answer off if it has begun.
func (s *server) contain(w *recorder, r *http.Request, fault any) {
	if fault == nil {
		return
	}
	if err, ok := fault.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(fault)
	}
	s.deps.Log.ErrorContext(r.Context(), "request panicked", "request_id", requestID(r.Context()), "panic", fault, "stack", string(debug.Stack()))
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	writeProblem(w, wire(nil))
}

// method names a request's method for the log, from a closed set.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}

// route names a request's route for the log: the pattern, never the address.
func route(pattern string) string {
	if pattern == "" {
		return "none"
	}
	return pattern
}

// recorder notes the status of an answer. Flushing and deadlines go through Unwrap.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the first final status.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write notes an implicit 200.
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// discard takes an answer that is only looked at.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }
