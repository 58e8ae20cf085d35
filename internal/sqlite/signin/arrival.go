package signin

import (
	"context"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Arrivals implements auth.Arrivals.
type Arrivals struct{ DB *database.DB }

// Admit implements auth.Arrivals. The one writer makes arrivals of the same person at once wait for
// each other, so that the first makes the person and the others find them.
func (a *Arrivals) Admit(ctx context.Context, in auth.Arrival) (user access.UserID, err error) {
	err = a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		link, err := identityOf(ctx, t, in.Tenant, in.Issuer, in.Subject)
		if problem.Is(err, problem.NotFound) && in.Newcomer.User != "" {
			link, err = welcome(ctx, t, in)
		}
		if err != nil {
			return err
		}
		id, err := directory.Identity(ctx, t, in.Tenant, link.User)
		switch {
		case err != nil:
			return err
		case id.Suspended || id.Service:
			return problem.Missing()
		}
		if err := provide(ctx, t, id.User, in, id); err != nil {
			return err
		}
		user = link.User
		in.Session.Tenant, in.Session.User = in.Tenant, user
		in.Session.Issuer, in.Session.Subject = in.Issuer, in.Subject
		return put(ctx, t, in.Session)
	})
	if err != nil {
		return "", err
	}
	return user, nil
}

// welcome makes a person and the link in one. The id must be new: a name that somebody else can
// choose must never lead to a person who is there.
func welcome(ctx context.Context, t *database.Tx, in auth.Arrival) (auth.Identity, error) {
	if !access.ValidID(string(in.Newcomer.User)) {
		return auth.Identity{}, problem.New(problem.Internal, "invalid_id", "A newcomer has an id that can't be one.")
	}
	roles := []access.Role{access.Member}
	_, err := t.ExecContext(ctx, `INSERT INTO users (tenant, id, display_name, roles, suspended, service) VALUES (?, ?, ?, ?, 0, 0)`,
		in.Tenant, in.Newcomer.User, in.Newcomer.DisplayName, list(roles))
	if err != nil {
		return auth.Identity{}, err
	}
	err = chain.Change(ctx, t, ledger.DirectoryChanged, in.Tenant, in.Newcomer.User, map[string]any{
		"user": in.Newcomer.User, "roles": roles, "suspended": false, "service": false, "through": "provider",
	})
	if err != nil {
		return auth.Identity{}, err
	}
	return putIdentity(ctx, t, in.Newcomer.User, auth.Identity{Tenant: in.Tenant, User: in.Newcomer.User, Issuer: in.Issuer, Subject: in.Subject})
}

// provide gives a person what the provider says now and takes back what it no longer says.
func provide(ctx context.Context, t *database.Tx, by access.UserID, in auth.Arrival, id access.Identity) error {
	groups, err := provideGroups(ctx, t, in, id.User)
	if err != nil {
		return err
	}
	roles, held, err := provideRoles(ctx, t, in, id)
	if err != nil || groups.same() && roles.same() {
		return err
	}
	if !roles.same() {
		_, err := t.ExecContext(ctx, `UPDATE users SET roles = ? WHERE tenant = ? AND id = ?`, list(held), in.Tenant, id.User)
		if err != nil {
			return err
		}
	}
	return chain.Change(ctx, t, ledger.DirectoryChanged, in.Tenant, by, map[string]any{
		"user": id.User, "groups": groups, "roles": roles, "through": "provider",
	})
}

// difference is what a provider gave and took, as the ledger says it.
type difference struct {
	Given []string `json:"given"`
	Taken []string `json:"taken"`
}

func (d difference) same() bool { return len(d.Given) == 0 && len(d.Taken) == 0 }

// provideGroups changes the memberships and returns which.
func provideGroups(ctx context.Context, t *database.Tx, in auth.Arrival, user access.UserID) (d difference, err error) {
	d = difference{[]string{}, []string{}}
	had, err := provided(ctx, t, in.Tenant, user, "group")
	if err != nil {
		return d, err
	}
	for _, name := range had {
		if slices.Contains(in.Groups, access.GroupID(name)) {
			continue
		}
		if err := unprovide(ctx, t, in.Tenant, user, "group", name); err != nil {
			return d, err
		}
		err := row.One(t.ExecContext(ctx, `DELETE FROM members WHERE tenant = ? AND grp = ? AND principal = ?`, in.Tenant, name, access.User(user)))
		if err == nil {
			d.Taken = append(d.Taken, name)
		} else if !problem.Is(err, problem.NotFound) {
			return d, err
		}
	}
	for _, g := range in.Groups {
		// Of a group that is not there nothing is selected; of a membership that is there, nothing
		// is inserted, and it stays its giver's.
		err := row.One(t.ExecContext(ctx, `INSERT INTO members (tenant, grp, principal) SELECT tenant, id, ? FROM groups WHERE tenant = ? AND id = ?
ON CONFLICT DO NOTHING`, access.User(user), in.Tenant, g))
		if problem.Is(err, problem.NotFound) {
			continue
		}
		if err == nil {
			err = noteProvided(ctx, t, in.Tenant, user, "group", string(g))
		}
		if err != nil {
			return d, err
		}
		d.Given = append(d.Given, string(g))
	}
	return d, nil
}

