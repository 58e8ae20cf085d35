package httpapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
)

// people registers the operations on users and groups.
func (s *server) people() {
	const user, group, members = "/api/users/{id}", "/api/groups/{id}", "/api/groups/{id}/members"
	handle(s, operation("list-users", http.MethodGet, "/api/users", "The users of the tenant", 0), s.listUsers)
	handle(s, operation("create-user", http.MethodPost, "/api/users", "Add a person or a service account", http.StatusCreated), s.createUser)
	handle(s, operation("get-user", http.MethodGet, user, "A user with all groups", 0), s.getUser)
	handle(s, operation("edit-user", http.MethodPatch, user, "Change name, roles or suspension", 0), s.editUser)
	handle(s, operation("set-password", http.MethodPut, user+"/password", "Set somebody's password; ends that person's sessions", http.StatusNoContent), s.setPassword)
	handle(s, operation("list-groups", http.MethodGet, "/api/groups", "The groups of the tenant", 0), s.listGroups)
	handle(s, operation("create-group", http.MethodPost, "/api/groups", "Add a group", http.StatusCreated), s.createGroup)
	handle(s, operation("get-group", http.MethodGet, group, "A group with its direct members", 0), s.getGroup)
	handle(s, operation("delete-group", http.MethodDelete, group, "Remove a group", http.StatusNoContent), s.deleteGroup)
	handle(s, operation("get-members", http.MethodGet, members, "The direct members of a group", 0), s.getMembers)
	handle(s, operation("set-members", http.MethodPut, members, "Replace the direct members of a group", 0), s.setMembers)
	handle(s, operation("add-member", http.MethodPost, members, "Add a direct member to a group", 0), s.addMember)
	handle(s, operation("remove-member", http.MethodDelete, members+"/{member}", "Take a direct member out of a group", http.StatusNoContent), s.removeMember)
}

// PersonPath names a user in an address.
type PersonPath struct {
	ID string `path:"id"`
}

// GroupPath names a group in an address.
type GroupPath struct {
	ID string `path:"id"`
}

func roles(in []string) []access.Role {
	if in == nil {
		return nil
	}
	return wire.Each(in, func(s string) access.Role { return access.Role(s) })
}

// after reads the cursor of a list of ids.
func (p Paging) after() (id string, err error) {
	if p.Cursor != "" {
		err = unseal(p.Cursor, &id)
	}
	return id, err
}

// onward is the cursor after an id; null at the end.
func onward(id string) *string {
	if id == "" {
		return nil
	}
	return seal(id)
}

func (s *server) listUsers(ctx context.Context, actor access.Actor, in *Paging) (*answer[api.List[api.User]], error) {
	after, err := in.after()
	if err != nil {
		return nil, err
	}
	page, err := s.deps.Desk.Users(ctx, actor, access.UserID(after), in.size(maxPage))
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.User]]{api.List[api.User]{Items: wire.Each(page.Items, wire.ListedUser), NextCursor: onward(page.Next)}}, nil
}

func (s *server) createUser(ctx context.Context, actor access.Actor, in *struct {
	Key  string `header:"Idempotency-Key"`
	Body api.NewUser
}) (*answer[api.User], error) {
	return once(ctx, s.keys, errandOf(actor, "create-user", in.Key, in.Body), func(ctx context.Context) (idempotency.Receipt, error) {
		id, err := s.deps.Desk.CreateUser(ctx, actor, access.Identity{
			User: access.UserID(in.Body.ID), DisplayName: in.Body.DisplayName, Roles: roles(in.Body.Roles), Service: in.Body.Service,
		})
		return idempotency.Receipt{ID: string(id.User)}, err
	}, func(r idempotency.Receipt) (*answer[api.User], error) {
		return s.getUser(ctx, actor, &PersonPath{ID: r.ID})
	})
}

func oneUser(id access.Identity, err error) (*answer[api.User], error) {
	if err != nil {
		return nil, err
	}
	return &answer[api.User]{wire.User(id)}, nil
}

func (s *server) getUser(ctx context.Context, actor access.Actor, in *PersonPath) (*answer[api.User], error) {
	return oneUser(s.deps.Desk.User(ctx, actor, access.UserID(in.ID)))
}

