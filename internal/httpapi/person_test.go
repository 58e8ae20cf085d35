package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
)

// personRows are the routes of people and of their credentials. Tina administers the tenant.
var personRows = []row{
	{route: "POST /api/session", path: "/api/session", body: `{"user":"alice","password":"not the password"}`, own: 401, open: true},
	{route: "POST /api/setup", path: "/api/setup", body: `{"token":"kf_x","password":"not the password"}`, own: 404, open: true},
	{route: "GET /api/session", path: "/api/session", own: 200},
	{route: "DELETE /api/session", path: "/api/session", own: 204},
	{route: "POST /api/me/password", path: "/api/me/password", body: `{"current":"not the password","new":"another password"}`, own: 422},
	{route: "GET /api/tokens", path: "/api/tokens", own: 200},
	{route: "GET /api/tokens", path: "/api/tokens?user={user}", own: 200, nobodys: 404, as: "tina"},
	{route: "POST /api/tokens", path: "/api/tokens", body: `{"name":"t","expires_in_days":1}`, own: 201},
	{route: "DELETE /api/tokens/{id}", path: "/api/tokens/{token}", own: 204, nobodys: 404, as: "tina"},
	{route: "GET /api/sign-in", path: "/api/sign-in", own: 200, open: true},
	{route: "GET /auth/oidc/login", path: "/auth/oidc/login?return=/x", own: 303, open: true},
	{route: "GET /auth/oidc/callback", path: "/auth/oidc/callback?code=c&state=s", own: 400, open: true},
	{route: "POST /auth/oidc/backchannel-logout", path: "/auth/oidc/backchannel-logout", own: 400, open: true},
	{route: "POST /auth/oidc/logout", path: "/auth/oidc/logout", own: 200},
	{route: "GET /api/identities", path: "/api/identities", own: 200},
	{route: "GET /api/identities", path: "/api/identities?user={user}", own: 200, nobodys: 404, as: "tina"},
	{route: "POST /api/identities", path: "/api/identities", body: `{"user":"{user}","issuer":"https://id.example","subject":"{user}"}`, own: 201, nobodys: 404, as: "tina"},
	{route: "DELETE /api/identities/{id}", path: "/api/identities/{identity}", own: 204, nobodys: 404, as: "tina"},
	{route: "POST /api/me/identities", path: "/api/me/identities", body: `{"return":"/"}`, own: 403},
	{route: "GET /api/users", path: "/api/users", own: 200, as: "tina"},
	{route: "POST /api/users", path: "/api/users", body: `{"id":"new"}`, own: 201, as: "tina"},
	{route: "GET /api/users/{id}", path: "/api/users/{user}", own: 200, nobodys: 404, as: "tina"},
	{route: "PATCH /api/users/{id}", path: "/api/users/{user}", body: `{"display_name":"U"}`, own: 200, nobodys: 404, as: "tina"},
	{route: "PUT /api/users/{id}/password", path: "/api/users/{user}/password", body: `{"password":"a good password"}`, own: 204, nobodys: 404, as: "tina"},
	{route: "GET /api/synonyms", path: "/api/synonyms", own: 200, as: "tina"},
	{route: "PUT /api/synonyms", path: "/api/synonyms", body: `{"lines":["OA, 办公自动化"]}`, own: 200, as: "tina"},
	{route: "PUT /api/synonyms", path: "/api/synonyms", body: `{"lines":["OA, 办公自动化"]}`, headers: []string{"If-Match", `"99"`}, own: 412, as: "tina"},
	{route: "GET /api/evaluations", path: "/api/evaluations", own: 200, as: "tina"},
	{route: "GET /api/evaluations/{id}", path: "/api/evaluations/{evaluation}", own: 200, nobodys: 404, as: "tina"},
	{route: "GET /api/groups", path: "/api/groups", own: 200, as: "tina"},
	{route: "POST /api/groups", path: "/api/groups", body: `{"id":"new"}`, own: 201, as: "tina"},
	{route: "GET /api/groups/{id}", path: "/api/groups/{group}", own: 200, nobodys: 404, as: "tina"},
	{route: "GET /api/groups/{id}/members", path: "/api/groups/{group}/members", own: 200, nobodys: 404, as: "tina"},
	{route: "PUT /api/groups/{id}/members", path: "/api/groups/{group}/members", body: `{"members":["{member}"]}`, own: 200, nobodys: 404, as: "tina"},
	{route: "POST /api/groups/{id}/members", path: "/api/groups/{group}/members", body: `{"principal":"{member}"}`, own: 200, nobodys: 404, as: "tina"},
	{route: "DELETE /api/groups/{id}/members/{member}", path: "/api/groups/{group}/members/{member}", own: 204, nobodys: 404, as: "tina"},
	{route: "DELETE /api/groups/{id}", path: "/api/groups/{group}", own: 204, nobodys: 404, as: "tina"},
}

