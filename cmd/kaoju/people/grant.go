package people

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
)

// GrantCommand is kaoju grant.
func GrantCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	list := c.Admin("list KB", "List the grants of a knowledge base that you manage", 1, c.listGrants)
	set := c.Admin("set KB PRINCIPAL ROLE", "Grant reader, editor or manager to user:ID, group:ID or everyone", 3, c.setGrant)
	remove := c.Admin("remove KB PRINCIPAL", "Take a grant back; it holds from the next query on", 2, c.removeGrant)
	return console.Group("grant", "Who may read, edit and manage a knowledge base · 授权", list, set, remove)
}

type grantLine struct {
	Principal access.Principal `json:"principal"`
	Role      string           `json:"role"`
}

func (c commands) listGrants(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	b, err := s.Desk.Grants(ctx, actor, access.KnowledgeBaseID(list[0]))
	if err != nil {
		return console.Named(err, "knowledge base "+list[0])
	}
	return c.printGrants(cmd, b.Grants)
}

func (c commands) printGrants(cmd *cobra.Command, grants []access.Grant) error {
	out := []grantLine{}
	for _, g := range grants {
		out = append(out, grantLine{g.Principal, g.Level.String()})
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(map[string]any{"grants": out})
	}
	for _, g := range out {
		c.Say("%s\t%s", g.Principal, g.Role)
	}
	return nil
}

func (c commands) setGrant(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	principal, err := access.ParsePrincipal(list[1])
	if err != nil {
		return err
	}
	level, err := access.ParseLevel(list[2])
	if err != nil {
		return err
	}
	return c.changeGrants(ctx, s, actor, cmd, list[0], principal, func(grants []access.Grant) []access.Grant {
		return append(grants, access.Grant{Principal: principal, Level: level})
	})
}

func (c commands) removeGrant(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	principal, err := access.ParsePrincipal(list[1])
	if err != nil {
		return err
	}
	return c.changeGrants(ctx, s, actor, cmd, list[0], principal, func(grants []access.Grant) []access.Grant { return grants })
}

// changeGrants replaces the grants of a knowledge base by those without the principal, edited.
func (c commands) changeGrants(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, kb string, principal access.Principal, edit func([]access.Grant) []access.Grant) error {
	id := access.KnowledgeBaseID(kb)
	b, err := s.Desk.Grants(ctx, actor, id)
	if err != nil {
		return console.Named(err, "knowledge base "+kb)
	}
	rest := slices.DeleteFunc(slices.Clone(b.Grants), func(g access.Grant) bool { return g.Principal == principal })
	changed, err := s.Desk.SetGrants(ctx, actor, id, edit(rest), b.LockVersion)
	if err != nil {
		return err
	}
	return c.printGrants(cmd, changed.Grants)
}
