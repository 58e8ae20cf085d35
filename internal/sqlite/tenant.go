package sqlite

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
)

// Tenant implements access.Tenancy.
func (a *Admin) Tenant(ctx context.Context, id access.TenantID) (out access.Tenant, err error) {
	err = a.db.read(ctx, func(ctx context.Context, t *tx) error {
		return missing(t.QueryRowContext(ctx, `SELECT id, name, local_only FROM tenants WHERE id = ?`, id).Scan(&out.ID, &out.Name, &out.LocalOnly))
	})
	return out, err
}

// SetLocalOnly implements access.Tenancy.
func (a *Admin) SetLocalOnly(ctx context.Context, tenant access.TenantID, by access.UserID, on bool) error {
	return a.db.write(ctx, func(ctx context.Context, t *tx) error {
		if err := one(t.ExecContext(ctx, `UPDATE tenants SET local_only = ? WHERE id = ?`, on, tenant)); err != nil {
			return err
		}
		return change(ctx, t, ledger.DirectoryChanged, tenant, by, map[string]any{"tenant": tenant, "local_only": on})
	})
}
