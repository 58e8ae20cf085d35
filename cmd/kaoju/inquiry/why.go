package inquiry

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/run"
)

func whyCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "why RUN", Short: "Print how a run came to what it says: prompts, evidence, calls, checks, states, proof", Args: console.Args(cobra.ExactArgs(1)),
		RunE: c.Action(c.why),
	}
	setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	console.JSONFlag(cmd)
	return cmd
}

func (c commands) why(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var out api.Why
	if err := c.Either(ctx, conf, func(client *api.Client) (err error) {
		out, err = client.Why(ctx, list[0])
		return err
	}, func(s *wiring.Product, actor access.Actor) error {
		w, err := s.Desk.Why(ctx, actor, run.ID(list[0]))
		if err == nil {
			out = wire.Why(w)
		}
		return console.Named(err, "run "+list[0])
	}); err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		if err := c.PrintJSON(out); err != nil {
			return err
		}
		return recordStatus(out.Integrity)
	}
	terminal.Integrity(c.Out, out.Goal, out.Integrity)
	terminal.Why(c.Out, out)
	return recordStatus(out.Integrity)
}

func runBundleCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "bundle RUN", Short: "Write the evidence bundle of a run; kaoju bundle verify checks it anywhere", Args: console.Args(cobra.ExactArgs(1)),
		RunE: c.Action(c.runBundle),
	}
	setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	outputFlag(cmd)
	return cmd
}

func (c commands) runBundle(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var file []byte
	if err := c.Either(ctx, conf, func(client *api.Client) error {
		r, err := client.Bundle(ctx, list[0])
		if err != nil {
			return err
		}
		defer r.Close()
		file, err = io.ReadAll(r)
		return err
	}, func(s *wiring.Product, actor access.Actor) (err error) {
		file, err = s.Desk.Bundle(ctx, actor, run.ID(list[0]))
		return console.Named(err, "run "+list[0])
	}); err != nil {
		return err
	}
	return c.deliver(cmd, file)
}
