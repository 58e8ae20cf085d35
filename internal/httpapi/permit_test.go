package httpapi

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
)

// scopeOf is the rule of which scope a route needs, in words: "" for none.
func scopeOf(route string) string {
	method, path, _ := strings.Cut(route, " ")
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(path, p) })
	}
	switch {
	case route == "DELETE /api/session", route == "POST /auth/oidc/logout":
		return ""
	case has("/users", "/groups", "/tokens", "/me/password", "/identities", "/synonyms", "/evaluations"):
		return "admin"
	case method == "GET":
		return "read"
	case has("/publish-proposals", "/archive-proposals", "/approvals", "/tools/"):
		return "decide"
	case has("/search", "/chat", "/runs", "/conversations", "/drafts", "/feedback"):
		return "ask"
	}
	return "write"
}

// withScopes gives a person one more token, which carries some scopes alone, and returns its name.
func (w *world) withScopes(who string, scopes ...string) string {
	w.t.Helper()
	p, err := access.ParsePermissions(scopes)
	must(w.t, err)
	tenant := acme
	if who == "erin" || who == "toby" {
		tenant = globex
	}
	secret, err := auth.Issue(w.t.Context(), w.db.Auth(), auth.Token{Tenant: tenant, User: access.UserID(who), Name: "narrow", Permissions: p})
	must(w.t, err)
	name := who + " to " + strings.Join(scopes, "+")
	w.tokens[name] = secret
	return name
}

var scopes = []string{"read", "ask", "write", "decide", "admin"}

// Each route is tried with a token of each scope alone: it is refused exactly where the scope is
// not the route's, in the same way for one's own objects and for what does not exist, and before
// anything has happened.
func TestATokenReachesTheRoutesOfItsScopeAlone(t *testing.T) {
	w := newWorld(t)
	mine := w.own("a")
	tokens := map[string]map[string]string{}
	for _, who := range []string{"alice", "tina", "carol"} {
		tokens[who] = map[string]string{}
		for _, s := range scopes {
			tokens[who][s] = w.withScopes(who, s)
		}
	}
	want := picture(w.send(tokens["alice"]["ask"], "GET", "/api/me", ""))
	if !strings.HasPrefix(want, "403") || !strings.Contains(want, `"code":"insufficient_scope"`) {
		t.Fatal(want)
	}
	for _, r := range rows {
		if r.open {
			continue
		}
		for _, s := range scopes {
			if scopeOf(r.route) == s || scopeOf(r.route) == "" {
				continue
			}
			for _, on := range []things{mine, nobody} {
				if got := picture(w.do(r.request(w, tokens[r.owner()][s], on))); got != want {
					t.Errorf("%s with %s alone:\n%s\nwant\n%s", r.route, s, got, want)
				}
			}
		}
	}
	for _, r := range rows {
		if s := scopeOf(r.route); !r.open && s != "" {
			if rec := w.do(r.request(w, tokens[r.owner()][s], mine)); rec.Code != r.own {
				t.Errorf("%s with %s alone: %d, want %d: %s", r.route, s, rec.Code, r.own, rec.Body)
			}
			w.runner.work.Wait()
		}
	}
}

func TestEveryRouteHasAPermission(t *testing.T) {
	w := newWorld(t)
	for _, route := range registered(t, w.server) {
		_, path, _ := strings.Cut(route, " ")
		if !w.server.open(path, route) && permit(route) == access.AllPermissions && route != "GET /{$}" {
			t.Errorf("no permission is declared for %s", route)
		}
	}
	if permit("GET /api/forgotten") != access.AllPermissions {
		t.Error("a forgotten route is open")
	}
}

