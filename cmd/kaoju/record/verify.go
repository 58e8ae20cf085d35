package record

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

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
	if by := ledger.Signer(string(raw)); by != "" && by != key.Server() {
		return nil, problem.New(problem.Conflict, "other_log", "%s: the checkpoint is of a log of another server, %s; the key is that of %s.", name, by, key.Server())
	}
	c, err := key.Checkpoint(string(raw))
	if err != nil {
		return nil, problem.New(problem.Conflict, problem.CodeOf(err), "%s: %v", name, err)
	}
	return []ledger.Checkpoint{c}, nil
}

func unreadable(name string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return outcome.New(outcome.Refused, name+": there is no such file")
	}
	return outcome.New(outcome.Failed, err.Error())
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
	return "", outcome.New(outcome.Usage, "--key is no public key: it looks like kaoju-0123456789abcdef+89abcdef+BASE64, as kaoju ledger key prints it")
}

// Verdict is what verify prints.
type Verdict struct {
	Tenant     string `json:"tenant_id,omitempty"`
	Log        string `json:"log,omitempty"` // whose entries: "" for the whole tenant's
	Valid      bool   `json:"valid"`
	Entries    int64  `json:"entries"`
	Head       string `json:"head,omitempty"`
	Key        string `json:"key,omitempty"`
	KeyTrusted bool   `json:"key_trusted"`
	Compared   bool   `json:"compared_with_checkpoint"`
	// Runs and Drafts are those that were held, with --runs.
	Runs   *heldRuns   `json:"runs,omitempty"`
	Drafts *heldDrafts `json:"drafts,omitempty"`
	// Decisions says what came of holding the proposals.
	Decisions string `json:"decisions,omitempty"`
	Error     string `json:"error,omitempty"`
	Code      string `json:"code,omitempty"`
}

// judge prints what came of a verification. What was found broken is a failure.
func (c commands) judge(cmd *cobra.Command, v Verdict, err error) error {
	if err != nil && !problem.Is(err, problem.Conflict) {
		return err
	}
	v.Valid = err == nil
	if console.WantsJSON(cmd) {
		if err != nil {
			v.Error, v.Code = err.Error(), problem.CodeOf(err)
		}
		if printed := c.PrintJSON(v); printed != nil || err == nil {
			return printed
		}
		return outcome.New(outcome.Failed, "")
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
	c.Say("the ledger of %s is whole: %d entries%s", terminal.Clean(whose), v.Entries, end)
	if v.Runs != nil {
		c.Say("%s", v.Runs.Told())
		c.Say("%s", v.Drafts.Told())
		c.Say("%s", v.Decisions)
	}
	if v.Compared {
		c.Say("it is the one of the checkpoint that was kept, with nothing but additions since")
	}
	if !v.KeyTrusted {
		c.Say("the key is the one it came with, %s: that nothing was changed since it was signed is shown, and not by whom", v.Key)
	}
	return nil
}

func (c commands) verifyLedger(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	runs, _ := cmd.Flags().GetBool("runs")
	switch {
	case runs && (len(list) == 1 || conf.Get("server") != ""):
		return outcome.New(outcome.Usage, "--runs holds what a data folder has: it goes with neither a file nor a server")
	case len(list) == 1:
		return c.verifyFile(cmd, list[0])
	case conf.Get("server") != "":
		return c.verifyServer(ctx, conf, cmd)
	}
	return c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
		own := s.DB.Proof().Key().Public()
		key, err := trusted(cmd, own)
		if err != nil {
			return err
		}
		old, err := kept(cmd, key)
		if err != nil {
			return c.judge(cmd, Verdict{}, err)
		}
		tenant := string(actor.Tenant)
		head, err := ledger.Check(ctx, s.DB.Ledger(), tenant, old...)
		if err == nil {
			err = ledger.CheckTrees(ctx, s.DB.Ledger(), s.DB.Proof(), tenant)
		}
		if err == nil && key != own {
			err = problem.New(problem.Conflict, "signature", "The folder signs with another key than the one given.")
		}
		v := Verdict{Tenant: tenant, Entries: head.Sequence, Head: head.Hash, Key: string(own), KeyTrusted: true, Compared: len(old) > 0}
		if err == nil && runs {
			v.Runs, v.Drafts, err = c.holdRuns(ctx, s, actor.Tenant, cmd)
			v.Decisions, err = c.holdDecisions(ctx, s, actor.Tenant, cmd, err)
		}
		return c.judge(cmd, v, err)
	})
}

// verifyFile checks an exported file on a machine that has nothing else.
func (c commands) verifyFile(cmd *cobra.Command, name string) error {
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
			return c.judge(cmd, Verdict{}, err)
		}
		signer = report.Key
		if _, err := f.Seek(0, 0); err != nil {
			return err
		}
	}
	old, err := kept(cmd, signer)
	if err != nil {
		return c.judge(cmd, Verdict{}, err)
	}
	report, err := ledger.VerifyFile(f, key, old...)
	v := Verdict{
		Tenant: report.Checkpoint.Name.Tenant, Log: report.Checkpoint.Name.Person, Entries: report.Checkpoint.Tree.Size, Head: report.Head.Hash,
		Key: string(report.Key), KeyTrusted: !report.KeyFromFile, Compared: len(old) > 0,
	}
	return c.judge(cmd, v, err)
}

// verifyServer has a server prove that its log is the one of a checkpoint that was kept.
func (c commands) verifyServer(ctx context.Context, conf *setting.Config, cmd *cobra.Command) error {
	client, err := c.Client(conf)
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
		return c.judge(cmd, Verdict{}, err)
	}
	if len(old) == 0 {
		return outcome.New(outcome.Usage, "a server proves its ledger against a checkpoint that was kept: --checkpoint FILE")
	}
	now, err := grown(ctx, client, key, old[0])
	given, _ := cmd.Flags().GetString("key")
	return c.judge(cmd, Verdict{
		Tenant: now.Name.Tenant, Log: now.Name.Person, Entries: now.Tree.Size, Key: string(key), KeyTrusted: given != "", Compared: true,
	}, err)
}

// grown has a server prove that its log grew from a checkpoint that was kept. Which log the server
// shows is asked first: of another one, neither its length nor a proof says anything.
func grown(ctx context.Context, client *api.Client, key ledger.Public, old ledger.Checkpoint) (ledger.Checkpoint, error) {
	present, err := client.Checkpoint(ctx, ledger.Latest)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	now, err := key.Checkpoint(present.Checkpoint)
	switch {
	case err != nil:
		return ledger.Checkpoint{}, err
	case now.Name != old.Name:
		return ledger.Checkpoint{}, ledger.OtherLog(old.Name)
	case now.Tree.Size < old.Tree.Size:
		return ledger.Checkpoint{}, ledger.Shorter(old)
	}
	g, err := client.Growth(ctx, old.Tree.Size)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	if g.Consistency == nil {
		return ledger.Checkpoint{}, outcome.New(outcome.Failed, "the server gave no proof")
	}
	return ledger.Consistency{From: g.Consistency.From, Hashes: g.Consistency.Hashes, Checkpoint: g.Checkpoint}.Verify(key, old)
}
