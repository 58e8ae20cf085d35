package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/auth"
)

// present signs a browser in with a password.
func (h *house) present(user string) *browser {
	h.t.Helper()
	h.password(user, good)
	b := h.browser()
	if status, body := b.post("/api/session", `{"tenant":"acme","user":"`+user+`","password":"`+good+`"}`); status != http.StatusOK {
		h.t.Fatalf("%d %s", status, body)
	}
	return b
}

// asks begins to link an identity and returns where the browser is to go.
func (b *browser) asks(back string) string {
	b.h.t.Helper()
	status, body := b.post("/api/me/identities", `{"return":"`+back+`"}`)
	var d api.Departure
	must(b.h.t, json.Unmarshal([]byte(body), &d))
	if status != http.StatusOK || d.Location == nil {
		b.h.t.Fatalf("%d %s", status, body)
	}
	return *d.Location
}

func TestAPersonLinksAnIdentityOfTheirOwn(t *testing.T) {
	h := newHouse(t, func(d *auth.FederationDeps) { d.Create = false })
	b := h.present("alice")
	status, body := b.open(b.asks("/api/identities"))
	var list api.List[api.Identity]
	must(t, json.Unmarshal([]byte(body), &list))
	if status != http.StatusOK || len(list.Items) != 1 || b.who() != "alice" {
		t.Fatalf("%d %s", status, body)
	}
	want := api.Identity{ID: list.Items[0].ID, UserID: "alice", Issuer: h.idp.URL, Subject: "subject-1", CreatedAt: list.Items[0].CreatedAt}
	if d := cmp.Diff(want, list.Items[0]); d != "" {
		t.Error(d)
	}
	elsewhere := h.browser()
	if who := elsewhere.in(); who != "alice" {
		t.Errorf("the identity is %q", who)
	}
	// Unlinking ends what came of the link, and nothing else.
	if status, body := b.send("DELETE", "/api/identities/"+want.ID, "", "Sec-Fetch-Site", "same-origin"); status != http.StatusNoContent {
		t.Fatalf("%d %s", status, body)
	}
	if elsewhere.who() != "" || b.who() != "alice" {
		t.Errorf("%q %q", elsewhere.who(), b.who())
	}
	if status, _ := h.browser().signIn(); status != http.StatusUnauthorized {
		t.Errorf("the identity that was unlinked: %d", status)
	}
}

func TestAnotherPersonsIdentityIsNotLinked(t *testing.T) {
	h := newHouse(t)
	h.link("bob", "subject-1")
	b := h.present("alice")
	status, body := b.open(b.asks("/"))
	h.refusedAs("taken", status, body, http.StatusConflict, "identity_taken")
	if status, page := b.open(b.asks("/"), "Accept", "text/html"); status != http.StatusConflict || !strings.Contains(page, "另一位用户") {
		t.Errorf("%d %s", status, page)
	}
	if got := expect[api.List[api.Identity]](h.world, "tina", "GET", "/api/identities?user=alice", "", http.StatusOK); len(got.Items) != 0 || b.who() != "alice" {
		t.Errorf("%+v", got)
	}
}

