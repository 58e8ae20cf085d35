package auth_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

// vouching is a provider in memory, and the store of who came through it.
type vouching struct {
	*house
	claims  auth.Claims
	notice  auth.Notice
	redeems int
	failing error
	stuck   error // of ending sessions alone
	spent   map[string]time.Time
	links   []auth.Identity
	came    []auth.Arrival
	ended   []string
}

func (v *vouching) Issuer() string { return "https://id.example" }

func (v *vouching) Authorization(_ context.Context, c auth.Challenge) (string, error) {
	return "https://id.example/?state=" + c.State, v.failing
}

func (v *vouching) Redeem(context.Context, auth.Reply, auth.Challenge) (auth.Claims, error) {
	v.redeems++
	return v.claims, v.failing
}

func (v *vouching) Notice(context.Context, string) (auth.Notice, error) { return v.notice, v.failing }

func (v *vouching) Departure(context.Context, string) (string, error) {
	return "https://id.example/bye", v.failing
}

func (v *vouching) Spend(_ context.Context, id string, until time.Time) error {
	if v.broken != nil {
		return v.broken
	}
	if _, used := v.spent[id]; used {
		return problem.New(problem.Conflict, "spent", "Used.")
	}
	v.spent[id] = until
	return nil
}

func (v *vouching) Admit(_ context.Context, a auth.Arrival) (access.UserID, error) {
	v.came = append(v.came, a)
	if a.Subject != "known" {
		return "", problem.Missing()
	}
	a.Session.Tenant, a.Session.User, a.Session.Issuer = a.Tenant, "rita", a.Issuer
	v.sessions[a.Session.Hash] = a.Session
	return "rita", nil
}

func (v *vouching) EndProvided(_ context.Context, e auth.Ending) (int, error) {
	if err := cmp.Or(v.broken, v.stuck); err != nil {
		return 0, err
	}
	if err := v.Spend(context.Background(), e.ID, e.Until); err != nil {
		return 0, err
	}
	v.ended = append(v.ended, strings.Join([]string{string(e.Tenant), e.Issuer, e.Subject, e.SID}, " "))
	return 1, nil
}

func (v *vouching) PutIdentity(_ context.Context, _ access.UserID, link auth.Identity) (auth.Identity, error) {
	v.links = append(v.links, link)
	return link, v.broken
}

func (v *vouching) Identities(_ context.Context, _ access.TenantID, user access.UserID) ([]auth.Identity, error) {
	return []auth.Identity{{ID: "of " + string(user)}}, v.broken
}

func (v *vouching) RemoveIdentity(_ context.Context, _ access.TenantID, by, user access.UserID, id string) error {
	v.ended = append(v.ended, strings.Join([]string{string(by), string(user), id}, " "))
	return v.broken
}

func vouch(t *testing.T, change ...func(*auth.FederationDeps)) (*vouching, *auth.Federation) {
	t.Helper()
	v := &vouching{house: newHouse(), claims: auth.Claims{Subject: "known", SID: "sid"}, spent: map[string]time.Time{}}
	deps := auth.FederationDeps{
		Gate:     v.gate(func(d *auth.GateDeps) { d.Identities = v }),
		Provider: v, Identities: v, Arrivals: v, Key: make([]byte, 32), Home: "https://kaoju.example/",
	}
	for _, c := range change {
		c(&deps)
	}
	f, err := auth.NewFederation(deps)
	ok(t, err)
	return v, f
}

// back is the reply to what was begun.
func back(d auth.Departing) auth.Callback {
	_, state, _ := strings.Cut(d.Location, "state=")
	return auth.Callback{Cookie: d.Cookie, Reply: auth.Reply{State: state, Code: "c"}, Address: "192.0.2.1:4711", Agent: "Browser"}
}

func TestTLSIsWhatTheSettingsOfAProviderSay(t *testing.T) {
	if (*auth.Federation)(nil).Secure() {
		t.Error("without a provider, its settings speak of TLS")
	}
	for home, want := range map[string]bool{"https://kaoju.example/": true, "http://127.0.0.1:8000/": false} {
		if _, f := vouch(t, func(d *auth.FederationDeps) { d.Home = home }); f.Secure() != want {
			t.Errorf("%s: %v", home, f.Secure())
		}
	}
}

