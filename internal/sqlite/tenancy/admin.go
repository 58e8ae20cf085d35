package tenancy

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/signin"
)

// Admin implements access.Admin.
type Admin struct{ DB *database.DB }

// CreateTenant implements access.Admin.
func (a *Admin) CreateTenant(ctx context.Context, id access.TenantID, name string) error {
	if err := directory.Valid("tenant", string(id)); err != nil {
		return err
	}
	return a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		err := row.One(t.ExecContext(ctx, `INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, id, name, t.Now().UnixMicro()))
		if problem.Is(err, problem.NotFound) {
			return problem.New(problem.Conflict, "exists", "There is a tenant %q already.", id)
		}
		if err != nil {
			return err
		}
		return chain.Change(ctx, t, ledger.DirectoryChanged, id, access.Operator, map[string]any{"tenant": id})
	})
}

// Tenants implements access.Admin.
func (a *Admin) Tenants(ctx context.Context) (out []access.TenantID, err error) {
	err = a.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT id FROM tenants ORDER BY id`)
		out, err = row.Collect(rows, err, row.Text[access.TenantID])
		return err
	})
	return out, err
}

// PutUser implements access.Admin. A user keeps the password, but one who is suspended is signed
// out everywhere.
func (a *Admin) PutUser(ctx context.Context, tenant access.TenantID, by access.UserID, id access.Identity) error {
	if err := directory.Valid("user", string(id.User)); err != nil {
		return err
	}
	if id.User == access.Operator { // whose entries in the ledger would be theirs to read
		return problem.New(problem.Invalid, "reserved_id", "The name %q stands in the ledger for whoever holds the data folder; no user can have it.", access.Operator)
	}
	for _, r := range id.Roles {
		if _, err := access.ParseRole(string(r)); err != nil {
			return err
		}
	}
	return a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := database.Epoch(ctx, t, tenant); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `INSERT INTO users (tenant, id, display_name, roles, suspended, service) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, id) DO UPDATE SET display_name = excluded.display_name, roles = excluded.roles,
  suspended = excluded.suspended, service = excluded.service`,
			tenant, id.User, id.DisplayName, row.Marshal(row.List(id.Roles)), id.Suspended, id.Service)
		if err != nil {
			return err
		}
		if err := signin.ForgetRoles(ctx, t, tenant, id); err != nil {
			return err
		}
		if err := requests.Made(ctx, t, idempotency.Receipt{ID: string(id.User)}); err != nil {
			return err
		}
		if id.Suspended {
			if err := signin.EndSessions(ctx, t, tenant, id.User); err != nil {
				return err
			}
		}
		return chain.Change(ctx, t, ledger.DirectoryChanged, tenant, by, map[string]any{
			"user": id.User, "roles": row.List(id.Roles), "suspended": id.Suspended, "service": id.Service,
		})
	})
}

// PutGroup implements access.Admin.
func (a *Admin) PutGroup(ctx context.Context, tenant access.TenantID, by access.UserID, group access.GroupID, members []access.Principal) error {
	if err := directory.Valid("group", string(group)); err != nil {
		return err
	}
	for _, m := range members {
		if _, err := access.ParsePrincipal(string(m)); err != nil {
			return err
		}
		if m == access.Everyone {
			return problem.New(problem.Invalid, "invalid_member", "The members of a group are users and groups: %q is neither.", m)
		}
	}
	return a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := database.Epoch(ctx, t, tenant); err != nil {
			return err
		}
		for _, statement := range []string{
			`INSERT INTO groups (tenant, id) VALUES (?, ?) ON CONFLICT DO NOTHING`, `DELETE FROM members WHERE tenant = ? AND grp = ?`,
		} {
			if _, err := t.ExecContext(ctx, statement, tenant, group); err != nil {
				return err
			}
		}
		for _, m := range members {
			_, err := t.ExecContext(ctx, `INSERT INTO members (tenant, grp, principal) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, tenant, group, m)
			if err != nil {
				return err
			}
		}
		if err := signin.ForgetMembers(ctx, t, tenant, group); err != nil {
			return err
		}
		if err := requests.Made(ctx, t, idempotency.Receipt{ID: string(group)}); err != nil {
			return err
		}
		return chain.Change(ctx, t, ledger.DirectoryChanged, tenant, by, map[string]any{"group": group, "members": row.List(members)})
	})
}

// DeleteGroup implements access.Admin. The group leaves the groups it was in. Grants and policies
// keep its name: a group made again under the same id is one that they name.
func (a *Admin) DeleteGroup(ctx context.Context, tenant access.TenantID, by access.UserID, group access.GroupID) error {
	return a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if err := row.One(t.ExecContext(ctx, `DELETE FROM groups WHERE tenant = ? AND id = ?`, tenant, group)); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM members WHERE tenant = ? AND principal = ?`, tenant, access.Group(group)); err != nil {
			return err
		}
		if err := signin.ForgetMembers(ctx, t, tenant, group); err != nil {
			return err
		}
		return chain.Change(ctx, t, ledger.DirectoryChanged, tenant, by, map[string]any{"group": group, "deleted": true})
	})
}

// Users implements access.Admin.
func (a *Admin) Users(ctx context.Context, tenant access.TenantID, after access.UserID, limit int) (out []access.Identity, err error) {
	err = a.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, err = directory.Users(ctx, t, tenant, after, row.PageSize(limit))
		return err
	})
	return out, err
}

// Groups implements access.Admin.
func (a *Admin) Groups(ctx context.Context, tenant access.TenantID, after access.GroupID, limit int) (out []access.Membership, err error) {
	err = a.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT id FROM groups WHERE tenant = ? AND id > ? ORDER BY id LIMIT ?`, tenant, after, row.PageSize(limit))
		ids, err := row.Collect(rows, err, row.Text[access.GroupID])
		if err != nil {
			return err
		}
		for _, id := range ids {
			rows, err := t.QueryContext(ctx, `SELECT principal FROM members WHERE tenant = ? AND grp = ? ORDER BY principal`, tenant, id)
			members, err := row.Collect(rows, err, row.Text[access.Principal])
			if err != nil {
				return err
			}
			out = append(out, access.Membership{Group: id, Members: members})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
