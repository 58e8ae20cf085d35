package oidc_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/auth/oidc"
	"github.com/kaoju/kaoju/internal/auth/oidc/oidctest"
	"github.com/kaoju/kaoju/internal/problem"
)

// desk is a relying party with its provider.
type desk struct {
	*oidc.Provider
	t    *testing.T
	idp  *oidctest.Provider
	conf oidc.Config
	now  atomic.Pointer[time.Time]
}

func newDesk(t *testing.T, change ...func(*oidc.Config)) *desk {
	t.Helper()
	d := &desk{t: t, idp: oidctest.New(t)}
	d.set(time.Now())
	d.idp.Clock = d.clock
	d.conf = oidc.Config{
		Issuer: d.idp.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.Secret, RedirectURL: "http://127.0.0.1:8000" + oidc.CallbackPath,
		Scopes: []string{"openid"}, NameClaim: "name", GroupsClaim: "groups", Clock: d.clock,
	}
	for _, c := range change {
		c(&d.conf)
	}
	d.renew()
	return d
}

func (d *desk) clock() time.Time      { return *d.now.Load() }
func (d *desk) set(at time.Time)      { d.now.Store(&at) }
func (d *desk) after(p time.Duration) { d.set(d.clock().Add(p)) }

func (d *desk) renew() {
	d.t.Helper()
	p, err := oidc.New(d.conf)
	if err != nil {
		d.t.Fatal(err)
	}
	d.Provider = p
}

var challenge = auth.Challenge{State: strings.Repeat("s", 43), Nonce: strings.Repeat("n", 43), Verifier: strings.Repeat("v", 43)}

