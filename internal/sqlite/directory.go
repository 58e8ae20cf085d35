package sqlite

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Directory implements access.Directory.
type Directory struct{ db *database.DB }

// Directory returns the directory of all tenants.
func (db *DB) Directory() *Directory { return &Directory{db: db.core} }

// Snapshot implements access.Directory.
func (d *Directory) Snapshot(ctx context.Context, tenant access.TenantID, user access.UserID) (snap access.Snapshot, err error) {
	err = d.db.Read(ctx, func(ctx context.Context, t *database.Tx) (err error) {
		snap, err = snapshot(ctx, t, tenant, user)
		return err
	})
	return snap, err
}

// within is a directory that reads inside a transaction, for rights that must be checked anew in
// the very transaction that uses them.
type within struct{ t *database.Tx }

// inside returns the directory as a transaction sees it.
func inside(t *database.Tx) access.Directory { return within{t} }

// Snapshot implements access.Directory.
func (w within) Snapshot(ctx context.Context, tenant access.TenantID, user access.UserID) (access.Snapshot, error) {
	return snapshot(ctx, w.t, tenant, user)
}

func snapshot(ctx context.Context, t *database.Tx, tenant access.TenantID, user access.UserID) (snap access.Snapshot, err error) {
	if err = row.Missing(t.QueryRowContext(ctx, `SELECT epoch, local_only FROM tenants WHERE id = ?`, tenant).Scan(&snap.Epoch, &snap.LocalOnly)); err != nil {
		return snap, err
	}
	if snap.Identity, err = identity(ctx, t, tenant, user); err != nil {
		return snap, err
	}
	snap.Bases, err = bases(ctx, t, tenant)
	return snap, err
}

// identity reads a user with all groups that hold the user, directly or through other groups.
// UNION drops what was found already, so that groups which contain each other end the recursion.
func identity(ctx context.Context, t *database.Tx, tenant access.TenantID, user access.UserID) (id access.Identity, err error) {
	if id, err = scanUser(t.QueryRowContext(ctx, selectUser+`WHERE tenant = ? AND id = ?`, tenant, user)); err != nil {
		return id, row.Missing(err)
	}
	rows, err := t.QueryContext(ctx, `WITH RECURSIVE mine (grp) AS (
  SELECT grp FROM members WHERE tenant = ?1 AND principal = ?2
  UNION
  SELECT m.grp FROM members m JOIN mine ON m.tenant = ?1 AND m.principal = 'group:' || mine.grp
) SELECT grp FROM mine ORDER BY grp`, tenant, access.User(user))
	id.Groups, err = row.Collect(rows, err, row.Text[access.GroupID])
	return id, err
}

const selectUser = `SELECT id, display_name, roles, suspended, service FROM users `

func scanUser(r row.Scanner) (id access.Identity, err error) {
	var roles string
	if err = r.Scan(&id.User, &id.DisplayName, &roles, &id.Suspended, &id.Service); err != nil {
		return id, err
	}
	err = json.Unmarshal([]byte(roles), &id.Roles)
	return id, err
}

// users reads the users of a tenant after one, by id, each without groups.
func users(ctx context.Context, t *database.Tx, tenant access.TenantID, after access.UserID, limit int) ([]access.Identity, error) {
	rows, err := t.QueryContext(ctx, selectUser+`WHERE tenant = ? AND id > ? ORDER BY id LIMIT ?`, tenant, after, limit)
	return row.Collect(rows, err, scanUser)
}

// Users implements access.Admin.
func (a *Admin) Users(ctx context.Context, tenant access.TenantID, after access.UserID, limit int) (out []access.Identity, err error) {
	err = a.db.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, err = users(ctx, t, tenant, after, row.PageSize(limit))
		return err
	})
	return out, err
}

// Groups implements access.Admin.
func (a *Admin) Groups(ctx context.Context, tenant access.TenantID, after access.GroupID, limit int) (out []access.Membership, err error) {
	err = a.db.Read(ctx, func(ctx context.Context, t *database.Tx) error {
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
