package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
)

// tenantView is a tenant as the command prints it.
type tenantView struct {
	ID        access.TenantID `json:"id"`
	Name      string          `json:"name"`
	LocalOnly bool            `json:"local_only"`
}

func tenantCommand(c *cli) *cobra.Command {
	show := c.admin("show", "Show what holds for the tenant", 0, func(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, _ []string) error {
		t, err := s.desk.Tenant(ctx, actor)
		return c.tellTenant(cmd, t, named(err, "tenant "+string(actor.Tenant)))
	})
	set := c.admin("set", "Change what holds for the tenant", 0, c.setTenant)
	set.Flags().Bool("local-only", false, "send nothing of the tenant to a model elsewhere; --local-only=false allows it again")
	return group("tenant", "What holds for a tenant as a whole · 租户", show, set)
}

func (c *cli) setTenant(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, _ []string) error {
	if !cmd.Flags().Changed("local-only") {
		return exit{exitUsage, "say what to set: --local-only or --local-only=false"}
	}
	on, _ := cmd.Flags().GetBool("local-only")
	t, err := s.desk.SetLocalOnly(ctx, actor, on)
	return c.tellTenant(cmd, t, named(err, "tenant "+string(actor.Tenant)))
}

// tellTenant prints a tenant, or returns the error.
func (c *cli) tellTenant(cmd *cobra.Command, t access.Tenant, err error) error {
	if err != nil {
		return err
	}
	where := "its text may be sent to the configured model"
	if t.LocalOnly {
		where = "local only: nothing of it is sent to a model elsewhere"
	}
	return c.tell(cmd, tenantView{t.ID, t.Name, t.LocalOnly}, "%s\t%s\t%s", t.ID, terminal.Clean(t.Name), where)
}
