package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/recut"
)

func reindexCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "reindex", Short: "Cut versions anew that an earlier program cut · 重新切分旧文档", Args: args(cobra.NoArgs),
		Long: `Cuts the versions of a data folder anew that an earlier version of Kaoju cut in another way, as a server does
by itself in the background. Each version changes in one step, and is found as it was until then; citations
open as before. It can be interrupted at any time and goes on where it was; a server may run meanwhile.
Vectors follow when a server runs. With --status it only says how many versions wait.

重新切分由旧版程序切分的文档版本；服务器运行时也会在后台自动进行。每个版本一步切换，此前照旧可检索，
已有引用仍可打开原文。可随时中断，再次运行会继续；--status 只显示等待的数量。`,
		RunE: c.action(c.reindex),
	}
	setting.AddFlags(cmd, "data")
	cmd.Flags().Bool("status", false, "say how many versions wait, and do nothing")
	jsonFlag(cmd)
	return cmd
}

// reindexed is what of a folder was cut anew, and what waits still. Failed counts those of the latter that were tried.
type reindexed struct {
	Chunker int `json:"chunker"`
	Cut     int `json:"cut"`
	Pending int `json:"pending"`
	Failed  int `json:"failed"`
}

func (c *cli) reindex(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	idle, _ := cmd.Flags().GetBool("status")
	var out reindexed
	err := c.onFolderOf(ctx, conf, func(s *stack) (err error) {
		if out, err = s.waiting(ctx); err != nil || idle {
			return err
		}
		if err := s.recut.Want(ctx); err != nil {
			return err
		}
		before := out.Pending
		bar := terminal.NewProgress(c.err, before)
		if err := s.recut.Drain(ctx, func() { bar.Done("") }); err != nil {
			return err
		}
		out, err = s.waiting(ctx)
		out.Cut = max(0, before-out.Pending)
		return err
	})
	if err != nil {
		return err
	}
	if wantsJSON(cmd) {
		err = c.printJSON(out)
	} else {
		c.say("%d versions cut anew, %d wait · 已重新切分 %d 个版本，%d 个等待", out.Cut, out.Pending, out.Cut, out.Pending)
	}
	if err == nil && out.Failed > 0 {
		err = exit{exitFailed, fmt.Sprintf("%d versions could not be cut anew and are found as they were: kaoju doctor says why", out.Failed)}
	}
	return err
}

// waiting counts the versions of the folder that wait to be cut anew.
func (s *stack) waiting(ctx context.Context) (reindexed, error) {
	out := reindexed{Chunker: chunk.Version}
	tenants, err := s.db.Admin().Tenants(ctx)
	for i := 0; err == nil && i < len(tenants); i++ {
		var list []recut.Waiting
		list, err = s.db.Recuts().Waiting(ctx, tenants[i], chunk.Version)
		out.Pending += len(list)
		for _, w := range list {
			if w.Code != "" {
				out.Failed++
			}
		}
	}
	return out, err
}

// chunking tells an actor how many of the versions that the actor may read wait to be cut anew.
func (s *stack) chunking(ctx context.Context, actor access.Actor) (out api.Chunking, err error) {
	err = access.Within(ctx, s.db.Directory(), actor, access.Request{View: access.Published}, func(scope access.Scope) error {
		list, err := s.db.Recuts().Waiting(ctx, scope.Tenant(), chunk.Version)
		ids := make([]corpus.DocumentID, len(list))
		for i, w := range list {
			ids[i] = w.Document
		}
		if err == nil && len(ids) > 0 {
			out.Pending, err = s.index.Count(ctx, scope, ids)
		}
		return err
	})
	return out, err
}
