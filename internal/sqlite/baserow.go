package sqlite

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

const selectBase = `SELECT tenant, id, name, publishing, lock_version, created_at FROM bases `

func scanBase(r row.Scanner) (kb access.KnowledgeBase, err error) {
	var created int64
	err = r.Scan(&kb.Tenant, &kb.ID, &kb.Name, &kb.Publishing, &kb.LockVersion, &created)
	kb.CreatedAt = row.At(created)
	return kb, err
}

// base reads one knowledge base with its grants.
func base(ctx context.Context, t *database.Tx, tenant access.TenantID, id access.KnowledgeBaseID) (access.KnowledgeBase, error) {
	kb, err := scanBase(t.QueryRowContext(ctx, selectBase+`WHERE tenant = ? AND id = ?`, tenant, id))
	if err != nil {
		return kb, row.Missing(err)
	}
	rows, err := t.QueryContext(ctx, `SELECT base, principal, level FROM grants WHERE tenant = ? AND base = ? ORDER BY principal`, tenant, id)
	grants, err := row.Collect(rows, err, scanGrant)
	for _, g := range grants {
		kb.Grants = append(kb.Grants, g.Grant)
	}
	return kb, err
}

// bases reads all knowledge bases of a tenant with their grants, by id.
func bases(ctx context.Context, t *database.Tx, tenant access.TenantID) ([]access.KnowledgeBase, error) {
	rows, err := t.QueryContext(ctx, selectBase+`WHERE tenant = ? ORDER BY id`, tenant)
	out, err := row.Collect(rows, err, scanBase)
	if err != nil {
		return nil, err
	}
	rows, err = t.QueryContext(ctx, `SELECT base, principal, level FROM grants WHERE tenant = ? ORDER BY base, principal`, tenant)
	grants, err := row.Collect(rows, err, scanGrant)
	i := 0
	for _, g := range grants {
		for out[i].ID != g.base {
			i++
		}
		out[i].Grants = append(out[i].Grants, g.Grant)
	}
	return out, err
}

type baseGrant struct {
	base access.KnowledgeBaseID
	access.Grant
}

func scanGrant(r row.Scanner) (g baseGrant, err error) {
	err = r.Scan(&g.base, &g.Principal, &g.Level)
	return g, err
}

// admittedBase reads a knowledge base on which the scope has a level. Absent and invisible are
// one: the row is read before the level is looked at.
func admittedBase(ctx context.Context, t *database.Tx, scope access.Scope, id access.KnowledgeBaseID, level access.Level) (access.KnowledgeBase, error) {
	kb, err := base(ctx, t, scope.Tenant(), id)
	if err == nil && scope.Level(id) < level {
		err = problem.Missing()
	}
	if err != nil {
		return access.KnowledgeBase{}, err
	}
	return kb, nil
}

func putGrants(ctx context.Context, t *database.Tx, tenant access.TenantID, id access.KnowledgeBaseID, grants []access.Grant) error {
	for _, g := range grants {
		_, err := t.ExecContext(ctx, `INSERT INTO grants (tenant, base, principal, level) VALUES (?, ?, ?, ?)`, tenant, id, g.Principal, g.Level)
		if err != nil {
			return err
		}
	}
	return nil
}

// validBase checks what a caller may set. A principal is granted one level.
func validBase(kb access.KnowledgeBase) error {
	if kb.Publishing != access.ByProposal && kb.Publishing != access.Directly {
		return problem.New(problem.Invalid, "invalid_publishing", "%q is no way of publishing: use proposal or direct.", kb.Publishing)
	}
	seen := map[access.Principal]bool{}
	for _, g := range kb.Grants {
		if _, err := access.ParsePrincipal(string(g.Principal)); err != nil {
			return err
		}
		if _, err := access.ParseLevel(g.Level.String()); err != nil {
			return err
		}
		if seen[g.Principal] {
			return problem.New(problem.Invalid, "invalid_grants", "%q is granted two levels.", g.Principal)
		}
		seen[g.Principal] = true
	}
	return nil
}

func baseBody(what string, kb access.KnowledgeBase) map[string]any {
	return map[string]any{
		"change": what, "knowledge_base": kb.ID, "publishing": kb.Publishing,
		"lock_version": kb.LockVersion, "grants": grantBody(kb.Grants),
	}
}

func grantBody(grants []access.Grant) map[access.Principal]string {
	out := make(map[access.Principal]string, len(grants))
	for _, g := range grants {
		out[g.Principal] = g.Level.String()
	}
	return out
}

func lockConflict() error {
	return problem.New(problem.Conflict, "lock_conflict", "It was changed meanwhile: read it again.")
}
