package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// registry is the people of one tenant in memory, as the store keeps them.
type registry struct {
	access.Admin
	users  map[access.UserID]access.Identity
	groups map[access.GroupID][]access.Principal
	writes int
	broken error
}

func newRegistry(users int) *registry {
	r := &registry{users: map[access.UserID]access.Identity{}, groups: map[access.GroupID][]access.Principal{}}
	r.users["root"] = access.Identity{User: "root", Roles: []access.Role{access.TenantAdmin}}
	for i := range users {
		id := access.UserID(fmt.Sprintf("u%04d", i))
		r.users[id] = access.Identity{User: id, Roles: []access.Role{access.Member}}
	}
	return r
}

func (r *registry) desk() *Desk { return New(Deps{Directory: r, Admin: r}) }

func (r *registry) Snapshot(_ context.Context, _ access.TenantID, user access.UserID) (access.Snapshot, error) {
	id, ok := r.users[user]
	if !ok {
		return access.Snapshot{}, problem.Missing()
	}
	return access.Snapshot{Identity: id}, r.broken
}

func (r *registry) PutUser(_ context.Context, _ access.TenantID, _ access.UserID, id access.Identity) error {
	r.writes++
	r.users[id.User] = id
	return nil
}

func (r *registry) PutGroup(_ context.Context, _ access.TenantID, _ access.UserID, group access.GroupID, members []access.Principal) error {
	r.writes++
	r.groups[group] = members
	return nil
}

func (r *registry) DeleteGroup(_ context.Context, _ access.TenantID, _ access.UserID, group access.GroupID) error {
	r.writes++
	if _, ok := r.groups[group]; !ok {
		return problem.Missing()
	}
	delete(r.groups, group)
	return nil
}

// page returns at most limit of the sorted keys after one, as both lists of the store do.
func page[K ~string, V any](all map[K]V, after K, limit int) []K {
	var keys []K
	for k := range all {
		if k > after {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys[:min(limit, len(keys))]
}

func (r *registry) Users(_ context.Context, _ access.TenantID, after access.UserID, limit int) (out []access.Identity, err error) {
	for _, k := range page(r.users, after, limit) {
		out = append(out, r.users[k])
	}
	return out, r.broken
}

func (r *registry) Groups(_ context.Context, _ access.TenantID, after access.GroupID, limit int) (out []access.Membership, err error) {
	for _, k := range page(r.groups, after, limit) {
		out = append(out, access.Membership{Group: k, Members: r.groups[k]})
	}
	return out, r.broken
}

var root = access.Actor{Tenant: "acme", User: "root"}

// Whatever administrators do to each other, somebody can always administer the tenant in person,
// and every member of a group is somebody or something that exists.
func TestATenantNeverLosesItsLastAdministratorNorGainsUnknownMembers(t *testing.T) {
	refused, groups := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		r := newRegistry(3)
		d := r.desk()
		name := rapid.SampledFrom([]access.UserID{"root", "u0000", "u0001", "u0002", "zzz"})
		roles := rapid.SampledFrom([][]access.Role{{access.Member}, {access.TenantAdmin}, {access.TenantAdmin, access.Auditor}, {}})
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			actor := access.Actor{Tenant: "acme", User: name.Draw(rt, "by"), Operator: rapid.Bool().Draw(rt, "operator")}
			administers := func() bool {
				id, there := r.users[actor.User]
				return there && !id.Suspended && (actor.Operator || slices.Contains(id.Roles, access.TenantAdmin))
			}()
			writes := r.writes
			var err error
			switch rapid.IntRange(0, 3).Draw(rt, "kind") {
			case 0:
				list := roles.Draw(rt, "roles")
				_, err = d.EditUser(t.Context(), actor, name.Draw(rt, "user"), UserChange{Roles: &list})
			case 1:
				on := rapid.Bool().Draw(rt, "suspended")
				_, err = d.EditUser(t.Context(), actor, name.Draw(rt, "user"), UserChange{Suspended: &on})
			case 2:
				members := rapid.SliceOfN(rapid.SampledFrom([]access.Principal{"user:u0000", "user:zzz", "group:g", "group:h", "everyone"}), 0, 2).Draw(rt, "members")
				_, err = d.CreateGroup(t.Context(), actor, rapid.SampledFrom([]access.GroupID{"g", "h"}).Draw(rt, "group"), members)
			case 3:
				_, err = d.CreateUser(t.Context(), actor, access.Identity{User: name.Draw(rt, "user"), Service: true, Roles: []access.Role{access.TenantAdmin}})
			}
			if !administers && (!problem.Is(err, problem.NotFound) || r.writes != writes) {
				rt.Fatalf("%s changed the directory: %v", actor.User, err)
			}
			if problem.CodeOf(err) == "last_admin" {
				refused++
			}
			left := 0
			for _, id := range r.users {
				if slices.Contains(id.Roles, access.TenantAdmin) && !id.Suspended && !id.Service {
					left++
				}
			}
			if left == 0 {
				rt.Fatal("nobody administers the tenant any more")
			}
			for g, members := range r.groups {
				groups++
				for _, m := range members {
					if m == "user:zzz" && r.users["zzz"].User == "" || m == "everyone" || m == access.Group(g) {
						rt.Fatalf("%s is a member of %s", m, g)
					}
				}
			}
		}
	})
	if refused == 0 || groups == 0 {
		t.Fatalf("%d refusals and %d groups: nothing was tested", refused, groups)
	}
}

