package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/reading"
	"github.com/kaoju/kaoju/internal/parse/worker"
)

func parseWorkerCommand(c *console.CLI) *cobra.Command {
	child := reading.Child{Leave: os.Exit}
	cmd := &cobra.Command{
		Use: reading.Command, Short: "Read files for a server (started by the server itself)", Hidden: true, Args: console.Args(cobra.NoArgs),
		Long: `Reads files for the kaoju process that started it: requests on the standard input, answers on the
standard output, until the input ends. It keeps nothing, and ends when it takes too much.

为启动它的 kaoju 进程读取文件：从标准输入接收请求，在标准输出给出结果，输入结束即退出。`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Whatever a library prints must not get between the answers.
			os.Stdout = os.Stderr
			return child.Serve(context.WithoutCancel(cmd.Context()), c.In, c.Out)
		},
	}
	cmd.Flags().Int64Var(&child.Memory, "memory", worker.DefaultMemory, "bytes that the process may hold")
	cmd.Flags().DurationVar(&child.CPU, "cpu", worker.DefaultCPU, "processor time that one file may take")
	cmd.Flags().StringVar(&child.Folder, reading.FolderFlag, "", "folder with the compiled reader of PDF documents")
	cmd.Flags().StringVar(&child.Program, reading.ProgramFlag, "", "program that recognises characters on pictures")
	cmd.Flags().StringVar(&child.Languages, reading.LangFlag, "", "languages that it looks for")
	cmd.Flags().BoolVar(&child.Compile, reading.CompileFlag, false, "compile the reader of PDF documents into that folder, and end")
	return cmd
}
