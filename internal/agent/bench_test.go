package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// instant is a model that takes no time: it searches, reads, and answers.
type instant struct{}

func (instant) Info() llm.Info { return llmtest.New().Info() }

func (instant) Generate(_ context.Context, req llm.Request, _ func(llm.Delta)) (llm.Response, error) {
	say := llm.Message{Role: llm.Assistant}
	switch last := req.Messages[len(req.Messages)-1].Text; {
	case strings.Contains(last, `"ref":"S1"`):
		say.Text = cited
	case strings.Contains(last, `"hits"`):
		say.Calls = []llm.ToolCall{{ID: "c2", Name: "read_document", Arguments: `{"document_id":"doc-travel"}`}}
	default:
		say.Calls = []llm.ToolCall{{ID: "c1", Name: "search_knowledge", Arguments: `{"query":"上海住宿"}`}}
	}
	return llm.Response{Message: say}, nil
}

// bench opens a copy of the template and an agent with an instant model.
func bench(b *testing.B, durable bool) (*sqlite.DB, *agent.Agent) {
	b.Helper()
	source, err := template()
	must(b, err)
	dir := b.TempDir()
	must(b, os.CopyFS(dir, os.DirFS(source)))
	db, err := sqlite.Open(b.Context(), dir, sqlite.Options{Ephemeral: !durable})
	must(b, err)
	b.Cleanup(func() { db.Close() })
	search := toolkit.NewSearch(db.Directory(), retrieval.NewSearcher(retrieval.NewLocal(db.Segments()), db.Texts()), db.Texts())
	executor, err := tool.NewExecutor(db.Directory(), []tool.Tool{search, toolkit.NewRead(db.Directory(), db.Catalog(), db.Texts())}, tool.Options{})
	must(b, err)
	a := agent.New(agent.Deps{
		Directory: db.Directory(), Journal: db.Journal(), Events: db.Events(), Executor: executor, Catalog: db.Catalog(), Generator: instant{},
		Limits: run.DefaultLimits(), Clock: time.Now, Log: silent(),
	})
	b.Cleanup(a.Close)
	return db, a
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLoop is what the loop costs without its model: a run of three steps with a search and a
// read, over the real store. The metric ns/step is a third of a run.
func BenchmarkLoop(b *testing.B) {
	for _, durable := range []bool{false, true} {
		b.Run(fmt.Sprintf("durable=%v", durable), func(b *testing.B) {
			_, a := bench(b, durable)
			for b.Loop() {
				id, err := a.Start(b.Context(), access.Actor{Tenant: tenant, User: alice}, question)
				must(b, err)
				must(b, a.Await(b.Context(), access.Actor{Tenant: tenant, User: alice}, id))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/3, "ns/step")
		})
	}
}

// BenchmarkThousandWaitingRuns is what runs cost that wait for a person: they have a row and no
// goroutine. The sweep looks at them once.
func BenchmarkThousandWaitingRuns(b *testing.B) {
	const runs = 1000
	db, a := bench(b, false)
	ctx := b.Context()
	heap, disk := held(b)
	goroutines := runtime.NumGoroutine()
	n := 0
	for b.Loop() {
		for range runs {
			n++
			r := &run.Run{
				ID: run.ID(fmt.Sprint("run_waits_", n)), Tenant: tenant, Actor: alice, Kind: run.ForPublish, Goal: "发布差旅政策第 3 版",
				Scope: run.Scope{Bases: []access.KnowledgeBaseID{base}}, State: run.Queued, Attempt: 1, Limits: run.DefaultLimits(), CreatedAt: time.Now(),
			}
			must(b, db.Journal().Create(ctx, r, []event.Event{event.New(event.RunCreated, map[string]any{"state": run.Queued})}))
			l, err := db.Journal().Claim(ctx, r.ID, time.Minute)
			must(b, err)
			r.State = run.Running
			must(b, db.Journal().Commit(ctx, run.Commit{Lease: l, Run: r}))
			r.State = run.Waiting
			must(b, db.Journal().Commit(ctx, run.Commit{Lease: l, Run: r, Events: []event.Event{event.New(event.Waiting, map[string]any{"approval_id": "prop_1"})}}))
		}
		gone, err := db.Journal().Interrupt(ctx, time.Now().Add(time.Hour))
		must(b, err)
		if gone != 0 {
			b.Fatalf("%d runs that wait were interrupted", gone)
		}
	}
	heapAfter, diskAfter := held(b)
	b.ReportMetric(float64(heapAfter-heap)/float64(n), "heap-B/run")
	b.ReportMetric(float64(diskAfter-disk)/float64(n), "disk-B/run")
	b.ReportMetric(float64(runtime.NumGoroutine()-goroutines), "goroutines")
	runtime.KeepAlive(a)
}

// held returns the bytes of the heap after a collection, and of the newest data folder.
func held(b *testing.B) (heap, disk int64) {
	b.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(b.TempDir()), "*", "kaoju.db*"))
	must(b, err)
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			disk += info.Size()
		}
	}
	return int64(m.HeapAlloc), disk
}
