package record

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/bundle"
	"github.com/kaoju/kaoju/internal/problem"
)

// BundleCommand is kaoju bundle.
func BundleCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	verify := &cobra.Command{
		Use: "verify FILE", Short: "Check an evidence bundle, with nothing but the file and a key", Args: console.Args(cobra.ExactArgs(1)),
		Long: `Checks a file that kaoju run bundle wrote: its signature, each of its parts, each excerpt's hash, and
that the ledger holds the entry of this very answer. It needs no server and no data folder.

--key KEY names the public key of the server, which kaoju ledger key prints there. Without it the key
in the file is believed: then the file is shown to be whole, and not who made it.`,
		RunE: c.Action(c.verifyBundle),
	}
	verify.Flags().String("key", "", "public key that was kept")
	console.JSONFlag(verify)
	return console.Group("bundle", "Evidence bundles of answers · 证据包", verify)
}

func (c commands) verifyBundle(_ context.Context, _ *setting.Config, cmd *cobra.Command, list []string) error {
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
	if console.WantsJSON(cmd) {
		out := map[string]any{"valid": err == nil, "key_trusted": err == nil && !report.KeyFromFile}
		if err == nil {
			out["key"], out["run_id"], out["tenant_id"], out["actor"] = report.Key, b.Run.ID, b.Run.Tenant, b.Run.Actor
			out["state"], out["reduced"], out["entry_id"], out["log"] = b.Run.State, b.Answer.Reduced, b.Entry.ID, report.Checkpoint.Note
		} else {
			out["error"] = err.Error()
		}
		if printed := c.PrintJSON(out); printed != nil || err == nil {
			return printed
		}
		return outcome.New(outcome.Failed, "")
	}
	if err != nil {
		return outcome.New(outcome.Failed, list[0]+": "+err.Error())
	}
	c.tellBundle(report)
	return nil
}

// proofWords are what verification says of a bundle that holds, in one language.
type proofWords struct{ whole, held, withheld, reduced, untrusted, trust, signed string }

var (
	englishProof = proofWords{
		whole:     "the bundle is whole: run %s of %s in %s, %s (%s)",
		held:      "the ledger holds its entry %s; %d passages are as they were read",
		withheld:  "%d more passages are withheld: their words are not in the file, and nothing is shown of them",
		reduced:   "the answer is reduced: whoever fetched the bundle could not read all of its sources",
		untrusted: "the key is the one in the file, %s: it shows that nothing was changed since it was signed, and not by whom",
		trust:     "name the key of the server with --key to know that it is the server's",
		signed:    "signed by %s",
	}
	chineseProof = proofWords{
		whole:     "证据包完整：运行 %s，%s（租户 %s），%s（%s）",
		held:      "台账中有它的条目 %s；%d 段原文与当时读到的一致",
		withheld:  "另有 %d 段原文未提供：文件中没有其内容，无从核对",
		reduced:   "回答有删减：取出证据包的人当时已不能阅读其中的某些来源",
		untrusted: "公钥取自文件本身（%s）：只能说明签名之后没有改动，不能说明由谁签名",
		trust:     "用 --key 给出服务器的公钥，才能确认它出自该服务器",
		signed:    "由 %s 签名",
	}
)

// tellBundle says what a bundle that holds proves, in the language of its question.
func (c commands) tellBundle(report bundle.Report) {
	b, w := report.Bundle, englishProof
	if terminal.WordsFor(b.Run.Goal).Chinese {
		w = chineseProof
	}
	c.Say(w.whole, b.Run.ID, terminal.Clean(b.Run.Actor), terminal.Clean(b.Run.Tenant), b.Run.State, b.Run.Reason)
	withheld := 0
	for _, e := range b.Evidence {
		if e.Withheld {
			withheld++
		}
	}
	c.Say(w.held, terminal.Clean(b.Entry.ID), len(b.Evidence)-withheld)
	if withheld > 0 {
		c.Say(w.withheld, withheld)
	}
	if b.Answer.Reduced {
		c.Say("%s", w.reduced)
	}
	if report.KeyFromFile {
		c.Say(w.untrusted, report.Key)
		c.Say("%s", w.trust)
		return
	}
	c.Say(w.signed, report.Key.Server())
}
