package people

import (
	"context"

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

// identityCommands are those on who people are at identity providers.
func identityCommands(shared *console.CLI) []*cobra.Command {
	c := commands{shared}
	link := c.Admin("link ID", "Let a person sign in through an identity provider", 1, c.linkIdentity)
	link.Flags().String("issuer", "", "the provider's address as it writes it; that of the settings if left out")
	link.Flags().String("subject", "", "who the person is there: the claim sub")
	identities := c.Admin("identities ID", "List who a person is at identity providers", 1, c.listIdentities)
	unlink := c.Admin("unlink IDENTITY", "End a link; ends the sessions that came of it", 1, c.unlinkIdentity)
	return []*cobra.Command{link, identities, unlink}
}

func (c commands) linkIdentity(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	issuer, _ := cmd.Flags().GetString("issuer")
	subject, _ := cmd.Flags().GetString("subject")
	if issuer == "" {
		issuer = s.Issuer
	}
	if issuer == "" || subject == "" {
		return outcome.New(outcome.Usage, "say who the person is there: --subject, and --issuer where no provider is set")
	}
	i, err := s.Gate.LinkIdentity(ctx, actor, auth.Identity{User: access.UserID(list[0]), Issuer: issuer, Subject: subject})
	if err != nil {
		return console.Named(err, "user "+list[0])
	}
	return c.Tell(cmd, wire.Identity(i), "%s", identityLine(wire.Identity(i)))
}

// identityLine is an identity on one line.
func identityLine(i api.Identity) string {
	return i.ID + "\t" + i.UserID + "\t" + terminal.Clean(i.Subject) + " at " + terminal.Clean(i.Issuer)
}

func (c commands) listIdentities(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	all, err := s.Gate.ListIdentities(ctx, actor, access.UserID(list[0]))
	if err != nil {
		return console.Named(err, "user "+list[0])
	}
	out := []api.Identity{}
	for _, i := range all {
		out = append(out, wire.Identity(i))
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(api.List[api.Identity]{Items: out})
	}
	for _, i := range out {
		c.Say("%s", identityLine(i))
	}
	return nil
}

func (c commands) unlinkIdentity(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	if err := s.Gate.UnlinkIdentity(ctx, actor, list[0]); err != nil {
		return console.Named(err, "identity "+list[0])
	}
	return c.Tell(cmd, map[string]any{"id": list[0], "linked": false}, "identity %s is linked no longer; the sessions that came of it have ended", list[0])
}
