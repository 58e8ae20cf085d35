package httpapi

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/auth/oidc"
	"github.com/kaoju/kaoju/internal/auth/oidc/oidctest"
)

// house is a world behind a real server, whose people come through a provider that is real too.
type house struct {
	*world
	idp  *oidctest.Provider
	url  string
	rule func(*auth.FederationDeps)
}

// newHouse opens a house. Strangers become members in it unless a change says otherwise.
func newHouse(t *testing.T, change ...func(*auth.FederationDeps)) *house {
	t.Helper()
	h := &house{world: newWorld(t), idp: oidctest.New(t)}
	h.idp.Clock = h.now
	s := httptest.NewServer(h.door)
	t.Cleanup(s.Close)
	h.url = s.URL
	h.rule = func(d *auth.FederationDeps) {
		d.Create, d.Home = true, h.url+"/"
		for _, c := range change {
			c(d)
		}
	}
	h.restart()
	return h
}

// restart begins anew with everything that a process keeps in memory.
func (h *house) restart() {
	h.t.Helper()
	deps := h.gate()
	deps.Clock, deps.PerAddress = h.now, auth.Rate{Burst: 10_000, Every: time.Microsecond}
	gate := auth.NewGate(deps)
	p, err := oidc.New(oidc.Config{
		Issuer: h.idp.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.Secret, RedirectURL: h.url + oidc.CallbackPath,
		Scopes: []string{"openid", "profile"}, NameClaim: "name", GroupsClaim: "groups", Clock: h.now,
	})
	must(h.t, err)
	h.server.deps.Gate, h.server.deps.Federation = gate, h.federated(gate, p, h.rule)
}

// browser is somebody's browser: its cookies, and the answers on its way.
type browser struct {
	*http.Client
	h *house
	// trail holds every answer of the last walk.
	trail []*http.Response
}

func (h *house) browser() *browser {
	jar, err := cookiejar.New(nil)
	must(h.t, err)
	b := &browser{h: h}
	b.Client = &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		b.trail = append(b.trail, r.Response)
		return nil
	}}
	return b
}

// open goes to an address and on to wherever it leads.
func (b *browser) open(address string, headers ...string) (int, string) {
	b.h.t.Helper()
	b.trail = nil
	return b.send(http.MethodGet, address, "", headers...)
}

func (b *browser) send(method, address, body string, headers ...string) (int, string) {
	b.h.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = b.h.url + address
	}
	r, err := http.NewRequestWithContext(b.h.t.Context(), method, address, strings.NewReader(body))
	must(b.h.t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := b.Do(r)
	must(b.h.t, err)
	b.trail = append(b.trail, resp)
	raw, err := io.ReadAll(resp.Body)
	must(b.h.t, err)
	must(b.h.t, resp.Body.Close())
	return resp.StatusCode, string(raw)
}

// post sends JSON as the server's own page does.
func (b *browser) post(path, body string) (int, string) {
	b.h.t.Helper()
	return b.send(http.MethodPost, path, body, "Content-Type", "application/json", "Sec-Fetch-Site", "same-origin")
}

// signIn goes the whole way, and says how it ended.
func (b *browser) signIn() (int, string) {
	b.h.t.Helper()
	return b.open("/auth/oidc/login")
}

// who is signed in here; "" for nobody.
func (b *browser) who() string {
	b.h.t.Helper()
	status, body := b.send(http.MethodGet, "/api/me", "")
	if status == http.StatusUnauthorized {
		return ""
	}
	var me api.Me
	must(b.h.t, json.Unmarshal([]byte(body), &me))
	return me.UserID
}

// in signs in with success and returns who it is.
func (b *browser) in() string {
	b.h.t.Helper()
	if status, body := b.signIn(); status != http.StatusOK {
		b.h.t.Fatalf("signing in: %d %s", status, body)
	}
	return b.who()
}

// halfway goes to the provider and stops where it sends the browser back to.
func (b *browser) halfway() (callback string) {
	b.h.t.Helper()
	b.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == oidc.CallbackPath {
			callback = r.URL.String()
			return http.ErrUseLastResponse
		}
		return nil
	}
	b.signIn()
	b.CheckRedirect = nil
	if callback == "" {
		b.h.t.Fatal("the provider sent nobody back")
	}
	return callback
}

// link links a person of Acme to a subject of the provider.
func (h *house) link(user, subject string) api.Identity {
	h.t.Helper()
	return expect[api.Identity](h.world, "tina", "POST", "/api/identities", `{"user":"`+user+`","subject":"`+subject+`"}`, http.StatusCreated)
}

// users lists the ids of the people of Acme.
func (h *house) users() (ids []string) {
	h.t.Helper()
	for _, u := range listed[api.User](h.world, "tina", "/api/users") {
		ids = append(ids, u.ID)
	}
	return ids
}

func groupsOf(pairs map[string]access.GroupID) map[string][]access.GroupID {
	out := map[string][]access.GroupID{}
	for k, v := range pairs {
		out[k] = []access.GroupID{v}
	}
	return out
}

// refusedAs checks an answer's status and code.
func (h *house) refusedAs(what string, status int, body string, wantStatus int, code string) {
	h.t.Helper()
	if status != wantStatus || !strings.Contains(body, `"code":"`+code+`"`) {
		h.t.Errorf("%s: %d %s, want %d %s", what, status, body, wantStatus, code)
	}
}