func (s *server) editUser(ctx context.Context, actor access.Actor, in *struct {
	PersonPath
	Body api.UserChange
}) (*answer[api.User], error) {
	change := desk.UserChange{DisplayName: in.Body.DisplayName, Suspended: in.Body.Suspended}
	if in.Body.Roles != nil {
		list := roles(*in.Body.Roles)
		change.Roles = &list
	}
	return oneUser(s.deps.Desk.EditUser(ctx, actor, access.UserID(in.ID), change))
}

func (s *server) setPassword(ctx context.Context, actor access.Actor, in *struct {
	PersonPath
	Body api.NewPassword
}) (*nothing, error) {
	return nil, at("/password", s.deps.Gate.SetPassword(ctx, actor, access.UserID(in.ID), in.Body.Password))
}

func principals(in []string) []access.Principal {
	return wire.Each(in, func(s string) access.Principal { return access.Principal(s) })
}

func (s *server) listGroups(ctx context.Context, actor access.Actor, in *Paging) (*answer[api.List[api.Group]], error) {
	after, err := in.after()
	if err != nil {
		return nil, err
	}
	page, err := s.deps.Desk.Groups(ctx, actor, access.GroupID(after), in.size(maxPage))
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Group]]{api.List[api.Group]{Items: wire.Each(page.Items, wire.Group), NextCursor: onward(page.Next)}}, nil
}

func (s *server) createGroup(ctx context.Context, actor access.Actor, in *struct {
	Key  string `header:"Idempotency-Key"`
	Body api.NewGroup
}) (*answer[api.Group], error) {
	return once(ctx, s.keys, errandOf(actor, "create-group", in.Key, in.Body), func(ctx context.Context) (idempotency.Receipt, error) {
		m, err := s.deps.Desk.CreateGroup(ctx, actor, access.GroupID(in.Body.ID), principals(in.Body.Members))
		return idempotency.Receipt{ID: string(m.Group)}, err
	}, func(r idempotency.Receipt) (*answer[api.Group], error) {
		return s.getGroup(ctx, actor, &GroupPath{ID: r.ID})
	})
}

func oneGroup(m access.Membership, err error) (*answer[api.Group], error) {
	if err != nil {
		return nil, err
	}
	return &answer[api.Group]{wire.Group(m)}, nil
}

func allMembers(m access.Membership, err error) (*answer[api.Members], error) {
	if err != nil {
		return nil, err
	}
	return &answer[api.Members]{api.Members{Members: wire.Texts(m.Members)}}, nil
}

func (s *server) getGroup(ctx context.Context, actor access.Actor, in *GroupPath) (*answer[api.Group], error) {
	return oneGroup(s.deps.Desk.Group(ctx, actor, access.GroupID(in.ID)))
}

func (s *server) deleteGroup(ctx context.Context, actor access.Actor, in *GroupPath) (*nothing, error) {
	return nil, s.deps.Desk.DeleteGroup(ctx, actor, access.GroupID(in.ID))
}

func (s *server) getMembers(ctx context.Context, actor access.Actor, in *GroupPath) (*answer[api.Members], error) {
	return allMembers(s.deps.Desk.Group(ctx, actor, access.GroupID(in.ID)))
}

func (s *server) setMembers(ctx context.Context, actor access.Actor, in *struct {
	GroupPath
	Body api.Members
}) (*answer[api.Members], error) {
	return allMembers(s.deps.Desk.SetMembers(ctx, actor, access.GroupID(in.ID), principals(in.Body.Members)))
}

func (s *server) addMember(ctx context.Context, actor access.Actor, in *struct {
	GroupPath
	Body api.NewMember
}) (*answer[api.Members], error) {
	m, err := s.deps.Desk.AddMember(ctx, actor, access.GroupID(in.ID), access.Principal(in.Body.Principal))
	var e *problem.Error
	if errors.As(err, &e) && len(e.Fields) == 1 {
		err = refused([]problem.Field{{Pointer: "/principal", Detail: e.Fields[0].Detail}})
	}
	return allMembers(m, err)
}

func (s *server) removeMember(ctx context.Context, actor access.Actor, in *struct {
	GroupPath
	Member string `path:"member"`
}) (*nothing, error) {
	return nil, s.deps.Desk.RemoveMember(ctx, actor, access.GroupID(in.ID), access.Principal(in.Member))
}
