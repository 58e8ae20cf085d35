package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

func tokenCommand(c *cli) *cobra.Command {
	create := c.admin("create", "Make an API token for a user; it is shown once", 0, c.createToken)
	create.Flags().String("user", "", "user that the token stands for; the acting user if left out")
	create.Flags().String("name", "command line", "name of the token, for people")
	create.Flags().Duration("expires", 0, "time after which the token ends, such as 720h; 0: never")
	create.Flags().StringSlice("scope", nil, "what the token is good for: read, ask, write, decide, admin; everything if left out")
	list := c.admin("list", "List the tokens of a user; secrets are not kept", 0, c.listTokens)
	list.Flags().String("user", "", "whose tokens; the acting user's if left out")
	revoke := c.admin("revoke ID", "End a token at once", 1, c.revokeToken)
	return group("token", "API tokens · 访问令牌", create, list, revoke)
}

// createToken is the operator's: unlike a request to a server it may make a token for anybody.
func (c *cli) createToken(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, _ []string) error {
	user, _ := cmd.Flags().GetString("user")
	name, _ := cmd.Flags().GetString("name")
	expires, _ := cmd.Flags().GetDuration("expires")
	scopes, _ := cmd.Flags().GetStringSlice("scope")
	if expires < 0 {
		return exit{exitUsage, "--expires must not be negative"}
	}
	permissions, err := access.ParsePermissions(scopes)
	if err != nil {
		return err
	}
	if user == "" {
		user = string(actor.User)
	}
	t := auth.Token{
		Tenant: actor.Tenant, User: access.UserID(user), Name: name, Maker: actor.User, CreatedAt: time.Now().UTC(), Permissions: permissions,
	}
	if expires > 0 {
		t.ExpiresAt = t.CreatedAt.Add(expires)
	}
	secret, err := auth.Issue(ctx, s.db.Auth(), t)
	if err != nil {
		return named(err, "user "+user)
	}
	if wantsJSON(cmd) {
		return c.printJSON(map[string]any{"token": secret, "user": user})
	}
	c.say("%s", secret)
	c.note("This token is shown once. It stands for %s.", user)
	return nil
}

func (c *cli) listTokens(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, _ []string) error {
	user, _ := cmd.Flags().GetString("user")
	if user == "" {
		user = string(actor.User)
	}
	tokens, err := s.gate.ListTokens(ctx, actor, access.UserID(user))
	if err != nil {
		return named(err, "user "+user)
	}
	out := []api.Token{}
	for _, t := range tokens {
		out = append(out, wire.Token(t))
	}
	if wantsJSON(cmd) {
		return c.printJSON(api.List[api.Token]{Items: out})
	}
	for _, t := range out {
		c.say("%s\t%s\t%s", t.ID, terminal.Clean(t.Name), strings.Join(t.Scopes, ","))
	}
	return nil
}

func (c *cli) revokeToken(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, list []string) error {
	if err := s.gate.RevokeToken(ctx, actor, list[0]); err != nil {
		return named(err, "token "+list[0])
	}
	return c.tell(cmd, map[string]any{"id": list[0], "revoked": true}, "token %s has ended", list[0])
}
