package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
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
	"github.com/kaoju/kaoju/internal/auth/oidc/oidctest"
)

func TestALinkedPersonSignsInThroughTheProvider(t *testing.T) {
	h := newHouse(t, func(d *auth.FederationDeps) { d.Create = false })
	h.link("alice", "subject-1")
	b := h.browser()
	status, body := b.open("/auth/oidc/login?return=" + url.QueryEscape("/api/me?x=y#z"))
	if status != http.StatusOK || !strings.Contains(body, `"user_id":"alice"`) || b.who() != "alice" {
		t.Fatalf("%d %s", status, body)
	}
	ways := expect[api.SignInWays](h.world, "", "GET", "/api/sign-in", "", http.StatusOK)
	if d := cmp.Diff(api.SignInWays{Password: true, Providers: []api.SignInProvider{{Name: "Acme SSO", Login: "/auth/oidc/login"}}}, ways); d != "" {
		t.Error(d)
	}
	cookies := map[string]*http.Cookie{}
	for _, step := range b.trail {
		for _, c := range step.Cookies() {
			cookies[c.Name+" "+fmt.Sprint(c.MaxAge > 0)] = c
		}
	}
	begun, ended, session := cookies["kaoju_signin true"], cookies["kaoju_signin false"], cookies["kaoju_session true"]
	if begun == nil || ended == nil || session == nil || len(cookies) != 3 {
		t.Fatalf("%v", cookies)
	}
	for _, c := range cookies {
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Domain != "" || c.Secure {
			t.Errorf("%+v", c)
		}
	}
	if begun.Path != "/auth/oidc" || begun.MaxAge > 600 || ended.Path != begun.Path || session.Path != "/" {
		t.Errorf("%+v %+v %+v", begun, ended, session)
	}
	log := h.log.String()
	for name, secret := range map[string]string{
		"client secret": oidctest.Secret, "session": session.Value, "cookie": begun.Value, "ID token": h.idp.Tokens()[0], "subject": "subject-1", "name": "王芳",
	} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds the %s", name)
		}
	}
}

func TestBelowAPathSigningInStaysBelowIt(t *testing.T) {
	h := newHouse(t, func(d *auth.FederationDeps) { d.Home = "https://kaoju.example/tools/kaoju/" })
	if c := h.send("", "GET", "/auth/oidc/login", "").Result().Cookies(); len(c) != 1 || c[0].Path != "/tools/kaoju/auth/oidc" {
		t.Errorf("the cookie of a sign-in is not sent to where it ends: %v", c)
	}
	// Other programs below other paths of the host are sent no session, and the end of one is for the same path.
	h.password("alice", good)
	session := h.signIn("alice", good)
	ended := h.browse(session, "DELETE", "/api/session", "").Result().Cookies()
	if session.Path != "/tools/kaoju/" || len(ended) != 1 || ended[0].Path != session.Path || ended[0].MaxAge >= 0 {
		t.Errorf("the session is for %q, its end %v", session.Path, ended)
	}
	// Whoever asked for no page of their own comes to the first page, as the browser sees it.
	for asked, want := range map[string]string{"": "../../", "?return=/": "../../", "?return=/tools/kaoju/ledger": "/tools/kaoju/ledger"} {
		h := newHouse(t)
		h.link("alice", "subject-1")
		b := h.browser()
		b.open("/auth/oidc/login" + asked)
		var led []string
		for _, step := range b.trail {
			led = append(led, step.Header.Get("Location"))
		}
		if !slices.Contains(led, want) {
			t.Errorf("after %q the browser is led along %q", asked, led)
		}
	}
}

func TestBehindAProxyWithTLSTheCookiesAreForTLSAlone(t *testing.T) {
	h := newHouse(t, func(d *auth.FederationDeps) { d.Home = "https://kaoju.example/" })
	rec := h.send("", "GET", "/auth/oidc/login", "")
	if c := rec.Result().Cookies(); rec.Code != http.StatusSeeOther || len(c) != 1 || !c[0].Secure {
		t.Errorf("%d %v", rec.Code, c)
	}
	// The session of a password is one with that of a provider, and so is its end.
	h.password("alice", good)
	session := h.signIn("alice", good)
	if !session.Secure {
		t.Errorf("signing in with a password: %+v", session)
	}
	rec = h.browse(session, "DELETE", "/api/session", "")
	if c := rec.Result().Cookies(); rec.Code != http.StatusNoContent || len(c) != 1 || c[0].MaxAge >= 0 || !c[0].Secure {
		t.Errorf("signing out: %d %v", rec.Code, c)
	}
}

