package auth_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

// house is everything that a gate stands on, in memory. It counts what is asked of it.
type house struct {
	*shelf
	mu        sync.Mutex
	passwords map[access.UserID]string
	sessions  map[string]auth.Session
	calls     map[string]int
	clock     time.Time
	tenants   []access.TenantID
	failing   error // of SetPassword alone
	// meanwhile is done once, right after a password was looked up.
	meanwhile func()
}

func newHouse() *house {
	h := &house{
		shelf: newShelf(), passwords: map[access.UserID]string{}, sessions: map[string]auth.Session{}, calls: map[string]int{},
		clock: now, tenants: []access.TenantID{"acme"},
	}
	h.users["ada"] = access.Identity{User: "ada", Roles: []access.Role{access.Member, access.TenantAdmin}}
	h.users["sue"] = access.Identity{User: "sue", Suspended: true}
	h.users["nell"] = access.Identity{User: "nell"}
	return h
}

func (h *house) gate(change ...func(*auth.GateDeps)) *auth.Gate {
	deps := auth.GateDeps{
		Tokens: h, Logins: h, Directory: h, Clock: func() time.Time { return h.clock },
		Tenants: func(context.Context) ([]access.TenantID, error) { return h.tenants, h.broken },
	}
	for _, c := range change {
		c(&deps)
	}
	return auth.NewGate(deps)
}

func (h *house) count(call string) func() {
	h.mu.Lock()
	h.calls[call]++
	return h.mu.Unlock
}

func (h *house) Snapshot(_ context.Context, tenant access.TenantID, user access.UserID) (access.Snapshot, error) {
	defer h.count("Snapshot")()
	id, ok := h.users[user]
	if !ok || tenant != "acme" {
		return access.Snapshot{}, problem.Missing()
	}
	return access.Snapshot{Identity: id}, h.broken
}

func (h *house) SetPassword(_ context.Context, _ access.TenantID, _, user access.UserID, phc string) error {
	defer h.count("SetPassword")()
	if h.failing != nil {
		return h.failing
	}
	h.passwords[user] = phc
	for hash, s := range h.sessions {
		if s.User == user {
			delete(h.sessions, hash)
		}
	}
	return nil
}

func (h *house) Password(_ context.Context, tenant access.TenantID, user access.UserID) (string, error) {
	defer h.count("Password")()
	if h.broken != nil {
		return "", h.broken
	}
	phc, ok := h.passwords[user]
	if !ok || tenant != "acme" || h.users[user].Suspended {
		return "", problem.Missing()
	}
	if h.meanwhile != nil {
		h.meanwhile()
		h.meanwhile = nil
	}
	return phc, nil
}

func (h *house) PutSession(_ context.Context, s auth.Session) error {
	defer h.count("PutSession")()
	h.sessions[s.Hash] = s
	return h.broken
}

func (h *house) SessionByHash(_ context.Context, hash string, at time.Time) (auth.Session, access.Identity, error) {
	// What was noted is there for others before whoever noted it hears of it.
	defer func() {
		for range 1000 {
			runtime.Gosched()
		}
	}()
	defer h.count("SessionByHash")()
	s, ok := h.sessions[hash]
	if h.broken != nil {
		return auth.Session{}, access.Identity{}, h.broken
	}
	if !ok {
		return auth.Session{}, access.Identity{}, problem.Missing()
	}
	seen := s
	seen.LastSeen = at
	h.sessions[hash] = seen
	return s, h.users[s.User], nil
}

func (h *house) EndSession(_ context.Context, hash string) error {
	defer h.count("EndSession")()
	delete(h.sessions, hash)
	return h.broken
}

func (h *house) EndSessions(context.Context, access.TenantID, access.UserID) error { return nil }

const good = "correct horse 电池 staple"

var ritas, adas = access.Actor{Tenant: "acme", User: "rita"}, access.Actor{Tenant: "acme", User: "ada"}

