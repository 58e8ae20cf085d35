// Package directory reads who there is in a tenant and what they were granted: users with all their groups, and
// knowledge bases with their grants. It changes nothing; rights are made of it elsewhere.
package directory

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Valid checks an id that people choose.
func Valid(what, id string) error {
	if access.ValidID(id) {
		return nil
	}
	return problem.New(problem.Invalid, "invalid_id",
		"%q can't name a %s: use 1 to 64 letters, digits, dots, dashes or underscores, beginning with a letter or digit.", id, what)
}

// Snapshots implements access.Directory.
type Snapshots struct{ DB *database.DB }

// Snapshot implements access.Directory.
func (d *Snapshots) Snapshot(ctx context.Context, tenant access.TenantID, user access.UserID) (snap access.Snapshot, err error) {
	err = d.DB.Read(ctx, func(ctx context.Context, t *database.Tx) (err error) {
		snap, err = snapshot(ctx, t, tenant, user)
		return err
	})
	return snap, err
}

// inside is a directory that reads inside a transaction, for rights that must be checked anew in
// the very transaction that uses them.
type inside struct{ t *database.Tx }

// Within returns the directory as a transaction sees it.
func Within(t *database.Tx) access.Directory { return inside{t} }

// Snapshot implements access.Directory.
func (w inside) Snapshot(ctx context.Context, tenant access.TenantID, user access.UserID) (access.Snapshot, error) {
	return snapshot(ctx, w.t, tenant, user)
}

func snapshot(ctx context.Context, t *database.Tx, tenant access.TenantID, user access.UserID) (snap access.Snapshot, err error) {
	if err = row.Missing(t.QueryRowContext(ctx, `SELECT epoch, local_only FROM tenants WHERE id = ?`, tenant).Scan(&snap.Epoch, &snap.LocalOnly)); err != nil {
		return snap, err
	}
	if snap.Identity, err = Identity(ctx, t, tenant, user); err != nil {
		return snap, err
	}
	snap.Bases, err = Bases(ctx, t, tenant)
	return snap, err
}

// Identity reads a user with all groups that hold the user, directly or through other groups.
// UNION drops what was found already, so that groups which contain each other end the recursion.
func Identity(ctx context.Context, t *database.Tx, tenant access.TenantID, user access.UserID) (id access.Identity, err error) {
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

// Users reads the users of a tenant after one, by id, each without groups.
func Users(ctx context.Context, t *database.Tx, tenant access.TenantID, after access.UserID, limit int) ([]access.Identity, error) {
	rows, err := t.QueryContext(ctx, selectUser+`WHERE tenant = ? AND id > ? ORDER BY id LIMIT ?`, tenant, after, limit)
	return row.Collect(rows, err, scanUser)
}