// counted counts what is written on behalf of arrivals.
type counted struct {
	auth.Arrivals
	n atomic.Int32
}

func (c *counted) Spend(ctx context.Context, id string, until time.Time) error {
	c.n.Add(1)
	return c.Arrivals.Spend(ctx, id, until)
}

func TestAskingToSignInStoresNothing(t *testing.T) {
	c := &counted{}
	h := newHouse(t, func(d *auth.FederationDeps) {
		c.Arrivals = d.Arrivals
		d.Arrivals = c
	})
	before := h.users()
	for range 100 {
		if rec := h.send("", "GET", "/auth/oidc/login", ""); rec.Code != http.StatusSeeOther {
			t.Fatal(rec.Code)
		}
		h.send("", "GET", "/auth/oidc/callback?state=x&code=y", "")
	}
	if c.n.Load() != 0 || len(h.users()) != len(before) {
		t.Errorf("%d writes", c.n.Load())
	}
}

func TestAStrangerBecomesAMemberWhereThatIsAllowed(t *testing.T) {
	h := newHouse(t)
	h.idp.Person = map[string]any{
		"sub": "s-9", "name": " \u202eWang\x07 芳 ", "preferred_username": "tina", "email": "tina@acme.example", "email_verified": true, "roles": []string{"tenant_admin"},
	}
	b := h.browser()
	id := b.in()
	if !strings.HasPrefix(id, "person-") || len(id) != len("person-")+16 {
		t.Fatalf("made %q", id)
	}
	u := expect[api.User](h.world, "tina", "GET", "/api/users/"+id, "", http.StatusOK)
	if d := cmp.Diff(api.User{ID: id, DisplayName: "Wang 芳", Roles: []string{"member"}, Groups: &[]string{}}, u); d != "" {
		t.Error(d)
	}
	if again := h.browser().in(); again != id {
		t.Errorf("the second time it is %q", again)
	}
	h.idp.Person["sub"] = "s-10"
	delete(h.idp.Person, "name")
	other := h.browser().in()
	u = expect[api.User](h.world, "tina", "GET", "/api/users/"+other, "", http.StatusOK)
	if other == id || u.DisplayName != other {
		t.Errorf("another subject: %q, %+v", other, u)
	}
}

// Neither the words nor the page tell an unknown person from one who is suspended.
func TestTheUnknownAndTheSuspendedAreTurnedAwayAlike(t *testing.T) {
	h := newHouse(t, func(d *auth.FederationDeps) { d.Create = false })
	h.link("bob", "of bob")
	expect[api.User](h.world, "tina", "PATCH", "/api/users/bob", `{"suspended":true}`, http.StatusOK)
	for _, accept := range []string{"application/json", "text/html,application/xhtml+xml"} {
		var first string
		for _, subject := range []string{"nobody", "of bob"} {
			h.idp.Person = map[string]any{"sub": subject}
			b := h.browser()
			status, body := b.open("/auth/oidc/login", "Accept", accept)
			if status != http.StatusUnauthorized || b.who() != "" {
				t.Errorf("%s: %d %s", subject, status, body)
			}
			if first == "" {
				first = body
			}
			if body != first {
				t.Errorf("%s gets\n%s\nand the unknown\n%s", subject, body, first)
			}
		}
		if html := strings.HasPrefix(first, "<!doctype html>"); html != strings.HasPrefix(accept, "text/html") || html && !strings.Contains(first, "身份提供方") {
			t.Errorf("%s brings %s", accept, first)
		}
	}
}

func TestOfFiftyFirstSignInsAtOnceOnePersonComes(t *testing.T) {
	h := newHouse(t)
	before := len(h.users())
	callbacks, browsers := make([]string, 50), make([]*browser, 50)
	for i := range callbacks {
		browsers[i] = h.browser()
		callbacks[i] = browsers[i].halfway()
	}
	var wait sync.WaitGroup
	for i, b := range browsers {
		wait.Go(func() {
			resp, err := b.Get(callbacks[i])
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("%v %v", resp, err)
				return
			}
			_ = resp.Body.Close()
		})
	}
	wait.Wait()
	id := browsers[0].who()
	for _, b := range browsers {
		if got := b.who(); got != id {
			t.Errorf("%q beside %q", got, id)
		}
	}
	u := expect[api.User](h.world, "tina", "GET", "/api/users/"+id, "", http.StatusOK)
	if len(h.users()) != before+1 || !slices.Equal(u.Roles, []string{"member"}) {
		t.Errorf("%d people after %d, %+v", len(h.users()), before, u)
	}
}

