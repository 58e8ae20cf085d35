package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/auth"
)

// idle is a provider that is there and lets nobody in.
type idle struct{}

func (idle) Issuer() string { return "https://id.example" }

func (idle) Authorization(_ context.Context, c auth.Challenge) (string, error) {
	return "https://id.example/authorize?state=" + c.State, nil
}

func (idle) Redeem(context.Context, auth.Reply, auth.Challenge) (auth.Claims, error) {
	return auth.Claims{}, auth.Unwelcome("nobody")
}

func (idle) Notice(context.Context, string) (auth.Notice, error) {
	return auth.Notice{}, auth.BadNotice("none")
}

func (idle) Departure(context.Context, string) (string, error) { return "", nil }

// federated lets people of Acme in through a provider.
func (w *world) federated(gate *auth.Gate, p auth.Provider, change ...func(*auth.FederationDeps)) *auth.Federation {
	w.t.Helper()
	deps := auth.FederationDeps{
		Gate: gate, Provider: p, Identities: w.db.Identities(), Arrivals: w.db.Arrivals(), Key: make([]byte, 32), Tenant: acme, Name: "Acme SSO",
	}
	for _, c := range change {
		c(&deps)
	}
	f, err := auth.NewFederation(deps)
	must(w.t, err)
	return f
}

func TestWithoutAProviderNothingOfItIsThere(t *testing.T) {
	w := newWorld(t)
	w.server.deps.Federation = nil
	want := picture(w.send("alice", "GET", "/api/nothing", ""))
	for _, route := range []string{"GET /auth/oidc/login", "GET /auth/oidc/callback?state=s&code=c", "POST /auth/oidc/backchannel-logout"} {
		method, path, _ := strings.Cut(route, " ")
		for _, who := range []string{"", "alice", "tina"} {
			if got := picture(w.send(who, method, path, "")); got != want {
				t.Errorf("%s as %q:\n%s", route, who, got)
			}
		}
	}
	for path, body := range map[string]string{"/auth/oidc/logout": "", "/api/me/identities": `{}`} {
		if got := picture(w.send("alice", "POST", path, body)); got != want {
			t.Errorf("%s:\n%s", path, got)
		}
		if rec := w.send("", "POST", path, body); rec.Code != http.StatusUnauthorized {
			t.Errorf("%s without a token: %d", path, rec.Code)
		}
	}
	ways := expect[api.SignInWays](w, "", "GET", "/api/sign-in", "", http.StatusOK)
	if !ways.Password || ways.Providers == nil || len(ways.Providers) != 0 {
		t.Errorf("%+v", ways)
	}
	// Links are made by hand all the same, where the provider is named.
	p := w.refusal("tina", "POST", "/api/identities", `{"user":"alice","subject":"s"}`, http.StatusUnprocessableEntity, "invalid_request")
	if len(p.Errors) != 1 || p.Errors[0].Pointer != "/issuer" {
		t.Errorf("%+v", p)
	}
}

// A person reads why a sign-in failed, in both languages, and nothing of what was sent.
func TestAPersonReadsWhyASignInFailed(t *testing.T) {
	seen := map[string]string{}
	for _, code := range []string{"unauthenticated", "sign_in_stale", "provider_unavailable", "rate_limited", "identity_taken", "internal", "<script>"} {
		page := signInPage(code)
		if strings.Contains(page, "<script") || strings.Contains(page, "style") || strings.Contains(page, `href="/`) || !strings.Contains(page, `href="login"`) || !strings.Contains(page, `href="../../"`) || !strings.Contains(page, "登录") && !strings.Contains(page, "身份") && !strings.Contains(page, "次数") {
			t.Errorf("%s: %s", code, page)
		}
		if other := seen[page]; other != "" && other != "internal" {
			t.Errorf("%s and %s are told alike", code, other)
		}
		seen[page] = code
	}
	// The links lead on from where the page stands, above what a proxy took off.
	at, err := url.Parse("https://kaoju.example/tools/kaoju/auth/oidc/callback")
	must(t, err)
	for link, want := range map[string]string{aboveSignIn: "/tools/kaoju/", "login": "/tools/kaoju/auth/oidc/login"} {
		if to, err := at.Parse(link); err != nil || to.Path != want {
			t.Errorf("%s leads to %v, %v", link, to, err)
		}
	}
	w := newWorld(t)
	rec := w.do(w.request("", "GET", "/auth/oidc/callback?state=%3Cb%3ECANARY&code=CANARY&error_description=CANARY&error=CANARY", nil, "Accept", "text/html"))
	if rec.Code != http.StatusBadRequest || !strings.HasPrefix(rec.Header().Get("Content-Type"), "text/html") || strings.Contains(rec.Body.String(), "CANARY") {
		t.Errorf("%d %v %s", rec.Code, rec.Header(), rec.Body)
	}
	if !strings.Contains(rec.Header().Get("Content-Security-Policy"), "default-src 'none'") || rec.Header().Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("%v", rec.Header())
	}
	if strings.Contains(w.log.String(), "CANARY") {
		t.Error("the log repeats the reply")
	}
}

// broken is a store that fails with words that nobody may see.
type broken struct{ auth.Arrivals }

func (broken) Spend(context.Context, string, time.Time) error { return errors.New("CANARY disk") }

func (broken) EndProvided(context.Context, auth.Ending) (int, error) {
	return 0, errors.New("CANARY disk")
}

func TestAFailingStoreIsAnErrorOfTheServers(t *testing.T) {
	h := newHouse(t, func(d *auth.FederationDeps) { d.Arrivals = broken{d.Arrivals} })
	for _, accept := range []string{"application/json", "text/html"} {
		b := h.browser()
		status, body := b.open("/auth/oidc/login", "Accept", accept)
		if status != http.StatusInternalServerError || strings.Contains(body, "CANARY") || b.who() != "" {
			t.Errorf("%s: %d %s", accept, status, body)
		}
	}
	if !strings.Contains(h.log.String(), "CANARY disk") {
		t.Error("the log does not say what failed")
	}
	rec := h.noticed(h.idp.Notice(about("subject-1", "")))
	if rec.Code != http.StatusInternalServerError || strings.Contains(rec.Body.String(), "CANARY") {
		t.Errorf("a notice: %d %s", rec.Code, rec.Body)
	}
}
