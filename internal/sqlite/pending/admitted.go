package pending

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Groups selects what decides about admitting them of versions `d`, and how many are alike: versions of one knowledge base
// under one policy are decided about at once, however many wait. Of a scope with a bound of its own the versions are told apart.
func Groups(from string, bounded bool) string {
	own := `'', 0`
	if bounded {
		own = `d.key, d.updated_at`
	}
	return `SELECT d.base, d.status, d.policy, ` + own + `, count(*) FROM ` + from + ` GROUP BY 1, 2, 3, 4, 5`
}

// Admitted counts the versions `d` of a join that a scope admits, of the tenant of the scope alone. A scope of an epoch that is
// over counts nothing. One that asks for a day in the past admits none, since none of then waits.
func Admitted(ctx context.Context, q row.Queries, scope access.Scope, from string, args ...any) (n int, err error) {
	var epoch access.Epoch
	if err := q.QueryRowContext(ctx, `SELECT epoch FROM tenants WHERE id = ?`, scope.Tenant()).Scan(&epoch); err != nil {
		return 0, row.Missing(err)
	}
	if err := scope.Current(epoch); err != nil {
		return 0, err
	}
	rows, err := q.QueryContext(ctx, Groups(from, scope.Bounded()), args...)
	groups, err := row.Collect(rows, err, func(r row.Scanner) (count int, err error) {
		v, policy, updated := access.Resource{Tenant: scope.Tenant()}, "", int64(0)
		if err := r.Scan(&v.KnowledgeBase, &v.Status, &policy, &v.DocKey, &updated, &count); err != nil {
			return 0, err
		}
		v.UpdatedAt = row.At(updated)
		if err := json.Unmarshal([]byte(policy), &v.Policy); err != nil || !scope.Admits(v) {
			return 0, err
		}
		return count, nil
	})
	for _, count := range groups {
		n += count
	}
	return n, err
}