func TestGroupsFollowTheProviderAtEachSignIn(t *testing.T) {
	h := newHouse(t, func(d *auth.FederationDeps) {
		d.Groups = groupsOf(map[string]access.GroupID{"/kb/readers": "readers", "CN=研发,OU=x": "rd", "gone": "not-there"})
		d.Roles = map[string][]access.Role{"/kb/admins": {access.KnowledgeAdmin}}
	})
	for _, g := range []string{"readers", "rd", "hand"} {
		expect[api.Group](h.world, "tina", "POST", "/api/groups", `{"id":"`+g+`"}`, http.StatusCreated)
	}
	id := h.browser().in()
	expect[api.Members](h.world, "tina", "POST", "/api/groups/hand/members", `{"principal":"user:`+id+`"}`, http.StatusOK)
	for _, c := range []struct {
		claim         any
		groups, roles []string
	}{
		{[]string{"/kb/readers", "CN=研发,OU=x", "gone", "unmapped", "hand"}, []string{"hand", "rd", "readers"}, []string{"member"}},
		{[]string{"CN=研发,OU=x", "/kb/admins"}, []string{"hand", "rd"}, []string{"member", "knowledge_admin"}},
		{"/kb/readers", []string{"hand", "readers"}, []string{"member"}},
		{map[string]any{"/kb/admins": true}, []string{"hand"}, []string{"member"}},
		{[]any{"/kb/readers", 7}, []string{"hand"}, []string{"member"}},
		{nil, []string{"hand"}, []string{"member"}},
	} {
		h.idp.Person["groups"] = c.claim
		b := h.browser()
		b.in()
		_, body := b.send("GET", "/api/me", "")
		var me api.Me
		must(t, json.Unmarshal([]byte(body), &me))
		if d := cmp.Diff(c.groups, me.Groups) + cmp.Diff(c.roles, me.Roles); d != "" {
			t.Errorf("%v: %s", c.claim, d)
		}
	}
}

func TestWhoGoesToTheProviderBeforeARestartComesBackAfterIt(t *testing.T) {
	h := newHouse(t)
	b := h.browser()
	callback := b.halfway()
	h.restart()
	if status, body := b.open(callback); status != http.StatusOK || b.who() == "" {
		t.Fatalf("%d %s", status, body)
	}
	h.restart()
	if status, body := b.open(callback); status != http.StatusBadRequest {
		t.Errorf("the same once more after another restart: %d %s", status, body)
	}
	// With another key, what was begun is nobody's.
	other := h.browser()
	callback = other.halfway()
	rule := h.rule
	h.rule = func(d *auth.FederationDeps) { rule(d); d.Key = []byte(strings.Repeat("k", 32)) }
	h.restart()
	status, body := other.open(callback)
	h.refusedAs("another key", status, body, http.StatusBadRequest, "sign_in_stale")
}

func TestSigningInEndsTheSessionThatTheBrowserBrought(t *testing.T) {
	h := newHouse(t)
	h.password("bob", good)
	planted := h.signIn("bob", good)
	b := h.browser()
	u, err := url.Parse(h.url)
	must(t, err)
	b.Jar.SetCookies(u, []*http.Cookie{planted})
	if b.who() != "bob" {
		t.Fatal("the planted session is none")
	}
	id := b.in()
	for _, c := range b.Jar.Cookies(u) {
		if c.Name == "kaoju_session" && c.Value == planted.Value {
			t.Error("the planted secret lives on")
		}
	}
	if rec := h.browse(planted, "GET", "/api/me", ""); rec.Code != http.StatusUnauthorized || id == "bob" {
		t.Errorf("the planted session: %d, signed in as %s", rec.Code, id)
	}
	// Who is turned away keeps the session.
	h.idp.Claims = func(c map[string]any) { c["aud"] = "another" }
	if status, _ := b.signIn(); status != http.StatusUnauthorized || b.who() != id {
		t.Errorf("%d, now %q", status, b.who())
	}
}
