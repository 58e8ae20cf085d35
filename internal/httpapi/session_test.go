package httpapi

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
)

const good = "correct horse 电池 staple"

// password gives a person of Acme a password.
func (w *world) password(who, password string) {
	w.t.Helper()
	phc, err := auth.HashPassword(w.t.Context(), access.UserID(who), password)
	must(w.t, err)
	must(w.t, w.db.Logins().SetPassword(w.t.Context(), acme, "operator", access.UserID(who), phc))
}

// entering is a request to sign in.
func (w *world) entering(who, password string) *http.Request {
	body, err := json.Marshal(api.SignIn{User: who, Password: password, Tenant: string(acme)})
	must(w.t, err)
	return w.request("", "POST", "/api/session", strings.NewReader(string(body)), "Content-Type", "application/json")
}

// signIn signs a person in and returns the cookie.
func (w *world) signIn(who, password string) *http.Cookie {
	w.t.Helper()
	rec := w.do(w.entering(who, password))
	if cookies := rec.Result().Cookies(); rec.Code == http.StatusOK && len(cookies) == 1 {
		return cookies[0]
	}
	w.t.Fatalf("signing in as %s: %d %s", who, rec.Code, rec.Body)
	return nil
}

// browse makes a request as a browser would from the server's own page.
func (w *world) browse(cookie *http.Cookie, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
		headers = append([]string{"Content-Type", "application/json"}, headers...)
	}
	r := w.request("", method, path, in, append([]string{"Sec-Fetch-Site", "same-origin", "Origin", "http://example.com"}, headers...)...)
	if cookie != nil {
		r.AddCookie(&http.Cookie{Name: cookie.Name, Value: cookie.Value})
	}
	return w.do(r)
}

func TestSigningInBringsACookieThatScriptsCannotRead(t *testing.T) {
	w := newWorld(t)
	w.password("alice", good)
	for name, c := range map[string]struct {
		change func(*http.Request)
		secure bool
	}{
		"plain": {func(*http.Request) {}, false},
		"TLS":   {func(r *http.Request) { r.TLS = &tls.ConnectionState{} }, true},
		"a proxy's word": {func(r *http.Request) {
			r.Header.Set("X-Forwarded-Proto", "https")
			r.Header.Set("Forwarded", "proto=https")
		}, false},
	} {
		r := w.entering("alice", good)
		c.change(r)
		rec := w.do(r)
		got := rec.Result().Cookies()
		if rec.Code != http.StatusOK || len(got) != 1 {
			t.Fatalf("%s: %d %s", name, rec.Code, rec.Body)
		}
		k := got[0]
		if k.Name != "kaoju_session" || !k.HttpOnly || k.SameSite != http.SameSiteLaxMode || k.Path != "/" || k.Domain != "" || k.Secure != c.secure ||
			k.MaxAge < 600_000 || len(k.Value) < 43 {
			t.Errorf("%s: %+v", name, k)
		}
		var s api.Session
		must(t, json.Unmarshal(rec.Body.Bytes(), &s))
		if s.UserID != "alice" || s.TenantID != "acme" || s.DisplayName != "ALICE" || s.ExpiresAt == nil || strings.Contains(rec.Body.String(), k.Value) {
			t.Errorf("%s: %s", name, rec.Body)
		}
	}
	if log := w.log.String(); strings.Contains(log, "correct horse") || strings.Contains(log, "ks_") {
		t.Error("the log holds a secret")
	}
	behind := newWorld(t, func(d *Deps) { d.SecureCookie = true })
	behind.password("alice", good)
	if !behind.signIn("alice", good).Secure {
		t.Error("behind a proxy that ends TLS the cookie is not marked")
	}
}

