package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

type contextKey int

const (
	actorKey contextKey = iota
	requestKey
	visitKey
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
		v := visiting(r)
		var err error
		if actor, err = s.admit(r, pattern, &v); err != nil {
			s.refuse(rec, r, err)
			return
		}
		ctx = context.WithValue(context.WithValue(ctx, actorKey, actor), visitKey, v)
		s.serve(rec, r.WithContext(ctx), pattern)
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

// admit checks the host, finds out who is asking, and refuses what the credential is not for. It
// looks at the route and at the credential alone.
func (s *server) admit(r *http.Request, pattern string, v *visit) (access.Actor, error) {
	if err := s.addressed(r); err != nil {
		return access.Actor{}, err
	}
	if s.open(r.URL.Path, pattern) {
		return access.Actor{}, s.sameSite(r)
	}
	actor, err := s.authenticate(r, v)
	if err != nil {
		return access.Actor{}, err
	}
	if v.signed {
		if err := s.sameSite(r); err != nil {
			return access.Actor{}, err
		}
	}
	if err := permitted(actor, pattern); err != nil {
		return access.Actor{}, err
	}
	return actor, s.spend(r, actor, v)
}

// addressed refuses a name that is not the server's, where it has a list of its names.
func (s *server) addressed(r *http.Request) error {
	if len(s.deps.Hosts) == 0 {
		return nil
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if slices.Contains(s.deps.Hosts, strings.ToLower(strings.Trim(host, "[]"))) {
		return nil
	}
	return problem.New(problem.Denied, "wrong_host", "This server does not answer by that name.")
}

// sameSite refuses a change that another site asks for. It is for requests which a browser makes
// without its person's doing: those with a cookie, and those that bring one.
func (s *server) sameSite(r *http.Request) error {
	if err := s.origins.Check(r); err != nil {
		return problem.Wrap(err, problem.Denied, "cross_site", "This request came from a page of another site.")
	}
	return nil
}

// spend counts a request of a credential and of its tenant, where they are limited.
func (s *server) spend(r *http.Request, actor access.Actor, v *visit) error {
	credential := r.Header.Get("Authorization")
	if v.signed {
		credential = v.cookie
	}
	now := s.deps.Clock()
	if err := s.perCredential.Take(credential, now); err != nil {
		return err
	}
	return s.tenants.Take(string(actor.Tenant), now)
}

// authenticate checks the credentials of a request as they are now. Long streams call it again.
// A request with an Authorization header is judged by that alone; its cookie is not looked at.
// Credentials that cannot be checked admit nobody.
func (s *server) authenticate(r *http.Request, v *visit) (actor access.Actor, err error) {
	if len(r.Header.Values("Authorization")) > 0 || v.cookie == "" {
		actor, err = s.deps.Gate.Bearer(r.Context(), r.Header.Get("Authorization"))
	} else {
		var session auth.Session
		session, actor, err = s.deps.Gate.Session(r.Context(), v.cookie)
		v.signed, v.expires = err == nil, session.ExpiresAt
	}
	if problem.Is(err, problem.Internal) {
		err = problem.Wrap(err, problem.Unavailable, "credentials_unchecked", "Credentials cannot be checked at present; try again.")
	}
	return actor, err
}

// refuse answers a request that reaches no operation.
func (s *server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	err = s.fault(r.Context(), err)
	var h huma.HeadersError
	if errors.As(err, &h) {
		maps.Copy(w.Header(), h.GetHeaders())
	}
	var p *Problem
	if errors.As(err, &p) {
		writeProblem(w, p)
	}
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
	writeProblem(w, problemOf(nil))
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
