package access_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/problem"
)

// directory answers every question with one snapshot.
type directory struct {
	snap access.Snapshot
	err  error
}

func (d directory) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	return d.snap, d.err
}

var (
	ctx   = context.Background()
	rita  = access.Actor{Tenant: "acme", User: "rita"}
	march = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	views = []access.View{access.Published, access.Catalog, access.Content, access.Cited}
)

func resolve(t *testing.T, d directory, req access.Request) access.Scope {
	t.Helper()
	s, err := access.Resolve(ctx, d, rita, req)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drawSnapshot draws what a directory could say of rita.
func drawSnapshot(t *rapid.T, label string) access.Snapshot {
	principal := rapid.SampledFrom([]access.Principal{"everyone", "user:rita", "user:bob", "group:g1", "group:g2", "group:rita"})
	snap := access.Snapshot{Epoch: 7, Identity: access.Identity{
		User:   "rita",
		Roles:  rapid.SliceOfDistinct(rapid.SampledFrom([]access.Role{access.Member, access.KnowledgeAdmin, access.TenantAdmin, access.Auditor}), rapid.ID[access.Role]).Draw(t, label+" roles"),
		Groups: rapid.SliceOfDistinct(rapid.SampledFrom([]access.GroupID{"g1", "g2"}), rapid.ID[access.GroupID]).Draw(t, label+" groups"),
	}}
	for _, id := range []access.KnowledgeBaseID{"kb1", "kb2", "foreign"} {
		kb := access.KnowledgeBase{ID: id, Tenant: "acme"}
		if id == "foreign" {
			kb.Tenant = "globex"
		}
		for range rapid.IntRange(0, 3).Draw(t, label+" grants") {
			kb.Grants = append(kb.Grants, access.Grant{Principal: principal.Draw(t, label+" granted"), Level: access.Level(rapid.IntRange(0, 3).Draw(t, label+" level"))})
		}
		if id == "kb1" && rapid.IntRange(0, 3).Draw(t, label+" open") > 0 {
			kb.Grants = append(kb.Grants, access.Grant{Principal: "everyone", Level: access.Level(rapid.IntRange(1, 2).Draw(t, label+" openly"))})
		}
		snap.Bases = append(snap.Bases, kb)
	}
	return snap
}

func drawRequest(t *rapid.T, label string) access.Request {
	req := access.Request{View: rapid.SampledFrom(views).Draw(t, label+" view"), DocKey: rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, label+" key")}
	if rapid.Bool().Draw(t, label+" narrowed") {
		req.Bases = rapid.SliceOfDistinct(rapid.SampledFrom([]access.KnowledgeBaseID{"kb1", "kb2", "foreign"}), rapid.ID[access.KnowledgeBaseID]).Draw(t, label+" bases")
	}
	day := rapid.SampledFrom([]time.Time{{}, {}, march, march.AddDate(0, 0, 2)})
	req.UpdatedFrom, req.UpdatedTo = day.Draw(t, label+" from"), day.Draw(t, label+" to")
	if rapid.IntRange(0, 2).Draw(t, label+" of the past") == 0 {
		req.AsOf = march.AddDate(0, 0, rapid.IntRange(0, 4).Draw(t, label+" as of"))
	}
	return req
}

// drawTimes draws in what times a version was in force: whole days, in order, the last perhaps open.
func drawTimes(t *rapid.T) (out []access.Interval) {
	at := march.AddDate(0, 0, rapid.IntRange(-1, 2).Draw(t, "first in force"))
	for range rapid.IntRange(0, 2).Draw(t, "times in force") {
		end := at.AddDate(0, 0, rapid.IntRange(0, 2).Draw(t, "days in force"))
		out = append(out, access.Interval{From: at, To: end})
		at = end.AddDate(0, 0, 1)
	}
	if len(out) > 0 && rapid.Bool().Draw(t, "still in force") {
		out[len(out)-1].To = time.Time{}
	}
	return out
}

