package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
)

func TestATokenIsShownOnceAndWorksUntilItIsRevoked(t *testing.T) {
	w := newWorld(t)
	made := expect[api.IssuedToken](w, "alice", "POST", "/api/tokens", `{"name":"laptop","scopes":["ask","read"],"expires_in_days":30}`, http.StatusCreated)
	if d := cmp.Diff([]string{"read", "ask"}, made.Scopes); d != "" || made.UserID != "alice" || made.Name != "laptop" || made.ExpiresAt == nil ||
		!strings.HasPrefix(made.Token, "kj_") || made.ExpiresAt.Sub(made.CreatedAt).Round(time.Hour) != 30*24*time.Hour {
		t.Fatalf("%+v %s", made, d)
	}
	w.tokens["laptop"] = made.Token
	if rec := w.send("laptop", "GET", "/api/me", ""); rec.Code != http.StatusOK {
		t.Fatal(rec.Code)
	}
	list := w.send("alice", "GET", "/api/tokens", "")
	if strings.Contains(list.Body.String(), made.Token) || strings.Contains(list.Body.String(), "hash") || !strings.Contains(list.Body.String(), made.ID) {
		t.Errorf("%s", list.Body)
	}
	for _, tok := range listed[api.Token](w, "alice", "/api/tokens") {
		if tok.UserID != "alice" || tok.ID == made.ID && tok.LastUsedAt == nil {
			t.Errorf("%+v", tok)
		}
	}
	for _, other := range []string{"bob", "erin", "toby"} {
		w.refusal(other, "DELETE", "/api/tokens/"+made.ID, "", http.StatusNotFound, "not_found")
	}
	expect[any](w, "alice", "DELETE", "/api/tokens/"+made.ID, "", http.StatusNoContent)
	w.refusal("laptop", "GET", "/api/me", "", http.StatusUnauthorized, "unauthenticated")
	w.refusal("alice", "DELETE", "/api/tokens/"+made.ID, "", http.StatusNotFound, "not_found")
}

func TestNoTokenIsMadeWithMoreThanItsMakerCarries(t *testing.T) {
	w := newWorld(t)
	narrow := w.withScopes("alice", "admin", "read")
	w.refusal(narrow, "POST", "/api/tokens", `{"name":"n","scopes":["read","write"]}`, http.StatusForbidden, "insufficient_scope")
	made := expect[api.IssuedToken](w, narrow, "POST", "/api/tokens", `{"name":"n"}`, http.StatusCreated)
	if d := cmp.Diff([]string{"read", "admin"}, made.Scopes); d != "" {
		t.Error(d)
	}
	// The same key and words from a credential that carries less must not bring the secret of
	// a token that carries more.
	wide := expect[api.IssuedToken](w, "alice", "POST", "/api/tokens", `{"name":"w"}`, http.StatusCreated, "Idempotency-Key", "k")
	again := expect[api.IssuedToken](w, "alice", "POST", "/api/tokens", `{"name":"w"}`, http.StatusCreated, "Idempotency-Key", "k")
	if len(wide.Scopes) != 5 || wide.ID != again.ID || wide.Token != again.Token {
		t.Errorf("%+v %+v", wide, again)
	}
	w.refusal(narrow, "POST", "/api/tokens", `{"name":"w"}`, http.StatusUnprocessableEntity, "idempotency_key_reused", "Idempotency-Key", "k")
}

func TestTokensOfServiceAccountsNeverDecide(t *testing.T) {
	w := newWorld(t)
	expect[api.User](w, "tina", "POST", "/api/users", `{"id":"bot","service":true}`, http.StatusCreated)
	made := expect[api.IssuedToken](w, "tina", "POST", "/api/tokens", `{"name":"n","user":"bot"}`, http.StatusCreated)
	if d := cmp.Diff([]string{"read", "ask", "write", "admin"}, made.Scopes); d != "" || made.UserID != "bot" {
		t.Errorf("%+v %s", made, d)
	}
	w.refusal("tina", "POST", "/api/tokens", `{"name":"n","user":"bot","scopes":["decide"]}`, http.StatusUnprocessableEntity, "invalid_scope")
	w.tokens["bot"] = made.Token
	for _, route := range registered(t, w.server) {
		if scopeOf(route) != "decide" {
			continue
		}
		method, path, _ := strings.Cut(route, " ")
		w.refusal("bot", method, strings.ReplaceAll(path, "{id}", "x"), `{"approved":true}`, http.StatusForbidden, "insufficient_scope")
	}
	for who, body := range map[string]string{
		"tina": `{"name":"n","user":"alice"}`,
	} {
		w.refusal(who, "POST", "/api/tokens", body, http.StatusUnprocessableEntity, "invalid_request")
	}
	w.refusal("alice", "POST", "/api/tokens", `{"name":"n","user":"bot"}`, http.StatusNotFound, "not_found")
	w.refusal("tina", "PUT", "/api/users/bot/password", `{"password":"`+good+`"}`, http.StatusUnprocessableEntity, "service_account")
}

