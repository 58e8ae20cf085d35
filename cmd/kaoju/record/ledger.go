// Package record are the commands that check the record of what happened: the ledger, checkpoints and evidence bundles, on
// a data folder, against a server, or with nothing but a file.
package record

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/ledger"
)

// commands is what the commands of this package are given.
type commands struct{ *console.CLI }

// LedgerCommand is kaoju ledger.
func LedgerCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	verify := &cobra.Command{
		Use: "verify [FILE]", Short: "Check that no entry was changed, lost or reordered", Args: console.Args(cobra.MaximumNArgs(1)),
		Long: `Checks the ledger of a data folder, or a FILE that kaoju ledger export wrote, on any machine.

--checkpoint FILE names a checkpoint that was kept: a ledger that was rewritten as a whole since then
is not the one of that checkpoint. With --server the server proves it by a few hashes. What is found is
told apart: the checkpoint is of another log (other_log), entries at the end are gone (log_shorter), or
earlier ones are others now (log_rewritten).
--key KEY names the public key that was kept; without it the key of the folder, of the file or of the
server is believed.
--runs also holds every run of a data folder that has ended against the ledger: its record, what it read,
its recordings and the event of its end; every version of every saved draft; and every proposal with its decision.
Each that was changed is named, and the exit status is 1.`,
		RunE: c.Action(c.verifyLedger),
	}
	export := &cobra.Command{
		Use: "export", Short: "Print entries as JSON lines, and a signed end: an auditor's tenant whole, everybody else's own", Args: console.Args(cobra.NoArgs),
		RunE: c.Action(c.exportLedger),
	}
	key := &cobra.Command{
		Use: "key", Short: "Print the public key that signs checkpoints and bundles; keep it elsewhere", Args: console.Args(cobra.NoArgs),
		RunE: c.Action(c.ledgerKey),
	}
	checkpoint := &cobra.Command{
		Use: "checkpoint", Short: "Print the signed state of the ledger; keep it elsewhere", Args: console.Args(cobra.NoArgs),
		RunE: c.Action(c.checkpoint),
	}
	for _, cmd := range []*cobra.Command{verify, key, checkpoint} {
		setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
		console.JSONFlag(cmd)
	}
	setting.AddFlags(export, "data", "as", "tenant", "server", "token")
	verify.Flags().String("checkpoint", "", "file with a checkpoint that was kept")
	verify.Flags().Bool("runs", false, "hold every run, draft and decision of the data folder against the ledger too")
	verify.Flags().String("key", "", "public key that was kept")
	return console.Group("ledger", "The record of what happened · 台账", verify, export, key, checkpoint)
}

func (c commands) exportLedger(ctx context.Context, conf *setting.Config, _ *cobra.Command, _ []string) error {
	return c.Either(ctx, conf, func(client *api.Client) error {
		file, err := client.ExportLedger(ctx)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(c.Out, file)
		return err
	}, func(s *wiring.Product, actor access.Actor) error {
		var x *ledger.Export
		end, err := s.Desk.ExportLedger(ctx, actor,
			func(name ledger.Name) { x = ledger.NewExport(c.Out, name) }, func(e ledger.Entry) error { return x.Entry(e) })
		if err != nil {
			return err
		}
		return x.End(end.Checkpoint, end.Key)
	})
}

func (c commands) ledgerKey(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	var out api.LedgerKey
	if err := c.Either(ctx, conf, func(client *api.Client) (err error) {
		out, err = client.LedgerKey(ctx)
		return err
	}, func(s *wiring.Product, _ access.Actor) error {
		out.Key = string(s.Desk.LedgerKey())
		return nil
	}); err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(out)
	}
	c.Say("%s", out.Key)
	return nil
}

func (c commands) checkpoint(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	var out api.Checkpoint
	if err := c.Either(ctx, conf, func(client *api.Client) (err error) {
		out, err = client.Checkpoint(ctx, ledger.Latest)
		return err
	}, func(s *wiring.Product, actor access.Actor) error {
		g, err := s.Desk.Checkpoint(ctx, actor, ledger.Latest)
		out = wire.Checkpoint(g)
		return err
	}); err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(out)
	}
	fmt.Fprint(c.Out, out.Checkpoint)
	return nil
}
