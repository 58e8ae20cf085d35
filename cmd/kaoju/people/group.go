package people

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/problem"
)

// GroupCommand is kaoju group.
func GroupCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	list := c.Admin("list", "List the groups of the tenant with their members", 0, c.listGroups)
	set := c.Admin("set ID [MEMBER…]", "Make a group, or replace its members: user:ID or group:ID", -1, c.setGroup)
	add := c.Admin("add ID MEMBER…", "Take members into a group", -2, c.changeGroup(true))
	remove := c.Admin("remove ID MEMBER…", "Take members out of a group", -2, c.changeGroup(false))
	del := c.Admin("delete ID", "Delete a group; grants that name it give nothing any more", 1, c.deleteGroup)
	return console.Group("group", "Groups of users, which may hold other groups · 用户组", list, set, add, remove, del)
}

func (c commands) listGroups(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, _ []string) error {
	out := []api.Group{}
	for after := access.GroupID(""); ; {
		page, err := s.Desk.Groups(ctx, actor, after, 200)
		if err != nil {
			return console.Named(err, "the groups of tenant "+string(actor.Tenant))
		}
		for _, g := range page.Items {
			out = append(out, wire.Group(g))
		}
		if after = access.GroupID(page.Next); after == "" {
			break
		}
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(api.List[api.Group]{Items: out})
	}
	for _, g := range out {
		c.Say("%s\t%s", g.ID, strings.Join(g.Members, ","))
	}
	return nil
}

// members reads the written form of users and groups.
func members(words []string) ([]access.Principal, error) {
	out := []access.Principal{}
	for _, w := range words {
		p, err := access.ParsePrincipal(w)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (c commands) setGroup(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	wanted, err := members(list[1:])
	if err != nil {
		return err
	}
	id := access.GroupID(list[0])
	g, err := s.Desk.SetMembers(ctx, actor, id, wanted)
	if problem.Is(err, problem.NotFound) {
		g, err = s.Desk.CreateGroup(ctx, actor, id, wanted)
	}
	return c.printGroup(cmd, g, err)
}

func (c commands) printGroup(cmd *cobra.Command, m access.Membership, err error) error {
	if err != nil {
		return err
	}
	g := wire.Group(m)
	return c.Tell(cmd, g, "%s\t%s", g.ID, strings.Join(g.Members, ","))
}

func (c commands) changeGroup(in bool) func(context.Context, *wiring.Product, access.Actor, *cobra.Command, []string) error {
	return func(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
		id := access.GroupID(list[0])
		wanted, err := members(list[1:])
		if err != nil {
			return err
		}
		for _, p := range wanted {
			if in {
				_, err = s.Desk.AddMember(ctx, actor, id, p)
			} else {
				err = s.Desk.RemoveMember(ctx, actor, id, p)
			}
			if err != nil {
				return console.Named(err, "group "+list[0]+" or its member "+string(p))
			}
		}
		g, err := s.Desk.Group(ctx, actor, id)
		return c.printGroup(cmd, g, err)
	}
}

func (c commands) deleteGroup(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	if err := s.Desk.DeleteGroup(ctx, actor, access.GroupID(list[0])); err != nil {
		return console.Named(err, "group "+list[0])
	}
	return c.Tell(cmd, map[string]any{"id": list[0], "deleted": true}, "group %s is deleted", list[0])
}