func TestTheSearchForAnotherAdministratorReadsTheListToItsEnd(t *testing.T) {
	r := newRegistry(1200)
	last := r.users["u1199"]
	last.Roles = []access.Role{access.TenantAdmin}
	r.users["u1199"] = last
	suspended := true
	_, err := r.desk().EditUser(t.Context(), root, "root", UserChange{Suspended: &suspended})
	must(t, err)
	if _, err := r.desk().EditUser(t.Context(), access.Actor{Tenant: "acme", User: "u1199"}, "u1199", UserChange{Suspended: &suspended}); problem.CodeOf(err) != "last_admin" {
		t.Errorf("%v", err)
	}
}

func TestGroupsBeyondThePageAreFound(t *testing.T) {
	r := newRegistry(1)
	for i := range 1100 {
		r.groups[access.GroupID(fmt.Sprintf("g%04d", i))] = nil
	}
	d := r.desk()
	m, err := d.AddMember(t.Context(), root, "g1099", "group:g0999")
	must(t, err)
	if len(m.Members) != 1 {
		t.Errorf("%+v", m)
	}
	list, err := d.Groups(t.Context(), root, "g0100", 2)
	must(t, err)
	if len(list.Items) != 2 || list.Items[0].Group != "g0101" || list.Next != "g0102" {
		t.Errorf("%+v", list)
	}
	users, err := d.Users(t.Context(), root, "", 2)
	must(t, err)
	if len(users.Items) != 2 || users.Next != "" {
		t.Errorf("%+v", users)
	}
}

// A member who has left the directory stays until taken out, and keeps nobody else from leaving.
func TestAStaleMemberBlocksNoChange(t *testing.T) {
	r := newRegistry(2)
	r.groups["g"] = []access.Principal{"user:gone", "user:u0000", "user:u0001"}
	d := r.desk()
	must(t, d.RemoveMember(t.Context(), root, "g", "user:u0000"))
	must(t, d.RemoveMember(t.Context(), root, "g", "user:gone"))
	if got := r.groups["g"]; len(got) != 1 || got[0] != "user:u0001" {
		t.Errorf("%v", got)
	}
	if _, err := d.AddMember(t.Context(), root, "g", "user:gone"); !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), "names no user") {
		t.Errorf("%v", err)
	}
}

func TestAFailingDirectoryChangesNothing(t *testing.T) {
	r := newRegistry(1)
	d := r.desk()
	r.broken = errors.New("disk")
	roles := []access.Role{access.Member}
	for name, call := range map[string]func() error{
		"create": func() error { _, err := d.CreateUser(t.Context(), root, access.Identity{User: "new"}); return err },
		"edit":   func() error { _, err := d.EditUser(t.Context(), root, "root", UserChange{Roles: &roles}); return err },
		"group":  func() error { _, err := d.CreateGroup(t.Context(), root, "g", nil); return err },
		"delete": func() error { return d.DeleteGroup(t.Context(), root, "g") },
		"list":   func() error { _, err := d.Users(t.Context(), root, "", 10); return err },
	} {
		if err := call(); !errors.Is(err, r.broken) || r.writes != 0 {
			t.Errorf("%s: %v after %d writes", name, err, r.writes)
		}
	}
}