// code signs in at the provider's page and returns the reply.
func (d *desk) code() auth.Reply {
	d.t.Helper()
	at, err := d.Authorization(d.t.Context(), challenge)
	if err != nil {
		d.t.Fatal(err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(at)
	if err != nil {
		d.t.Fatal(err)
	}
	_ = resp.Body.Close()
	u, err := resp.Location()
	if err != nil {
		d.t.Fatal(err)
	}
	q := u.Query()
	return auth.Reply{State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss")}
}

func (d *desk) redeem() (auth.Claims, error) { return d.Redeem(d.t.Context(), d.code(), challenge) }

// away holds an error to be the one of a provider that cannot be asked, without any secret.
func (d *desk) away(what string, err error) {
	d.t.Helper()
	if !problem.Is(err, problem.Unavailable) || problem.CodeOf(err) != "provider_unavailable" || strings.Contains(err.Error(), oidctest.Secret) || strings.Contains(err.Error(), "CANARY") {
		d.t.Errorf("%s: %v", what, err)
	}
}

func TestWhatTheProviderSaysIsRead(t *testing.T) {
	d := newDesk(t)
	d.idp.Person = map[string]any{"sub": "s", "sid": "session", "name": "王芳", "groups": []string{"a", "b"}, "azp": oidctest.ClientID}
	c, err := d.redeem()
	if err != nil || c.Subject != "s" || c.SID != "session" || c.Name != "王芳" || fmt.Sprint(c.Groups) != "[a b]" {
		t.Fatalf("%+v %v", c, err)
	}
	d.idp.Person = map[string]any{"sub": "s", "name": 7, "groups": "one", "aud_": "x"}
	d.idp.Claims = func(c map[string]any) { c["aud"], c["azp"] = []string{"other", oidctest.ClientID}, oidctest.ClientID }
	c, err = d.redeem()
	if err != nil || c.Name != "" || c.SID != "" || fmt.Sprint(c.Groups) != "[one]" {
		t.Fatalf("%+v %v", c, err)
	}
}

func TestABadSettingIsAClearErrorThatRepeatsNoSecret(t *testing.T) {
	good := oidc.Config{
		Issuer: "https://id.example/realm", ClientID: "kaoju", ClientSecret: "S3CRET", RedirectURL: "https://kaoju.example" + oidc.CallbackPath, Scopes: []string{"openid"},
		Hosts: []string{"keys.example:443"},
	}
	if _, err := oidc.New(good); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*oidc.Config)
		says   string
	}{
		"no issuer":              {func(c *oidc.Config) { c.Issuer = "" }, "issuer"},
		"an issuer that is none": {func(c *oidc.Config) { c.Issuer = "oidc/file//etc/passwd" }, "issuer"},
		"a file":                 {func(c *oidc.Config) { c.Issuer = "file:///etc/passwd" }, "issuer"},
		"a placeholder":          {func(c *oidc.Config) { c.Issuer = "${JWT_SECRET}" }, "issuer"},
		"an open issuer":         {func(c *oidc.Config) { c.Issuer = "http://id.example" }, "https"},
		"an issuer with a query": {func(c *oidc.Config) { c.Issuer = "https://id.example?x=y" }, "issuer"},
		"with a user":            {func(c *oidc.Config) { c.Issuer = "https://a:b@id.example" }, "issuer"},
		"an octal host":          {func(c *oidc.Config) { c.Issuer = "https://0177.0.0.1" }, "issuer"},
		"no client":              {func(c *oidc.Config) { c.ClientID = "" }, "client id"},
		"no way back":            {func(c *oidc.Config) { c.RedirectURL = "" }, "redirect"},
		"an open way back":       {func(c *oidc.Config) { c.RedirectURL = "http://kaoju.example" + oidc.CallbackPath }, "https"},
		"a way back elsewhere":   {func(c *oidc.Config) { c.RedirectURL = "https://kaoju.example/" }, oidc.CallbackPath},
		"no openid":              {func(c *oidc.Config) { c.Scopes = []string{"profile"} }, "openid"},
		"a host without a port":  {func(c *oidc.Config) { c.Hosts = []string{"keys.example"} }, "host:port"},
		"a port without a host":  {func(c *oidc.Config) { c.Hosts = []string{":443"} }, "host:port"},
	} {
		conf := good
		c.change(&conf)
		_, err := oidc.New(conf)
		if problem.CodeOf(err) != "invalid_oidc" || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "S3CRET") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSettingsAreTakenAsTheyStand(t *testing.T) {
	t.Setenv("JWT_SECRET", "CANARY")
	d := newDesk(t, func(c *oidc.Config) { c.ClientID = "${JWT_SECRET}%PATH%{{env}}" })
	at, err := d.Authorization(t.Context(), challenge)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(at)
	if err != nil || u.Query().Get("client_id") != "${JWT_SECRET}%PATH%{{env}}" || strings.Contains(at, "CANARY") {
		t.Errorf("%s %v", at, err)
	}
	if q := u.Query(); strings.Contains(at, challenge.Verifier) || q.Get("nonce") != challenge.Nonce || q.Get("state") != challenge.State || q.Get("scope") != "openid" {
		t.Errorf("%s", at)
	}
}

// elsewhere is a host that the settings do not name. It must never hear of us.
func elsewhere(t *testing.T) (address string, heard *atomic.Int32) {
	heard = &atomic.Int32{}
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard.Add(1) }))
	t.Cleanup(s.Close)
	return s.URL, heard
}