// drawResource draws a version of any kind, or one that has nothing against it but perhaps its place,
// key and day, and one part more: most rules are seen at work only where no other one decides.
func drawResource(t *rapid.T) access.Resource {
	r := drawAnyResource(t)
	plain := access.Resource{Tenant: "acme", Status: access.StatusPublished, InForce: []access.Interval{{From: march.AddDate(0, 0, -1)}}}
	part := rapid.SampledFrom([]string{"all", "tenant", "status", "policy", "times", "none"}).Draw(t, "what may be against it")
	if part != "all" && part != "tenant" {
		r.Tenant = plain.Tenant
	}
	if part != "all" && part != "status" {
		r.Status = plain.Status
	}
	if part != "all" && part != "policy" {
		r.Policy = plain.Policy
	}
	if part != "all" && part != "times" {
		r.InForce = plain.InForce
	}
	return r
}

func drawAnyResource(t *rapid.T) access.Resource {
	principals := rapid.SliceOfN(rapid.SampledFrom([]access.Principal{"everyone", "user:rita", "user:bob", "group:g1", "group:g2"}), 0, 2)
	return access.Resource{
		Tenant:        rapid.SampledFrom([]access.TenantID{"acme", "acme", "acme", "globex"}).Draw(t, "tenant"),
		KnowledgeBase: rapid.SampledFrom([]access.KnowledgeBaseID{"kb1", "kb1", "kb2", "foreign", "unknown"}).Draw(t, "base"),
		DocKey:        rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"),
		Status: rapid.SampledFrom([]access.Status{
			access.StatusPublished, access.StatusDraft, access.StatusArchived, access.StatusReserved, "deleted", "",
		}).Draw(t, "status"),
		Policy: access.Policy{
			Restricted: rapid.Bool().Draw(t, "restricted"), Allow: principals.Draw(t, "allow"), Deny: rapid.SliceOfN(rapid.SampledFrom([]access.Principal{"user:rita", "user:bob", "group:g1"}), 0, 1).Draw(t, "deny"),
		},
		UpdatedAt: march.AddDate(0, 0, rapid.IntRange(-1, 3).Draw(t, "day")),
		InForce:   drawTimes(t),
	}
}

// verdicts are all reasons that verdict gives.
var verdicts = []string{
	"another tenant", "no grant", "not among the bases asked for", "denied by the policy", "not on the allow list", "another document", "too old", "too new",
	"the past is for administrators", "not in force then", "no status of something that was ever in force", "a draft", "archived", "no visible status",
}

