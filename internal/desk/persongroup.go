package desk

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Groups lists the groups of the tenant by id with their direct members.
func (d *Desk) Groups(ctx context.Context, actor access.Actor, after access.GroupID, limit int) (corpus.Page[access.Membership], error) {
	var out corpus.Page[access.Membership]
	if err := d.administers(ctx, actor); err != nil {
		return out, err
	}
	list, err := d.deps.Admin.Groups(ctx, actor.Tenant, after, limit+1)
	if err != nil {
		return out, err
	}
	out.Items = list[:min(limit, len(list))]
	if len(list) > limit {
		out.Next = string(list[limit-1].Group)
	}
	return out, nil
}

// Group returns one group with its direct members.
func (d *Desk) Group(ctx context.Context, actor access.Actor, id access.GroupID) (access.Membership, error) {
	if err := d.administers(ctx, actor); err != nil {
		return access.Membership{}, err
	}
	return d.group(ctx, actor.Tenant, id)
}

func (d *Desk) group(ctx context.Context, tenant access.TenantID, id access.GroupID) (access.Membership, error) {
	groups, err := d.groups(ctx, tenant)
	if err != nil {
		return access.Membership{}, err
	}
	at := slices.IndexFunc(groups, func(m access.Membership) bool { return m.Group == id })
	if at < 0 {
		return access.Membership{}, problem.Missing()
	}
	return groups[at], nil
}

// groups reads all groups of a tenant.
func (d *Desk) groups(ctx context.Context, tenant access.TenantID) ([]access.Membership, error) {
	var out []access.Membership
	var after access.GroupID
	for {
		list, err := d.deps.Admin.Groups(ctx, tenant, after, pageOfPeople)
		out = append(out, list...)
		if err != nil || len(list) < pageOfPeople {
			return out, err
		}
		after = list[len(list)-1].Group
	}
}

// CreateGroup adds a group. A taken id is problem.Conflict "exists". Members are users and other
// groups that exist: a name that nobody has yet would give its rights to whoever gets it.
func (d *Desk) CreateGroup(ctx context.Context, actor access.Actor, id access.GroupID, members []access.Principal) (access.Membership, error) {
	if err := d.administers(ctx, actor); err != nil {
		return access.Membership{}, err
	}
	if !access.ValidID(string(id)) {
		return access.Membership{}, invalid(badID())
	}
	d.people.Lock()
	defer d.people.Unlock()
	switch _, err := d.group(ctx, actor.Tenant, id); {
	case err == nil:
		return access.Membership{}, problem.New(problem.Conflict, "exists", "There is a group %q already.", id)
	case !problem.Is(err, problem.NotFound):
		return access.Membership{}, err
	}
	return d.putGroup(ctx, actor, access.Membership{Group: id}, members)
}

// SetMembers replaces the direct members of a group.
func (d *Desk) SetMembers(ctx context.Context, actor access.Actor, id access.GroupID, members []access.Principal) (access.Membership, error) {
	return d.regroup(ctx, actor, id, func([]access.Principal) ([]access.Principal, error) { return members, nil })
}

// AddMember adds a direct member to a group; one who is in it stays.
func (d *Desk) AddMember(ctx context.Context, actor access.Actor, id access.GroupID, member access.Principal) (access.Membership, error) {
	return d.regroup(ctx, actor, id, func(now []access.Principal) ([]access.Principal, error) { return append(now, member), nil })
}

// RemoveMember takes a direct member out of a group; one who is not in it is problem.NotFound.
func (d *Desk) RemoveMember(ctx context.Context, actor access.Actor, id access.GroupID, member access.Principal) error {
	_, err := d.regroup(ctx, actor, id, func(now []access.Principal) ([]access.Principal, error) {
		at := slices.Index(now, member)
		if at < 0 {
			return nil, problem.Missing()
		}
		return slices.Delete(now, at, at+1), nil
	})
	return err
}

// regroup changes the members of a group that exists.
func (d *Desk) regroup(ctx context.Context, actor access.Actor, id access.GroupID,
	change func([]access.Principal) ([]access.Principal, error)) (access.Membership, error) {
	if err := d.administers(ctx, actor); err != nil {
		return access.Membership{}, err
	}
	d.people.Lock()
	defer d.people.Unlock()
	m, err := d.group(ctx, actor.Tenant, id)
	if err != nil {
		return access.Membership{}, err
	}
	members, err := change(slices.Clone(m.Members))
	if err != nil {
		return access.Membership{}, err
	}
	return d.putGroup(ctx, actor, m, members)
}

// DeleteGroup removes a group. What named it gives nothing any more.
func (d *Desk) DeleteGroup(ctx context.Context, actor access.Actor, id access.GroupID) error {
	if err := d.administers(ctx, actor); err != nil {
		return err
	}
	d.people.Lock()
	defer d.people.Unlock()
	return d.deps.Admin.DeleteGroup(ctx, actor.Tenant, actor.User, id)
}

// putGroup stores a group once all its new members are known to exist.
func (d *Desk) putGroup(ctx context.Context, actor access.Actor, had access.Membership, members []access.Principal) (access.Membership, error) {
	id, members := had.Group, slices.Clone(members)
	if err := d.checkMembers(ctx, actor.Tenant, had, members); err != nil {
		return access.Membership{}, err
	}
	slices.Sort(members)
	members = slices.Compact(members)
	if err := d.deps.Admin.PutGroup(ctx, actor.Tenant, actor.User, id, members); err != nil {
		return access.Membership{}, err
	}
	return access.Membership{Group: id, Members: members}, nil
}

// checkMembers names every new member that is no user or other group of the tenant. One that was
// there before may stay.
func (d *Desk) checkMembers(ctx context.Context, tenant access.TenantID, had access.Membership, members []access.Principal) error {
	groups, err := d.groups(ctx, tenant)
	if err != nil {
		return err
	}
	var fields []problem.Field
	for i, m := range members {
		detail := ""
		kind, name, _ := strings.Cut(string(m), ":")
		switch _, err := access.ParsePrincipal(string(m)); {
		case slices.Contains(had.Members, m):
		case err != nil || m == access.Everyone:
			detail = "must be user:ID or group:ID"
		case kind == "group" && name == string(had.Group):
			detail = "must not be the group itself"
		case kind == "group" && !slices.ContainsFunc(groups, func(g access.Membership) bool { return string(g.Group) == name }):
			detail = "names no group of this tenant"
		case kind == "user":
			if _, err := d.person(ctx, tenant, access.UserID(name)); problem.Is(err, problem.NotFound) {
				detail = "names no user of this tenant"
			} else if err != nil {
				return err
			}
		}
		if detail != "" {
			fields = append(fields, problem.Field{Pointer: "/members/" + strconv.Itoa(i), Detail: detail})
		}
	}
	if fields == nil {
		return nil
	}
	return invalid(fields...)
}
