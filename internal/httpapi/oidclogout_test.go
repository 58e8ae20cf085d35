package httpapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/auth/oidc/oidctest"
)

// noticed sends a logout token as the provider's server does.
func (h *house) noticed(token string) *httptest.ResponseRecorder {
	form := strings.NewReader(url.Values{"logout_token": {token}}.Encode())
	return h.do(h.request("", "POST", "/auth/oidc/backchannel-logout", form, "Content-Type", "application/x-www-form-urlencoded"))
}

// about names a subject and a session in a logout token; "" is not named.
func about(subject, sid string) func(header, claims map[string]any) {
	return func(_, c map[string]any) {
		if subject != "" {
			c["sub"] = subject
		}
		if sid != "" {
			c["sid"] = sid
		}
	}
}

// three browsers: two sessions of one subject, and one of another.
func (h *house) three() map[string]*browser {
	h.t.Helper()
	out := map[string]*browser{}
	for name, who := range map[string][2]string{"desk": {"subject-1", "sid-1"}, "phone": {"subject-1", "sid-2"}, "other": {"subject-2", "sid-3"}} {
		h.idp.Person = map[string]any{"sub": who[0], "sid": who[1]}
		out[name] = h.browser()
		out[name].in()
	}
	return out
}

func TestTheProviderEndsTheSessionsThatEndedWithIt(t *testing.T) {
	h := newHouse(t)
	for name, c := range map[string]struct {
		subject, sid string
		left         map[string]bool
	}{
		"one session":         {"subject-1", "sid-1", map[string]bool{"desk": false, "phone": true, "other": true}},
		"a session alone":     {"", "sid-2", map[string]bool{"desk": true, "phone": false, "other": true}},
		"a person":            {"subject-1", "", map[string]bool{"desk": false, "phone": false, "other": true}},
		"another's session":   {"subject-2", "sid-1", map[string]bool{"desk": true, "phone": true, "other": true}},
		"somebody unknown":    {"subject-9", "", map[string]bool{"desk": true, "phone": true, "other": true}},
		"an unknown session":  {"", "sid-9", map[string]bool{"desk": true, "phone": true, "other": true}},
		"the other person":    {"subject-2", "", map[string]bool{"desk": true, "phone": true, "other": false}},
		"the other's session": {"subject-2", "sid-3", map[string]bool{"desk": true, "phone": true, "other": false}},
	} {
		browsers := h.three()
		rec := h.noticed(h.idp.Notice(about(c.subject, c.sid)))
		if rec.Code != http.StatusOK || rec.Body.Len() != 0 || rec.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
		}
		left := map[string]bool{}
		for who, b := range browsers {
			left[who] = b.who() != ""
		}
		if d := cmp.Diff(c.left, left); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestALogoutTokenThatIsWrongInOnePointEndsNothing(t *testing.T) {
	h := newHouse(t)
	h.idp.Person = map[string]any{"sub": "subject-1", "sid": "sid-1"}
	b := h.browser()
	b.in()
	set := func(name string, value any) func(header, claims map[string]any) {
		return func(_, c map[string]any) {
			c["sub"], c["sid"] = "subject-1", "sid-1"
			if c[name] = value; value == nil {
				delete(c, name)
			}
		}
	}
	const event = "http://schemas.openid.net/event/backchannel-logout"
	now := time.Now()
	wrong := map[string]func(header, claims map[string]any){
		"another issuer": set("iss", "https://evil.example"), "another audience": set("aud", "another"), "no audience": set("aud", nil),
		"expired": set("exp", now.Add(-time.Minute).Unix()), "without an end": set("exp", nil), "without an id": set("jti", nil),
		"old": set("iat", now.Add(-11*time.Minute).Unix()), "from the future": set("iat", now.Add(time.Hour).Unix()), "of no time": set("iat", nil),
		"with a nonce": set("nonce", "n"), "with an empty nonce": set("nonce", ""), "without events": set("events", nil),
		"with other events":          set("events", map[string]any{"http://schemas.openid.net/event/other": map[string]any{}}),
		"with an event that is none": set("events", map[string]any{event: "yes"}), "with events in a list": set("events", []string{event}),
		"about nobody":      about("", ""),
		"of another kind":   func(h, c map[string]any) { about("subject-1", "")(h, c); h["typ"] = "at+jwt" },
		"of an unknown key": func(h, c map[string]any) { about("subject-1", "")(h, c); h["kid"] = "unknown" },
	}
	tokens := map[string]string{"nonsense": "a.b.c", "nothing": "", "an ID token": h.idp.Tokens()[0], "too long": strings.Repeat("x", 70_000)}
	for name, change := range wrong {
		tokens[name] = h.idp.Notice(change)
	}
	h.idp.Seal = func(s string) string { return s + "." }
	tokens["no signature"] = h.idp.Notice(about("subject-1", ""))
	tokens["none"] = h.idp.Notice(func(h, c map[string]any) { about("subject-1", "")(h, c); h["alg"] = "none" })
	h.idp.Seal = func(s string) string { return shared([]byte(oidctest.Secret))(s) }
	tokens["a shared secret"] = h.idp.Notice(func(h, c map[string]any) { about("subject-1", "")(h, c); h["alg"] = "HS256" })
	h.idp.Seal = nil
	for name, token := range tokens {
		rec := h.noticed(token)
		h.refusedAs(name, rec.Code, rec.Body.String(), http.StatusBadRequest, "invalid_logout_token")
		if b.who() == "" {
			t.Fatalf("%s ended the session", name)
		}
	}
}

func TestALogoutTokenIsHeededOnce(t *testing.T) {
	h := newHouse(t)
	at := time.Now()
	h.set(at)
	token := h.idp.Notice(func(_, c map[string]any) { c["sub"], c["exp"] = "subject-1", at.Add(24*time.Hour).Unix() })
	if rec := h.noticed(token); rec.Code != http.StatusOK {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	b := h.browser()
	b.in()
	for _, later := range []time.Duration{0, time.Minute, auth.NoticeTime, time.Hour} {
		h.set(at.Add(later))
		rec := h.noticed(token)
		h.refusedAs(later.String(), rec.Code, rec.Body.String(), http.StatusBadRequest, "invalid_logout_token")
		if b.who() == "" {
			t.Fatalf("after %s it ended a session that began later", later)
		}
	}
}

func TestALogoutTokenComesInAFormAlone(t *testing.T) {
	h := newHouse(t)
	b := h.browser()
	b.in()
	token := h.idp.Notice(about("subject-1", ""))
	for name, c := range map[string]struct{ media, body string }{
		"JSON": {"application/json", `{"logout_token":"` + token + `"}`}, "no type": {"", "logout_token=" + token}, "plain text": {"text/plain", "logout_token=" + token},
		"twice": {"application/x-www-form-urlencoded", "logout_token=" + token + "&logout_token=" + token}, "another name": {"application/x-www-form-urlencoded", "token=" + token},
		"too large": {"application/x-www-form-urlencoded", "x=" + strings.Repeat("x", 200_000) + "&logout_token=" + token},
	} {
		rec := h.do(h.request("", "POST", "/auth/oidc/backchannel-logout", strings.NewReader(c.body), "Content-Type", c.media))
		h.refusedAs(name, rec.Code, rec.Body.String(), http.StatusBadRequest, "invalid_logout_token")
	}
	if rec := h.send("", "GET", "/auth/oidc/backchannel-logout?logout_token="+token, ""); rec.Code == http.StatusOK || b.who() == "" {
		t.Errorf("a GET: %d", rec.Code)
	}
	for _, site := range []string{"cross-site", "same-site"} {
		r := h.request("", "POST", "/auth/oidc/backchannel-logout", strings.NewReader("logout_token="+token),
			"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", site, "Origin", "https://evil.example")
		if rec := h.do(r); rec.Code != http.StatusForbidden || b.who() == "" {
			t.Errorf("a form of another site: %d", rec.Code)
		}
	}
	if rec := h.noticed(token); rec.Code != http.StatusOK || b.who() != "" {
		t.Errorf("the refused ones used it up: %d %s", rec.Code, rec.Body)
	}
}

func TestGuessingLogoutTokensIsSlowedDown(t *testing.T) {
	h := newHouse(t)
	deps := h.gate()
	deps.PerAddress = auth.Rate{Burst: 3, Every: time.Hour}
	h.server.deps.Federation = h.federated(auth.NewGate(deps), idle{})
	var codes []int
	for range 5 {
		codes = append(codes, h.noticed("a.b.c").Code)
	}
	if d := cmp.Diff([]int{400, 400, 400, 429, 429}, codes); d != "" {
		t.Error(d)
	}
	r := h.request("", "GET", "/auth/oidc/callback?state=x", nil)
	if rec := h.do(r); rec.Code != http.StatusTooManyRequests || rec.Header().Get("Retry-After") == "" {
		t.Errorf("%d", rec.Code)
	}
}

func TestSigningOutLeadsToTheProvidersOwn(t *testing.T) {
	h := newHouse(t)
	h.password("bob", good)
	leave := func(b *browser) *string {
		t.Helper()
		status, body := b.post("/auth/oidc/logout", "")
		var d api.Departure
		must(t, json.Unmarshal([]byte(body), &d))
		if status != http.StatusOK || b.who() != "" {
			t.Errorf("%d %s, still %q", status, body, b.who())
		}
		return d.Location
	}
	b := h.browser()
	b.in()
	if status, body := b.send("POST", "/auth/oidc/logout", "", "Sec-Fetch-Site", "cross-site"); status != http.StatusForbidden || b.who() == "" {
		t.Fatalf("another site signs out: %d %s", status, body)
	}
	at := leave(b)
	if at == nil {
		t.Fatal("it leads nowhere")
	}
	u, err := url.Parse(*at)
	must(t, err)
	want := url.Values{"client_id": {oidctest.ClientID}, "post_logout_redirect_uri": {h.url + "/"}}
	if d := cmp.Diff(want, u.Query()); d != "" || u.Scheme+"://"+u.Host+u.Path != h.idp.URL+"/logout" {
		t.Errorf("%s %s", *at, d)
	}
	byPassword := h.browser()
	if status, body := byPassword.post("/api/session", `{"tenant":"acme","user":"bob","password":"`+good+`"}`); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if at := leave(byPassword); at != nil {
		t.Errorf("a session of a password leads to %s", *at)
	}
	// A provider that offers no such thing, or is away, keeps nobody signed in.
	h.idp.Describe = func(d map[string]any) { delete(d, "end_session_endpoint") }
	h.restart()
	b.in()
	if at := leave(b); at != nil {
		t.Errorf("it leads to %s", *at)
	}
	b.in()
	h.restart()
	h.idp.Stop()
	if at := leave(b); at != nil {
		t.Errorf("it leads to %s", *at)
	}
	if d := expect[api.Departure](h.world, "alice", "POST", "/auth/oidc/logout", "", http.StatusOK); d.Location != nil {
		t.Errorf("a token leads to %s", *d.Location)
	}
}