func TestASessionOpensWhatATokenOpens(t *testing.T) {
	w := newWorld(t)
	w.password("alice", good)
	w.password("tina", good)
	cookies := map[string]*http.Cookie{"alice": w.signIn("alice", good), "tina": w.signIn("tina", good)}
	mine := w.own("a")
	for _, r := range rows {
		// These end the session that they are sent with, or need one.
		ends := slices.Contains([]string{"DELETE /api/session", "POST /api/me/password", "POST /auth/oidc/logout", "POST /api/me/identities"}, r.route)
		if r.open || ends || cookies[r.owner()] == nil {
			continue
		}
		req := r.request(w, "", mine)
		req.AddCookie(cookies[r.owner()])
		if rec := w.do(req); rec.Code != r.own {
			t.Errorf("%s with a session: %d, want %d: %s", r.route, rec.Code, r.own, rec.Body)
		}
		w.runner.work.Wait()
	}
}

func TestEveryFailedSignInIsAnsweredAlike(t *testing.T) {
	w := newWorld(t)
	w.password("alice", good)
	w.password("frank", good)
	var want string
	for _, body := range []string{
		`{"user":"alice","password":"not the password","tenant":"acme"}`, `{"user":"zzz","password":"` + good + `","tenant":"acme"}`,
		`{"user":"bob","password":"` + good + `","tenant":"acme"}`, `{"user":"frank","password":"` + good + `","tenant":"acme"}`,
		`{"user":"alice","password":"` + good + `","tenant":"globex"}`, `{"user":"alice","password":"` + good + `","tenant":"zzz"}`,
		`{"user":"alice","password":"` + good + `"}`, `{"user":"","password":"","tenant":""}`, `{"user":"../../x\u0000","password":"p","tenant":"acme"}`,
	} {
		rec := w.send("", "POST", "/api/session", body)
		got := picture(rec)
		if want == "" {
			want = got
		}
		if got != want || rec.Code != http.StatusUnauthorized || rec.Header().Get("Set-Cookie") != "" || rec.Header().Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s:\n%s\nwant\n%s", body, got, want)
		}
	}
	for _, body := range []string{
		`{"user":["alice"],"password":"x"}`, `{"user":{"$ne":""},"password":{"$ne":""}}`, `{"user":"alice","password":true}`, `{"user":"alice"}`, `{"password":"x"}`,
		`{"user":"alice","password":"x","Pass_word":"y"}`, `{"user":"alice","password":null}`, `{"user":"alice","password":"x","tenant":1}`,
	} {
		rec := w.send("", "POST", "/api/session", body)
		if rec.Code != http.StatusUnprocessableEntity || strings.Contains(rec.Body.String(), "alice") {
			t.Errorf("%s: %d %s", body, rec.Code, rec.Body)
		}
	}
}

func TestABearerRequestDoesNotLookAtTheCookie(t *testing.T) {
	w := newWorld(t)
	w.password("alice", good)
	cookie := w.signIn("alice", good)
	for name, c := range map[string]struct {
		header string
		want   int
		user   string
	}{
		"another's token": {"Bearer " + w.tokens["bob"], 200, "bob"}, "a bad token": {"Bearer kj_unknown", 401, ""}, "an empty one": {"Bearer ", 401, ""},
		"another scheme": {"Basic x", 401, ""}, "an empty header": {"", 401, ""}, "the session as a token": {"Bearer " + cookie.Value, 401, ""},
	} {
		r := w.request("", "GET", "/api/me", nil)
		r.Header["Authorization"] = []string{c.header}
		r.AddCookie(cookie)
		rec := w.do(r)
		if rec.Code != c.want || c.user != "" && !strings.Contains(rec.Body.String(), `"user_id":"`+c.user+`"`) {
			t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
		}
	}
	for name, value := range map[string]string{"a token": w.tokens["alice"], "nonsense": "x", "the hash": auth.HashToken(cookie.Value), "cut": cookie.Value[:40]} {
		if rec := w.browse(&http.Cookie{Name: "kaoju_session", Value: value}, "GET", "/api/me", ""); rec.Code != http.StatusUnauthorized {
			t.Errorf("%s as a session: %d", name, rec.Code)
		}
	}
}

