package access_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
)

func TestARollIsJudgedAsItsResourcesAreOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resources := rapid.SliceOfN(rapid.Custom(drawResource), 0, 12).Draw(t, "resources")
		roll := access.NewRoll(resources)
		if roll.Len() != len(resources) {
			t.Fatalf("%d resources, want %d", roll.Len(), len(resources))
		}
		scope, err := access.Resolve(ctx, directory{snap: drawSnapshot(t, "snapshot")}, rita, drawRequest(t, "request"))
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]access.Scope{
			"resolved": scope, "another view": scope.Viewing(rapid.SampledFrom(views).Draw(t, "view")),
			"of nobody": {}, "without bounds": unscoped.Scope("acme"),
		} {
			want := make([]bool, len(resources))
			for i, r := range resources {
				want[i] = s.Admits(r)
			}
			if diff := cmp.Diff(want, judged(s, roll)); diff != "" {
				t.Fatalf("%s:\n%s", name, diff)
			}
		}
	})
}

func TestPoliciesThatDifferInOneNameAreDifferentOnARoll(t *testing.T) {
	with := func(p access.Policy) access.Resource {
		return access.Resource{Tenant: "acme", KnowledgeBase: "kb1", Status: access.StatusPublished, Policy: p}
	}
	list := func(names ...access.Principal) []access.Principal { return names }
	resources := []access.Resource{
		with(access.Policy{}),
		with(access.Policy{Restricted: true}),
		with(access.Policy{Allow: list("user:rita")}),
		with(access.Policy{Restricted: true, Allow: list("user:rita")}),
		with(access.Policy{Restricted: true, Allow: list("user:rit", "a")}),
		with(access.Policy{Restricted: true, Allow: list("user:rita"), Deny: list("user:rita")}),
		with(access.Policy{Deny: list("user:rita")}),
	}
	s := resolve(t, directory{snap: access.Snapshot{Identity: access.Identity{User: "rita"}, Bases: []access.KnowledgeBase{
		{ID: "kb1", Tenant: "acme", Grants: []access.Grant{{Principal: access.Everyone, Level: access.Reader}}},
	}}}, access.Request{})
	if diff := cmp.Diff([]bool{true, false, true, true, false, false, false}, judged(s, access.NewRoll(resources))); diff != "" {
		t.Error(diff)
	}
}

// judged is what a scope says of each resource of a roll.
func judged(s access.Scope, r *access.Roll) []bool {
	words := s.Judge(r)
	out := make([]bool, r.Len())
	for i := range out {
		out[i] = words[i/64]>>(i%64)&1 != 0
	}
	return out
}
