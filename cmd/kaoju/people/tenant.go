package people

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
)

// tenantView is a tenant as the command prints it.
type tenantView struct {
	ID        access.TenantID `json:"id"`
	Name      string          `json:"name"`
	LocalOnly bool            `json:"local_only"`
}

// TenantCommand is kaoju tenant.
func TenantCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	show := c.Admin("show", "Show what holds for the tenant", 0, func(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, _ []string) error {
		t, err := s.Desk.Tenant(ctx, actor)
		return c.tellTenant(cmd, t, console.Named(err, "tenant "+string(actor.Tenant)))
	})
	set := c.Admin("set", "Change what holds for the tenant", 0, c.setTenant)
	set.Flags().Bool("local-only", false, "send nothing of the tenant to a model elsewhere; --local-only=false allows it again")
	return console.Group("tenant", "What holds for a tenant as a whole · 租户", show, set)
}

func (c commands) setTenant(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, _ []string) error {
	if !cmd.Flags().Changed("local-only") {
		return outcome.New(outcome.Usage, "say what to set: --local-only or --local-only=false")
	}
	on, _ := cmd.Flags().GetBool("local-only")
	t, err := s.Desk.SetLocalOnly(ctx, actor, on)
	return c.tellTenant(cmd, t, console.Named(err, "tenant "+string(actor.Tenant)))
}

// tellTenant prints a tenant, or returns the error.
func (c commands) tellTenant(cmd *cobra.Command, t access.Tenant, err error) error {
	if err != nil {
		return err
	}
	where := "its text may be sent to the configured model"
	if t.LocalOnly {
		where = "local only: nothing of it is sent to a model elsewhere"
	}
	return c.Tell(cmd, tenantView{t.ID, t.Name, t.LocalOnly}, "%s\t%s\t%s", t.ID, terminal.Clean(t.Name), where)
}