func TestSigningInNeverKeepsASessionThatWasBroughtAlong(t *testing.T) {
	w := newWorld(t)
	w.password("alice", good)
	w.password("bob", good)
	planted := w.signIn("bob", good)
	r := w.entering("alice", good)
	r.AddCookie(planted)
	rec := w.do(r)
	if got := rec.Result().Cookies(); rec.Code != http.StatusOK || len(got) != 1 || got[0].Value == planted.Value {
		t.Fatalf("%d %v", rec.Code, got)
	}
	if rec := w.browse(planted, "GET", "/api/me", ""); rec.Code != http.StatusUnauthorized {
		t.Errorf("the planted session: %d %s", rec.Code, rec.Body)
	}
	// A failed attempt takes nothing from whoever is signed in.
	cookie := w.signIn("bob", good)
	r = w.entering("alice", "not the password")
	r.AddCookie(cookie)
	if rec := w.do(r); rec.Code != http.StatusUnauthorized {
		t.Fatal(rec.Code)
	}
	if rec := w.browse(cookie, "GET", "/api/me", ""); rec.Code != http.StatusOK {
		t.Errorf("signed out by a failed attempt: %d", rec.Code)
	}
}

func TestSigningOutEndsTheSessionOnTheServer(t *testing.T) {
	w := newWorld(t)
	w.password("alice", good)
	cookie, other := w.signIn("alice", good), w.signIn("alice", good)
	rec := w.browse(cookie, "DELETE", "/api/session", "")
	cleared := rec.Result().Cookies()
	if rec.Code != http.StatusNoContent || len(cleared) != 1 || cleared[0].MaxAge >= 0 || cleared[0].Value != "" || cleared[0].Path != "/" || !cleared[0].HttpOnly {
		t.Fatalf("%d %+v", rec.Code, cleared)
	}
	if rec := w.browse(cookie, "GET", "/api/me", ""); rec.Code != http.StatusUnauthorized {
		t.Errorf("afterwards: %d", rec.Code)
	}
	if s := w.browse(other, "GET", "/api/session", ""); s.Code != http.StatusOK || !strings.Contains(s.Body.String(), `"expires_at":"`) {
		t.Errorf("the other browser: %d %s", s.Code, s.Body)
	}
	// A token signs nobody out and has no end of a session.
	if rec := w.send("alice", "DELETE", "/api/session", "", "Cookie", "kaoju_session="+other.Value); rec.Code != http.StatusNoContent || rec.Header().Get("Set-Cookie") != "" {
		t.Errorf("%d %v", rec.Code, rec.Header())
	}
	if s := expect[api.Session](w, "alice", "GET", "/api/session", "", http.StatusOK); s.ExpiresAt != nil || s.UserID != "alice" {
		t.Errorf("%+v", s)
	}
	if rec := w.browse(other, "GET", "/api/me", ""); rec.Code != http.StatusOK {
		t.Errorf("the other browser was signed out: %d", rec.Code)
	}
}

