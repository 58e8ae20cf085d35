// Package console is what every command has in common: what it is given, how it reads flags and settings, how it gets to
// a data folder or a server, and how it speaks.
package console

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/ledger"
)

// CLI is what every command is given: the environment that main read, and where to write.
type CLI struct {
	Build    Build // of this binary
	Env      map[string]string
	In       io.Reader
	Out, Err io.Writer
}

// Args makes an argument check that fails as a usage error.
func Args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, list []string) error {
		if err := check(cmd, list); err != nil {
			return outcome.New(outcome.Usage, err.Error()+"; see "+cmd.CommandPath()+" --help")
		}
		return nil
	}
}

// Action wraps the body of a command with the settings in force.
func (c *CLI) Action(body func(ctx context.Context, conf *setting.Config, cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		conf, err := setting.Load(cmd, c.Env)
		if err != nil {
			return outcome.New(outcome.Usage, err.Error())
		}
		ctx := cmd.Context()
		if cmd.Name() != "serve" { // whose requests are other people's
			ctx = ledger.ByOperator(ctx)
		}
		return body(ctx, conf, cmd, args)
	}
}

// Group makes a command that only holds others; without one of them it is a usage error.
func Group(use, short string, children ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: Args(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error {
		return outcome.New(outcome.Usage, "say which: see "+cmd.CommandPath()+" --help")
	}}
	cmd.AddCommand(children...)
	return cmd
}

// JSONFlag gives a command the flag --json.
func JSONFlag(cmd *cobra.Command) { cmd.Flags().Bool("json", false, "print JSON") }

// WantsJSON reports whether --json was given.
func WantsJSON(cmd *cobra.Command) bool {
	on, _ := cmd.Flags().GetBool("json")
	return on
}

// PrintJSON writes a value as indented JSON on the standard output.
func (c *CLI) PrintJSON(v any) error {
	enc := json.NewEncoder(c.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// PrintLine writes a value as one line of JSON on the standard output.
func (c *CLI) PrintLine(v any) error {
	enc := json.NewEncoder(c.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Say writes a line on the standard output.
func (c *CLI) Say(format string, a ...any) { fmt.Fprintf(c.Out, format+"\n", a...) }

// Note writes a line on the standard error.
func (c *CLI) Note(format string, a ...any) { fmt.Fprintf(c.Err, format+"\n", a...) }

// Logger writes structured logs to the standard error.
func (c *CLI) Logger(conf *setting.Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(conf.Get("log_level"))) // checked when it was loaded
	return slog.New(slog.NewJSONHandler(c.Err, &slog.HandlerOptions{Level: level}))
}

// Quiet is the logger of a command that is not a server: it says only what went wrong, unless a
// level was asked for.
func (c *CLI) Quiet(conf *setting.Config) *slog.Logger {
	if conf.Value("log_level").From != setting.Default {
		return c.Logger(conf)
	}
	return slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: slog.LevelError}))
}

// Tell prints what a command did, as JSON or as a sentence.
func (c *CLI) Tell(cmd *cobra.Command, v any, format string, a ...any) error {
	if WantsJSON(cmd) {
		return c.PrintJSON(v)
	}
	c.Say(format, a...)
	return nil
}
