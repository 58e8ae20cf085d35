package desk

import (
	"context"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// administers checks that the actor runs the tenant's directory. Everybody else finds nothing
// there, so that no refusal says who is in it.
func (d *Desk) administers(ctx context.Context, actor access.Actor) error {
	id, err := d.Me(ctx, actor)
	if err != nil {
		return err
	}
	if !actor.Operator && !id.Has(access.TenantAdmin) {
		return problem.Missing()
	}
	return nil
}

// Users lists the users of the tenant by id, without their groups. It needs tenant_admin, as do
// all the methods on users and groups.
func (d *Desk) Users(ctx context.Context, actor access.Actor, after access.UserID, limit int) (corpus.Page[access.Identity], error) {
	var out corpus.Page[access.Identity]
	if err := d.administers(ctx, actor); err != nil {
		return out, err
	}
	list, err := d.deps.Admin.Users(ctx, actor.Tenant, after, limit+1)
	if err != nil {
		return out, err
	}
	out.Items = list[:min(limit, len(list))]
	if len(list) > limit {
		out.Next = string(list[limit-1].User)
	}
	return out, nil
}

// User returns a user of the tenant with all groups, through nesting too.
func (d *Desk) User(ctx context.Context, actor access.Actor, user access.UserID) (access.Identity, error) {
	if err := d.administers(ctx, actor); err != nil {
		return access.Identity{}, err
	}
	return d.person(ctx, actor.Tenant, user)
}

func (d *Desk) person(ctx context.Context, tenant access.TenantID, user access.UserID) (access.Identity, error) {
	snap, err := d.deps.Directory.Snapshot(ctx, tenant, user)
	if err != nil {
		return access.Identity{}, err
	}
	if snap.Identity.User != user {
		return access.Identity{}, problem.Missing()
	}
	return snap.Identity, nil
}

// CreateUser adds a person or a service account. A nil list of roles makes a member; an empty
// name is the id. A taken id is problem.Conflict "exists".
func (d *Desk) CreateUser(ctx context.Context, actor access.Actor, id access.Identity) (access.Identity, error) {
	if err := d.administers(ctx, actor); err != nil {
		return access.Identity{}, err
	}
	if err := checkNew(&id); err != nil {
		return access.Identity{}, err
	}
	d.people.Lock()
	defer d.people.Unlock()
	switch _, err := d.person(ctx, actor.Tenant, id.User); {
	case err == nil:
		return access.Identity{}, problem.New(problem.Conflict, "exists", "There is a user %q already.", id.User)
	case !problem.Is(err, problem.NotFound):
		return access.Identity{}, err
	}
	if err := d.deps.Admin.PutUser(ctx, actor.Tenant, actor.User, id); err != nil {
		return access.Identity{}, err
	}
	return d.person(ctx, actor.Tenant, id.User)
}

// checkNew completes a new user, or names what is wrong with it.
func checkNew(id *access.Identity) error {
	var fields []problem.Field
	if !access.ValidID(string(id.User)) {
		fields = append(fields, badID())
	}
	if id.DisplayName = strings.TrimSpace(id.DisplayName); id.DisplayName == "" {
		id.DisplayName = string(id.User)
	} else if detail := badName(id.DisplayName); detail != "" {
		fields = append(fields, problem.Field{Pointer: "/display_name", Detail: detail})
	}
	if id.Roles == nil {
		id.Roles = []access.Role{access.Member}
	}
	if fields = append(fields, badRoles(id.Roles)...); fields != nil {
		return invalid(fields...)
	}
	return nil
}

// UserChange edits a user. Nil fields stay as they are.
type UserChange struct {
	DisplayName *string
	Roles       *[]access.Role
	Suspended   *bool
}

func (c UserChange) check() error {
	var fields []problem.Field
	if c.DisplayName != nil {
		if detail := badName(strings.TrimSpace(*c.DisplayName)); detail != "" {
			fields = append(fields, problem.Field{Pointer: "/display_name", Detail: detail})
		}
	}
	if c.Roles != nil {
		fields = append(fields, badRoles(*c.Roles)...)
	}
	if fields == nil {
		return nil
	}
	return invalid(fields...)
}

func (c UserChange) apply(id access.Identity) access.Identity {
	if c.DisplayName != nil {
		id.DisplayName = strings.TrimSpace(*c.DisplayName)
	}
	if c.Roles != nil {
		id.Roles = *c.Roles
	}
	if c.Suspended != nil {
		id.Suspended = *c.Suspended
	}
	return id
}

// EditUser changes a user. The store signs out whoever is suspended. The last active
// person with tenant_admin can neither be suspended nor lose the role: problem.Conflict
// "last_admin".
func (d *Desk) EditUser(ctx context.Context, actor access.Actor, user access.UserID, c UserChange) (access.Identity, error) {
	if err := d.administers(ctx, actor); err != nil {
		return access.Identity{}, err
	}
	d.people.Lock()
	defer d.people.Unlock()
	before, err := d.person(ctx, actor.Tenant, user)
	if err != nil {
		return access.Identity{}, err
	}
	if err := c.check(); err != nil {
		return access.Identity{}, err
	}
	after := c.apply(before)
	if runs(before) && !runs(after) {
		if err := d.another(ctx, actor.Tenant, user); err != nil {
			return access.Identity{}, err
		}
	}
	if err := d.deps.Admin.PutUser(ctx, actor.Tenant, actor.User, after); err != nil {
		return access.Identity{}, err
	}
	return d.person(ctx, actor.Tenant, user)
}

// runs reports whether somebody can administer the tenant in person now.
func runs(id access.Identity) bool {
	return !id.Suspended && !id.Service && id.Has(access.TenantAdmin)
}

// another checks that somebody else than the user administers the tenant.
func (d *Desk) another(ctx context.Context, tenant access.TenantID, user access.UserID) error {
	var after access.UserID
	for {
		list, err := d.deps.Admin.Users(ctx, tenant, after, pageOfPeople)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(list, func(id access.Identity) bool { return id.User != user && runs(id) }) {
			return nil
		}
		if len(list) < pageOfPeople {
			return problem.New(problem.Conflict, "last_admin", "This is the last active administrator of the tenant; make somebody else one first.")
		}
		after = list[len(list)-1].User
	}
}

// pageOfPeople is how many users or groups are read at once.
const pageOfPeople = 500

func badID() problem.Field {
	return problem.Field{Pointer: "/id", Detail: "must be 1 to 64 letters, digits, dots, dashes or underscores, beginning with a letter or digit"}
}

func badRoles(roles []access.Role) (fields []problem.Field) {
	for i, r := range roles {
		switch _, err := access.ParseRole(string(r)); {
		case err != nil:
			return []problem.Field{{Pointer: "/roles", Detail: "must hold member, knowledge_admin, auditor and tenant_admin alone"}}
		case slices.Contains(roles[:i], r):
			return []problem.Field{{Pointer: "/roles", Detail: "must name each role once"}}
		}
	}
	return nil
}
