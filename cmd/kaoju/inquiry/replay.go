package inquiry

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

func replayCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "replay [RUN]", Short: "Go through a run of yours again from its recordings; say \"same\", or the first difference", Args: console.Args(cobra.MaximumNArgs(1)),
		RunE: c.Action(c.replay),
	}
	setting.AddFlags(cmd, "data", "as", "tenant")
	cmd.Flags().Bool("all", false, "all runs of yours that have ended")
	console.JSONFlag(cmd)
	return cmd
}

// Replayed is what came of one run.
type Replayed struct {
	RunID      string            `json:"run_id"`
	Same       bool              `json:"same"`
	Difference *agent.Difference `json:"difference"`
	Skipped    string            `json:"skipped,omitempty"` // why it can't be replayed
}

func (c commands) replay(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	all, _ := cmd.Flags().GetBool("all")
	if all == (len(list) == 1) {
		return outcome.New(outcome.Usage, "name one run, or say --all; see "+cmd.CommandPath()+" --help")
	}
	out := []Replayed{}
	err := c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
		ids := []run.ID{}
		for _, id := range list {
			ids = append(ids, run.ID(id))
		}
		if all {
			var err error
			if ids, err = runsOf(ctx, s, actor); err != nil {
				return err
			}
		}
		for _, id := range ids {
			r, err := again(ctx, s, actor, id)
			if err != nil && (!all || problem.CodeOf(err) != "not_replayable") {
				return console.Named(err, "run "+string(id))
			}
			out = append(out, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.tellReplays(cmd, out)
}

// runsOf lists the runs of an actor, newest first.
func runsOf(ctx context.Context, s *wiring.Product, actor access.Actor) (ids []run.ID, err error) {
	for f := (run.Filter{Limit: 200}); ; {
		page, err := s.DB.Journal().Runs(ctx, actor.Tenant, actor.User, f)
		if err != nil {
			return nil, err
		}
		for _, r := range page.Items {
			ids = append(ids, r.ID)
		}
		if f.After = page.Next; f.After == "" {
			return ids, nil
		}
	}
}

// again goes through one run again.
func again(ctx context.Context, s *wiring.Product, actor access.Actor, id run.ID) (Replayed, error) {
	out := Replayed{RunID: string(id)}
	past, err := s.Desk.Past(ctx, actor, id)
	if err != nil {
		out.Skipped = skipped(err)
		return out, err
	}
	out.Difference, err = agent.Replay(ctx, agent.Past{Run: past.Run, Evidence: past.Evidence, Tape: past.Tape})
	if err == nil && out.Difference == nil && past.Integrity.Changed() {
		out.Difference = &agent.Difference{What: "record", Recorded: "as the ledger tells of it", Replayed: "changed since in " + strings.Join(past.Integrity.Problems, ", ")}
	}
	out.Skipped = skipped(err)
	out.Same = err == nil && out.Difference == nil
	return out, err
}

// skipped is why a run was not gone through; "" if it was.
func skipped(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (c commands) tellReplays(cmd *cobra.Command, list []Replayed) error {
	same := true
	for _, r := range list {
		same = same && r.Difference == nil
		switch {
		case console.WantsJSON(cmd):
		case r.Difference != nil:
			c.Say("%s: %s", r.RunID, terminal.Clean(r.Difference.String()))
		case r.Skipped != "":
			c.Say("%s: %s", r.RunID, r.Skipped)
		default:
			c.Say("%s: same", r.RunID)
		}
	}
	if console.WantsJSON(cmd) {
		if err := c.PrintJSON(list); err != nil {
			return err
		}
	}
	if !same {
		return outcome.New(outcome.Failed, "")
	}
	return nil
}
