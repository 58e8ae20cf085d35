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
	out := &cobra.Command{
		Use: "export RUN", Short: "Write the answer of a run of yours as Markdown or Word, with its citations as footnotes", Args: args(cobra.ExactArgs(1)),
		RunE: c.action(c.exportRun),
	}
	exportFlags(out)
	addFlags(out, "data", "as", "tenant", "server", "token")
	addFlags(show, "data", "as", "tenant", "server", "token")
	addFlags(events, "data", "as", "tenant", "server", "token")
	jsonFlag(show)
	return group("run", "Runs: questions under way and answered · 运行", show, events, out)
}

func (c *cli) showRun(ctx context.Context, conf *config, cmd *cobra.Command, list []string) error {
	var out api.Run
	var err error
	if conf.get("server") != "" {
		var client *api.Client
		if client, err = c.client(conf); err == nil {
			out, err = client.Run(ctx, list[0])
		}
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
	if conf.get("server") != "" {
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
				if after = e.Sequence; enc.Encode(httpapi.Event(e)) != nil {
					return exit{exitFailed, "the events could not be written"}
				}
			}
			if closed || len(events) == 0 {
				return nil
			}
		}
	})
}