// A stranger's identity must never be tied to somebody who only followed a link.
func TestLinkingNeedsTheSessionThatAskedForIt(t *testing.T) {
	h := newHouse(t)
	victim, attacker := h.present("alice"), h.present("bob")
	for name, headers := range map[string][]string{
		"a page of another site": {"Content-Type", "application/json", "Sec-Fetch-Site", "cross-site"}, "a form of another site": {"Content-Type", "text/plain", "Origin", "https://evil.example"},
	} {
		if status, body := victim.send("POST", "/api/me/identities", `{}`, headers...); status != http.StatusForbidden {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	h.refusal("alice", "POST", "/api/me/identities", `{}`, http.StatusForbidden, "no_session")
	// The attacker's request, answered by the victim's browser.
	u, err := url.Parse(h.url + "/auth/oidc/callback")
	must(t, err)
	attacker.open(attacker.asks("/")) // spends it, so that another is begun and kept
	expect[any](h.world, "tina", "DELETE", "/api/identities/"+expect[api.List[api.Identity]](h.world, "tina", "GET", "/api/identities?user=bob", "", http.StatusOK).Items[0].ID, "", http.StatusNoContent)
	location := attacker.asks("/")
	for _, c := range attacker.Jar.Cookies(u) {
		if c.Name == "kaoju_signin" {
			victim.Jar.SetCookies(u, []*http.Cookie{{Name: c.Name, Value: c.Value, Path: "/auth/oidc"}})
		}
	}
	status, body := victim.open(location)
	h.refusedAs("in another session", status, body, http.StatusBadRequest, "sign_in_stale")
	// A session that has ended meanwhile links nothing.
	gone := h.present("carol")
	location = gone.asks("/")
	must(t, h.db.Logins().EndSessions(t.Context(), acme, "carol"))
	status, body = gone.open(location)
	h.refusedAs("a session that has ended", status, body, http.StatusUnauthorized, "unauthenticated")
	for _, who := range []string{"alice", "bob", "carol"} {
		if got := expect[api.List[api.Identity]](h.world, "tina", "GET", "/api/identities?user="+who, "", http.StatusOK); len(got.Items) != 0 {
			t.Errorf("%s: %+v", who, got)
		}
	}
}

// Whoever can choose a mail address or a name at the provider must not become somebody by it.
func TestNeitherMailNorNameMakesSomebody(t *testing.T) {
	h := newHouse(t)
	h.link("alice", "of alice")
	h.idp.Person = map[string]any{
		"sub": "of mallory", "email": "alice@acme.example", "email_verified": false, "preferred_username": "alice", "name": "ALICE", "upn": "alice", "user_id": "alice",
	}
	if who := h.browser().in(); who == "alice" || !strings.HasPrefix(who, "person-") {
		t.Errorf("signed in as %q", who)
	}
	for _, subject := range []string{"OF ALICE", "of alice ", "of  alice", "alice"} {
		h.idp.Person = map[string]any{"sub": subject}
		if who := h.browser().in(); who == "alice" {
			t.Errorf("%q is Alice", subject)
		}
	}
}

func TestAdministratorsLinkPeopleByHand(t *testing.T) {
	h := newHouse(t)
	for body, pointer := range map[string]string{
		`{"user":"alice","issuer":"id.example","subject":"s"}`: "/issuer", `{"user":"alice","issuer":"javascript:alert(1)","subject":"s"}`: "/issuer",
		`{"user":"alice","subject":""}`: "/subject", `{"user":"alice","subject":"a\u0000b"}`: "/subject", `{"user":"alice","subject":"` + strings.Repeat("s", 256) + `"}`: "/subject",
		`{"user":"alice","subject":"s","tenant_id":"globex"}`: "/tenant_id",
	} {
		p := h.refusal("tina", "POST", "/api/identities", body, http.StatusUnprocessableEntity, "invalid_request")
		if len(p.Errors) != 1 || p.Errors[0].Pointer != pointer {
			t.Errorf("%s: %+v", body, p.Errors)
		}
	}
	first := h.link("alice", "s")
	if again := h.link("alice", "s"); again != first || first.Issuer != h.idp.URL {
		t.Errorf("%+v %+v", first, again)
	}
	h.refusal("tina", "POST", "/api/identities", `{"user":"bob","subject":"s"}`, http.StatusConflict, "identity_taken")
	h.refusal("tina", "POST", "/api/identities", `{"user":"erin","subject":"x"}`, http.StatusNotFound, "not_found")
	expect[api.User](h.world, "tina", "POST", "/api/users", `{"id":"bot","service":true}`, http.StatusCreated)
	h.refusal("tina", "POST", "/api/identities", `{"user":"bot","subject":"x"}`, http.StatusUnprocessableEntity, "service_account")
	for _, who := range []string{"bob", "carol", "erin"} {
		h.refusal(who, "POST", "/api/identities", `{"user":"`+who+`","subject":"mine"}`, http.StatusNotFound, "not_found")
	}
	if got := listed[api.Identity](h.world, "alice", "/api/identities"); len(got) != 1 || got[0] != first {
		t.Errorf("%+v", got)
	}
}

func TestClientLinksIdentities(t *testing.T) {
	h := newHouse(t)
	s := h.live()
	ctx := t.Context()
	tina := api.NewClient(s.Client(), s.URL, h.tokens["tina"])
	ways, err := api.NewClient(s.Client(), s.URL, "").SignInWays(ctx)
	must(t, err)
	made, err := tina.LinkIdentity(ctx, api.NewIdentity{User: "alice", Issuer: "https://id.example", Subject: "s"}, "k")
	must(t, err)
	list, err := tina.Identities(ctx, "alice", api.Page{})
	must(t, err)
	if len(ways.Providers) != 1 || len(list.Items) != 1 || list.Items[0] != made {
		t.Errorf("%+v %+v", ways, list)
	}
	must(t, tina.UnlinkIdentity(ctx, made.ID))
	var p *api.Problem
	if err := tina.UnlinkIdentity(ctx, made.ID); !errors.As(err, &p) || p.Code != "not_found" {
		t.Errorf("%v", err)
	}
}