// set gives users their passwords.
func (h *house) set(t *testing.T, password string, users ...access.UserID) {
	t.Helper()
	for _, u := range users {
		phc, err := auth.HashPassword(t.Context(), u, password)
		ok(t, err)
		h.passwords[u] = phc
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func entry(user, password string) auth.Entry {
	return auth.Entry{User: access.UserID(user), Password: password, Address: "192.0.2.1:4711", Agent: "Browser"}
}

func TestTheRightPasswordBeginsASession(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate()
	secret, s, err := g.SignIn(t.Context(), entry("rita", good))
	ok(t, err)
	if len(secret) != 3+43 || s.Hash != auth.HashToken(secret) || s.Tenant != "acme" || s.User != "rita" || s.Agent != "Browser" {
		t.Fatalf("%q %+v", secret, s)
	}
	if dump := fmt.Sprintf("%+v", h.sessions); strings.Contains(dump, secret[3:]) {
		t.Fatal("the secret is stored")
	}
	found, actor, err := g.Session(t.Context(), secret)
	ok(t, err)
	if actor != ritas || found.Hash != s.Hash {
		t.Fatalf("%+v %+v", actor, found)
	}
	ok(t, g.SignOut(t.Context(), secret))
	ok(t, g.SignOut(t.Context(), secret))
	refused(t, g, secret)
}

// refused holds a session's secret to be worth nothing, in the words that a bad token gets.
func refused(t *testing.T, g *auth.Gate, secret string) {
	t.Helper()
	_, actor, err := g.Session(t.Context(), secret)
	_, want := g.Bearer(t.Context(), "Bearer kj_unknown")
	if !problem.Is(err, problem.Denied) || actor != (access.Actor{}) || err.Error() != want.Error() || problem.CodeOf(err) != "unauthenticated" {
		t.Fatalf("%+v, %v", actor, err)
	}
}

// Whoever fails to sign in learns nothing by it: neither by the answer nor by the work.
func TestEveryFailedSignInIsTheSame(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita", "sue")
	var want string
	for name, e := range map[string]auth.Entry{
		"wrong password": entry("rita", "a wrong password"), "unknown user": entry("mallory", good), "no password set": entry("nell", good),
		"suspended": entry("sue", good), "no id at all": entry("", good), "an impossible id": entry("../x", good), "empty password": entry("rita", ""),
		"cut": entry("rita", good[:len(good)-1]), "longer": entry("rita", good+" "), "huge": entry("rita", strings.Repeat("x", 100_000)),
		"another tenant": {Tenant: "globex", User: "rita", Password: good}, "unknown tenant": {Tenant: "zzz", User: "rita", Password: good},
	} {
		g := h.gate()
		h.calls = map[string]int{}
		secret, s, err := g.SignIn(t.Context(), e)
		if !problem.Is(err, problem.Denied) || problem.CodeOf(err) != "unauthenticated" || secret != "" || s != (auth.Session{}) {
			t.Fatalf("%s: %v", name, err)
		}
		if want == "" {
			want = err.Error()
		}
		if err.Error() != want {
			t.Errorf("%s: %q, want %q", name, err, want)
		}
		if g.Work() != 1 || len(h.calls) != 1 || h.calls["Password"] != 1 {
			t.Errorf("%s: %d hashes and the calls %v: not the work of the others", name, g.Work(), h.calls)
		}
	}
}

func TestWithoutATenantThereMustBeOneOnly(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	h.tenants = []access.TenantID{"acme", "globex"}
	g := h.gate()
	if _, _, err := g.SignIn(t.Context(), entry("rita", good)); !problem.Is(err, problem.Denied) || g.Work() != 1 {
		t.Fatalf("%v after %d hashes", err, g.Work())
	}
	e := entry("rita", good)
	e.Tenant = "acme"
	_, _, err := g.SignIn(t.Context(), e)
	ok(t, err)
}

func TestASignInNeverKeepsTheSessionItCameWith(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate()
	first, _, err := g.SignIn(t.Context(), entry("rita", good))
	ok(t, err)
	for _, planted := range []string{first, "ks_planted", "kj_token", ""} {
		e := entry("rita", good)
		e.Replaces = planted
		secret, _, err := g.SignIn(t.Context(), e)
		ok(t, err)
		if secret == planted {
			t.Fatal("the session that was brought along lives on")
		}
		refused(t, g, first)
		if planted != "" {
			refused(t, g, planted)
		}
	}
}

func TestASessionEndsWhenIdleAndInAnyCaseInTheEnd(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate(func(d *auth.GateDeps) { d.Idle, d.Lifetime = time.Hour, 5*time.Hour })
	begin := func() string {
		secret, _, err := g.SignIn(t.Context(), entry("rita", good))
		ok(t, err)
		return secret
	}
	secret := begin()
	for range 4 {
		h.clock = h.clock.Add(time.Hour - time.Second)
		_, _, err := g.Session(t.Context(), secret)
		ok(t, err)
	}
	h.clock = now.Add(5*time.Hour - time.Second)
	h.sessions[auth.HashToken(secret)] = func() auth.Session { s := h.sessions[auth.HashToken(secret)]; s.LastSeen = h.clock; return s }()
	_, _, err := g.Session(t.Context(), secret)
	ok(t, err)
	h.clock = now.Add(5 * time.Hour)
	refused(t, g, secret)
	secret = begin()
	h.clock = h.clock.Add(time.Hour)
	refused(t, g, secret)
	// Having been refused is no use: a second try finds nothing that the first has woken.
	refused(t, g, secret)
	if len(h.sessions) != 0 {
		t.Fatalf("left over: %v", h.sessions)
	}
}

func TestAnIdleSessionIsWokenByNoneOfManyAtOnce(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate()
	secret, _, err := g.SignIn(t.Context(), entry("rita", good))
	ok(t, err)
	h.clock = h.clock.Add(12 * time.Hour)
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			if _, _, err := g.Session(context.Background(), secret); !problem.Is(err, problem.Denied) {
				t.Errorf("let in: %v", err)
			}
		})
	}
	wait.Wait()
}

