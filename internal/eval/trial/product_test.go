package trial_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/demo"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/eval/trial"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// template is a data folder with the demonstration, made once.
var template = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "kaoju-trial-test-")
	if err != nil {
		return "", err
	}
	ctx := context.Background()
	db, err := sqlite.Open(ctx, dir, sqlite.Options{Ephemeral: true})
	if err != nil {
		return "", err
	}
	worker, intake := taking(db)
	_, err = demo.Seed(ctx, demo.Deps{
		Admin: db.Admin(), Directory: db.Directory(), Bases: db.Bases(), Auth: db.Auth(), Intake: intake, Drain: worker.Drain,
	})
	return dir, errors.Join(err, db.Close())
})

func TestMain(m *testing.M) {
	status := m.Run()
	if dir, err := template(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

func taking(db *sqlite.DB) (*ingest.Worker, *ingest.Intake) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	return &ingest.Worker{Queue: db.Queue(), Publisher: db.Publisher(), Blobs: db.Blobs(), Chunking: chunk.Options{}, Log: log},
		&ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs(), MaxBytes: 1 << 20}
}

// house is the product on a copy of the demonstration. A test may put something broken in the
// place of a part before it is evaluated.
type house struct {
	trial.Product
	t    *testing.T
	db   *sqlite.DB
	deps agent.Deps
	desk desk.Deps
}

// newHouse opens a copy of the demonstration. fault may put something else in the place of a part.
func newHouse(t *testing.T, fault func(*house)) *house {
	t.Helper()
	source, err := template()
	must(t, err)
	dir := filepath.Join(t.TempDir(), "data")
	must(t, os.CopyFS(dir, os.DirFS(source)))
	db, err := sqlite.Open(t.Context(), dir, sqlite.Options{Ephemeral: true})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	h := &house{t: t, db: db}
	h.Finder = retrieval.NewSearcher(retrieval.NewLocal(db.Segments()), db.Texts())
	history := toolkit.NewHistory(db.Directory(), db.Catalog(), db.Texts(), db.Blobs(), db.Ledger())
	h.deps = agent.Deps{
		Directory: db.Directory(), Journal: db.Journal(), Events: db.Events(), Memory: db.Memory(), Catalog: db.Catalog(), Generator: rules.New(),
		Executor: executor(t, db, toolkit.NewSearch(db.Directory(), h.Finder, db.Texts(), toolkit.Versions(db.Catalog())), history),
		Limits:   run.DefaultLimits(), Clock: time.Now, Log: log,
	}
	h.desk = desk.Deps{
		Directory: db.Directory(), Catalog: db.Catalog(), Texts: db.Texts(), Blobs: db.Blobs(), Bases: db.Bases(), Jobs: db.Jobs(),
		Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(), Trees: db.Proof(), Search: h.Finder, Admin: db.Admin(), Approvals: db.Approvals(),
		Memory: db.Memory(), History: history,
	}
	h.Tenants, h.Directory, h.Catalog, h.Texts, h.Blobs = db.Admin().Tenants, db.Directory(), db.Catalog(), db.Texts(), db.Blobs()
	h.Journal, h.Events, h.Ledger = db.Journal(), db.Events(), db.Ledger()
	h.wire()
	if fault != nil {
		fault(h)
	}
	return h
}

func executor(t *testing.T, db *sqlite.DB, search tool.Tool, history tool.Tool) *tool.Executor {
	t.Helper()
	e, err := tool.NewExecutor(db.Directory(), []tool.Tool{search, toolkit.NewRead(db.Directory(), db.Catalog(), db.Texts()), history},
		tool.Options{Sleep: func(context.Context, time.Duration) error { return nil }})
	must(t, err)
	return e
}

// wire makes agent and desk from what they work with.
func (h *house) wire() {
	a, d := agent.New(h.deps), desk.New(h.desk)
	h.t.Cleanup(a.Close)
	h.Runner, h.Reader, h.Proposer = a, d, d
	h.Scripted = func(model llm.Generator) (trial.Runner, func()) {
		deps := h.deps
		deps.Generator = model
		scripted := agent.New(deps)
		return scripted, scripted.Close
	}
	worker, intake := taking(h.db)
	h.Upload = func(ctx context.Context, actor access.Actor, up corpus.Upload, body []byte) error {
		if _, err := intake.Upload(ctx, actor, up, bytes.NewReader(body)); err != nil {
			return err
		}
		return worker.Drain(ctx)
	}
}

// hold evaluates the cases of a file.
func (h *house) hold(text string, o trial.Options) eval.Result {
	h.t.Helper()
	return h.run(h.t.Context(), suite(h.t, text), o)
}

func (h *house) run(ctx context.Context, s eval.Suite, o trial.Options) eval.Result {
	h.t.Helper()
	if o.Tenant == "" {
		o.Tenant, o.As = demo.Acme, "alice"
	}
	r, err := trial.Run(ctx, h.Product, s, o)
	must(h.t, err)
	return r
}

// suite reads cases written as a list.
func suite(t *testing.T, text string) eval.Suite {
	t.Helper()
	s, err := eval.Read("test.yaml", []byte("cases:\n"+strings.TrimRight(text, "\n")+"\n"))
	must(t, err)
	return s
}

// example reads the example file of the repository.
func example(t *testing.T) eval.Suite {
	t.Helper()
	raw, err := os.ReadFile("../../../examples/eval/acme.yaml")
	must(t, err)
	s, err := eval.Read("acme.yaml", raw)
	must(t, err)
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// codes returns the codes of the findings of a case, each once, in order.
func codes(r eval.Result, id string) (out []string) {
	for _, c := range r.Cases {
		if c.ID != id {
			continue
		}
		seen := map[string]bool{}
		for _, f := range c.Findings {
			if code := string(f.Group) + ":" + f.Code; !seen[code] {
				seen[code] = true
				out = append(out, code)
			}
		}
	}
	return out
}