func TestACompletedSignInBeginsASession(t *testing.T) {
	v, f := vouch(t)
	d, err := f.Begin(t.Context(), "/runs")
	ok(t, err)
	if d.Expires != now.Add(auth.SignInTime) || strings.Contains(d.Cookie, "runs") {
		t.Fatalf("%+v", d)
	}
	a, err := f.Complete(t.Context(), back(d))
	ok(t, err)
	if a.Return != "/runs" || !strings.HasPrefix(a.Secret, "ks_") || a.Session.User != "rita" || a.Session.SID != "sid" || !f.Secure() {
		t.Fatalf("%+v", a)
	}
	if _, actor, err := v.gate().Session(t.Context(), a.Secret); err != nil || actor != ritas {
		t.Fatalf("%+v %v", actor, err)
	}
	if v.came[0].Newcomer.User != "" || v.came[0].Tenant != "acme" {
		t.Errorf("%+v", v.came[0])
	}
}

func TestNobodyAsksTheProviderAboutWhatIsStale(t *testing.T) {
	v, f := vouch(t)
	d, err := f.Begin(t.Context(), "/")
	ok(t, err)
	other, err := f.Begin(t.Context(), "/")
	ok(t, err)
	link := d
	for name, in := range map[string]auth.Callback{
		"no cookie": {Reply: back(d).Reply}, "another's cookie": {Reply: back(d).Reply, Cookie: other.Cookie}, "no state": {Cookie: d.Cookie}, "nonsense": {Cookie: "x", Reply: back(link).Reply},
	} {
		if _, err := f.Complete(t.Context(), in); problem.CodeOf(err) != "sign_in_stale" || !problem.Is(err, problem.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if v.redeems != 0 || len(v.spent) != 0 {
		t.Errorf("%d codes, %v", v.redeems, v.spent)
	}
	// A sign-in that failed at the provider is used up all the same.
	v.failing = auth.Away("test")
	if _, err := f.Complete(t.Context(), back(d)); problem.CodeOf(err) != "provider_unavailable" {
		t.Errorf("%v", err)
	}
	v.failing = nil
	if _, err := f.Complete(t.Context(), back(d)); problem.CodeOf(err) != "sign_in_stale" || v.redeems != 1 {
		t.Errorf("%v after %d codes", err, v.redeems)
	}
}

func TestAFailingStoreLetsNobodyThroughTheProvider(t *testing.T) {
	v, f := vouch(t)
	d, err := f.Begin(t.Context(), "/")
	ok(t, err)
	v.broken = errors.New("disk")
	if a, err := f.Complete(t.Context(), back(d)); !errors.Is(err, v.broken) || a.Secret != "" || v.redeems != 0 {
		t.Errorf("%+v %v", a, err)
	}
	if err := f.Heed(t.Context(), "t", ""); !errors.Is(err, v.broken) {
		t.Errorf("%v", err)
	}
	if _, err := f.BeginLink(t.Context(), "ks_x", "/"); !errors.Is(err, v.broken) {
		t.Errorf("%v", err)
	}
}

// A provider gives a notice again that was answered with an error. It must not find it used up.
func TestANoticeThatCouldNotBeHeededIsHeededLater(t *testing.T) {
	v, f := vouch(t)
	v.notice = auth.Notice{ID: "n", Subject: "known", SID: "sid"}
	v.stuck = errors.New("disk")
	if err := f.Heed(t.Context(), "t", ""); !errors.Is(err, v.stuck) || len(v.spent) != 0 {
		t.Fatalf("%v, spent %v", err, v.spent)
	}
	v.stuck = nil
	ok(t, f.Heed(t.Context(), "t", ""))
	if !slices.Equal(v.ended, []string{"acme https://id.example known sid"}) {
		t.Errorf("%q", v.ended)
	}
	if err := f.Heed(t.Context(), "t", ""); problem.CodeOf(err) != "invalid_logout_token" || len(v.ended) != 1 {
		t.Errorf("%v, ended %q", err, v.ended)
	}
}

func TestOnlyFailuresOfSigningInAreCounted(t *testing.T) {
	v, f := vouch(t, func(d *auth.FederationDeps) {})
	for range 100 {
		d, err := f.Begin(t.Context(), "/")
		ok(t, err)
		_, err = f.Complete(t.Context(), back(d))
		ok(t, err)
	}
	v.claims.Subject = "unknown"
	var limited *auth.Limited
	for i := range 31 {
		d, err := f.Begin(t.Context(), "/")
		ok(t, err)
		_, err = f.Complete(t.Context(), back(d))
		if want := i == 30; errors.As(err, &limited) != want || !want && problem.CodeOf(err) != "unauthenticated" {
			t.Fatalf("failure %d: %v", i, err)
		}
	}
	if err := f.Heed(t.Context(), "t", "192.0.2.1:1"); !errors.As(err, &limited) {
		t.Errorf("a notice from the same address: %v", err)
	}
}

func TestWhatGroupsGiveIsGivenOnce(t *testing.T) {
	v, f := vouch(t, func(d *auth.FederationDeps) {
		d.Create = true
		d.Groups = map[string][]access.GroupID{"a": {"x", "y"}, "b": {"y", "z"}, "c": {"w"}}
		d.Roles = map[string][]access.Role{"a": {access.Auditor}, "b": {access.Auditor, access.KnowledgeAdmin}}
	})
	v.claims.Groups = []string{"a", "b", "a", "unmapped"}
	d, err := f.Begin(t.Context(), "/")
	ok(t, err)
	_, err = f.Complete(t.Context(), back(d))
	ok(t, err)
	got := v.came[0]
	if !slices.Equal(got.Groups, []access.GroupID{"x", "y", "z"}) || !slices.Equal(got.Roles, []access.Role{access.Auditor, access.KnowledgeAdmin}) {
		t.Errorf("%v %v", got.Groups, got.Roles)
	}
	if !access.ValidID(string(got.Newcomer.User)) || got.Newcomer.DisplayName != string(got.Newcomer.User) || got.Newcomer.Roles != nil {
		t.Errorf("%+v", got.Newcomer)
	}
}

func TestNoProviderMakesAnAdministrator(t *testing.T) {
	v := &vouching{house: newHouse()}
	for _, role := range []access.Role{access.TenantAdmin, "god", ""} {
		_, err := auth.NewFederation(auth.FederationDeps{
			Gate: v.gate(), Provider: v, Key: make([]byte, 32), Roles: map[string][]access.Role{"admins": {access.Member, role}},
		})
		if problem.CodeOf(err) != "invalid_role" || !strings.Contains(err.Error(), `"admins"`) {
			t.Errorf("%q: %v", role, err)
		}
	}
	if _, err := auth.NewFederation(auth.FederationDeps{Gate: v.gate(), Provider: v, Key: []byte("short")}); err == nil {
		t.Error("a short key is taken")
	}
}

func TestWithSeveralTenantsNobodyIsLetInUnnamed(t *testing.T) {
	v, f := vouch(t)
	v.tenants = []access.TenantID{"acme", "globex"}
	d, err := f.Begin(t.Context(), "/")
	ok(t, err)
	_, _ = f.Complete(t.Context(), back(d))
	if len(v.came) != 1 || v.came[0].Tenant != "" {
		t.Errorf("%+v", v.came)
	}
}

func TestDepartingEndsTheSessionFirst(t *testing.T) {
	v, f := vouch(t)
	d, err := f.Begin(t.Context(), "/")
	ok(t, err)
	a, err := f.Complete(t.Context(), back(d))
	ok(t, err)
	v.failing = auth.Away("test")
	if at, err := f.Depart(t.Context(), a.Secret); err != nil || at != "" || len(v.sessions) != 0 {
		t.Errorf("%q %v, left %v", at, err, v.sessions)
	}
	if _, err := f.Depart(t.Context(), a.Secret); !problem.Is(err, problem.Denied) {
		t.Errorf("%v", err)
	}
}

func TestIdentitiesAreTheirOwnersAndTheAdministrators(t *testing.T) {
	v, _ := vouch(t)
	g := v.gate(func(d *auth.GateDeps) { d.Identities = v })
	for _, c := range []struct {
		by   access.Actor
		user access.UserID
		want string
	}{{ritas, "", "of rita"}, {ritas, "rita", "of rita"}, {ritas, "nell", "not_found"}, {adas, "nell", "of nell"}, {adas, "zzz", "not_found"}} {
		list, err := g.ListIdentities(t.Context(), c.by, c.user)
		got := problem.CodeOf(err)
		if err == nil {
			got = list[0].ID
		}
		if got != c.want {
			t.Errorf("%s asks for %q: %q", c.by.User, c.user, got)
		}
	}
	ok(t, g.UnlinkIdentity(t.Context(), ritas, "i1"))
	ok(t, g.UnlinkIdentity(t.Context(), adas, "i2"))
	if !slices.Equal(v.ended, []string{"rita rita i1", "ada  i2"}) {
		t.Errorf("%q", v.ended)
	}
	link := auth.Identity{User: "nell", Issuer: "https://id.example", Subject: "s"}
	if _, err := g.LinkIdentity(t.Context(), ritas, link); !problem.Is(err, problem.NotFound) || len(v.links) != 0 {
		t.Errorf("a member linked somebody: %v", err)
	}
	if _, err := g.LinkIdentity(t.Context(), adas, link); err != nil || v.links[0].Tenant != "acme" {
		t.Errorf("%v %+v", err, v.links)
	}
	v.broken = errors.New("disk")
	if err := g.UnlinkIdentity(t.Context(), ritas, "i1"); !errors.Is(err, v.broken) {
		t.Errorf("%v", err)
	}
}
