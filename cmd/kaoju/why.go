package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/run"
)

func whyCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "why RUN", Short: "Print how a run came to what it says: prompts, evidence, calls, checks, states, proof", Args: args(cobra.ExactArgs(1)),
		RunE: c.action(c.why),
	}
	setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	jsonFlag(cmd)
	return cmd
}

func (c *cli) why(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var out api.Why
	if err := c.either(ctx, conf, func(client *api.Client) (err error) {
		out, err = client.Why(ctx, list[0])
		return err
	}, func(s *stack, actor access.Actor) error {
		w, err := s.desk.Why(ctx, actor, run.ID(list[0]))
		if err == nil {
			out = wire.Why(w)
		}
		return named(err, "run "+list[0])
	}); err != nil {
		return err
	}
	if wantsJSON(cmd) {
		if err := c.printJSON(out); err != nil {
			return err
		}
		return recordStatus(out.Integrity)
	}
	terminal.Integrity(c.out, out.Goal, out.Integrity)
	terminal.Why(c.out, out)
	return recordStatus(out.Integrity)
}

func runBundleCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "bundle RUN", Short: "Write the evidence bundle of a run; kaoju bundle verify checks it anywhere", Args: args(cobra.ExactArgs(1)),
		RunE: c.action(c.runBundle),
	}
	setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	outputFlag(cmd)
	return cmd
}

func (c *cli) runBundle(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var file []byte
	if err := c.either(ctx, conf, func(client *api.Client) error {
		r, err := client.Bundle(ctx, list[0])
		if err != nil {
			return err
		}
		defer r.Close()
		file, err = io.ReadAll(r)
		return err
	}, func(s *stack, actor access.Actor) (err error) {
		file, err = s.desk.Bundle(ctx, actor, run.ID(list[0]))
		return named(err, "run "+list[0])
	}); err != nil {
		return err
	}
	return c.deliver(cmd, file)
}
