package desk

import (
	"context"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/problem"
)

// glossary keeps one tenant's list.
type glossary struct {
	list   lexicon.List
	change lexicon.Change
	by     access.UserID
	writes int
}

func (g *glossary) List(context.Context, access.TenantID) (lexicon.List, error) { return g.list, nil }

func (g *glossary) Mark(context.Context, access.TenantID) (int, error) {
	return g.list.LockVersion, nil
}

func (g *glossary) SetList(_ context.Context, _ access.TenantID, by access.UserID, c lexicon.Change) (lexicon.List, error) {
	g.change, g.by = c, by
	g.list = lexicon.List{Lines: c.Lines, LockVersion: g.list.LockVersion + 1}
	g.writes++
	return g.list, nil
}

func TestOnlyTheTenantsAdministratorReadsAndSetsItsSynonyms(t *testing.T) {
	r := newRegistry(0)
	r.users["tina"] = access.Identity{User: "tina", Roles: []access.Role{access.TenantAdmin}}
	r.users["carol"] = access.Identity{User: "carol", Roles: []access.Role{access.Member, access.KnowledgeAdmin, access.Auditor}}
	r.users["gone"] = access.Identity{User: "gone", Suspended: true, Roles: []access.Role{access.TenantAdmin}}
	g := &glossary{list: lexicon.List{Lines: []string{"SECRET, 机密"}, LockVersion: 1}}
	d := New(Deps{Directory: r, Admin: r, Lexicons: g})
	for _, user := range []access.UserID{"carol", "gone", "nobody"} {
		actor := access.Actor{Tenant: "acme", User: user}
		got, read := d.Lexicon(t.Context(), actor)
		// What is wrong with a list is nobody's business but the administrator's.
		_, set := d.SetLexicon(t.Context(), actor, []string{"B超"}, 0)
		if !problem.Is(read, problem.NotFound) || !problem.Is(set, problem.NotFound) || len(got.Lines) != 0 || g.writes != 0 {
			t.Errorf("%s: %v, %v, %+v, %d writes", user, read, set, got, g.writes)
		}
	}
	tina := access.Actor{Tenant: "acme", User: "tina"}
	if got, err := d.Lexicon(t.Context(), tina); err != nil || got.Synonyms != 1 || got.Words != 0 || len(got.Lines) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	got, err := d.SetLexicon(t.Context(), tina, []string{"OA, 办公自动化", "甲方乙"}, 1)
	if err != nil || got.LockVersion != 2 || got.Words != 1 || got.Synonyms != 1 || g.by != "tina" || g.change.LockVersion != 1 || g.change.Words == "" {
		t.Errorf("%+v by %s with %+v: %v", got, g.by, g.change, err)
	}
	if _, err := d.SetLexicon(t.Context(), access.Actor{Tenant: "acme", User: "carol", Operator: true}, nil, 0); err != nil {
		t.Errorf("the operator: %v", err)
	}
}

func TestAListWithAWrongLineIsNotStored(t *testing.T) {
	r := newRegistry(0)
	r.users["tina"] = access.Identity{User: "tina", Roles: []access.Role{access.TenantAdmin}}
	g := &glossary{}
	d := New(Deps{Directory: r, Admin: r, Lexicons: g})
	if _, err := d.SetLexicon(t.Context(), access.Actor{Tenant: "acme", User: "tina"}, []string{"OA, 办公", "VPN"}, 0); problem.CodeOf(err) != "invalid_lexicon" || g.writes != 0 {
		t.Errorf("%v, %d writes", err, g.writes)
	}
}