// verdict is the rules of who sees what, written out one by one in plain words and without the
// product's code: the reasons why rita must not see the version. None means that she may.
func verdict(snap access.Snapshot, req access.Request, r access.Resource) (reasons []string) {
	object := func(when bool, why string) {
		if when {
			reasons = append(reasons, why)
		}
	}
	means := func(p access.Principal) bool {
		if p == "everyone" || p == "user:rita" {
			return true
		}
		for _, g := range snap.Identity.Groups {
			if string(p) == "group:"+string(g) {
				return true
			}
		}
		return false
	}
	level := 0
	for _, kb := range snap.Bases {
		for _, g := range kb.Grants {
			if kb.ID == r.KnowledgeBase && kb.Tenant == "acme" && means(g.Principal) && int(g.Level) > level {
				level = int(g.Level)
			}
		}
	}
	admin := false
	for _, role := range snap.Identity.Roles {
		admin = admin || role == "knowledge_admin"
	}
	inList, denied, allowed := req.Bases == nil, false, !r.Policy.Restricted
	for _, kb := range req.Bases {
		inList = inList || kb == r.KnowledgeBase
	}
	for _, p := range r.Policy.Deny {
		denied = denied || means(p)
	}
	for _, p := range r.Policy.Allow {
		allowed = allowed || means(p)
	}
	object(r.Tenant != "acme", "another tenant")
	object(level == 0, "no grant")
	object(!inList, "not among the bases asked for")
	object(denied, "denied by the policy")
	object(!allowed, "not on the allow list")
	object(req.DocKey != "" && req.DocKey != r.DocKey, "another document")
	object(!req.UpdatedFrom.IsZero() && r.UpdatedAt.Unix() < req.UpdatedFrom.Unix(), "too old")
	object(!req.UpdatedTo.IsZero() && r.UpdatedAt.Unix() >= req.UpdatedTo.Unix(), "too new")
	if !req.AsOf.IsZero() {
		then := false
		for _, i := range r.InForce {
			from, to, at := i.From.Unix(), i.To.Unix(), req.AsOf.Unix()
			then = then || from <= at && (i.To.IsZero() || at < to)
		}
		object(!admin, "the past is for administrators")
		object(!then, "not in force then")
		object(r.Status != "published" && r.Status != "archived", "no status of something that was ever in force")
		return reasons
	}
	switch r.Status {
	case "published":
	case "draft":
		object(req.View == access.Published || req.View == access.Cited || level < 2, "a draft")
	case "archived":
		ok := req.View == access.Cited || req.View == access.Catalog && level >= 2 || req.View == access.Content && admin
		object(!ok, "archived")
	default:
		object(true, "no visible status")
	}
	return reasons
}

func TestAScopeAdmitsExactlyWhatTheRulesAllow(t *testing.T) {
	admitted, past, alone := 0, 0, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		snap, req := drawSnapshot(t, "directory"), drawRequest(t, "request")
		s, err := access.Resolve(ctx, directory{snap: snap}, rita, req)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			r := drawResource(t)
			why := verdict(snap, req, r)
			if s.Admits(r) != (len(why) == 0) {
				t.Fatalf("admitted: %v, but the rules say %v of %+v", s.Admits(r), why, r)
			}
			if len(why) == 1 {
				alone[why[0]]++
			}
			if len(why) == 0 {
				admitted++
				if !req.AsOf.IsZero() {
					past++
				}
			}
		}
	})
	if admitted < 50 || past == 0 {
		t.Fatalf("only %d cases were admitted, %d of them of the past, too few to test anything", admitted, past)
	}
	for _, why := range verdicts {
		if alone[why] == 0 {
			t.Errorf("nothing was hidden for the one reason %q, so that its rule was not tested: %v", why, alone)
		}
	}
}

func TestARequestNeverWidensAScope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		snap, req := drawSnapshot(t, "directory"), drawRequest(t, "request")
		narrow, _ := access.Resolve(ctx, directory{snap: snap}, rita, req)
		wide, _ := access.Resolve(ctx, directory{snap: snap}, rita, access.Request{View: req.View, AsOf: req.AsOf})
		for range 10 {
			if r := drawResource(t); narrow.Admits(r) && !wide.Admits(r) {
				t.Fatalf("the narrowed scope alone admits %+v", r)
			}
		}
		for _, kb := range []access.KnowledgeBaseID{"kb1", "kb2", "foreign"} {
			if narrow.Level(kb) > wide.Level(kb) {
				t.Fatalf("the narrowed scope has a higher level on %s", kb)
			}
		}
	})
}

func TestScopesOfOneDigestAdmitTheSame(t *testing.T) {
	same := 0
	rapid.Check(t, func(t *rapid.T) {
		snap, req := drawSnapshot(t, "one"), drawRequest(t, "one")
		other, otherReq := snap, req
		// Change a part or nothing, so that equal digests and near misses both come up.
		switch rapid.IntRange(0, 3).Draw(t, "changed") {
		case 0:
			other = drawSnapshot(t, "two")
		case 1:
			otherReq = drawRequest(t, "two")
		case 2:
			other.Identity.Groups = nil
		}
		a, _ := access.Resolve(ctx, directory{snap: snap}, rita, req)
		b, _ := access.Resolve(ctx, directory{snap: other}, rita, otherReq)
		if a.Digest() != b.Digest() {
			return
		}
		same++
		for range 20 {
			if r := drawResource(t); a.Admits(r) != b.Admits(r) {
				t.Fatalf("one digest, but only one admits %+v", r)
			}
		}
	})
	if same == 0 {
		t.Fatal("no two scopes had one digest, so that nothing was tested")
	}
}

