package people

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// TokenCommand is kaoju token.
func TokenCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	create := c.Admin("create", "Make an API token for a user; it is shown once", 0, c.createToken)
	create.Flags().String("user", "", "user that the token stands for; the acting user if left out")
	create.Flags().String("name", "command line", "name of the token, for people")
	create.Flags().Duration("expires", 0, "time after which the token ends, such as 720h; 0: never")
	create.Flags().StringSlice("scope", nil, "what the token is good for: read, ask, write, decide, admin; everything if left out")
	list := c.Admin("list", "List the tokens of a user; secrets are not kept", 0, c.listTokens)
	list.Flags().String("user", "", "whose tokens; the acting user's if left out")
	revoke := c.Admin("revoke ID", "End a token at once", 1, c.revokeToken)
	return console.Group("token", "API tokens · 访问令牌", create, list, revoke)
}

// createToken is the operator's: unlike a request to a server it may make a token for anybody.
func (c commands) createToken(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, _ []string) error {
	user, _ := cmd.Flags().GetString("user")
	name, _ := cmd.Flags().GetString("name")
	expires, _ := cmd.Flags().GetDuration("expires")
	scopes, _ := cmd.Flags().GetStringSlice("scope")
	if expires < 0 {
		return outcome.New(outcome.Usage, "--expires must not be negative")
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
	secret, err := auth.Issue(ctx, s.DB.Auth(), t)
	if err != nil {
		return console.Named(err, "user "+user)
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(map[string]any{"token": secret, "user": user})
	}
	c.Say("%s", secret)
	c.Note("This token is shown once. It stands for %s.", user)
	return nil
}

func (c commands) listTokens(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, _ []string) error {
	user, _ := cmd.Flags().GetString("user")
	if user == "" {
		user = string(actor.User)
	}
	tokens, err := s.Gate.ListTokens(ctx, actor, access.UserID(user))
	if err != nil {
		return console.Named(err, "user "+user)
	}
	out := []api.Token{}
	for _, t := range tokens {
		out = append(out, wire.Token(t))
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(api.List[api.Token]{Items: out})
	}
	for _, t := range out {
		c.Say("%s\t%s\t%s", t.ID, terminal.Clean(t.Name), strings.Join(t.Scopes, ","))
	}
	return nil
}

func (c commands) revokeToken(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	if err := s.Gate.RevokeToken(ctx, actor, list[0]); err != nil {
		return console.Named(err, "token "+list[0])
	}
	return c.Tell(cmd, map[string]any{"id": list[0], "revoked": true}, "token %s has ended", list[0])
}
