package main

import (
	"context"
	"log/slog"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/reading"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/parse/worker"
)

// readerOf makes what reads files, in processes of this same program: one more than there are workers,
// since originals that somebody opens again are read by them too.
//
// What they need for a while lies in the spool of the data folder, where it is swept after a crash.
func readerOf(conf *setting.Config, spool string, log *slog.Logger) *reading.Reader {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = ""
	}
	return reading.Open(reading.Settings{
		Program:  thisProgram,
		Children: conf.Number("workers") + 1,
		Memory:   int64(conf.Number("file_memory")),
		CPU:      conf.Duration("file_time"),
		Temp:     spool,
		Cache:    cache,
		OCR:      conf.Get("ocr_program"), Languages: conf.Get("ocr_languages"),
		Log: log,
	})
}

// thisProgram returns how this program is started again: the very one that runs, even if there is
// another one under its name by now.
func thisProgram() ([]string, error) {
	if runtime.GOOS == "linux" {
		if _, err := os.Stat("/proc/self/exe"); err == nil {
			return []string{"/proc/self/exe"}, nil
		}
	}
	path, err := os.Executable()
	return []string{path}, err
}

func parseWorkerCommand(c *cli) *cobra.Command {
	child := reading.Child{Leave: os.Exit}
	cmd := &cobra.Command{
		Use: reading.Command, Short: "Read files for a server (started by the server itself)", Hidden: true, Args: args(cobra.NoArgs),
		Long: `Reads files for the kaoju process that started it: requests on the standard input, answers on the
standard output, until the input ends. It keeps nothing, and ends when it takes too much.

为启动它的 kaoju 进程读取文件：从标准输入接收请求，在标准输出给出结果，输入结束即退出。`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Whatever a library prints must not get between the answers.
			os.Stdout = os.Stderr
			return child.Serve(context.WithoutCancel(cmd.Context()), c.in, c.out)
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