func TestDigestsTellNamesApartThatLookAlike(t *testing.T) {
	seen := map[string]string{}
	for _, groups := range [][]access.GroupID{{"a"}, {"a", "b"}, {"b"}, {"ab"}, {"a-b"}, nil} {
		for _, key := range []string{"", "a", "1:a", "a,b"} {
			d := directory{snap: access.Snapshot{Identity: access.Identity{User: "rita", Groups: groups}}}
			s := resolve(t, d, access.Request{DocKey: key})
			name := fmt.Sprintf("groups %q, key %q", groups, key)
			if other, ok := seen[s.Digest()]; ok {
				t.Errorf("%s and %s share a digest", name, other)
			}
			seen[s.Digest()] = name
		}
	}
	one := resolve(t, directory{snap: access.Snapshot{Identity: access.Identity{User: "rita", Groups: []access.GroupID{"a", "b"}}}}, access.Request{})
	two := resolve(t, directory{snap: access.Snapshot{Identity: access.Identity{User: "rita", Groups: []access.GroupID{"b", "a"}}}}, access.Request{})
	if one.Digest() != two.Digest() {
		t.Error("the order of groups changes the digest")
	}
	if u := unscoped.Scope("acme"); u.Digest() == unscoped.Scope("globex").Digest() || seen[u.Digest()] != "" {
		t.Error("an unscoped digest is not its own")
	}
}

func TestTheZeroScopeAdmitsNothing(t *testing.T) {
	var s access.Scope
	rapid.Check(t, func(t *rapid.T) {
		r := drawResource(t)
		r.Tenant = rapid.SampledFrom([]access.TenantID{"", "acme"}).Draw(t, "of tenant")
		if s.Admits(r) {
			t.Fatalf("admitted %+v", r)
		}
	})
	if s.Valid() || s.Unbounded() || s.Level("kb1") != access.NoLevel || len(s.Bases()) != 0 || s.Has(access.Member) {
		t.Error("the zero scope has rights")
	}
	if err := s.Current(0); !problem.Is(err, problem.NotFound) {
		t.Errorf("the zero scope is current: %v", err)
	}
}

func TestAnUnscopedScopeAdmitsItsTenantButNoReservation(t *testing.T) {
	s := unscoped.Scope("acme")
	rapid.Check(t, func(t *rapid.T) {
		r := drawResource(t)
		if got, want := s.Admits(r), r.Tenant == "acme" && r.Status != access.StatusReserved; got != want {
			t.Fatalf("admitted %v: %+v", got, r)
		}
	})
	if !s.Valid() || !s.Unbounded() || s.Level("any") != access.Manager || s.Actor() != "" || s.Tenant() != "acme" || s.Current(99) != nil {
		t.Errorf("%+v", s)
	}
}

