package inquiry

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/run"
)

// RunCommand is kaoju run.
func RunCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	show := &cobra.Command{
		Use: "show RUN", Short: "Print a run of yours with its answer and sources", Args: console.Args(cobra.ExactArgs(1)),
		Long: `Prints a run with its answer and sources, held against the ledger's entry of its end.

Exit status: 0 as the ledger has it, or not provable; 1 changed since, which is said; 4 not found.`,
		RunE: c.Action(c.showRun),
	}
	events := &cobra.Command{
		Use: "events RUN", Short: "Print the events of a run of yours as JSON lines", Args: console.Args(cobra.ExactArgs(1)),
		RunE: c.Action(c.runEvents),
	}
	resume := &cobra.Command{
		Use: "resume RUN", Short: "Go on with an interrupted run of yours to its end · 继续被中断的运行", Args: console.Args(cobra.ExactArgs(1)),
		Long: `Goes on with a run that was interrupted and prints its answer.

What you may see is judged anew: sources that are no longer available to you are left out, and
what was written from them is not used. Limits and what was used of them are carried over.

Exit status: 0 answered, 1 failed or not resumable, 3 the material does not settle the question,
4 refused or not found.`,
		RunE: c.Action(c.resumeRun),
	}
	cancel := &cobra.Command{
		Use: "cancel RUN", Short: "Ask a run of yours to stop · 取消运行", Args: console.Args(cobra.ExactArgs(1)),
		Long: `Asks a run to stop and prints the state that it is in: cancelling until its work has stopped,
then cancelled. A run that has ended stays as it is.`,
		RunE: c.Action(c.cancelRun),
	}
	out := &cobra.Command{
		Use: "export RUN", Short: "Write the answer of a run of yours as Markdown, Word or PDF, with its citations as footnotes", Args: console.Args(cobra.ExactArgs(1)),
		RunE: c.Action(c.exportRun),
	}
	exportFlags(out)
	why, replay, bundle := whyCommand(shared), replayCommand(shared), runBundleCommand(shared)
	for _, cmd := range []*cobra.Command{show, events, resume, cancel, out} {
		setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	}
	setting.AddFlags(resume, setting.ForModels...)
	for _, cmd := range []*cobra.Command{show, resume, cancel} {
		console.JSONFlag(cmd)
	}
	return console.Group("run", "Runs: questions under way and answered · 运行", show, events, resume, cancel, out, why, replay, bundle)
}

func (c commands) resumeRun(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var out api.Run
	var err error
	if conf.Get("server") != "" {
		out, err = c.resumeOnServer(ctx, conf, list[0])
	} else {
		err = c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
			id := run.ID(list[0])
			before, _, err := s.DB.Journal().Run(ctx, actor.Tenant, actor.User, id)
			if err != nil {
				return console.Named(err, "run "+list[0])
			}
			if err := c.TellOfTenants(ctx, s, s.Reach().Asking(before.Goal), actor.Tenant); err != nil {
				return err
			}
			if _, err := s.Agent.Resume(ctx, actor, id); err != nil {
				return console.Named(err, "run "+list[0])
			}
			if err := s.Agent.Await(ctx, actor, id); err != nil {
				return err
			}
			out, err = shown(ctx, s, actor, id)
			return err
		})
	}
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		if err := c.PrintJSON(out.Answer); err != nil {
			return err
		}
	} else {
		terminal.Answer(c.Out, out.Goal, out.Answer)
	}
	return answerStatus(out.Answer)
}

// resumeOnServer follows the resumed run to its end.
func (c commands) resumeOnServer(ctx context.Context, conf *setting.Config, id string) (api.Run, error) {
	client, err := c.Client(conf)
	if err != nil {
		return api.Run{}, err
	}
	before, err := client.Run(ctx, id)
	if err != nil {
		return api.Run{}, err
	}
	if err := c.TellOfServer(ctx, client, func(r terminal.Reach) terminal.Reach { return r.Asking(before.Goal) }); err != nil {
		return api.Run{}, err
	}
	if _, err := client.ResumeRun(ctx, id); err != nil {
		return api.Run{}, err
	}
	err = client.Follow(ctx, id, 0, func(e api.Event) error {
		if e.Closes() && e.Attempt > before.Attempt {
			return errEnded
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnded) {
		return api.Run{}, err
	}
	return client.Run(ctx, id)
}

// errEnded stops following a run.
var errEnded = errors.New("the run has ended")

func (c commands) cancelRun(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var out api.Started
	var err error
	if conf.Get("server") != "" {
		var client *api.Client
		if client, err = c.Client(conf); err == nil {
			out, err = client.CancelRun(ctx, list[0])
		}
	} else {
		err = c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
			r, err := s.Agent.Cancel(ctx, actor, run.ID(list[0]))
			if err == nil {
				out = api.Started{RunID: string(r.ID), State: string(r.State)}
			}
			return console.Named(err, "run "+list[0])
		})
	}
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(out)
	}
	c.Say("%s · %s", out.RunID, out.State)
	return nil
}

// shown returns a run as the actor may see it.
func shown(ctx context.Context, s *wiring.Product, actor access.Actor, id run.ID) (api.Run, error) {
	view, err := s.Desk.Run(ctx, actor, id)
	if err != nil {
		return api.Run{}, err
	}
	out := wire.Run(view)
	return out, wire.NameBases(ctx, s.Desk, actor, out.Conflicts, out.Citations, out.ReadNotCited)
}

func (c commands) showRun(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var out api.Run
	var err error
	if conf.Get("server") != "" {
		var client *api.Client
		if client, err = c.Client(conf); err == nil {
			out, err = client.Run(ctx, list[0])
		}
	} else {
		err = c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
			out, err = shown(ctx, s, actor, run.ID(list[0]))
			return console.Named(err, "run "+list[0])
		})
	}
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		if err := c.PrintJSON(out); err != nil {
			return err
		}
		return recordStatus(out.Integrity)
	}
	terminal.Integrity(c.Out, out.Goal, out.Integrity)
	c.Say("%s · %s · %s · %s", out.RunID, out.State, out.Route, terminal.Clean(out.Goal))
	terminal.Answer(c.Out, out.Goal, out.Answer)
	return recordStatus(out.Integrity)
}

// recordStatus is the exit status of a command that showed a record: failed if it was changed beside the
// product.
func recordStatus(i *api.Integrity) error {
	if i != nil && len(i.Problems) > 0 {
		return outcome.New(outcome.Failed, "")
	}
	return nil
}

func (c commands) runEvents(ctx context.Context, conf *setting.Config, _ *cobra.Command, list []string) error {
	enc := json.NewEncoder(c.Out)
	enc.SetEscapeHTML(false)
	if conf.Get("server") != "" {
		client, err := c.Client(conf)
		if err != nil {
			return err
		}
		for after := int64(0); ; {
			events, err := client.Events(ctx, list[0], after)
			if err != nil || len(events.Items) == 0 {
				return err
			}
			for _, e := range events.Items {
				if after = e.Sequence; enc.Encode(e) != nil {
					return outcome.New(outcome.Failed, "the events could not be written")
				}
			}
		}
	}
	return c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
		for after := int64(0); ; {
			events, closed, err := s.Desk.Events(ctx, actor, run.ID(list[0]), after, 500)
			if err != nil {
				return console.Named(err, "run "+list[0])
			}
			for _, e := range events {
				if after = e.Sequence; enc.Encode(wire.Event(e)) != nil {
					return outcome.New(outcome.Failed, "the events could not be written")
				}
			}
			if closed || len(events) == 0 {
				return nil
			}
		}
	})
}
