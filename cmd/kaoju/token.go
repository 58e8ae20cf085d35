package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
)

func tokenCommand(c *cli) *cobra.Command {
	create := &cobra.Command{
		Use: "create", Short: "Make an API token for a user; it is shown once", Args: args(cobra.NoArgs),
		RunE: c.action(c.createToken),
	}
	addFlags(create, "data", "as", "tenant")
	create.Flags().String("user", "", "user that the token stands for; the acting user if left out")
	create.Flags().String("name", "command line", "name of the token, for people")
	create.Flags().Duration("expires", 0, "time after which the token ends, such as 720h; 0: never")
	jsonFlag(create)
	return group("token", "API tokens · 访问令牌", create)
}

func (c *cli) createToken(ctx context.Context, conf *config, cmd *cobra.Command, _ []string) error {
	user, _ := cmd.Flags().GetString("user")
	name, _ := cmd.Flags().GetString("name")
	expires, _ := cmd.Flags().GetDuration("expires")
	if expires < 0 {
		return exit{exitUsage, "--expires must not be negative"}
	}
	return c.onFolder(ctx, conf, true, func(s *stack, actor access.Actor) error {
		if user == "" {
			user = string(actor.User)
		}
		t := auth.Token{Tenant: actor.Tenant, User: access.UserID(user), Name: name, CreatedAt: time.Now().UTC()}
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
	})
}