// staff makes a user in a group, and a token of Tina's.
func (w *world) staff(suffix string) things {
	w.t.Helper()
	user, group := "user-"+suffix, "group-"+suffix
	expect[api.User](w, "tina", "POST", "/api/users", `{"id":"`+user+`"}`, http.StatusCreated)
	expect[api.Group](w, "tina", "POST", "/api/groups", `{"id":"`+group+`","members":["user:`+user+`"]}`, http.StatusCreated)
	token := expect[api.IssuedToken](w, "tina", "POST", "/api/tokens", `{"name":"`+suffix+`"}`, http.StatusCreated)
	identity := expect[api.Identity](w, "tina", "POST", "/api/identities", `{"user":"`+user+`","issuer":"https://id.example","subject":"of `+suffix+`"}`, http.StatusCreated)
	return things{"evaluation": w.evaluated(suffix, "tina"), "user": user, "group": group, "member": "user:" + user, "token": token.ID, "identity": identity.ID}
}

// To whoever does not administer the tenant there are no people, also where no id is named.
func TestThePeopleAreTheAdministratorsAlone(t *testing.T) {
	w := newWorld(t)
	made := w.staff("a")
	want := picture(w.send("alice", "GET", "/api/users/user-zzz", ""))
	for _, r := range personRows {
		if r.as != "tina" {
			continue
		}
		for _, who := range []string{"bob", "carol", "dave", "erin"} {
			for _, on := range []things{made, nobody} {
				if got := picture(w.do(r.request(w, who, on))); got != want {
					t.Errorf("%s as %s:\n%s\nwant\n%s", r.route, who, got, want)
				}
			}
		}
	}
	if !strings.HasPrefix(want, "404") {
		t.Fatal(want)
	}
}

func TestUsersAreMadeFoundAndChanged(t *testing.T) {
	w := newWorld(t)
	made := expect[api.User](w, "tina", "POST", "/api/users", `{"id":"wang","display_name":"王芳","roles":["member","auditor"]}`, http.StatusCreated)
	want := api.User{ID: "wang", DisplayName: "王芳", Roles: []string{"member", "auditor"}, Groups: &[]string{}}
	if d := cmp.Diff(want, made); d != "" {
		t.Error(d)
	}
	plain := expect[api.User](w, "tina", "POST", "/api/users", `{"id":"bot","service":true}`, http.StatusCreated)
	if plain.DisplayName != "bot" || len(plain.Roles) != 1 || plain.Roles[0] != "member" || !plain.Service {
		t.Errorf("%+v", plain)
	}
	expect[api.Group](w, "tina", "POST", "/api/groups", `{"id":"inner","members":["user:wang"]}`, http.StatusCreated)
	expect[api.Group](w, "tina", "POST", "/api/groups", `{"id":"outer","members":["group:inner"]}`, http.StatusCreated)
	changed := expect[api.User](w, "tina", "PATCH", "/api/users/wang", `{"roles":["knowledge_admin"],"suspended":true}`, http.StatusOK)
	want.Roles, want.Suspended, want.Groups = []string{"knowledge_admin"}, true, &[]string{"inner", "outer"}
	if d := cmp.Diff(want, changed); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want, expect[api.User](w, "tina", "GET", "/api/users/wang", "", http.StatusOK)); d != "" {
		t.Error(d)
	}
	w.refusal("tina", "POST", "/api/users", `{"id":"wang"}`, http.StatusConflict, "exists")
	w.refusal("tina", "GET", "/api/users/erin", "", http.StatusNotFound, "not_found")
	for body, pointer := range map[string]string{
		`{"id":"a b"}`: "/id", `{"id":""}`: "/id", `{"id":"x","roles":["god"]}`: "/roles", `{"id":"x","roles":["member","member"]}`: "/roles",
		`{"id":"x","display_name":"a\u0007b"}`: "/display_name", `{"id":"x","tenant_id":"globex"}`: "/tenant_id", `{"id":"x","suspended":false}`: "/suspended",
	} {
		p := w.refusal("tina", "POST", "/api/users", body, http.StatusUnprocessableEntity, "invalid_request")
		if len(p.Errors) != 1 || p.Errors[0].Pointer != pointer {
			t.Errorf("%s: %+v", body, p.Errors)
		}
	}
	w.refusal("tina", "PATCH", "/api/users/wang", `{"service":true}`, http.StatusUnprocessableEntity, "invalid_request")
	w.refusal("tina", "PATCH", "/api/users/wang", `{"display_name":" "}`, http.StatusUnprocessableEntity, "invalid_request")
	first := expect[api.User](w, "tina", "POST", "/api/users", `{"id":"once"}`, http.StatusCreated, "Idempotency-Key", "k")
	again := expect[api.User](w, "tina", "POST", "/api/users", `{"id":"once"}`, http.StatusCreated, "Idempotency-Key", "k")
	if d := cmp.Diff(first, again); d != "" {
		t.Error(d)
	}
}