// provideRoles returns the roles that a person holds now, and what changed.
func provideRoles(ctx context.Context, t *database.Tx, in auth.Arrival, id access.Identity) (d difference, held []access.Role, err error) {
	d, held = difference{[]string{}, []string{}}, slices.Clone(id.Roles)
	had, err := provided(ctx, t, in.Tenant, id.User, "role")
	if err != nil {
		return d, nil, err
	}
	for _, name := range had {
		if slices.Contains(in.Roles, access.Role(name)) {
			continue
		}
		if err := unprovide(ctx, t, in.Tenant, id.User, "role", name); err != nil {
			return d, nil, err
		}
		if at := slices.Index(held, access.Role(name)); at >= 0 {
			held = slices.Delete(held, at, at+1)
			d.Taken = append(d.Taken, name)
		}
	}
	for _, r := range in.Roles {
		if slices.Contains(held, r) {
			continue
		}
		if err := noteProvided(ctx, t, in.Tenant, id.User, "role", string(r)); err != nil {
			return d, nil, err
		}
		held = append(held, r)
		d.Given = append(d.Given, string(r))
	}
	return d, held, nil
}

// provided lists what a provider gave a person.
func provided(ctx context.Context, t *database.Tx, tenant access.TenantID, user access.UserID, kind string) ([]string, error) {
	rows, err := t.QueryContext(ctx, `SELECT name FROM provided WHERE tenant = ? AND user = ? AND kind = ? ORDER BY name`, tenant, user, kind)
	return row.Collect(rows, err, row.Text[string])
}

func noteProvided(ctx context.Context, t *database.Tx, tenant access.TenantID, user access.UserID, kind, name string) error {
	_, err := t.ExecContext(ctx, `INSERT INTO provided (tenant, user, kind, name) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, tenant, user, kind, name)
	return err
}

func unprovide(ctx context.Context, t *database.Tx, tenant access.TenantID, user access.UserID, kind, name string) error {
	_, err := t.ExecContext(ctx, `DELETE FROM provided WHERE tenant = ? AND user = ? AND kind = ? AND name = ?`, tenant, user, kind, name)
	return err
}

// ForgetMembers ends what a provider is said to have given of a group once it was taken by hand: if
// a hand gives it again, it is the hand's.
func ForgetMembers(ctx context.Context, t row.Queries, tenant access.TenantID, group access.GroupID) error {
	_, err := t.ExecContext(ctx, `DELETE FROM provided WHERE tenant = ?1 AND kind = 'group' AND name = ?2 AND NOT EXISTS (
  SELECT 1 FROM members m WHERE m.tenant = ?1 AND m.grp = ?2 AND m.principal = 'user:' || provided.user)`, tenant, group)
	return err
}

// ForgetRoles is ForgetMembers for the roles of a user.
func ForgetRoles(ctx context.Context, t row.Queries, tenant access.TenantID, id access.Identity) error {
	_, err := t.ExecContext(ctx, `DELETE FROM provided WHERE tenant = ? AND user = ? AND kind = 'role'
AND name NOT IN (SELECT value FROM json_each(?))`, tenant, id.User, list(id.Roles))
	return err
}

// Spend implements auth.Arrivals.
func (a *Arrivals) Spend(ctx context.Context, id string, until time.Time) error {
	return a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error { return spend(ctx, t, id, until) })
}

func spend(ctx context.Context, t *database.Tx, id string, until time.Time) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM spent WHERE expires_at <= ?`, t.Now().UnixMicro()); err != nil {
		return err
	}
	err := row.One(t.ExecContext(ctx, `INSERT INTO spent (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, until.UnixMicro()))
	if problem.Is(err, problem.NotFound) {
		return problem.New(problem.Conflict, "spent", "This was used already.")
	}
	return err
}

// EndProvided implements auth.Arrivals.
func (a *Arrivals) EndProvided(ctx context.Context, e auth.Ending) (n int, err error) {
	err = a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) (err error) {
		if err := spend(ctx, t, e.ID, e.Until); err != nil {
			return err
		}
		n, err = endProvided(ctx, t, e.Tenant, e.Issuer, e.Subject, e.SID)
		return err
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}
