package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/run"
)

func runCommand(c *cli) *cobra.Command {
	show := &cobra.Command{
		Use: "show RUN", Short: "Print a run of yours with its answer and sources", Args: args(cobra.ExactArgs(1)),
		Long: `Prints a run with its answer and sources, held against the ledger's entry of its end.

Exit status: 0 as the ledger has it, or not provable; 1 changed since, which is said; 4 not found.`,
		RunE: c.action(c.showRun),
	}
	events := &cobra.Command{
		Use: "events RUN", Short: "Print the events of a run of yours as JSON lines", Args: args(cobra.ExactArgs(1)),
		RunE: c.action(c.runEvents),
	}
	resume := &cobra.Command{
		Use: "resume RUN", Short: "Go on with an interrupted run of yours to its end · 继续被中断的运行", Args: args(cobra.ExactArgs(1)),
		Long: `Goes on with a run that was interrupted and prints its answer.

What you may see is judged anew: sources that are no longer available to you are left out, and
what was written from them is not used. Limits and what was used of them are carried over.

Exit status: 0 answered, 1 failed or not resumable, 3 the material does not settle the question,
4 refused or not found.`,
		RunE: c.action(c.resumeRun),
	}
	cancel := &cobra.Command{
		Use: "cancel RUN", Short: "Ask a run of yours to stop · 取消运行", Args: args(cobra.ExactArgs(1)),
		Long: `Asks a run to stop and prints the state that it is in: cancelling until its work has stopped,
then cancelled. A run that has ended stays as it is.`,
		RunE: c.action(c.cancelRun),
	}
	out := &cobra.Command{
		Use: "export RUN", Short: "Write the answer of a run of yours as Markdown, Word or PDF, with its citations as footnotes", Args: args(cobra.ExactArgs(1)),
		RunE: c.action(c.exportRun),
	}
	exportFlags(out)
	why, replay, bundle := whyCommand(c), replayCommand(c), runBundleCommand(c)
	for _, cmd := range []*cobra.Command{show, events, resume, cancel, out} {
		setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	}
	setting.AddFlags(resume, modelSettings...)
	for _, cmd := range []*cobra.Command{show, resume, cancel} {
		jsonFlag(cmd)
	}
	return group("run", "Runs: questions under way and answered · 运行", show, events, resume, cancel, out, why, replay, bundle)
}

func (c *cli) resumeRun(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var out api.Run
	var err error
	if conf.Get("server") != "" {
		out, err = c.resumeOnServer(ctx, conf, list[0])
	} else {
		err = c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
			id := run.ID(list[0])
			before, _, err := s.db.Journal().Run(ctx, actor.Tenant, actor.User, id)
			if err != nil {
				return named(err, "run "+list[0])
			}
			if err := c.tellOfTenants(ctx, s, s.reach().Asking(before.Goal), actor.Tenant); err != nil {
				return err
			}
			if _, err := s.agent.Resume(ctx, actor, id); err != nil {
				return named(err, "run "+list[0])
			}
			if err := s.agent.Await(ctx, actor, id); err != nil {
				return err
			}
			out, err = s.shown(ctx, actor, id)
			return err
		})
	}
	if err != nil {
		return err
	}
	if wantsJSON(cmd) {
		if err := c.printJSON(out.Answer); err != nil {
			return err
		}
	} else {
		terminal.Answer(c.out, out.Goal, out.Answer)
	}
	return answerStatus(out.Answer)
}

// resumeOnServer follows the resumed run to its end.
func (c *cli) resumeOnServer(ctx context.Context, conf *setting.Config, id string) (api.Run, error) {
	client, err := c.client(conf)
	if err != nil {
		return api.Run{}, err
	}
	before, err := client.Run(ctx, id)
	if err != nil {
		return api.Run{}, err
	}
	if err := c.tellOfServer(ctx, client, func(r terminal.Reach) terminal.Reach { return r.Asking(before.Goal) }); err != nil {
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

func (c *cli) cancelRun(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var out api.Started
	var err error
	if conf.Get("server") != "" {
		var client *api.Client
		if client, err = c.client(conf); err == nil {
			out, err = client.CancelRun(ctx, list[0])
		}
	} else {
		err = c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
			r, err := s.agent.Cancel(ctx, actor, run.ID(list[0]))
			if err == nil {
				out = api.Started{RunID: string(r.ID), State: string(r.State)}
			}
			return named(err, "run "+list[0])
		})
	}
	if err != nil {
		return err
	}
	if wantsJSON(cmd) {
		return c.printJSON(out)
	}
	c.say("%s · %s", out.RunID, out.State)
	return nil
}

// shown returns a run as the actor may see it.
func (s *stack) shown(ctx context.Context, actor access.Actor, id run.ID) (api.Run, error) {
	view, err := s.desk.Run(ctx, actor, id)
	if err != nil {
		return api.Run{}, err
	}
	out := wire.Run(view)
	return out, wire.NameBases(ctx, s.desk, actor, out.Conflicts, out.Citations, out.ReadNotCited)
}

func (c *cli) showRun(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	var out api.Run
	var err error
	if conf.Get("server") != "" {
		var client *api.Client
		if client, err = c.client(conf); err == nil {
			out, err = client.Run(ctx, list[0])
		}
	} else {
		err = c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
			out, err = s.shown(ctx, actor, run.ID(list[0]))
			return named(err, "run "+list[0])
		})
	}
	if err != nil {
		return err
	}
	if wantsJSON(cmd) {
		if err := c.printJSON(out); err != nil {
			return err
		}
		return recordStatus(out.Integrity)
	}
	terminal.Integrity(c.out, out.Goal, out.Integrity)
	c.say("%s · %s · %s · %s", out.RunID, out.State, out.Route, terminal.Clean(out.Goal))
	terminal.Answer(c.out, out.Goal, out.Answer)
	return recordStatus(out.Integrity)
}

// recordStatus is the exit status of a command that showed a record: failed if it was changed beside the
// product.
func recordStatus(i *api.Integrity) error {
	if i != nil && len(i.Problems) > 0 {
		return exit{exitFailed, ""}
	}
	return nil
}

func (c *cli) runEvents(ctx context.Context, conf *setting.Config, _ *cobra.Command, list []string) error {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	if conf.Get("server") != "" {
		client, err := c.client(conf)
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
					return exit{exitFailed, "the events could not be written"}
				}
			}
		}
	}
	return c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
		for after := int64(0); ; {
			events, closed, err := s.desk.Events(ctx, actor, run.ID(list[0]), after, 500)
			if err != nil {
				return named(err, "run "+list[0])
			}
			for _, e := range events {
				if after = e.Sequence; enc.Encode(wire.Event(e)) != nil {
					return exit{exitFailed, "the events could not be written"}
				}
			}
			if closed || len(events) == 0 {
				return nil
			}
		}
	})
}
