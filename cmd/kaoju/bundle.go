package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/internal/bundle"
	"github.com/kaoju/kaoju/internal/problem"
)

func bundleCommand(c *cli) *cobra.Command {
	verify := &cobra.Command{
		Use: "verify FILE", Short: "Check an evidence bundle, with nothing but the file and a key", Args: args(cobra.ExactArgs(1)),
		Long: `Checks a file that kaoju run bundle wrote: its signature, each of its parts, each excerpt's hash, and
that the ledger holds the entry of this very answer. It needs no server and no data folder.

--key KEY names the public key of the server, which kaoju ledger key prints there. Without it the key
in the file is believed: then the file is shown to be whole, and not who made it.`,
		RunE: c.action(c.verifyBundle),
	}
	verify.Flags().String("key", "", "public key that was kept")
	jsonFlag(verify)
	return group("bundle", "Evidence bundles of answers · 证据包", verify)
}

func (c *cli) verifyBundle(_ context.Context, _ *config, cmd *cobra.Command, list []string) error {
	key, err := trusted(cmd, "")
	if err != nil {
		return err
	}
	f, err := os.Open(list[0])
	if err != nil {
		return unreadable(list[0], err)
	}
	defer f.Close()
	report, err := bundle.Verify(f, key)
	if err != nil && !problem.Is(err, problem.Conflict) && !problem.Is(err, problem.Invalid) {
		return err
	}
	b := report.Bundle
	if wantsJSON(cmd) {
		out := map[string]any{"valid": err == nil, "key_trusted": err == nil && !report.KeyFromFile}
		if err == nil {
			out["key"], out["run_id"], out["tenant_id"], out["actor"] = report.Key, b.Run.ID, b.Run.Tenant, b.Run.Actor
			out["state"], out["reduced"], out["entry_id"], out["log"] = b.Run.State, b.Answer.Reduced, b.Entry.ID, report.Checkpoint.Note
		} else {
			out["error"] = err.Error()
		}
		if printed := c.printJSON(out); printed != nil || err == nil {
			return printed
		}
		return exit{exitFailed, ""}
	}
	if err != nil {
		return exit{exitFailed, list[0] + ": " + err.Error()}
	}
	c.tellBundle(report)
	return nil
}

// tellBundle says what a bundle that holds proves.
func (c *cli) tellBundle(report bundle.Report) {
	b := report.Bundle
	c.say("the bundle is whole: run %s of %s in %s, %s (%s)", b.Run.ID, clean(b.Run.Actor), clean(b.Run.Tenant), b.Run.State, b.Run.Reason)
	c.say("the ledger holds its entry %s; %d passages are as they were read", clean(b.Entry.ID), len(b.Evidence))
	if b.Answer.Reduced {
		c.say("the answer is reduced: whoever fetched the bundle could not read all of its sources")
	}
	if report.KeyFromFile {
		c.say("the key is the one in the file, %s: it shows that nothing was changed since it was signed, and not by whom", report.Key)
		c.say("name the key of the server with --key to know that it is the server's")
		return
	}
	c.say("signed by %s", report.Key.Server())
}
