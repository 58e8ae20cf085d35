package access_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/access"
)

func TestAScopeKnowsTheNamesOfTheBasesInItAlone(t *testing.T) {
	snap := access.Snapshot{Identity: access.Identity{User: "u"}, Bases: []access.KnowledgeBase{
		{ID: "mine", Tenant: "acme", Name: "Handbook", Grants: []access.Grant{{Principal: access.User("u"), Level: access.Reader}}},
		{ID: "unnamed", Tenant: "acme", Grants: []access.Grant{{Principal: access.User("u"), Level: access.Reader}}},
		{ID: "theirs", Tenant: "acme", Name: "Secrets", Grants: []access.Grant{{Principal: access.User("v"), Level: access.Reader}}},
	}}
	s, err := access.Resolve(t.Context(), directory{snap: snap}, access.Actor{Tenant: "acme", User: "u"}, access.Request{})
	if err != nil {
		t.Fatal(err)
	}
	for kb, want := range map[access.KnowledgeBaseID]string{"mine": "Handbook", "unnamed": "", "theirs": "", "none": ""} {
		if got := s.BaseName(kb); got != want {
			t.Errorf("%s is called %q, want %q", kb, got, want)
		}
	}
}
