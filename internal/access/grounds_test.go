package access_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
)

// The first of these reasons of the plain rules is the obstacle; what stands in no row hides the
// version from everybody who could ask.
var obstacles = map[string]access.Obstacle{
	"no grant": access.NoGrant, "denied by the policy": access.ByPolicy, "not on the allow list": access.ByPolicy,
	"a draft": access.ByStatus, "archived": access.ByStatus, "no visible status": access.ByStatus,
}

func TestGroundsSayWhatTheRulesSay(t *testing.T) {
	met := map[access.Obstacle]int{}
	rapid.Check(t, func(t *rapid.T) {
		snap, r := drawSnapshot(t, "snapshot"), drawResource(t)
		r.Tenant = "acme"
		req := access.Request{View: access.Content}
		s, err := access.Resolve(ctx, directory{snap: snap}, rita, req)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(snap.Bases, func(kb access.KnowledgeBase) bool { return kb.ID == r.KnowledgeBase && kb.Tenant == "acme" })
		if at < 0 {
			t.Skip("nobody can ask about a document of a knowledge base that is not there")
		}
		g := s.Grounds(snap.Bases[at], r)
		var want access.Obstacle
		if reasons := verdict(snap, req, r); len(reasons) > 0 {
			want = obstacles[reasons[0]]
		}
		if g.Obstacle != want {
			t.Fatalf("%q, want %q: %+v of %+v", g.Obstacle, want, r, snap)
		}
		met[want]++
		most := access.NoLevel
		for _, grant := range g.Grants {
			if !slices.Contains(snap.Bases[at].Grants, grant) {
				t.Fatalf("a grant that nobody made: %+v", grant)
			}
			most = max(most, grant.Level)
		}
		if g.Level != most || g.Level != s.Level(r.KnowledgeBase) {
			t.Fatalf("level %v of grants up to %v, the scope's is %v", g.Level, most, s.Level(r.KnowledgeBase))
		}
	})
	for _, o := range []access.Obstacle{access.NoObstacle, access.NoGrant, access.ByPolicy, access.ByStatus} {
		if met[o] == 0 {
			t.Errorf("no version was drawn with the obstacle %q", o)
		}
	}
}

func TestGroundsNameTheGrantsAndTheRuling(t *testing.T) {
	grant := func(who access.Principal, l access.Level) access.Grant { return access.Grant{Principal: who, Level: l} }
	kb := access.KnowledgeBase{ID: "kb", Tenant: "acme", Grants: []access.Grant{
		grant("user:bob", access.Manager), grant("everyone", access.Reader), grant("group:rd", access.Editor), grant("group:hr", access.Manager),
	}}
	s := resolve(t, directory{snap: access.Snapshot{Identity: access.Identity{User: "rita", Groups: []access.GroupID{"rd"}}, Bases: []access.KnowledgeBase{kb}}}, access.Request{View: access.Content})
	through := []access.Grant{grant("group:rd", access.Editor), grant("everyone", access.Reader)}
	list := func(who ...access.Principal) []access.Principal { return who }
	for name, c := range map[string]struct {
		policy access.Policy
		want   access.Grounds
	}{
		"inherited":    {access.Policy{}, access.Grounds{Policy: access.Inherits}},
		"others shut":  {access.Policy{Deny: list("user:bob")}, access.Grounds{Policy: access.Inherits}},
		"for a group":  {access.Policy{Restricted: true, Allow: list("group:hr", "group:rd")}, access.Grounds{Policy: access.Allows, Named: list("group:rd")}},
		"for others":   {access.Policy{Restricted: true, Allow: list("group:hr")}, access.Grounds{Policy: access.NotListed, Obstacle: access.ByPolicy}},
		"for nobody":   {access.Policy{Restricted: true}, access.Grounds{Policy: access.NotListed, Obstacle: access.ByPolicy}},
		"denied":       {access.Policy{Deny: list("user:rita")}, access.Grounds{Policy: access.Denies, Named: list("user:rita"), Obstacle: access.ByPolicy}},
		"denied first": {access.Policy{Restricted: true, Allow: list("user:rita"), Deny: list("group:rd")}, access.Grounds{Policy: access.Denies, Named: list("group:rd"), Obstacle: access.ByPolicy}},
	} {
		c.want.Level, c.want.Grants = access.Editor, through
		r := access.Resource{Tenant: "acme", KnowledgeBase: "kb", Status: access.StatusDraft, Policy: c.policy}
		if diff := cmp.Diff(c.want, s.Grounds(kb, r)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// Whom nothing is granted to and who is not there are told alike; only where everyone may read, and
// so somebody who may not is not there, that is said.
func TestWhoIsNotThereLooksLikeWhoHasNothing(t *testing.T) {
	r := access.Resource{Tenant: "acme", KnowledgeBase: "kb", Status: access.StatusPublished}
	for name, c := range map[string]struct {
		grants []access.Grant
		policy access.Policy
		want   access.Obstacle
	}{
		"for a group":      {[]access.Grant{{Principal: "group:rd", Level: access.Reader}}, access.Policy{}, access.NoGrant},
		"for all but some": {[]access.Grant{{Principal: "everyone", Level: access.Reader}}, access.Policy{Restricted: true}, access.ByPolicy},
		"for all":          {[]access.Grant{{Principal: "everyone", Level: access.Reader}}, access.Policy{}, access.NotActive},
		"for the name":     {[]access.Grant{{Principal: "user:rita", Level: access.Manager}}, access.Policy{}, access.NotActive},
	} {
		kb := access.KnowledgeBase{ID: "kb", Tenant: "acme", Grants: c.grants}
		r.Policy = c.policy
		absent := access.Absent(kb, "rita", r)
		if absent.Obstacle != c.want {
			t.Errorf("%s: %q, want %q", name, absent.Obstacle, c.want)
		}
		there := resolve(t, directory{snap: access.Snapshot{Identity: access.Identity{User: "rita"}, Bases: []access.KnowledgeBase{kb}}}, access.Request{View: access.Content}).Grounds(kb, r)
		if c.want != access.NotActive {
			if diff := cmp.Diff(there, absent); diff != "" {
				t.Errorf("%s:\n%s", name, diff)
			}
		} else if there.Obstacle != access.NoObstacle {
			t.Errorf("%s: %q", name, there.Obstacle)
		}
	}
}
