package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

func ledgerCommand(c *cli) *cobra.Command {
	verify := &cobra.Command{
		Use: "verify [FILE]", Short: "Check that no entry was changed, lost or reordered", Args: args(cobra.MaximumNArgs(1)),
		Long: `Checks the ledger of a data folder, or a FILE that kaoju ledger export wrote, on any machine.

--checkpoint FILE names a checkpoint that was kept: a ledger that was rewritten as a whole since then
is not the one of that checkpoint. With --server the server proves it by a few hashes.
--key KEY names the public key that was kept; without it the key of the folder, of the file or of the
server is believed.`,
		RunE: c.action(c.verifyLedger),
	}
	export := &cobra.Command{
		Use: "export", Short: "Print entries as JSON lines, and a signed end: an auditor's tenant whole, everybody else's own", Args: args(cobra.NoArgs),
		RunE: c.action(c.exportLedger),
	}
	key := &cobra.Command{
		Use: "key", Short: "Print the public key that signs checkpoints and bundles; keep it elsewhere", Args: args(cobra.NoArgs),
		RunE: c.action(c.ledgerKey),
	}
	checkpoint := &cobra.Command{
		Use: "checkpoint", Short: "Print the signed state of the ledger; keep it elsewhere", Args: args(cobra.NoArgs),
		RunE: c.action(c.checkpoint),
	}
	for _, cmd := range []*cobra.Command{verify, key, checkpoint} {
		addFlags(cmd, "data", "as", "tenant", "server", "token")
		jsonFlag(cmd)
	}
	addFlags(export, "data", "as", "tenant")
	verify.Flags().String("checkpoint", "", "file with a checkpoint that was kept")
	verify.Flags().String("key", "", "public key that was kept")
	return group("ledger", "The record of what happened · 台账", verify, export, key, checkpoint)
}

// kept reads what --checkpoint names. A key is needed to believe it.
func kept(cmd *cobra.Command, key ledger.Public) ([]ledger.Checkpoint, error) {
	name, _ := cmd.Flags().GetString("checkpoint")
	if name == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	c, err := key.Checkpoint(string(raw))
	if err != nil {
		return nil, exit{exitFailed, fmt.Sprintf("%s: %v", name, err)}
	}
	return []ledger.Checkpoint{c}, nil
}

func unreadable(name string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return exit{exitRefused, name + ": there is no such file"}
	}
	return exit{exitFailed, err.Error()}
}

// trusted is the key that --key names, or the one given.
func trusted(cmd *cobra.Command, otherwise ledger.Public) (ledger.Public, error) {
	text, _ := cmd.Flags().GetString("key")
	if text == "" {
		return otherwise, nil
	}
	if key := ledger.Public(text); key.Server() != "" {
		return key, nil
	}
	return "", exit{exitUsage, "--key is no public key: it looks like kaoju-0123456789abcdef+89abcdef+BASE64, as kaoju ledger key prints it"}
}

// verdict is what verify prints.
type verdict struct {
	Tenant     string `json:"tenant_id,omitempty"`
	Log        string `json:"log,omitempty"` // whose entries: "" for the whole tenant's
	Valid      bool   `json:"valid"`
	Entries    int64  `json:"entries"`
	Head       string `json:"head,omitempty"`
	Key        string `json:"key,omitempty"`
	KeyTrusted bool   `json:"key_trusted"`
	Compared   bool   `json:"compared_with_checkpoint"`
	Error      string `json:"error,omitempty"`
}

// judge prints what came of a verification. What was found broken is a failure.
func (c *cli) judge(cmd *cobra.Command, v verdict, err error) error {
	if err != nil && !problem.Is(err, problem.Conflict) {
		return err
	}
	v.Valid = err == nil
	if wantsJSON(cmd) {
		if err != nil {
			v.Error = err.Error()
		}
		if printed := c.printJSON(v); printed != nil || err == nil {
			return printed
		}
		return exit{exitFailed, ""}
	}
	if err != nil {
		return err
	}
	whose := v.Tenant
	if v.Log != "" {
		whose += " that " + v.Log + " made"
	}
	end := ""
	if v.Head != "" {
		end = ", head " + v.Head
	}
	c.say("the ledger of %s is whole: %d entries%s", terminal.Clean(whose), v.Entries, end)
	if v.Compared {
		c.say("it is the one of the checkpoint that was kept, with nothing but additions since")
	}
	if !v.KeyTrusted {
		c.say("the key is the one it came with, %s: that nothing was changed since it was signed is shown, and not by whom", v.Key)
	}
	return nil
}