func TestASessionIsOfAnActivePerson(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate()
	secret, _, err := g.SignIn(t.Context(), entry("rita", good))
	ok(t, err)
	for _, id := range []access.Identity{{User: "rita", Suspended: true}, {User: "rita", Service: true}} {
		h.users["rita"] = id
		refused(t, g, secret)
	}
}

func TestSecretsOfOneKindOpenNoOtherDoor(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate()
	session, _, err := g.SignIn(t.Context(), entry("rita", good))
	ok(t, err)
	token := issue(t, h.shelf, auth.Token{Tenant: "acme", User: "rita", Permissions: access.AllPermissions})
	refused(t, g, token)
	for _, secret := range []string{session, auth.HashToken(session), auth.HashToken(token)} {
		if _, err := g.Bearer(t.Context(), "Bearer "+secret); !problem.Is(err, problem.Denied) {
			t.Errorf("%v", err)
		}
	}
	for _, bad := range []string{"", "ks_", auth.HashToken(session), "x" + session, session + "x", strings.Repeat("x", 1<<16)} {
		refused(t, g, bad)
	}
}

func TestAFailingStoreLetsNobodyInAndRefusesNobody(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate()
	secret, _, err := g.SignIn(t.Context(), entry("rita", good))
	ok(t, err)
	h.broken = errors.New("disk")
	_, _, err = g.SignIn(t.Context(), entry("rita", good))
	_, actor, err2 := g.Session(t.Context(), secret)
	if !errors.Is(err, h.broken) || !errors.Is(err2, h.broken) || actor != (access.Actor{}) {
		t.Fatalf("%v, %v", err, err2)
	}
}

// The password is replaced, and all sessions ended, while the old one is being checked.
func TestAReplacedPasswordBeginsNoSession(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate()
	h.meanwhile = func() { h.passwords["rita"] = "another" }
	if secret, _, err := g.SignIn(t.Context(), entry("rita", good)); !problem.Is(err, problem.Denied) || secret != "" || len(h.sessions) != 0 {
		t.Fatalf("%v, %v", err, h.sessions)
	}
}

