package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/problem"
)

// sessionCookie is the name of the cookie that holds the secret of a session.
const sessionCookie = "kaoju_session"

// visit is what an operation may need to know of the request that brought it.
type visit struct {
	address string // of the connection; what a proxy claims is not believed
	agent   string
	tls     bool
	// cookie is the secret that the browser sent, whatever it is worth; signed says that it is
	// what the request was let in with, and expires when that ends.
	cookie  string
	signed  bool
	expires time.Time
}

func visitOf(ctx context.Context) visit {
	v, _ := ctx.Value(visitKey).(visit)
	return v
}

// visiting reads a visit from a request.
func visiting(r *http.Request) visit {
	v := visit{address: r.RemoteAddr, agent: r.UserAgent(), tls: r.TLS != nil}
	if c, err := r.Cookie(sessionCookie); err == nil {
		v.cookie = c.Value
	}
	return v
}

// sessions registers signing in and out.
func (s *server) sessions() {
	signIn := operation("sign-in", http.MethodPost, "/api/session", "Sign in with a password", 0)
	signIn.Security = []map[string][]string{}
	handle(s, signIn, s.signIn)
	handle(s, operation("get-session", http.MethodGet, "/api/session", "Who is signed in", 0), s.getSession)
	handle(s, operation("sign-out", http.MethodDelete, "/api/session", "Sign out", http.StatusNoContent), s.signOut)
	handle(s, operation("change-password", http.MethodPost, "/api/me/password", "Change one's own password; ends all one's sessions", http.StatusNoContent), s.changePassword)
	setup := operation("setup", http.MethodPost, "/api/setup", "Set the first administrator's password with the one-time token", http.StatusNoContent)
	setup.Security = []map[string][]string{}
	handle(s, setup, s.setUp)
}

// signedIn is an answer that brings a session.
type signedIn struct {
	Cookie string `header:"Set-Cookie"`
	Body   api.Session
}

// cookied is an answer without a body that may change the cookie.
type cookied struct {
	Cookie string `header:"Set-Cookie"`
}

// cookie writes the cookie of a session, or takes it away where the secret is "". What else is served by the
// same host is not sent it, as far as the operator says under which path the server is seen.
func (s *server) cookie(v visit, secret string, expires time.Time) string {
	return s.keep(v, http.Cookie{Name: sessionCookie, Value: secret, Path: s.deps.Federation.Below() + "/"}, expires)
}

// keep writes a cookie that scripts cannot read and other sites' forms do not send. One without a
// value is taken away. It is for TLS alone where the browser came over TLS, by what the operator
// says and never by what the request does.
func (s *server) keep(v visit, c http.Cookie, expires time.Time) string {
	c.Secure = v.tls || s.deps.SecureCookie || s.deps.Federation.Secure()
	c.HttpOnly, c.SameSite, c.MaxAge = true, http.SameSiteLaxMode, -1
	if c.Value != "" {
		c.MaxAge = max(1, int(expires.Sub(s.deps.Clock()).Seconds()))
	}
	return c.String()
}

func (s *server) signIn(ctx context.Context, _ access.Actor, in *struct{ Body api.SignIn }) (*signedIn, error) {
	v := visitOf(ctx)
	secret, session, err := s.deps.Gate.SignIn(ctx, auth.Entry{
		Tenant: access.TenantID(in.Body.Tenant), User: access.UserID(in.Body.User), Password: in.Body.Password,
		Address: v.address, Agent: v.agent, Replaces: v.cookie,
	})
	if err != nil {
		return nil, err
	}
	who, err := s.whoIs(ctx, access.Actor{Tenant: session.Tenant, User: session.User}, session.ExpiresAt)
	if err != nil {
		return nil, err
	}
	return &signedIn{s.cookie(v, secret, session.ExpiresAt), who}, nil
}

func (s *server) whoIs(ctx context.Context, actor access.Actor, expires time.Time) (api.Session, error) {
	id, err := s.deps.Desk.Me(ctx, actor)
	if err != nil {
		return api.Session{}, err
	}
	return api.Session{
		UserID: string(id.User), TenantID: string(actor.Tenant), DisplayName: id.DisplayName,
		Roles: wire.Texts(id.Roles), Groups: wire.Texts(id.Groups), ExpiresAt: wire.Moment(expires),
	}, nil
}

func (s *server) getSession(ctx context.Context, actor access.Actor, _ *nothing) (*answer[api.Session], error) {
	who, err := s.whoIs(ctx, actor, visitOf(ctx).expires)
	if err != nil {
		return nil, err
	}
	return &answer[api.Session]{who}, nil
}

// signOut ends the session that the request was let in with. A token stays: it is revoked at
// its own address.
func (s *server) signOut(ctx context.Context, _ access.Actor, _ *nothing) (*cookied, error) {
	v := visitOf(ctx)
	if !v.signed {
		return &cookied{}, nil
	}
	if err := s.deps.Gate.SignOut(ctx, v.cookie); err != nil {
		return nil, err
	}
	return &cookied{s.cookie(v, "", time.Time{})}, nil
}

func (s *server) changePassword(ctx context.Context, actor access.Actor, in *struct{ Body api.PasswordChange }) (*cookied, error) {
	v := visitOf(ctx)
	secret, session, err := s.deps.Gate.ChangePassword(ctx, actor, auth.Change{
		Current: in.Body.Current, New: in.Body.New, Address: v.address, Agent: v.agent, Session: v.signed,
	})
	switch problem.CodeOf(err) {
	case "weak_password":
		return nil, at("/new", err)
	case "wrong_password":
		return nil, at("/current", err)
	}
	if err != nil || secret == "" {
		return &cookied{}, err
	}
	return &cookied{s.cookie(v, secret, session.ExpiresAt)}, nil
}

func (s *server) setUp(ctx context.Context, _ access.Actor, in *struct{ Body api.Setup }) (*nothing, error) {
	if s.deps.Setup == nil {
		return nil, problem.Missing()
	}
	err := s.deps.Setup.Complete(ctx, in.Body.Token, in.Body.Password, visitOf(ctx).address)
	return nil, at("/password", err)
}

// at says which field of the request a refused password stood in.
func at(pointer string, err error) error {
	if code := problem.CodeOf(err); err == nil || code != "weak_password" && code != "wrong_password" {
		return err
	}
	e := problem.New(problem.Invalid, problem.CodeOf(err), "%s", err.Error())
	e.Fields = []problem.Field{{Pointer: pointer, Detail: err.Error()}}
	return e
}
