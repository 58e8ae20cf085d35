package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi"
	"github.com/kaoju/kaoju/internal/run"
)

func runCommand(c *cli) *cobra.Command {
	show := &cobra.Command{
		Use: "show RUN", Short: "Print a run of yours with its answer and sources", Args: args(cobra.ExactArgs(1)),
		RunE: c.action(c.showRun),
	}
	events := &cobra.Command{
		Use: "events RUN", Short: "Print the events of a run of yours as JSON lines", Args: args(cobra.ExactArgs(1)),
		RunE: c.action(c.runEvents),
	}
	addFlags(show, "data", "as", "tenant", "server", "token")
	addFlags(events, "data", "as", "tenant", "server", "token")
	jsonFlag(show)
	return group("run", "Runs: questions under way and answered · 运行", show, events)
}

func (c *cli) showRun(ctx context.Context, conf *config, cmd *cobra.Command, list []string) error {
	var out api.Run
	var err error
	if conf.get("server") != "" {
		out, err = c.client(conf).Run(ctx, list[0])
	} else {
		err = c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
			view, err := s.desk.Run(ctx, actor, run.ID(list[0]))
			if err == nil {
				out = httpapi.Run(view)
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
	c.say("%s · %s · %s · %s", out.RunID, out.State, out.Route, clean(out.Goal))
	writeAnswer(c.out, out.Goal, out.Answer)
	return nil
}

func (c *cli) runEvents(ctx context.Context, conf *config, _ *cobra.Command, list []string) error {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	print := func(events []api.Event) error {
		for _, e := range events {
			if err := enc.Encode(e); err != nil {
				return err
			}
		}
		return nil
	}
	if conf.get("server") != "" {
		events, err := c.client(conf).Events(ctx, list[0], 0)
		if err != nil {
			return err
		}
		return print(events)
	}
	return c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
		for after := int64(0); ; {
			events, err := s.desk.Events(ctx, actor, run.ID(list[0]), after, 500)
			if err != nil || len(events) == 0 {
				return named(err, "run "+list[0])
			}
			after = events[len(events)-1].Sequence
			if err := print(httpapi.Events(events)); err != nil {
				return err
			}
		}
	})
}
