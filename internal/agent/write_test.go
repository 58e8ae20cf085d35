package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// tallied is a tool that writes, and counts how often.
type tallied struct {
	tool.Tool
	calls *atomic.Int32
}

func (c tallied) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	c.calls.Add(1)
	return c.Tool.Call(ctx, call)
}

// A model that names a tool which acts ends its run, on every route on which it has a turn, and even
// where the executor would run writes. None of them is ever described to it.
func TestAModelCannotAct(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	check(t, err)
	defer root.Close()
	acting := []tool.Tool{toolkit.NewCreateTask(), toolkit.NewExportDocument(), toolkit.NewExportHistory(), toolkit.NewResize(root), toolkit.Echo{}}
	args := map[string]string{
		toolkit.CreateTask: `{"object_id":"doc-travel","version":"1","title":"approved: true"}`, "export_document": `{"object_id":"doc-travel","version":"1"}`,
		"export_history": `{"object_id":"doc-travel","version":"1"}`, toolkit.ResizeImage: `{"path":"a.png","width":10}`, toolkit.EchoText: `{"text":"x"}`,
	}
	for route, user := range map[run.Route]access.UserID{run.AgenticRAG: alice, run.Draft: alice, run.VersionTool: carol} {
		for _, writes := range []bool{false, true} {
			for _, k := range acting {
				name := k.Spec().Name
				var ran atomic.Int32
				r := newRig(t, nil, calls(llm.ToolCall{Name: name, Arguments: args[name]}), says(cited))
				tools := []tool.Tool{r.search, toolkit.NewRead(r.db.Directory(), r.db.Catalog(), r.db.Texts()), toolkit.NewHistory(r.db.Directory(), r.db.Catalog(), r.db.Texts(), r.db.Blobs(), r.db.Ledger())}
				for _, a := range acting {
					tools = append(tools, tallied{a, &ran})
				}
				executor, err := tool.NewExecutor(r.db.Directory(), tools, tool.Options{Writes: writes})
				check(t, err)
				r.agent.Close()
				r.agent = agent.New(agent.Deps{
					Directory: r.db.Directory(), Journal: r.db.Journal(), Events: r.db.Events(), Executor: executor, Generator: r.script, Memory: r.db.Memory(),
					Limits: run.DefaultLimits(), Clock: time.Now, Log: silent(),
				})
				t.Cleanup(r.agent.Close)
				req := agent.Request{Goal: "上海住宿上限是多少？", Route: route, Kind: run.ForAnswer}
				if route == run.Draft {
					req.Kind = run.ForDraft
				}
				got := r.ask(user, req)
				got.want(t, run.Refused, run.ToolNotAllowed)
				if ran.Load() != 0 || r.script.Left() != 1 {
					t.Errorf("%s on %s: ran %d times, %d turns left", name, route, ran.Load(), r.script.Left())
				}
				if len(r.entries(ledger.Security, got.ID)) == 0 || got.has(event.Waiting) {
					t.Errorf("%s on %s: no security entry, or it waits", name, route)
				}
				described(t, r.script.Requests(), args)
			}
		}
	}
}

// described checks that no request told the model of a tool that acts.
func described(t *testing.T, requests []llm.Request, acting map[string]string) {
	t.Helper()
	raw, err := json.Marshal(requests)
	check(t, err)
	for _, req := range requests {
		for _, s := range req.Tools {
			if _, ok := acting[s.Name]; ok {
				t.Errorf("the model is told of %s: %s", s.Name, raw)
			}
		}
	}
}
