package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/ledger"
)

// cli is what every command is given: the environment that main read, and where to write.
type cli struct {
	env      map[string]string
	in       io.Reader
	out, err io.Writer
}

// command builds the tree of commands.
func command(c *cli) *cobra.Command {
	root := &cobra.Command{
		Use:   "kaoju",
		Short: "Answers from your documents, with sources that open · 可核查的知识助理",
		Long: `Kaoju (考据) answers questions from your documents. Every answer cites the exact passage of the
exact version that was read.

  kaoju ask --in FOLDER "QUESTION"     ask files directly, nothing is kept
  kaoju serve --demo                   start a server with demonstration data

考据根据您的文档回答问题，每个回答都引用所读版本中的原文。

  kaoju ask --in 文件夹 "问题"          直接向文件提问，不保存任何内容
  kaoju serve --demo                   用演示数据启动服务`,
		SilenceUsage: true, SilenceErrors: true,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().String("config", setting.DefaultFile, "settings file")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return exit{exitUsage, err.Error()} })
	root.AddCommand(askCommand(c), serveCommand(c), addCommand(c), searchCommand(c), baseCommand(c), docCommand(c), grantCommand(c),
		userCommand(c), groupCommand(c), tokenCommand(c), tenantCommand(c), synonymCommand(c),
		ledgerCommand(c), bundleCommand(c), runCommand(c), draftCommand(c), feedbackCommand(c), toolCommand(c), evalCommand(c), reindexCommand(c), doctorCommand(c), versionCommand(c), parseWorkerCommand(c))
	return root
}

// args makes an argument check that fails as a usage error.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, list []string) error {
		if err := check(cmd, list); err != nil {
			return exit{exitUsage, err.Error() + "; see " + cmd.CommandPath() + " --help"}
		}
		return nil
	}
}

// action wraps the body of a command with the settings in force.
func (c *cli) action(body func(ctx context.Context, conf *setting.Config, cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		conf, err := setting.Load(cmd, c.env)
		if err != nil {
			return exit{exitUsage, err.Error()}
		}
		ctx := cmd.Context()
		if cmd.Name() != "serve" { // whose requests are other people's
			ctx = ledger.ByOperator(ctx)
		}
		return body(ctx, conf, cmd, args)
	}
}

// group makes a command that only holds others; without one of them it is a usage error.
func group(use, short string, children ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: args(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error {
		return exit{exitUsage, "say which: see " + cmd.CommandPath() + " --help"}
	}}
	cmd.AddCommand(children...)
	return cmd
}

func jsonFlag(cmd *cobra.Command) { cmd.Flags().Bool("json", false, "print JSON") }

func wantsJSON(cmd *cobra.Command) bool {
	on, _ := cmd.Flags().GetBool("json")
	return on
}

// printJSON writes a value as indented JSON on the standard output.
func (c *cli) printJSON(v any) error {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printLine writes a value as one line of JSON on the standard output.
func (c *cli) printLine(v any) error {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func (c *cli) say(format string, a ...any)  { fmt.Fprintf(c.out, format+"\n", a...) }
func (c *cli) note(format string, a ...any) { fmt.Fprintf(c.err, format+"\n", a...) }

// logger writes structured logs to the standard error.
func (c *cli) logger(conf *setting.Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(conf.Get("log_level"))) // checked when it was loaded
	return slog.New(slog.NewJSONHandler(c.err, &slog.HandlerOptions{Level: level}))
}

// quiet is the logger of a command that is not a server: it says only what went wrong, unless a
// level was asked for.
func (c *cli) quiet(conf *setting.Config) *slog.Logger {
	if conf.Value("log_level").From != setting.Default {
		return c.logger(conf)
	}
	return slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: slog.LevelError}))
}
