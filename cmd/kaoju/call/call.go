// Package call is the command that calls a demonstration tool on this machine, without a data folder.
package call

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// commands is what the commands of this package are given.
type commands struct{ *console.CLI }

// Command is kaoju tool.
func Command(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	call := &cobra.Command{
		Use: "call NAME JSON", Short: "Call a tool on this machine · 调用工具", Args: console.Args(cobra.ExactArgs(2)),
		Long: `Calls one of the demonstration tools, through the same checks as every call of a tool. No data
folder is needed. 用同样的检查调用演示工具，不需要数据目录。

  kaoju tool call echo '{"text": "hello"}'
  kaoju tool call --root pictures resize_image '{"path": "plan.png", "width": 800}'

resize_image reads a PNG, JPEG or GIF file below --root and writes NAME-WIDTH.EXT beside it.
Exit status: 0 done, 1 failed, 2 the arguments are not usable, 4 refused or not found.`,
		RunE: c.Action(c.callTool),
	}
	call.Flags().String("root", ".", "folder whose files resize_image may read and write")
	console.JSONFlag(call)
	return console.Group("tool", "Tools: the demonstration tools echo and resize_image · 工具", call)
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

func (c commands) callTool(ctx context.Context, _ *setting.Config, cmd *cobra.Command, list []string) error {
	dir, _ := cmd.Flags().GetString("root")
	root, err := os.OpenRoot(dir)
	if err != nil {
		return outcome.New(outcome.Refused, fmt.Sprintf("%s: there is no such folder; name one with --root", dir))
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
		if console.WantsJSON(cmd) {
			if err := c.PrintJSON(called{Tool: list[0], Error: &callError{string(f.Code), f.Detail, f.Pointer}}); err != nil {
				return err
			}
		}
		return outcome.New(callStatus(f.Code), string(f.Code)+": "+f.Detail)
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(called{Tool: list[0], OK: true, Result: out.Result.Content})
	}
	c.Say("%s", terminal.Clean(string(out.Result.Content)))
	return nil
}

// callStatus is the exit status of a call that did not succeed.
func callStatus(code tool.Code) int {
	switch code {
	case tool.InvalidJSON, tool.InvalidArguments:
		return outcome.Usage
	case tool.NotAllowed, tool.PermissionDenied, tool.NotFound, tool.OutsideRoot:
		return outcome.Refused
	}
	return outcome.Failed
}

// alone is the directory of a command that has no data folder: the one who runs it.
type alone struct{}

const operatorID = access.Operator

// Snapshot implements access.Directory.
func (alone) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	return access.Snapshot{Identity: access.Identity{User: operatorID}}, nil
}