func TestOddWaysToARouteNeedItsScopeToo(t *testing.T) {
	w := newWorld(t)
	who := w.withScopes("alice", "ask")
	for _, path := range []string{"/api/v1/me", "/api/me?x=1", "/api/%6de"} {
		if rec := w.send(who, "GET", path, ""); rec.Code != http.StatusForbidden {
			t.Errorf("%s: %d", path, rec.Code)
		}
	}
	if rec := w.send(who, "HEAD", "/api/me", ""); rec.Code != http.StatusForbidden {
		t.Errorf("HEAD: %d", rec.Code)
	}
	for _, path := range []string{"/api//me", "/api/./me"} {
		if rec := w.send(who, "GET", path, ""); rec.Code == http.StatusOK {
			t.Errorf("%s: %d", path, rec.Code)
		}
	}
	w.refusal(who, "GET", "/api/nothing", "", http.StatusNotFound, "not_found")
	w.refusal(who, "PUT", "/api/me", "", http.StatusMethodNotAllowed, "method_not_allowed")
}

// Bob has had rights and a run of his own; then the grant is gone.
func TestWhatWasRevokedLooksUnknown(t *testing.T) {
	w := newWorld(t)
	alices := w.own("a")
	for name, grant := range map[string]string{"user": "user:bob", "group": "group:readers"} {
		if name == "group" {
			expect[api.Group](w, "tina", "POST", "/api/groups", `{"id":"readers","members":["user:bob"]}`, http.StatusCreated)
		}
		w.grant("kb-a", "user:alice", "manager", grant, "manager")
		for _, r := range rows {
			// Whether Alice may read is told to Alice, and not to whoever else manages.
			if strings.HasSuffix(r.path, "/readers/alice") {
				continue
			}
			if strings.HasPrefix(r.route, "GET") && (strings.Contains(r.path, "{kb}") || strings.Contains(r.path, "documents/{id}")) && r.as == "" && r.nobodys == 404 {
				if rec := w.do(r.request(w, "bob", alices)); rec.Code != r.own {
					t.Errorf("%s with a grant to the %s: %d, want %d", r.route, name, rec.Code, r.own)
				}
			}
		}
		if name == "group" {
			expect[any](w, "tina", "DELETE", "/api/groups/readers/members/user:bob", "", http.StatusNoContent)
		} else {
			w.grant("kb-a", "user:alice", "manager")
		}
		for _, r := range rows {
			if r.nobodys == 0 {
				continue
			}
			foreign, unknown := w.do(r.request(w, "bob", alices)), w.do(r.request(w, "bob", nobody))
			if a, b := picture(foreign), picture(unknown); foreign.Code != r.nobodys || a != b {
				t.Errorf("%s after the %s's grant was revoked:\n%s\n---\n%s", r.route, name, a, b)
			}
		}
	}
}

// Suspension holds for every route from the next request on, for tokens and sessions alike, and
// looks like a credential that never was.
func TestTheSuspendedHaveNoCredentials(t *testing.T) {
	w := newWorld(t)
	alices := w.own("a")
	w.password("alice", good)
	cookie := w.signIn("alice", good)
	expect[api.User](w, "tina", "PATCH", "/api/users/alice", `{"suspended":true}`, http.StatusOK)
	w.tokens["nobody"] = "kj_unknown"
	for _, r := range rows {
		if r.open || r.as != "" {
			continue
		}
		want := picture(w.do(r.request(w, "nobody", alices)))
		bare := r.request(w, "", alices)
		bare.AddCookie(cookie)
		for name, req := range map[string]*http.Request{"token": r.request(w, "alice", alices), "session": bare} {
			if got := picture(w.do(req)); got != want || !strings.HasPrefix(got, "401") {
				t.Errorf("%s with the %s of a suspended user:\n%s\nwant\n%s", r.route, name, got, want)
			}
		}
	}
	expect[api.User](w, "tina", "PATCH", "/api/users/alice", `{"suspended":false}`, http.StatusOK)
	if rec := w.browse(cookie, "GET", "/api/me", ""); rec.Code != http.StatusUnauthorized {
		t.Errorf("a session from before the suspension is alive again: %d", rec.Code)
	}
	if rec := w.send("alice", "GET", "/api/me", ""); rec.Code != http.StatusOK {
		t.Errorf("the token of an active user: %d", rec.Code)
	}
}