// listed reads all pages of a list, one item each.
func listed[T any](w *world, who, path string) (out []T) {
	w.t.Helper()
	for cursor := ""; ; {
		page := expect[api.List[T]](w, who, "GET", path+"?limit=1"+cursor, "", http.StatusOK)
		out = append(out, page.Items...)
		if page.NextCursor == nil {
			return out
		}
		cursor = "&cursor=" + *page.NextCursor
	}
}

func TestListsOfPeopleHavePagesAndOneTenant(t *testing.T) {
	w := newWorld(t)
	var ids []string
	for _, u := range listed[api.User](w, "tina", "/api/users") {
		ids = append(ids, u.ID)
		if u.Groups != nil {
			t.Errorf("%s comes with groups", u.ID)
		}
	}
	if d := cmp.Diff([]string{"alice", "bob", "carol", "dave", "frank", "tina"}, ids); d != "" {
		t.Error(d)
	}
	for _, g := range []string{"c", "a", "b"} {
		expect[api.Group](w, "tina", "POST", "/api/groups", `{"id":"`+g+`","members":["user:bob","user:alice"]}`, http.StatusCreated)
	}
	expect[api.Group](w, "toby", "POST", "/api/groups", `{"id":"a","members":["user:erin"]}`, http.StatusCreated)
	members := []string{"user:alice", "user:bob"}
	want := []api.Group{{ID: "a", Members: members}, {ID: "b", Members: members}, {ID: "c", Members: members}}
	if d := cmp.Diff(want, listed[api.Group](w, "tina", "/api/groups")); d != "" {
		t.Error(d)
	}
	for _, list := range []string{"users", "groups", "tokens"} {
		w.refusal("tina", "GET", "/api/"+list+"?cursor=x", "", http.StatusUnprocessableEntity, "invalid_cursor")
	}
}

