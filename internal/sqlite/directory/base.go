package directory

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

// Base reads one knowledge base with its grants.
func Base(ctx context.Context, t *database.Tx, tenant access.TenantID, id access.KnowledgeBaseID) (access.KnowledgeBase, error) {
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

// Bases reads all knowledge bases of a tenant with their grants, by id.
func Bases(ctx context.Context, t *database.Tx, tenant access.TenantID) ([]access.KnowledgeBase, error) {
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

// AdmittedBase reads a knowledge base on which the scope has a level. Absent and invisible are
// one: the row is read before the level is looked at.
func AdmittedBase(ctx context.Context, t *database.Tx, scope access.Scope, id access.KnowledgeBaseID, level access.Level) (access.KnowledgeBase, error) {
	kb, err := Base(ctx, t, scope.Tenant(), id)
	if err == nil && scope.Level(id) < level {
		err = problem.Missing()
	}
	if err != nil {
		return access.KnowledgeBase{}, err
	}
	return kb, nil
}