func TestANewPasswordEndsAllSessions(t *testing.T) {
	w := newWorld(t)
	w.password("alice", good)
	mine, stolen := w.signIn("alice", good), w.signIn("alice", good)
	for body, pointer := range map[string]string{
		`{"current":"not the password","new":"another password"}`: "/current", `{"current":"` + good + `","new":"short"}`: "/new", `{"current":"` + good + `","new":"alice"}`: "/new",
	} {
		rec := w.browse(mine, "POST", "/api/me/password", body)
		if rec.Code != http.StatusUnprocessableEntity || !strings.Contains(rec.Body.String(), `"pointer":"`+pointer+`"`) {
			t.Errorf("%s: %d %s", body, rec.Code, rec.Body)
		}
	}
	rec := w.browse(mine, "POST", "/api/me/password", `{"current":"`+good+`","new":"another password"}`)
	fresh := rec.Result().Cookies()
	if rec.Code != http.StatusNoContent || len(fresh) != 1 || fresh[0].Value == mine.Value || !fresh[0].HttpOnly {
		t.Fatalf("%d %s %v", rec.Code, rec.Body, fresh)
	}
	for name, want := range map[*http.Cookie]int{mine: 401, stolen: 401, fresh[0]: 200} {
		if rec := w.browse(name, "GET", "/api/me", ""); rec.Code != want {
			t.Errorf("%d, want %d", rec.Code, want)
		}
	}
	if rec := w.do(w.entering("alice", good)); rec.Code != http.StatusUnauthorized {
		t.Errorf("the old password: %d", rec.Code)
	}
	// An administrator's reset does the same, and with a token no session comes of a change.
	expect[any](w, "tina", "PUT", "/api/users/alice/password", `{"password":"a third password"}`, http.StatusNoContent)
	if rec := w.browse(fresh[0], "GET", "/api/me", ""); rec.Code != http.StatusUnauthorized {
		t.Errorf("after a reset: %d", rec.Code)
	}
	if rec := w.send("alice", "POST", "/api/me/password", `{"current":"a third password","new":"a fourth password"}`); rec.Code != http.StatusNoContent || rec.Header().Get("Set-Cookie") != "" {
		t.Errorf("%d %v", rec.Code, rec.Header())
	}
	w.refusal("tina", "PUT", "/api/users/alice/password", `{"password":"short"}`, http.StatusUnprocessableEntity, "weak_password")
	expect[any](w, "tina", "PUT", "/api/users/tina/password", `{"password":"my first password"}`, http.StatusNoContent)
	w.refusal("tina", "PUT", "/api/users/tina/password", `{"password":"my second password"}`, http.StatusConflict, "own_password")
}

func TestAnotherSiteCannotUseTheSession(t *testing.T) {
	w := newWorld(t)
	w.password("alice", good)
	w.kb("kb-a")
	cookie := w.signIn("alice", good)
	foreign := map[string][]string{
		"a cross-site request":          {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
		"a cross-site one by no origin": {"Sec-Fetch-Site", "cross-site", "Origin", ""},
		"a same-site one":               {"Sec-Fetch-Site", "same-site", "Origin", "http://sub.example.com"},
		"an old browser's":              {"Sec-Fetch-Site", "", "Origin", "https://evil.example"},
		"a null origin":                 {"Sec-Fetch-Site", "", "Origin", "null"},
		"a longer name":                 {"Sec-Fetch-Site", "", "Origin", "http://example.com.evil.example"},
		"another port":                  {"Sec-Fetch-Site", "", "Origin", "http://example.com:8443"},
	}
	for name, headers := range foreign {
		for _, media := range []string{"application/json", "text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"} {
			for _, c := range []struct{ method, path, body string }{
				{"POST", "/api/knowledge-bases", `{"name":"forged"}`}, {"DELETE", "/api/knowledge-bases/kb-a", ""}, {"PATCH", "/api/knowledge-bases/kb-a", `{"name":"f"}`},
				{"PUT", "/api/knowledge-bases/kb-a/grants", `{"grants":[]}`}, {"DELETE", "/api/session", ""}, {"POST", "/api/tokens", `{"name":"forged"}`},
			} {
				rec := w.browse(cookie, c.method, c.path, c.body, append([]string{"Content-Type", media}, headers...)...)
				if rec.Code != http.StatusForbidden || !strings.Contains(rec.Body.String(), `"code":"cross_site"`) {
					t.Errorf("%s: %s %s as %s: %d %s", name, c.method, c.path, media, rec.Code, rec.Body)
				}
			}
		}
		// Nor can it sign somebody in as somebody else, or set the server up.
		for path, body := range map[string]string{"/api/session": `{"user":"alice","password":"` + good + `","tenant":"acme"}`, "/api/setup": `{"token":"x","password":"y"}`} {
			if rec := w.browse(nil, "POST", path, body, headers...); rec.Code != http.StatusForbidden || rec.Header().Get("Set-Cookie") != "" {
				t.Errorf("%s: POST %s: %d %s", name, path, rec.Code, rec.Body)
			}
		}
		// A token is nothing that a browser sends by itself.
		if rec := w.send("alice", "POST", "/api/search", `{"query":"x"}`, headers...); rec.Code != http.StatusOK {
			t.Errorf("%s with a token: %d %s", name, rec.Code, rec.Body)
		}
	}
	if rec := w.browse(cookie, "POST", "/api/knowledge-bases", `{"name":"own"}`, "Content-Type", "text/plain"); rec.Code != http.StatusUnsupportedMediaType {
		t.Errorf("text that claims to be JSON: %d %s", rec.Code, rec.Body)
	}
	if rec := w.browse(cookie, "POST", "/api/knowledge-bases", `{"name":"own"}`); rec.Code != http.StatusCreated {
		t.Errorf("the server's own page: %d %s", rec.Code, rec.Body)
	}
	if rec := w.browse(cookie, "GET", "/api/me", "", "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"); rec.Code != http.StatusOK || rec.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a link from elsewhere: %d %v", rec.Code, rec.Header())
	}
}

