package library

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/recut"
)

// ReindexCommand is kaoju reindex.
func ReindexCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "reindex", Short: "Cut versions anew that an earlier program cut · 重新切分旧文档", Args: console.Args(cobra.NoArgs),
		Long: `Cuts the versions of a data folder anew that an earlier version of Kaoju cut in another way, as a server does
by itself in the background. Each version changes in one step, and is found as it was until then; citations
open as before. It can be interrupted at any time and goes on where it was; a server may run meanwhile.
Vectors follow when a server runs. With --status it only says how many versions wait.

重新切分由旧版程序切分的文档版本；服务器运行时也会在后台自动进行。每个版本一步切换，此前照旧可检索，
已有引用仍可打开原文。可随时中断，再次运行会继续；--status 只显示等待的数量。`,
		RunE: c.Action(c.reindex),
	}
	setting.AddFlags(cmd, "data")
	cmd.Flags().Bool("status", false, "say how many versions wait, and do nothing")
	console.JSONFlag(cmd)
	return cmd
}

// Reindexed is what of a folder was cut anew, and what waits still. Failed counts those of the latter that were tried.
type Reindexed struct {
	Chunker int `json:"chunker"`
	Cut     int `json:"cut"`
	Pending int `json:"pending"`
	Failed  int `json:"failed"`
}

func (c commands) reindex(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	idle, _ := cmd.Flags().GetBool("status")
	var out Reindexed
	err := c.OnFolderOf(ctx, conf, func(s *wiring.Product) (err error) {
		if out, err = waiting(ctx, s); err != nil || idle {
			return err
		}
		if err := s.Recut.Want(ctx); err != nil {
			return err
		}
		before := out.Pending
		bar := terminal.NewProgress(c.Err, before)
		if err := s.Recut.Drain(ctx, func() { bar.Done("") }); err != nil {
			return err
		}
		out, err = waiting(ctx, s)
		out.Cut = max(0, before-out.Pending)
		return err
	})
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		err = c.PrintJSON(out)
	} else {
		c.Say("%d versions cut anew, %d wait · 已重新切分 %d 个版本，%d 个等待", out.Cut, out.Pending, out.Cut, out.Pending)
	}
	if err == nil && out.Failed > 0 {
		err = outcome.New(outcome.Failed, fmt.Sprintf("%d versions could not be cut anew and are found as they were: kaoju doctor says why", out.Failed))
	}
	return err
}

// waiting counts the versions of the folder that wait to be cut anew.
func waiting(ctx context.Context, s *wiring.Product) (Reindexed, error) {
	out := Reindexed{Chunker: chunk.Version}
	tenants, err := s.DB.Admin().Tenants(ctx)
	for i := 0; err == nil && i < len(tenants); i++ {
		var list []recut.Waiting
		list, err = s.DB.Recuts().Waiting(ctx, tenants[i], chunk.Version)
		out.Pending += len(list)
		for _, w := range list {
			if w.Code != "" {
				out.Failed++
			}
		}
	}
	return out, err
}
