package main

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/setting"
)

// version is set by release builds with -ldflags "-X main.version=…".
var version = "dev"

// build describes the binary.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisBuild() build {
	b := build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Revision = s.Value
			}
		}
	}
	return b
}

func versionCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version", Args: args(cobra.NoArgs),
		RunE: c.action(func(_ context.Context, _ *setting.Config, cmd *cobra.Command, _ []string) error {
			b := thisBuild()
			if wantsJSON(cmd) {
				return c.printJSON(b)
			}
			c.say("kaoju %s (%s, %s)", b.Version, b.Go, b.Platform)
			return nil
		}),
	}
	jsonFlag(cmd)
	return cmd
}
