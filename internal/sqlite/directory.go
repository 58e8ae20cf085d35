package sqlite

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
)

// Directory implements access.Directory.
type Directory struct{ db *DB }

// Directory returns the directory of all tenants.
func (db *DB) Directory() *Directory { return &Directory{db} }

// Snapshot implements access.Directory.
func (d *Directory) Snapshot(ctx context.Context, tenant access.TenantID, user access.UserID) (snap access.Snapshot, err error) {
	err = d.db.read(ctx, func(ctx context.Context, t *tx) (err error) {
		snap, err = snapshot(ctx, t, tenant, user)
		return err
	})
	return snap, err
}

// within is a directory that reads inside a transaction, for rights that must be checked anew in
// the very transaction that uses them.
type within struct{ t *tx }

func (w within) Snapshot(ctx context.Context, tenant access.TenantID, user access.UserID) (access.Snapshot, error) {
	return snapshot(ctx, w.t, tenant, user)
}

func snapshot(ctx context.Context, t *tx, tenant access.TenantID, user access.UserID) (snap access.Snapshot, err error) {
	if snap.Epoch, err = epochOf(ctx, t, tenant); err != nil {
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
func identity(ctx context.Context, t *tx, tenant access.TenantID, user access.UserID) (id access.Identity, err error) {
	row := t.QueryRowContext(ctx, `SELECT id, display_name, roles, suspended, service FROM users WHERE tenant = ? AND id = ?`, tenant, user)
	var roles string
	if err = row.Scan(&id.User, &id.DisplayName, &roles, &id.Suspended, &id.Service); err != nil {
		return id, missing(err)
	}
	if err = json.Unmarshal([]byte(roles), &id.Roles); err != nil {
		return id, err
	}
	rows, err := t.QueryContext(ctx, `WITH RECURSIVE mine (grp) AS (
  SELECT grp FROM members WHERE tenant = ?1 AND principal = ?2
  UNION
  SELECT m.grp FROM members m JOIN mine ON m.tenant = ?1 AND m.principal = 'group:' || mine.grp
) SELECT grp FROM mine ORDER BY grp`, tenant, access.User(user))
	id.Groups, err = collect(rows, err, text[access.GroupID])
	return id, err
}
