package httpapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/problem"
)

// The cookie of a sign-in under way is sent to the addresses of signing in alone.
const (
	signInCookie = "kaoju_signin"
	signInPath   = "/auth/oidc"
)

// federation registers signing in through an identity provider. Where none is set, nothing of it
// is there.
func (s *server) federation() {
	public := func(id, method, path, summary string, status int) huma.Operation {
		op := operation(id, method, path, summary, status)
		op.Security = []map[string][]string{}
		return op
	}
	handle(s, public("sign-in-ways", http.MethodGet, "/api/sign-in", "How one can sign in", 0), s.signInWays)
	handle(s, public("begin-sign-in", http.MethodGet, signInPath+"/login", "Go to the identity provider to sign in", http.StatusSeeOther), s.beginSignIn)
	handle(s, public("complete-sign-in", http.MethodGet, signInPath+"/callback", "Come back from the identity provider", http.StatusSeeOther), s.completeSignIn)
	handle(s, public("backchannel-logout", http.MethodPost, signInPath+"/backchannel-logout", "The identity provider says that sessions have ended", http.StatusOK), s.heed)
	handle(s, operation("depart", http.MethodPost, signInPath+"/logout", "Sign out, and learn where to sign out of the identity provider", 0), s.depart)
}

func (s *server) signInWays(context.Context, access.Actor, *nothing) (*answer[api.SignInWays], error) {
	out := api.SignInWays{Password: true, Providers: []api.SignInProvider{}}
	if f := s.deps.Federation; f != nil {
		out.Providers = append(out.Providers, api.SignInProvider{Name: f.Name(), Login: signInPath + "/login"})
	}
	return &answer[api.SignInWays]{out}, nil
}

// ticket writes the cookie of a sign-in under way, or takes it away.
func (s *server) ticket(v visit, sealed string, expires time.Time) string {
	return s.keep(v, http.Cookie{Name: signInCookie, Value: sealed, Path: s.deps.Federation.Below() + signInPath}, expires)
}

func (s *server) beginSignIn(ctx context.Context, _ access.Actor, in *struct {
	Return string `query:"return" doc:"A path on this server for afterwards; anything else is its first page."`
}) (*stream, error) {
	if s.deps.Federation == nil {
		return nil, problem.Missing()
	}
	return s.travel(ctx, func(*http.Request, visit) (string, []string, error) {
		d, err := s.deps.Federation.Begin(ctx, in.Return)
		if err != nil {
			return "", nil, err
		}
		return d.Location, []string{s.ticket(visitOf(ctx), d.Cookie, d.Expires)}, nil
	})
}

func (s *server) completeSignIn(ctx context.Context, _ access.Actor, _ *struct {
	State  string `query:"state"`
	Code   string `query:"code"`
	Error  string `query:"error"`
	Issuer string `query:"iss"`
}) (*stream, error) {
	if s.deps.Federation == nil {
		return nil, problem.Missing()
	}
	return s.travel(ctx, func(r *http.Request, v visit) (string, []string, error) {
		in := auth.Callback{Reply: replied(r.URL.Query()), Session: v.cookie, Address: v.address, Agent: v.agent}
		if c, err := r.Cookie(signInCookie); err == nil {
			in.Cookie = c.Value
		}
		out, err := s.deps.Federation.Complete(ctx, in)
		var cookies []string
		if problem.CodeOf(err) != "sign_in_stale" { // Whoever has nothing to do with a sign-in does not end it.
			cookies = append(cookies, s.ticket(v, "", time.Time{}))
		}
		if out.Secret != "" {
			cookies = append(cookies, s.cookie(v, out.Secret, out.Session.ExpiresAt))
		}
		if out.Return == "/" {
			return aboveSignIn, cookies, err
		}
		return out.Return, cookies, err
	})
}

// replied reads the provider's reply. What stands twice could be read in two ways, so that it has
// no state, which no sign-in answers to.
func replied(q url.Values) auth.Reply {
	for _, name := range []string{"state", "code", "error", "iss"} {
		if len(q[name]) > 1 {
			return auth.Reply{}
		}
	}
	return auth.Reply{State: q.Get("state"), Code: q.Get("code"), Error: q.Get("error"), Issuer: q.Get("iss")}
}

// travel sends a browser on, or tells the person at it why not. It takes the cookies along in
// either case.
func (s *server) travel(ctx context.Context, where func(*http.Request, visit) (string, []string, error)) (*stream, error) {
	return &stream{func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		location, cookies, err := where(r, visitOf(ctx))
		for _, c := range cookies {
			w.Header().Add("Set-Cookie", c)
		}
		if err != nil {
			s.turnedAway(w, r, err)
			return
		}
		w.Header().Set("Location", location)
		w.WriteHeader(http.StatusSeeOther)
	}}, nil
}