func (c *cli) verifyLedger(ctx context.Context, conf *config, cmd *cobra.Command, list []string) error {
	switch {
	case len(list) == 1:
		return c.verifyFile(cmd, list[0])
	case conf.get("server") != "":
		return c.verifyServer(ctx, conf, cmd)
	}
	return c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
		own := s.db.Proof().Key().Public()
		key, err := trusted(cmd, own)
		if err != nil {
			return err
		}
		old, err := kept(cmd, key)
		if err != nil {
			return err
		}
		tenant := string(actor.Tenant)
		head, err := ledger.Check(ctx, s.db.Ledger(), tenant, old...)
		if err == nil {
			err = ledger.CheckTrees(ctx, s.db.Ledger(), s.db.Proof(), tenant)
		}
		if err == nil && key != own {
			err = problem.New(problem.Conflict, "signature", "The folder signs with another key than the one given.")
		}
		return c.judge(cmd, verdict{
			Tenant: tenant, Entries: head.Sequence, Head: head.Hash, Key: string(own), KeyTrusted: true, Compared: len(old) > 0,
		}, err)
	})
}

// verifyFile checks an exported file on a machine that has nothing else.
func (c *cli) verifyFile(cmd *cobra.Command, name string) error {
	key, err := trusted(cmd, "")
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return unreadable(name, err)
	}
	defer f.Close()
	signer := key
	if signer == "" {
		// Whoever gives a checkpoint and no key has the checkpoint checked by the file's key.
		report, err := ledger.VerifyFile(f, "")
		if err != nil {
			return c.judge(cmd, verdict{}, err)
		}
		signer = report.Key
		if _, err := f.Seek(0, 0); err != nil {
			return err
		}
	}
	old, err := kept(cmd, signer)
	if err != nil {
		return err
	}
	report, err := ledger.VerifyFile(f, key, old...)
	v := verdict{
		Tenant: report.Checkpoint.Name.Tenant, Log: report.Checkpoint.Name.Person, Entries: report.Checkpoint.Tree.Size, Head: report.Head.Hash,
		Key: string(report.Key), KeyTrusted: !report.KeyFromFile, Compared: len(old) > 0,
	}
	return c.judge(cmd, v, err)
}

// verifyServer has a server prove that its log is the one of a checkpoint that was kept.
func (c *cli) verifyServer(ctx context.Context, conf *config, cmd *cobra.Command) error {
	client, err := c.client(conf)
	if err != nil {
		return err
	}
	said, err := client.LedgerKey(ctx)
	if err != nil {
		return err
	}
	key, err := trusted(cmd, ledger.Public(said.Key))
	if err != nil {
		return err
	}
	old, err := kept(cmd, key)
	if err != nil {
		return err
	}
	if len(old) == 0 {
		return exit{exitUsage, "a server proves its ledger against a checkpoint that was kept: --checkpoint FILE"}
	}
	g, err := client.Growth(ctx, old[0].Tree.Size)
	var refused *api.Problem
	switch {
	case errors.As(err, &refused) && refused.Code == "invalid_size":
		err = problem.New(problem.Conflict, "log_rewritten", "The server's ledger is shorter than the checkpoint that was kept.")
		return c.judge(cmd, verdict{}, err)
	case err != nil:
		return err
	case g.Consistency == nil:
		return exit{exitFailed, "the server gave no proof"}
	}
	now, err := ledger.Consistency{From: g.Consistency.From, Hashes: g.Consistency.Hashes, Checkpoint: g.Checkpoint}.Verify(key, old[0])
	given, _ := cmd.Flags().GetString("key")
	return c.judge(cmd, verdict{
		Tenant: now.Name.Tenant, Log: now.Name.Person, Entries: now.Tree.Size, Key: string(key), KeyTrusted: given != "", Compared: true,
	}, err)
}

func (c *cli) exportLedger(ctx context.Context, conf *config, _ *cobra.Command, _ []string) error {
	return c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
		var x *ledger.Export
		end, err := s.desk.ExportLedger(ctx, actor,
			func(name ledger.Name) { x = ledger.NewExport(c.out, name) }, func(e ledger.Entry) error { return x.Entry(e) })
		if err != nil {
			return err
		}
		return x.End(end.Checkpoint, end.Key)
	})
}

func (c *cli) ledgerKey(ctx context.Context, conf *config, cmd *cobra.Command, _ []string) error {
	var out api.LedgerKey
	if err := c.either(ctx, conf, func(client *api.Client) (err error) {
		out, err = client.LedgerKey(ctx)
		return err
	}, func(s *stack, _ access.Actor) error {
		out.Key = string(s.desk.LedgerKey())
		return nil
	}); err != nil {
		return err
	}
	if wantsJSON(cmd) {
		return c.printJSON(out)
	}
	c.say("%s", out.Key)
	return nil
}

func (c *cli) checkpoint(ctx context.Context, conf *config, cmd *cobra.Command, _ []string) error {
	var out api.Checkpoint
	if err := c.either(ctx, conf, func(client *api.Client) (err error) {
		out, err = client.Checkpoint(ctx, ledger.Latest)
		return err
	}, func(s *stack, actor access.Actor) error {
		g, err := s.desk.Checkpoint(ctx, actor, ledger.Latest)
		out = httpapi.Checkpoint(g)
		return err
	}); err != nil {
		return err
	}
	if wantsJSON(cmd) {
		return c.printJSON(out)
	}
	fmt.Fprint(c.out, out.Checkpoint)
	return nil
}