func TestChangingOnesPasswordNeedsItAndEndsTheSessions(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate()
	old, _, err := g.SignIn(t.Context(), entry("rita", good))
	ok(t, err)
	for name, c := range map[string]struct {
		change auth.Change
		code   string
	}{
		"wrong current": {auth.Change{Current: "not it at all", New: "a new password"}, "wrong_password"},
		"weak":          {auth.Change{Current: good, New: "short"}, "weak_password"},
	} {
		if _, _, err := g.ChangePassword(t.Context(), ritas, c.change); problem.CodeOf(err) != c.code || !problem.Is(err, problem.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := g.ChangePassword(t.Context(), access.Actor{Tenant: "acme", User: "nell"}, auth.Change{Current: "", New: "a new password"}); problem.CodeOf(err) != "wrong_password" {
		t.Errorf("a first password was set without an administrator: %v", err)
	}
	if _, _, err := g.Session(t.Context(), old); err != nil {
		t.Fatalf("a refused change ended the session: %v", err)
	}
	fresh, _, err := g.ChangePassword(t.Context(), ritas, auth.Change{Current: good, New: "a new password", Session: true})
	ok(t, err)
	refused(t, g, old)
	if _, actor, err := g.Session(t.Context(), fresh); err != nil || actor != ritas || fresh == old {
		t.Fatalf("%+v, %v", actor, err)
	}
	if _, _, err := g.SignIn(t.Context(), entry("rita", good)); !problem.Is(err, problem.Denied) {
		t.Fatalf("the old password still works: %v", err)
	}
	_, _, err = g.SignIn(t.Context(), entry("rita", "a new password"))
	ok(t, err)
	if secret, _, err := g.ChangePassword(t.Context(), ritas, auth.Change{Current: "a new password", New: good}); err != nil || secret != "" {
		t.Fatalf("a session nobody asked for: %q, %v", secret, err)
	}
}

func TestAdministratorsSetPasswords(t *testing.T) {
	h := newHouse()
	g := h.gate()
	for name, c := range map[string]struct {
		by   access.Actor
		user access.UserID
		pass string
		code string
	}{
		"by a member":             {ritas, "nell", good, "not_found"},
		"by nobody":               {access.Actor{Tenant: "acme", User: "zzz"}, "nell", good, "not_found"},
		"by the suspended":        {access.Actor{Tenant: "acme", User: "sue"}, "nell", good, "not_found"},
		"by a member for nobody":  {ritas, "zzz", good, "not_found"},
		"by a member, weak":       {ritas, "nell", "x", "not_found"},
		"for nobody":              {adas, "zzz", good, "not_found"},
		"of another tenant":       {access.Actor{Tenant: "globex", User: "ada"}, "nell", good, "not_found"},
		"for a service account":   {adas, "bot", good, "service_account"},
		"weak":                    {adas, "nell", "short", "weak_password"},
		"that is the id":          {adas, "nell", "nell", "weak_password"},
		"operator without a role": {access.Actor{Tenant: "acme", User: "rita", Operator: true}, "zzz", good, "not_found"},
	} {
		if err := g.SetPassword(t.Context(), c.by, c.user, c.pass); problem.CodeOf(err) != c.code || len(h.passwords) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	ok(t, g.SetPassword(t.Context(), adas, "nell", good))
	ok(t, g.SetPassword(t.Context(), adas, "ada", good))
	if err := g.SetPassword(t.Context(), adas, "ada", "another good one"); problem.CodeOf(err) != "own_password" {
		t.Errorf("an administrator's own password was replaced without the old one: %v", err)
	}
	ok(t, g.SetPassword(t.Context(), access.Actor{Tenant: "acme", User: "ada", Operator: true}, "ada", "another good one"))
	_, _, err := g.SignIn(t.Context(), entry("nell", good))
	ok(t, err)
}
