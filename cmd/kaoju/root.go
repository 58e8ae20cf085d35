package main

import (
	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/call"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/doctor"
	"github.com/kaoju/kaoju/cmd/kaoju/evaluation"
	"github.com/kaoju/kaoju/cmd/kaoju/inquiry"
	"github.com/kaoju/kaoju/cmd/kaoju/library"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/people"
	"github.com/kaoju/kaoju/cmd/kaoju/record"
	"github.com/kaoju/kaoju/cmd/kaoju/serve"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
)

// command builds the tree of commands.
func command(c *console.CLI) *cobra.Command {
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
		Args: console.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().String("config", setting.DefaultFile, "settings file")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return outcome.New(outcome.Usage, err.Error()) })
	root.AddCommand(
		inquiry.AskCommand(c), serve.Command(c), library.AddCommand(c), inquiry.SearchCommand(c), library.BaseCommand(c), library.DocCommand(c),
		people.GrantCommand(c), people.UserCommand(c), people.GroupCommand(c), people.TokenCommand(c), people.TenantCommand(c), people.SynonymCommand(c),
		record.LedgerCommand(c), record.BundleCommand(c), inquiry.RunCommand(c), inquiry.DraftCommand(c), inquiry.FeedbackCommand(c),
		call.Command(c), evaluation.Command(c), library.ReindexCommand(c), doctor.Command(c), versionCommand(c), parseWorkerCommand(c))
	return root
}