func TestADescriptionLeadsToNoHostThatTheSettingsDoNotName(t *testing.T) {
	other, heard := elsewhere(t)
	for _, name := range []string{"authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint"} {
		for _, address := range []string{
			other + "/x", "http://localhost/x", "https://id.example/x", "http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "javascript:alert(1)",
			"//evil.example", "http://[::ffff:127.0.0.1]:1/", "http://a@127.0.0.1/", "http://2130706433/",
		} {
			d := newDesk(t)
			d.idp.Describe = func(m map[string]any) { m[name] = address }
			_, err := d.Authorization(t.Context(), challenge)
			d.away(name+" "+address, err)
		}
	}
	if heard.Load() != 0 {
		t.Errorf("%d requests reached another host", heard.Load())
	}
	// A host that they name is another matter.
	d := newDesk(t, func(c *oidc.Config) { c.Hosts = []string{strings.TrimPrefix(other, "http://")} })
	d.idp.Describe = func(m map[string]any) { m["end_session_endpoint"] = other + "/bye" }
	if at, err := d.Departure(t.Context(), "http://127.0.0.1:8000/"); err != nil || !strings.HasPrefix(at, other+"/bye?") {
		t.Errorf("%s %v", at, err)
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	other, heard := elsewhere(t)
	for _, path := range []string{"/.well-known/openid-configuration", "/token", "/keys"} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			d := newDesk(t)
			reply := auth.Reply{Code: "c", Issuer: d.idp.URL}
			if path != "/.well-known/openid-configuration" {
				reply = d.code()
			}
			to := []string{other, d.idp.URL}[status%2] + "/x" // another host, or another place of its own
			d.idp.Answer[path] = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, status) }
			_, err := d.Redeem(t.Context(), reply, challenge)
			d.away(fmt.Sprint(path, " ", status), err)
			if d.idp.Asked("/x") != 0 {
				t.Errorf("%s: a redirect by %d was followed", path, status)
			}
		}
	}
	if heard.Load() != 0 {
		t.Errorf("%d requests reached another host", heard.Load())
	}
}

func TestAnAnswerThatIsNoneIsAProviderThatIsAway(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"an error": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "CANARY "+oidctest.Secret, http.StatusInternalServerError)
		},
		"a page": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<html>CANARY " + oidctest.Secret))
		},
		"nothing": func(http.ResponseWriter, *http.Request) {},
		"too much": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"x":"` + strings.Repeat("x", 2<<20) + `"}`))
		},
		"the connection cut": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"another shape": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"issuer":7,"keys":{"x":1},"access_token":[]}`))
		},
	}
	for _, path := range []string{"/.well-known/openid-configuration", "/token", "/keys"} {
		for name, answer := range answers {
			d := newDesk(t)
			reply := auth.Reply{Code: "c", Issuer: d.idp.URL}
			if path != "/.well-known/openid-configuration" {
				reply = d.code()
			}
			d.idp.Answer[path] = answer
			_, err := d.Redeem(t.Context(), reply, challenge)
			d.away(path+" "+name, err)
		}
	}
	d := newDesk(t)
	d.idp.Describe = func(m map[string]any) { m["issuer"] = "https://evil.example" }
	_, err := d.Authorization(t.Context(), challenge)
	d.away("another issuer", err)
}

func TestAWrongClientSecretIsTheOperatorsTrouble(t *testing.T) {
	d := newDesk(t, func(c *oidc.Config) { c.ClientSecret = oidctest.Secret + "-wrong" })
	_, err := d.redeem()
	d.away("a wrong secret", err)
	if !strings.Contains(err.Error(), "refuses the client id or its secret") {
		t.Errorf("the log says %v", err)
	}
}

func TestTheClientProvesItselfInOneWayThatTheProviderTakes(t *testing.T) {
	for name, c := range map[string]struct {
		methods any
		secret  string
		basic   bool
		works   bool
	}{
		"no list": {nil, "s", true, true}, "basic": {[]string{"client_secret_post", "client_secret_basic"}, "s", true, true},
		"in the form": {[]string{"client_secret_post"}, "s", false, true}, "none that a secret fits": {[]string{"private_key_jwt"}, "s", false, false},
		"a public client": {[]string{"none"}, "", false, true},
	} {
		d := newDesk(t, func(conf *oidc.Config) { conf.ClientSecret = c.secret })
		d.idp.Describe = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = c.methods }
		var basic bool
		var form url.Values
		d.idp.Answer["/token"] = func(w http.ResponseWriter, r *http.Request) {
			_, _, basic = r.BasicAuth()
			_ = r.ParseForm()
			form = r.PostForm
			http.Error(w, "", http.StatusTeapot)
		}
		_, err := d.Redeem(t.Context(), auth.Reply{Code: "c", Issuer: d.idp.URL}, challenge)
		d.away(name, err)
		if (d.idp.Asked("/token") == 1) != c.works {
			t.Errorf("%s: %d requests", name, d.idp.Asked("/token"))
			continue
		}
		if c.works && (basic != c.basic || form.Get("client_secret") != map[bool]string{false: c.secret}[basic] || form.Get("code_verifier") != challenge.Verifier) {
			t.Errorf("%s: basic %v, form %v", name, basic, form)
		}
	}
}

