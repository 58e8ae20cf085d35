package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
)

// version is set by release builds with -ldflags "-X main.version=…".
var version = "dev"

func versionCommand(c *console.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version", Args: console.Args(cobra.NoArgs),
		RunE: c.Action(func(_ context.Context, _ *setting.Config, cmd *cobra.Command, _ []string) error {
			b := c.Build
			if console.WantsJSON(cmd) {
				return c.PrintJSON(b)
			}
			c.Say("kaoju %s (%s, %s)", b.Version, b.Go, b.Platform)
			return nil
		}),
	}
	console.JSONFlag(cmd)
	return cmd
}