func TestASessionIsIdleOrOverWhenTheClockSaysSo(t *testing.T) {
	var ahead atomic.Int64
	w := newWorld(t, func(d *Deps) { d.Clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) } })
	w.password("alice", good)
	idle := w.signIn("alice", good)
	ahead.Store(int64(11 * time.Hour))
	if rec := w.browse(idle, "GET", "/api/me", ""); rec.Code != http.StatusOK {
		t.Fatalf("after 11 hours: %d", rec.Code)
	}
	ahead.Store(int64(24 * time.Hour))
	for range 2 {
		if rec := w.browse(idle, "GET", "/api/me", ""); rec.Code != http.StatusUnauthorized {
			t.Fatalf("after 13 idle hours: %d", rec.Code)
		}
	}
	busy := w.signIn("alice", good)
	for hours := 24; hours < 24+7*24; hours += 10 {
		ahead.Store(int64(hours) * int64(time.Hour))
		if rec := w.browse(busy, "GET", "/api/me", ""); rec.Code != http.StatusOK {
			t.Fatalf("in use, at %d hours: %d", hours, rec.Code)
		}
	}
	ahead.Store(int64((24 + 7*24) * time.Hour))
	if rec := w.browse(busy, "GET", "/api/me", ""); rec.Code != http.StatusUnauthorized {
		t.Errorf("in use for longer than a week: %d", rec.Code)
	}
}

// frozen is a clock that stands until it is moved.
func frozen(d *Deps) *atomic.Int64 {
	at := &atomic.Int64{}
	at.Store(time.Now().UnixNano())
	d.Clock = func() time.Time { return time.Unix(0, at.Load()) }
	return at
}

func TestGuessingAPasswordIsSlowedDown(t *testing.T) {
	var clock *atomic.Int64
	w := newWorld(t, func(d *Deps) { clock = frozen(d) })
	w.password("alice", good)
	for _, who := range []string{"alice", "zzz"} {
		var last *httptest.ResponseRecorder
		for range 11 {
			last = w.do(w.entering(who, "not the password"))
		}
		if last.Code != http.StatusTooManyRequests || last.Header().Get("Retry-After") != "6" || !strings.Contains(last.Body.String(), `"code":"rate_limited"`) {
			t.Errorf("%s: %d %v %s", who, last.Code, last.Header(), last.Body)
		}
	}
	// Neither another address nor a header that claims one helps.
	r := w.entering("alice", good)
	r.RemoteAddr = "198.51.100.7:1"
	r.Header.Set("X-Forwarded-For", "203.0.113.1")
	if rec := w.do(r); rec.Code != http.StatusTooManyRequests {
		t.Errorf("from elsewhere: %d", rec.Code)
	}
	if rec := w.send("alice", "GET", "/api/me", ""); rec.Code != http.StatusOK {
		t.Errorf("with a token: %d", rec.Code)
	}
	clock.Add(int64(6 * time.Second))
	w.signIn("alice", good)
}