func TestNoScopeWithoutAnAnswerOfTheDirectory(t *testing.T) {
	broken := errors.New("disk")
	granted := []access.KnowledgeBase{{ID: "kb1", Tenant: "acme", Grants: []access.Grant{{Principal: access.Everyone, Level: access.Manager}}}}
	for name, c := range map[string]struct {
		dir  directory
		kind problem.Kind
	}{
		"a failing directory": {directory{err: broken, snap: access.Snapshot{Identity: access.Identity{User: "rita"}, Bases: granted}}, problem.Internal},
		"an unknown user":     {directory{err: problem.Missing()}, problem.NotFound},
		"a suspended user":    {directory{snap: access.Snapshot{Identity: access.Identity{User: "rita", Suspended: true}, Bases: granted}}, problem.NotFound},
		"another user":        {directory{snap: access.Snapshot{Identity: access.Identity{User: "bob"}, Bases: granted}}, problem.NotFound},
		"an empty snapshot":   {directory{}, problem.NotFound},
	} {
		s, err := access.Resolve(ctx, c.dir, rita, access.Request{})
		if err == nil || problem.KindOf(err) != c.kind || s.Valid() || s.Level("kb1") != access.NoLevel {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

func TestAScopeIsOfOneEpoch(t *testing.T) {
	s := resolve(t, directory{snap: access.Snapshot{Epoch: 7, Identity: access.Identity{User: "rita"}}}, access.Request{})
	if err := s.Current(7); err != nil || s.Epoch() != 7 {
		t.Fatalf("epoch %d, %v", s.Epoch(), err)
	}
	for _, now := range []access.Epoch{6, 8, 0, -1} {
		if err := s.Current(now); problem.CodeOf(err) != "scope_stale" || !problem.Is(err, problem.Conflict) {
			t.Errorf("at %d: %v", now, err)
		}
	}
}

func TestAScopeIsNotChangedThroughWhatItWasMadeOf(t *testing.T) {
	snap := access.Snapshot{Identity: access.Identity{User: "rita", Roles: []access.Role{access.KnowledgeAdmin}}, Bases: []access.KnowledgeBase{
		{ID: "kb2", Tenant: "acme", Grants: []access.Grant{{Principal: access.Everyone, Level: access.Editor}}},
		{ID: "kb1", Tenant: "acme", Grants: []access.Grant{{Principal: access.Everyone, Level: access.Reader}}},
		{ID: "kb3", Tenant: "acme"},
	}}
	s := resolve(t, directory{snap: snap}, access.Request{})
	snap.Identity.Roles[0], snap.Bases[0].Grants[0].Level = access.Member, access.NoLevel
	if !s.Has(access.KnowledgeAdmin) || s.Has(access.Auditor) || s.Level("kb2") != access.Editor || s.Level("kb3") != access.NoLevel {
		t.Error("the scope changed with the snapshot")
	}
	if d := cmp.Diff([]access.KnowledgeBaseID{"kb1", "kb2"}, s.Bases()); d != "" {
		t.Error(d)
	}
	if s.Actor() != "rita" || s.Tenant() != "acme" || !s.Valid() || s.Unbounded() {
		t.Error("the scope does not say whose it is")
	}
}

// counting makes a directory whose epoch moves on for a while.
type counting struct {
	calls int
	moves int
}

func (c *counting) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	c.calls++
	return access.Snapshot{Epoch: access.Epoch(min(c.calls, c.moves)), Identity: access.Identity{User: "rita"}}, nil
}

func TestWithinReadsAgainAtMostEightTimes(t *testing.T) {
	for moves, c := range map[int]struct {
		calls int
		code  string
	}{1: {1, ""}, 2: {2, ""}, 8: {8, ""}, 9: {8, "busy"}, 100: {8, "busy"}} {
		dir := &counting{moves: moves}
		err := access.Within(ctx, dir, rita, access.Request{}, func(s access.Scope) error { return s.Current(access.Epoch(moves)) })
		if dir.calls != c.calls || (err == nil) != (c.code == "") || err != nil && (problem.CodeOf(err) != c.code || !problem.Is(err, problem.Unavailable)) {
			t.Errorf("after %d moves: %d calls, %v", moves, dir.calls, err)
		}
	}
}

func TestWithinReturnsOtherErrorsAtOnce(t *testing.T) {
	dir := &counting{moves: 1}
	err := access.Within(ctx, dir, rita, access.Request{}, func(access.Scope) error { return problem.Missing() })
	if dir.calls != 1 || !problem.Is(err, problem.NotFound) {
		t.Errorf("%d calls, %v", dir.calls, err)
	}
	called := false
	err = access.Within(ctx, directory{err: errors.New("disk")}, rita, access.Request{}, func(access.Scope) error { called = true; return nil })
	if err == nil || called {
		t.Errorf("read without a directory: %v", err)
	}
}

func TestNamesAreParsedStrictly(t *testing.T) {
	long := strings.Repeat("a", 64)
	for s, want := range map[string]bool{
		"everyone": true, "user:rita": true, "group:r.d_1-x": true, "user:" + long: true,
		"": false, "user:": false, "user": false, "Everyone": false, "user:a b": false, "role:x": false, "user:-x": false, "user:" + long + "a": false,
		"user:甲": false, "user:a:b": false, " everyone": false, "group:a/b": false,
	} {
		p, err := access.ParsePrincipal(s)
		if (err == nil) != want || want && string(p) != s || err != nil && problem.CodeOf(err) != "invalid_principal" {
			t.Errorf("%q: %q, %v", s, p, err)
		}
	}
	for _, r := range []string{"member", "knowledge_admin", "auditor", "tenant_admin"} {
		if got, err := access.ParseRole(r); err != nil || string(got) != r {
			t.Errorf("%s: %v", r, err)
		}
	}
	for _, l := range []access.Level{access.Reader, access.Editor, access.Manager} {
		if got, err := access.ParseLevel(l.String()); err != nil || got != l {
			t.Errorf("%v: %v", l, err)
		}
	}
	for _, s := range []string{"", "none", "Reader", "owner", "admin"} {
		if _, err := access.ParseLevel(s); !problem.Is(err, problem.Invalid) {
			t.Errorf("level %q: %v", s, err)
		}
		if _, err := access.ParseRole(s); !problem.Is(err, problem.Invalid) {
			t.Errorf("role %q: %v", s, err)
		}
	}
	if access.Level(9).String() != "none" || access.User("a") != "user:a" || access.Group("a") != "group:a" {
		t.Error("names are written wrongly")
	}
	id := access.Identity{Roles: []access.Role{access.Auditor}}
	if !id.Has(access.Auditor) || id.Has(access.Member) || !slices.Contains(id.Roles, access.Auditor) {
		t.Error("an identity does not know its roles")
	}
}

func TestAnotherViewAsksForItsOwnRights(t *testing.T) {
	old := access.Resource{Tenant: "acme", KnowledgeBase: "kb", Status: access.StatusArchived}
	for role, want := range map[access.Role]bool{access.Member: false, access.KnowledgeAdmin: true} {
		s := resolve(t, directory{snap: access.Snapshot{
			Identity: access.Identity{User: "rita", Roles: []access.Role{role}},
			Bases:    []access.KnowledgeBase{{ID: "kb", Tenant: "acme", Grants: []access.Grant{{Principal: access.Everyone, Level: access.Reader}}}},
		}}, access.Request{View: access.Cited})
		past := s.Viewing(access.Content)
		if !s.Admits(old) || past.Admits(old) != want {
			t.Errorf("%s: cited %v, content %v", role, s.Admits(old), past.Admits(old))
		}
		if past.Digest() == s.Digest() {
			t.Errorf("%s: two views share a digest", role)
		}
	}
	if (access.Scope{}).Viewing(access.Content).Valid() {
		t.Error("a view made a scope")
	}
}

func TestAScopeSaysWhetherItsTextMustStay(t *testing.T) {
	if !(access.Scope{}).LocalOnly() {
		t.Error("text under no scope may be sent elsewhere")
	}
	for _, on := range []bool{true, false} {
		s := resolve(t, directory{snap: access.Snapshot{Identity: access.Identity{User: "rita"}, LocalOnly: on}}, access.Request{})
		if s.LocalOnly() != on || s.Viewing(access.Content).LocalOnly() != on {
			t.Errorf("set to %t, the scope says %t", on, s.LocalOnly())
		}
	}
}