func TestTheProviderIsAskedAgainAfterAWhile(t *testing.T) {
	d := newDesk(t)
	const path = "/.well-known/openid-configuration"
	d.idp.Answer[path] = func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusBadGateway) }
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			_, err := d.Authorization(context.Background(), challenge)
			d.away("while it is away", err)
		})
	}
	wait.Wait()
	if n := d.idp.Asked(path); n != 1 {
		t.Errorf("20 people asked it %d times", n)
	}
	delete(d.idp.Answer, path)
	d.after(5 * time.Second)
	if _, err := d.redeem(); err != nil {
		t.Fatalf("when it is back: %v", err)
	}
	d.after(59 * time.Minute)
	if _, err := d.redeem(); err != nil || d.idp.Asked(path) != 2 {
		t.Errorf("%v, asked %d times", err, d.idp.Asked(path))
	}
	// What was learnt holds while it cannot be learnt anew.
	d.idp.Answer[path] = func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusBadGateway) }
	d.after(2 * time.Minute)
	if _, err := d.redeem(); err != nil || d.idp.Asked(path) != 3 {
		t.Errorf("%v, asked %d times", err, d.idp.Asked(path))
	}
}

func TestKeysThatRotateAreFollowed(t *testing.T) {
	d := newDesk(t)
	if _, err := d.redeem(); err != nil {
		t.Fatal(err)
	}
	old := d.idp.Signer()
	d.idp.Rotate()
	for range 3 {
		if _, err := d.redeem(); err != nil {
			t.Fatalf("with the new key: %v", err)
		}
	}
	if n := d.idp.Asked("/keys"); n != 2 {
		t.Errorf("the keys were fetched %d times for two keys", n)
	}
	d.idp.Seal, d.idp.Header = old.Seal, old.Header
	if _, err := d.redeem(); !problem.Is(err, problem.Denied) {
		t.Errorf("with the key that is gone: %v", err)
	}
}

func TestAGoneKeyIsForgottenWithinTheHour(t *testing.T) {
	d := newDesk(t)
	if _, err := d.redeem(); err != nil {
		t.Fatal(err)
	}
	old := d.idp.Signer()
	d.idp.Rotate()
	d.after(time.Hour)
	d.idp.Seal, d.idp.Header = old.Seal, old.Header
	if _, err := d.redeem(); !problem.Is(err, problem.Denied) {
		t.Errorf("%v", err)
	}
}

func TestWithoutKeysNobodyIsRefused(t *testing.T) {
	d := newDesk(t)
	notice := d.idp.Notice(func(_, c map[string]any) { c["sub"] = "s" })
	d.idp.Answer["/keys"] = func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusBadGateway) }
	_, err := d.redeem()
	d.away("signing in", err)
	_, err = d.Notice(t.Context(), notice)
	d.away("a logout token", err)
	delete(d.idp.Answer, "/keys")
	if n, err := d.Notice(t.Context(), notice); err != nil || n.Subject != "s" || n.ID == "" || n.IssuedAt.IsZero() {
		t.Errorf("%+v %v", n, err)
	}
}

func TestAProviderThatSignsWithNothingWeTakeIsHeldToTheUsual(t *testing.T) {
	for _, offered := range []any{nil, []string{"none"}, []string{"HS256"}} {
		d := newDesk(t)
		d.idp.Describe = func(m map[string]any) { m["id_token_signing_alg_values_supported"] = offered }
		if _, err := d.redeem(); err != nil {
			t.Errorf("%v: %v", offered, err)
		}
	}
	d := newDesk(t)
	d.idp.Describe = func(m map[string]any) { m["id_token_signing_alg_values_supported"] = []string{"ES256"} }
	if _, err := d.redeem(); !problem.Is(err, problem.Denied) {
		t.Errorf("an algorithm that it does not name: %v", err)
	}
}