func TestWishesForTokensAreChecked(t *testing.T) {
	w := newWorld(t)
	now := time.Now().UTC()
	for body, pointer := range map[string]string{
		`{"name":""}`: "/name", `{"name":"a\u0000b"}`: "/name", `{"name":"n","scopes":["god"]}`: "/scopes", `{"name":"n","scopes":["Read"]}`: "/scopes",
		`{"name":"n","expires_in_days":0}`: "/expires_in_days", `{"name":"n","expires_in_days":-1}`: "/expires_in_days", `{"name":"n","expires_in_days":4000}`: "/expires_in_days",
		fmt.Sprintf(`{"name":"n","expires_at":%q}`, now.Add(-time.Minute).Format(time.RFC3339)):                  "/expires_at",
		fmt.Sprintf(`{"name":"n","expires_at":%q}`, now.AddDate(11, 0, 0).Format(time.RFC3339)):                  "/expires_at",
		fmt.Sprintf(`{"name":"n","expires_at":%q,"expires_in_days":1}`, now.Add(time.Hour).Format(time.RFC3339)): "/expires_at",
		`{"name":"n","expires_at":"0001-01-01T00:00:00Z"}`:                                                       "/expires_at",
		`{"name":"n","permissions":31}`: "/permissions",
		`{"name":"n","user":"zzz"}`:     "/user",
	} {
		p := w.refusal("tina", "POST", "/api/tokens", body, http.StatusUnprocessableEntity, "invalid_request")
		if len(p.Errors) != 1 || p.Errors[0].Pointer != pointer {
			t.Errorf("%s: %+v", body, p.Errors)
		}
	}
	w.refusal("tina", "POST", "/api/tokens", `{"name":"n","scopes":[]}`, http.StatusUnprocessableEntity, "invalid_scope")
	at := now.Add(time.Hour).Truncate(time.Second)
	made := expect[api.IssuedToken](w, "alice", "POST", "/api/tokens", fmt.Sprintf(`{"name":"n","expires_at":%q}`, at.Format(time.RFC3339)), http.StatusCreated)
	if made.ExpiresAt == nil || !made.ExpiresAt.Equal(at) {
		t.Errorf("%+v", made)
	}
}

// A stream under way ends with the session, the scope's token or the person that it was opened
// with.
func TestAStreamEndsWithWhatItWasOpenedWith(t *testing.T) {
	for name, end := range map[string]func(w *world, token string, cookie *http.Cookie){
		"the token is revoked": func(w *world, token string, _ *http.Cookie) {
			expect[any](w, "alice", "DELETE", "/api/tokens/"+token, "", http.StatusNoContent)
		},
		"somebody signs out": func(w *world, _ string, cookie *http.Cookie) {
			if rec := w.browse(cookie, "DELETE", "/api/session", ""); rec.Code != http.StatusNoContent {
				w.t.Fatal(rec.Code)
			}
		},
		"the password is set anew": func(w *world, _ string, _ *http.Cookie) {
			expect[any](w, "tina", "PUT", "/api/users/alice/password", `{"password":"another password"}`, http.StatusNoContent)
		},
		"the person is suspended": func(w *world, _ string, _ *http.Cookie) {
			expect[api.User](w, "tina", "PATCH", "/api/users/alice", `{"suspended":true}`, http.StatusOK)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.password("alice", good)
			w.kb("kb-a")
			w.add("kb-a", "travel.txt|The lodging limit is 650 yuan.", "status", "published")
			w.runner.hold = true
			made := expect[api.IssuedToken](w, "alice", "POST", "/api/tokens", `{"name":"n","scopes":["read"]}`, http.StatusCreated)
			cookie := w.signIn("alice", good)
			started := expect[api.Started](w, "alice", "POST", "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
			w.tokens["narrow"] = made.Token
			path := "/api/runs/" + started.RunID + "/events"
			s := w.live()
			v := w.view(s, "narrow", path)
			if name != "the token is revoked" && name != "the person is suspended" {
				v = w.viewWith(s, cookie, path)
			}
			if got := v.events(5); len(got) != 5 {
				t.Fatalf("%v", types(got))
			}
			end(w, made.ID, cookie)
			if rest := v.events(100); len(rest) != 0 {
				t.Errorf("it still got %v", types(rest))
			}
			close(w.runner.open)
			w.runner.work.Wait()
		})
	}
}
