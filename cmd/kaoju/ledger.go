package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

func ledgerCommand(c *cli) *cobra.Command {
	verify := &cobra.Command{
		Use: "verify", Short: "Check that no entry was changed, lost or reordered", Args: args(cobra.NoArgs),
		RunE: c.action(c.verifyLedger),
	}
	export := &cobra.Command{
		Use: "export", Short: "Print entries as JSON lines: an auditor's tenant whole, everybody else's own", Args: args(cobra.NoArgs),
		RunE: c.action(c.exportLedger),
	}
	addFlags(verify, "data", "as", "tenant")
	addFlags(export, "data", "as", "tenant")
	jsonFlag(verify)
	return group("ledger", "The record of what happened · 台账", verify, export)
}

func (c *cli) verifyLedger(ctx context.Context, conf *config, cmd *cobra.Command, _ []string) error {
	return c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
		head, err := ledger.Check(ctx, s.db.Ledger(), string(actor.Tenant))
		broken := problem.CodeOf(err) == "ledger_broken"
		if err != nil && !broken {
			return err
		}
		if wantsJSON(cmd) {
			out := map[string]any{"tenant_id": actor.Tenant, "valid": err == nil, "entries": head.Sequence, "head": head.Hash}
			if err != nil {
				out["error"] = err.Error()
			}
			if err := c.printJSON(out); err != nil {
				return err
			}
		} else if err == nil {
			c.say("the ledger of %s is whole: %d entries, head %s", actor.Tenant, head.Sequence, head.Hash)
		}
		if broken && wantsJSON(cmd) {
			return exit{exitFailed, ""}
		}
		return err
	})
}

func (c *cli) exportLedger(ctx context.Context, conf *config, _ *cobra.Command, _ []string) error {
	return c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
		enc := json.NewEncoder(c.out)
		enc.SetEscapeHTML(false)
		for filter := (desk.LedgerFilter{Limit: 500}); ; {
			entries, next, err := s.desk.Ledger(ctx, actor, filter)
			if err != nil {
				return err
			}
			for _, e := range entries {
				if err := enc.Encode(e); err != nil {
					return err
				}
			}
			if filter.After = next; next == "" {
				return nil
			}
		}
	})
}
