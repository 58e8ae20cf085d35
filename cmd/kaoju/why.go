package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi"
	"github.com/kaoju/kaoju/internal/run"
)

func whyCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "why RUN", Short: "Print how a run came to what it says: prompts, evidence, calls, checks, states, proof", Args: args(cobra.ExactArgs(1)),
		RunE: c.action(c.why),
	}
	addFlags(cmd, "data", "as", "tenant", "server", "token")
	jsonFlag(cmd)
	return cmd
}

func (c *cli) why(ctx context.Context, conf *config, cmd *cobra.Command, list []string) error {
	var out api.Why
	if err := c.either(ctx, conf, func(client *api.Client) (err error) {
		out, err = client.Why(ctx, list[0])
		return err
	}, func(s *stack, actor access.Actor) error {
		w, err := s.desk.Why(ctx, actor, run.ID(list[0]))
		if err == nil {
			out = httpapi.Why(w)
		}
		return named(err, "run "+list[0])
	}); err != nil {
		return err
	}
	if wantsJSON(cmd) {
		return c.printJSON(out)
	}
	c.tellWhy(out)
	return nil
}

// tellWhy prints it for people, in the order in which it happened.
func (c *cli) tellWhy(w api.Why) {
	c.say("%s · %s · %s (%s) · %s %s · %s", w.RunID, w.Route, w.State, w.FinishReason, w.Engine, terminal.Clean(w.Model.Name), terminal.Clean(w.Actor))
	c.say("prompt_hash %s\nrecording_hash %s (%s)", w.PromptHash, w.RecordingHash, yes(w.RecordingsHold, "the recordings are those of it", "the recordings are NOT those of it"))
	if w.Withheld {
		c.say("%s", terminal.WordsFor(w.Goal).Withheld)
	}
	for _, s := range w.States {
		c.say("%s  %s", s.Time.Format("15:04:05.000"), s.Type)
	}
	for _, x := range w.Exchanges {
		c.say("\n#%d %s %s", x.No, x.Kind, terminal.Clean(x.Tool+" "+x.Code+x.Failure+x.Finish))
		for _, m := range x.Prompt {
			c.say("  %s:\n%s", m.Role, indented(m.Text))
		}
		if x.Call != nil {
			c.say("%s", indented(x.Call.Arguments))
		}
		if x.Response != nil {
			c.say("  %s:\n%s", x.Response.Role, indented(x.Response.Text))
			for _, call := range x.Response.Calls {
				c.say("%s", indented(call.Name+" "+call.Arguments))
			}
		}
		if len(x.Result) > 0 {
			c.say("%s", indented(string(x.Result)))
		}
	}
	for _, e := range w.Evidence {
		c.say("[%s] %s", e.Label, yes(e.Withheld, terminal.WordsFor(w.Goal).Withheld, terminal.Clean(e.DocKey)+" · "+e.ExcerptHash))
	}
	for _, x := range w.Checks {
		c.say("%s: %s", x.Verdict, terminal.Clean(x.Sentence))
	}
	for _, d := range w.Decisions {
		c.say("%s %s %s", d.Kind, d.Time.Format("2006-01-02 15:04:05"), d.ID)
	}
	if w.Proof != nil {
		c.say("\nentry %s, hash %s", w.Proof.Entry.ID, w.Proof.Entry.Hash)
	}
}

func yes(b bool, then, otherwise string) string {
	if b {
		return then
	}
	return otherwise
}

func indented(text string) string {
	return "    │ " + strings.ReplaceAll(terminal.Clean(strings.TrimSpace(text)), "\n", "\n    │ ")
}

func runBundleCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "bundle RUN", Short: "Write the evidence bundle of a run; kaoju bundle verify checks it anywhere", Args: args(cobra.ExactArgs(1)),
		RunE: c.action(c.runBundle),
	}
	addFlags(cmd, "data", "as", "tenant", "server", "token")
	outputFlag(cmd)
	return cmd
}

func (c *cli) runBundle(ctx context.Context, conf *config, cmd *cobra.Command, list []string) error {
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
