// Package tenancy keeps tenants: that they are there, who their people and groups are, and what holds for them as a
// whole.
package tenancy

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Tenancy implements access.Tenancy.
type Tenancy struct {
	DB *database.DB
	// First is whether the database was opened where no server runs, or by the server.
	First bool
}

// Tenant implements access.Tenancy.
func (a *Tenancy) Tenant(ctx context.Context, id access.TenantID) (out access.Tenant, err error) {
	err = a.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		err := t.QueryRowContext(ctx, `SELECT id, name, local_only FROM tenants WHERE id = ?`, id).Scan(&out.ID, &out.Name, &out.LocalOnly)
		return row.Missing(err)
	})
	return out, err
}

// SetLocalOnly implements access.Tenancy. An unknown tenant has no epoch to raise, so nothing is
// recorded of it.
func (a *Tenancy) SetLocalOnly(ctx context.Context, tenant access.TenantID, by access.UserID, on bool) error {
	return a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := t.ExecContext(ctx, `UPDATE tenants SET local_only = ? WHERE id = ?`, on, tenant); err != nil {
			return err
		}
		return chain.Change(ctx, t, ledger.DirectoryChanged, tenant, by, map[string]any{"tenant": tenant, "local_only": on})
	})
}