func TestWithoutASettingOneClientIsNeverSlowed(t *testing.T) {
	w := newWorld(t, func(d *Deps) { frozen(d) })
	for i := range 1500 {
		if rec := w.send("alice", "GET", "/healthz", ""); rec.Code != http.StatusOK {
			t.Fatalf("request %d in one moment: %d", i, rec.Code)
		}
		if rec := w.send("alice", "GET", "/api/system", ""); rec.Code != http.StatusOK {
			t.Fatalf("request %d in one moment: %d", i, rec.Code)
		}
	}
}

func TestQuotasOfCredentialsAndTenantsAreSettings(t *testing.T) {
	var clock *atomic.Int64
	w := newWorld(t, func(d *Deps) {
		clock = frozen(d)
		d.PerCredential, d.PerTenant = auth.Rate{Burst: 3, Every: time.Second}, auth.Rate{Burst: 5, Every: time.Second}
	})
	burst := func(who string) (codes []int) {
		for range 4 {
			codes = append(codes, w.send(who, "GET", "/api/me", "").Code)
		}
		return codes
	}
	if d := cmp.Diff([]int{200, 200, 200, 429}, burst("alice")); d != "" {
		t.Errorf("one token: %s", d)
	}
	if d := cmp.Diff([]int{200, 200, 429, 429}, burst("bob")); d != "" {
		t.Errorf("another of the same tenant: %s", d)
	}
	if d := cmp.Diff([]int{200, 200, 200, 429}, burst("erin")); d != "" {
		t.Errorf("another tenant: %s", d)
	}
	rec := w.send("alice", "GET", "/api/me", "")
	if rec.Header().Get("Retry-After") != "1" {
		t.Errorf("%v", rec.Header())
	}
	if rec := w.send("", "GET", "/healthz", ""); rec.Code != http.StatusOK {
		t.Errorf("health: %d", rec.Code)
	}
	clock.Add(int64(time.Second))
	if rec := w.send("alice", "GET", "/api/me", ""); rec.Code != http.StatusOK {
		t.Errorf("a second later: %d", rec.Code)
	}
}

// settingUp is a world whose first administrator has no password yet.
func settingUp(t *testing.T) (*world, string) {
	t.Helper()
	w := newWorld(t)
	setup, secret, err := auth.OpenSetup(t.Context(), w.server.deps.Gate, filepath.Join(t.TempDir(), "setup.token"), acme, "tina")
	must(t, err)
	w.server.deps.Setup = setup
	return w, secret
}

func TestOfFiftySetupsAtOnceOneSucceeds(t *testing.T) {
	w, secret := settingUp(t)
	w.refusal("", "POST", "/api/setup", `{"token":"kf_wrong","password":"`+good+`"}`, http.StatusUnauthorized, "unauthenticated")
	w.refusal("", "POST", "/api/setup", `{"token":"`+secret+`","password":"short"}`, http.StatusUnprocessableEntity, "weak_password")
	var wait sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	for i := range 50 {
		wait.Go(func() {
			rec := w.send("", "POST", "/api/setup", fmt.Sprintf(`{"token":"%s","password":"password number %d"}`, secret, i))
			mu.Lock()
			defer mu.Unlock()
			codes[rec.Code]++
		})
	}
	wait.Wait()
	if d := cmp.Diff(map[int]int{204: 1, 404: 49}, codes); d != "" {
		t.Error(d)
	}
	w.refusal("", "POST", "/api/setup", `{"token":"kf_wrong","password":"`+good+`"}`, http.StatusNotFound, "not_found")
	in := 0
	for i := range 50 {
		if w.fits("tina", fmt.Sprintf("password number %d", i)) {
			in++
		}
	}
	if in != 1 {
		t.Errorf("%d of the passwords are the administrator's", in)
	}
}

// fits reports whether a password is a person's, on a gate that has counted no failures yet.
func (w *world) fits(who, password string) bool {
	gate := auth.NewGate(w.gate())
	_, _, err := gate.SignIn(w.t.Context(), auth.Entry{Tenant: acme, User: access.UserID(who), Password: password})
	return err == nil
}