func TestMembersOfAGroupAreWhoThereIs(t *testing.T) {
	w := newWorld(t)
	expect[api.Group](w, "tina", "POST", "/api/groups", `{"id":"inner"}`, http.StatusCreated)
	expect[api.Group](w, "tina", "POST", "/api/groups", `{"id":"outer","members":["group:inner"]}`, http.StatusCreated)
	w.refusal("tina", "POST", "/api/groups", `{"id":"outer"}`, http.StatusConflict, "exists")
	for _, bad := range []string{"user:zzz", "user:erin", "group:zzz", "group:outer", "everyone", "alice", "", "role:x", "user:a b"} {
		for method, body := range map[string]string{"PUT": `{"members":["user:bob","` + bad + `"]}`, "POST": `{"principal":"` + bad + `"}`} {
			p := w.refusal("tina", method, "/api/groups/outer/members", body, http.StatusUnprocessableEntity, "invalid_request")
			if at := map[string]string{"PUT": "/members/1", "POST": "/principal"}[method]; len(p.Errors) != 1 || p.Errors[0].Pointer != at {
				t.Errorf("%s %q: %+v", method, bad, p.Errors)
			}
		}
	}
	w.refusal("tina", "POST", "/api/groups", `{"id":"new","members":["user:zzz"]}`, http.StatusUnprocessableEntity, "invalid_request")
	w.refusal("tina", "GET", "/api/groups/new", "", http.StatusNotFound, "not_found")
	steps := []struct {
		method, path, body string
		want               []string
	}{
		{"PUT", "/api/groups/inner/members", `{"members":["user:bob","user:alice","user:bob"]}`, []string{"user:alice", "user:bob"}},
		{"POST", "/api/groups/inner/members", `{"principal":"user:carol"}`, []string{"user:alice", "user:bob", "user:carol"}},
		{"POST", "/api/groups/inner/members", `{"principal":"user:carol"}`, []string{"user:alice", "user:bob", "user:carol"}},
		{"POST", "/api/groups/inner/members", `{"principal":"group:outer"}`, []string{"group:outer", "user:alice", "user:bob", "user:carol"}},
	}
	for _, s := range steps {
		if d := cmp.Diff(s.want, expect[api.Members](w, "tina", s.method, s.path, s.body, http.StatusOK).Members); d != "" {
			t.Errorf("%s %s: %s", s.method, s.body, d)
		}
	}
	// The two groups hold each other now; everybody in one is in the other, and nothing hangs.
	if groups := *expect[api.User](w, "tina", "GET", "/api/users/bob", "", http.StatusOK).Groups; len(groups) != 2 {
		t.Errorf("%v", groups)
	}
	expect[any](w, "tina", "DELETE", "/api/groups/inner/members/user:bob", "", http.StatusNoContent)
	w.refusal("tina", "DELETE", "/api/groups/inner/members/user:bob", "", http.StatusNotFound, "not_found")
	expect[any](w, "tina", "DELETE", "/api/groups/outer", "", http.StatusNoContent)
	if d := cmp.Diff([]string{"user:alice", "user:carol"}, expect[api.Members](w, "tina", "GET", "/api/groups/inner/members", "", http.StatusOK).Members); d != "" {
		t.Error(d)
	}
}

