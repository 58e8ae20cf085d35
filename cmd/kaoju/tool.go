package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

func toolCommand(c *cli) *cobra.Command {
	call := &cobra.Command{
		Use: "call NAME JSON", Short: "Call a tool on this machine · 调用工具", Args: args(cobra.ExactArgs(2)),
		Long: `Calls one of the demonstration tools, through the same checks as every call of a tool. No data
folder is needed. 用同样的检查调用演示工具，不需要数据目录。

  kaoju tool call echo '{"text": "hello"}'
  kaoju tool call --root pictures resize_image '{"path": "plan.png", "width": 800}'

resize_image reads a PNG, JPEG or GIF file below --root and writes NAME-WIDTH.EXT beside it.
Exit status: 0 done, 1 failed, 2 the arguments are not usable, 4 refused or not found.`,
		RunE: c.action(c.callTool),
	}
	call.Flags().String("root", ".", "folder whose files resize_image may read and write")
	jsonFlag(call)
	return group("tool", "Tools: the demonstration tools echo and resize_image · 工具", call)
}

// called is what kaoju tool call prints with --json.
type called struct {
	Tool   string          `json:"tool"`
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *callError      `json:"error,omitempty"`
}

// resizeTime bounds one call.
const resizeTime = 60 * time.Second

type callError struct {
	Code    string `json:"code"`
	Detail  string `json:"detail"`
	Pointer string `json:"pointer,omitempty"`
}

func (c *cli) callTool(ctx context.Context, _ *setting.Config, cmd *cobra.Command, list []string) error {
	dir, _ := cmd.Flags().GetString("root")
	root, err := os.OpenRoot(dir)
	if err != nil {
		return exit{exitRefused, fmt.Sprintf("%s: there is no such folder; name one with --root", dir)}
	}
	defer root.Close()
	// Whoever types the command decides on this very call, so that a write may run.
	executor, err := tool.NewExecutor(alone{}, []tool.Tool{toolkit.Echo{}, toolkit.NewResize(root)}, tool.Options{Writes: true, Tries: 1, Timeout: resizeTime})
	if err != nil {
		return err
	}
	out := executor.Run(ctx, access.Actor{User: operatorID, Operator: true}, []string{toolkit.EchoText, toolkit.ResizeImage}, tool.Session{},
		llm.ToolCall{ID: "1", Name: list[0], Arguments: list[1]})
	if f := out.Failure; f != nil {
		if wantsJSON(cmd) {
			if err := c.printJSON(called{Tool: list[0], Error: &callError{string(f.Code), f.Detail, f.Pointer}}); err != nil {
				return err
			}
		}
		return exit{callStatus(f.Code), string(f.Code) + ": " + f.Detail}
	}
	if wantsJSON(cmd) {
		return c.printJSON(called{Tool: list[0], OK: true, Result: out.Result.Content})
	}
	c.say("%s", terminal.Clean(string(out.Result.Content)))
	return nil
}

// callStatus is the exit status of a call that did not succeed.
func callStatus(code tool.Code) int {
	switch code {
	case tool.InvalidJSON, tool.InvalidArguments:
		return exitUsage
	case tool.NotAllowed, tool.PermissionDenied, tool.NotFound, tool.OutsideRoot:
		return exitRefused
	}
	return exitFailed
}

// alone is the directory of a command that has no data folder: the one who runs it.
type alone struct{}

const operatorID = access.Operator

func (alone) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	return access.Snapshot{Identity: access.Identity{User: operatorID}}, nil
}
