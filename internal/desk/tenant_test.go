package desk

import (
	"context"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// tenancy keeps one tenant's wish.
type tenancy struct {
	tenant access.Tenant
	by     access.UserID
	writes int
}

func (s *tenancy) Tenant(context.Context, access.TenantID) (access.Tenant, error) {
	return s.tenant, nil
}

func (s *tenancy) SetLocalOnly(_ context.Context, _ access.TenantID, by access.UserID, on bool) error {
	s.tenant.LocalOnly, s.by = on, by
	s.writes++
	return nil
}

func TestOnlyTheTenantsAdministratorSetsWhereItsTextGoes(t *testing.T) {
	r := newRegistry(0)
	r.users["tina"] = access.Identity{User: "tina", Roles: []access.Role{access.TenantAdmin}}
	r.users["carol"] = access.Identity{User: "carol", Roles: []access.Role{access.Member, access.KnowledgeAdmin, access.Auditor}}
	r.users["gone"] = access.Identity{User: "gone", Suspended: true, Roles: []access.Role{access.TenantAdmin}}
	s := &tenancy{tenant: access.Tenant{ID: "acme"}}
	d := New(Deps{Directory: r, Admin: r, Tenancy: s})
	for _, user := range []access.UserID{"carol", "gone", "nobody"} {
		_, err := d.SetLocalOnly(t.Context(), access.Actor{Tenant: "acme", User: user}, true)
		_, seen := d.Tenant(t.Context(), access.Actor{Tenant: "acme", User: user})
		if !problem.Is(err, problem.NotFound) || !problem.Is(seen, problem.NotFound) || s.writes != 0 {
			t.Errorf("%s: %v, %v, %d writes", user, err, seen, s.writes)
		}
	}
	got, err := d.SetLocalOnly(t.Context(), access.Actor{Tenant: "acme", User: "tina"}, true)
	if err != nil || !got.LocalOnly || s.by != "tina" {
		t.Errorf("%+v by %s, %v", got, s.by, err)
	}
	if _, err := d.SetLocalOnly(t.Context(), access.Actor{Tenant: "acme", User: "carol", Operator: true}, false); err != nil || s.tenant.LocalOnly {
		t.Errorf("the operator: %+v, %v", s.tenant, err)
	}
	if _, err := d.LocalOnly(t.Context(), access.Actor{Tenant: "acme", User: "gone"}); !problem.Is(err, problem.NotFound) {
		t.Errorf("a suspended user is told: %v", err)
	}
	if on, err := d.LocalOnly(t.Context(), access.Actor{Tenant: "acme", User: "carol"}); err != nil || on {
		t.Errorf("a member is told %t, %v", on, err)
	}
}