func TestTheLastAdministratorStays(t *testing.T) {
	w := newWorld(t)
	expect[api.User](w, "tina", "POST", "/api/users", `{"id":"robot","service":true,"roles":["tenant_admin"]}`, http.StatusCreated)
	for _, body := range []string{`{"suspended":true}`, `{"roles":["member"]}`, `{"roles":[]}`} {
		w.refusal("tina", "PATCH", "/api/users/tina", body, http.StatusConflict, "last_admin")
	}
	expect[api.User](w, "tina", "PATCH", "/api/users/tina", `{"display_name":"T","roles":["tenant_admin","member"]}`, http.StatusOK)
	expect[api.User](w, "tina", "PATCH", "/api/users/carol", `{"roles":["tenant_admin"],"suspended":true}`, http.StatusOK)
	w.refusal("tina", "PATCH", "/api/users/tina", `{"suspended":true}`, http.StatusConflict, "last_admin")
	expect[api.User](w, "tina", "PATCH", "/api/users/carol", `{"suspended":false}`, http.StatusOK)
	// Two administrators who take the role from each other at once: one remains.
	var wait sync.WaitGroup
	status := [2]int{}
	for i, pair := range [2][2]string{{"tina", "carol"}, {"carol", "tina"}} {
		wait.Go(func() { status[i] = w.send(pair[0], "PATCH", "/api/users/"+pair[1], `{"roles":["member"]}`).Code })
	}
	wait.Wait()
	left := 0
	for _, who := range []string{"tina", "carol"} {
		if w.send(who, "GET", "/api/users", "").Code == http.StatusOK {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d administrators are left after %v", left, status)
	}
}

func TestEveryChangeOfPeopleIsInTheLedgerAndMovesTheEpoch(t *testing.T) {
	w := newWorld(t)
	epoch := func() access.Epoch {
		snap, err := w.db.Directory().Snapshot(t.Context(), acme, "tina")
		must(t, err)
		return snap.Epoch
	}
	for i, c := range []struct {
		method, path, body string
		moves              bool
		kind               ledger.Kind
	}{
		{"POST", "/api/users", `{"id":"u"}`, true, ledger.DirectoryChanged},
		{"PATCH", "/api/users/u", `{"suspended":true}`, true, ledger.DirectoryChanged},
		{"PATCH", "/api/users/u", `{"suspended":false}`, true, ledger.DirectoryChanged},
		{"POST", "/api/groups", `{"id":"g"}`, true, ledger.DirectoryChanged},
		{"PUT", "/api/groups/g/members", `{"members":["user:u"]}`, true, ledger.DirectoryChanged},
		{"POST", "/api/groups/g/members", `{"principal":"user:bob"}`, true, ledger.DirectoryChanged},
		{"DELETE", "/api/groups/g/members/user:u", "", true, ledger.DirectoryChanged},
		{"DELETE", "/api/groups/g", "", true, ledger.DirectoryChanged},
		{"POST", "/api/tokens", `{"name":"n"}`, false, ledger.TokenChanged},
		{"PUT", "/api/users/u/password", `{"password":"SECRET password"}`, false, ledger.PasswordChanged},
	} {
		before := epoch()
		head, err := w.db.Ledger().Head(t.Context(), string(acme))
		must(t, err)
		if rec := w.send("tina", c.method, c.path, c.body); rec.Code >= 300 {
			t.Fatalf("%s %s: %d %s", c.method, c.path, rec.Code, rec.Body)
		}
		entries, err := w.db.Ledger().Entries(t.Context(), string(acme), head.Sequence, 10)
		must(t, err)
		if len(entries) != 1 || entries[0].Kind != c.kind || entries[0].Actor != "tina" || strings.Contains(string(entries[0].Body), "SECRET") {
			t.Errorf("%d %s %s: %+v", i, c.method, c.path, entries)
		}
		if moved := epoch() != before; moved != c.moves {
			t.Errorf("%d %s %s: the epoch moved: %v", i, c.method, c.path, moved)
		}
	}
}

func TestMembershipGivesAndTakesAtOnce(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	up := w.add("kb-a", "travel.txt|The lodging limit is 650 yuan.", "status", "published")
	for _, g := range []string{`{"id":"inner"}`, `{"id":"outer","members":["group:inner"]}`} {
		expect[api.Group](w, "tina", "POST", "/api/groups", g, http.StatusCreated)
	}
	w.grant("kb-a", "user:alice", "manager", "group:outer", "reader")
	sees := func(want int) {
		t.Helper()
		for _, path := range []string{"/api/documents/" + up.DocumentID, "/api/documents/" + up.DocumentID + "/chunks", "/api/knowledge-bases/kb-a"} {
			if rec := w.send("bob", "GET", path, ""); rec.Code != want {
				t.Errorf("%s: %d, want %d", path, rec.Code, want)
			}
		}
		found := expect[api.SearchResult](w, "bob", "POST", "/api/search", `{"query":"lodging"}`, http.StatusOK)
		if (len(found.Items) > 0) != (want == 200) {
			t.Errorf("the search finds %d", len(found.Items))
		}
	}
	sees(404)
	for _, step := range []struct {
		method, path, body string
		want               int
	}{
		{"POST", "/api/groups/inner/members", `{"principal":"user:bob"}`, 200},
		{"DELETE", "/api/groups/outer/members/group:inner", "", 404},
		{"POST", "/api/groups/outer/members", `{"principal":"group:inner"}`, 200},
		{"DELETE", "/api/groups/inner/members/user:bob", "", 404},
		{"PUT", "/api/groups/outer/members", `{"members":["user:bob"]}`, 200},
		{"DELETE", "/api/groups/outer", "", 404},
	} {
		if rec := w.send("tina", step.method, step.path, step.body); rec.Code >= 300 {
			t.Fatalf("%s %s: %d %s", step.method, step.path, rec.Code, rec.Body)
		}
		sees(step.want)
	}
}

// Whatever a body tries to say of who one is or what one may, it changes nothing.
func TestBodiesCannotSpeakForTheDirectory(t *testing.T) {
	w := newWorld(t)
	made := w.staff("a")
	for _, r := range personRows {
		if r.body == "" {
			continue
		}
		for _, key := range []string{"tenant_id", "Tenant_ID", "tenantId", "created_by", "owner_id", "lock_version", "approved", "approved\\u017f", "user_id", "hash"} {
			q := r
			q.body = strings.Replace(r.body, "{", fmt.Sprintf(`{"%s":"x",`, key), 1)
			rec := w.do(q.request(w, r.owner(), made))
			var p api.Problem
			must(t, json.Unmarshal(rec.Body.Bytes(), &p))
			if rec.Code != http.StatusUnprocessableEntity || p.Code != "invalid_request" {
				t.Errorf("%s with %s: %d %s", r.route, key, rec.Code, rec.Body)
			}
		}
	}
}