// turnedAway answers a sign-in that did not succeed: a page for a browser, a problem for programs.
// The log holds the reason, which is one of a few fixed words.
func (s *server) turnedAway(w http.ResponseWriter, r *http.Request, err error) {
	ctx := r.Context()
	var e *problem.Error
	if errors.As(err, &e) && e.Err != nil && e.Kind != problem.Internal {
		s.deps.Log.LogAttrs(ctx, slog.LevelWarn, "sign-in through the identity provider failed",
			slog.String("request_id", requestID(ctx)), slog.String("code", e.Code), slog.String("reason", e.Err.Error()))
	}
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		s.refuse(w, r, err)
		return
	}
	p := problemOf(err)
	if p.Status == http.StatusInternalServerError {
		s.deps.Log.ErrorContext(ctx, "request failed", "request_id", requestID(ctx), "code", p.Code, "error", err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(p.Status)
	// The client has gone if this fails; there is nobody to tell.
	_, _ = w.Write([]byte(signInPage(p.Code)))
}

// aboveSignIn leads to the first page from the addresses of signing in, which lie two steps below it. A
// proxy may have put the whole server below a path that only browsers know.
const aboveSignIn = "../../"

// signInPage says why somebody was not signed in. It holds nothing of the request, and its links lead
// on from where it stands.
func signInPage(code string) string {
	english, chinese := "Signing in did not succeed.", "登录没有成功。"
	switch code {
	case "unauthenticated":
		english, chinese = "Signing in through the identity provider opened no account here. Ask the administrator if you should have one.",
			"通过身份提供方登录没有打开这里的任何账户。如果您应当有账户，请联系管理员。"
	case "sign_in_stale":
		english, chinese = "This sign-in was begun elsewhere, took too long or was used already.", "这次登录是在别处开始的、已超时或已被使用。"
	case "provider_unavailable":
		english, chinese = "The identity provider cannot be reached at present. Try again in a moment.", "暂时无法连接身份提供方，请稍后再试。"
	case "rate_limited":
		english, chinese = "Too many attempts. Try again in a moment.", "尝试次数过多，请稍后再试。"
	case "identity_taken":
		english, chinese = "This identity is linked to another person here.", "这个身份已关联到这里的另一位用户。"
	}
	return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Kaoju 考据</title>
<h1>Kaoju 考据</h1>
<p lang="zh">` + chinese + `</p>
<p>` + english + `</p>
<p><a href="login">再试一次 · Try again</a> · <a href="` + aboveSignIn + `">首页 · First page</a></p>
</html>
`
}

// heed takes a logout token as the provider's server sends it: a form with one field.
func (s *server) heed(context.Context, access.Actor, *nothing) (*stream, error) {
	if s.deps.Federation == nil {
		return nil, problem.Missing()
	}
	return &stream{func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		err := s.notice(w, r)
		if err == nil {
			w.WriteHeader(http.StatusOK)
			return
		}
		var e *problem.Error
		if errors.As(err, &e) && e.Code == "invalid_logout_token" && e.Err != nil {
			s.deps.Log.LogAttrs(r.Context(), slog.LevelWarn, "logout token refused",
				slog.String("request_id", requestID(r.Context())), slog.String("reason", e.Err.Error()))
		}
		s.refuse(w, r, err)
	}}, nil
}

// maxNotice bounds the form with a logout token.
const maxNotice = 128 << 10

func (s *server) notice(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxNotice))
	if err != nil {
		return auth.BadNotice("the form is too long or broken off")
	}
	form, err := url.ParseQuery(string(body))
	media, _, bad := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || bad != nil || media != "application/x-www-form-urlencoded" || len(form["logout_token"]) != 1 {
		return auth.BadNotice("not a form with one logout token")
	}
	return s.deps.Federation.Heed(r.Context(), form.Get("logout_token"), visitOf(r.Context()).address)
}

// depart ends the session that the request was let in with, and says where the browser can end the
// one with the provider. A token stays.
func (s *server) depart(ctx context.Context, _ access.Actor, _ *nothing) (*left, error) {
	v := visitOf(ctx)
	if s.deps.Federation == nil {
		return nil, problem.Missing()
	}
	if !v.signed {
		return &left{}, nil
	}
	location, err := s.deps.Federation.Depart(ctx, v.cookie)
	if err != nil {
		return nil, err
	}
	return &left{s.cookie(v, "", time.Time{}), api.Departure{Location: wire.Optional(location)}}, nil
}

// describeFederation completes the description of what is no JSON.
func (s *server) describeFederation() {
	doc, text := s.api.OpenAPI(), &huma.Schema{Type: "string"}
	for _, path := range []string{"/auth/oidc/login", "/auth/oidc/callback"} {
		op := doc.Paths[path].Get
		refusal := *op.Responses["default"]
		refusal.Content = maps.Clone(refusal.Content)
		refusal.Content["text/html"] = &huma.MediaType{Schema: text}
		op.Responses = map[string]*huma.Response{"303": {Description: "Where the browser goes next"}, "default": &refusal}
	}
	notice := doc.Paths["/auth/oidc/backchannel-logout"].Post
	notice.Responses["200"] = &huma.Response{Description: "Heeded"}
	notice.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/x-www-form-urlencoded": {Schema: &huma.Schema{
		Type: "object", Required: []string{"logout_token"}, Properties: map[string]*huma.Schema{"logout_token": text},
	}}}}
}

// left is where to go next, with a cookie that may change.
type left struct {
	Cookie string `header:"Set-Cookie"`
	Body   api.Departure
}
