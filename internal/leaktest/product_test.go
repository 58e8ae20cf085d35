package leaktest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/httpapi"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// failing is what a property and a test share.
type failing interface {
	Helper()
	Fatalf(format string, args ...any)
}

// product is the whole program in this process, over a folder of its own.
type product struct {
	dir     string
	db      *sqlite.DB
	worker  *ingest.Worker
	vectors *embedding.Worker
	actions *action.Engine
	agent   *agent.Agent
	door    http.Handler
	model   *witness
	clock   *clock
	log     *logbook
}

// clock is the time of the whole product: that of the machine, and what the driver added.
type clock struct {
	mu     sync.Mutex
	offset time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.offset)
}

func (c *clock) step(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
}

// logbook keeps what the product logged since it was last taken.
type logbook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logbook) take() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := bytes.Clone(l.b.Bytes())
	l.b.Reset()
	return out
}

// witness is the model of the product. It sees every prompt before an engine answers it: the
// engine of rules, or a parrot that searches, reads and repeats all that it was given.
type witness struct {
	rules  llm.Generator
	parrot bool
	read   string // the tool with which the parrot reads
	// seen looks at each prompt; between is called before the parrot's second turn is played.
	seen    func(prompt []byte)
	between func()
	turns   int
	// halt is the turn in which the model stands still until its context ends; 0 for none. It says
	// so through halted.
	halt   int
	halted chan struct{}
}

func (w *witness) Info() llm.Info { return llm.Info{Engine: llm.Model, Name: "witness"} }

func (w *witness) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	// All of a prompt is judged, also what earlier prompts of the run held.
	var all strings.Builder
	for _, m := range req.Messages {
		all.WriteString(m.Text)
		for _, c := range m.Calls {
			all.WriteString(c.Arguments)
		}
		all.WriteByte('\n')
	}
	if w.seen != nil {
		w.seen([]byte(all.String()))
	}
	w.turns++
	if w.turns == 2 && w.between != nil {
		w.between()
	}
	if w.turns == w.halt {
		close(w.halted)
		<-ctx.Done()
		return llm.Response{}, ctx.Err()
	}
	if !w.parrot {
		return w.rules.Generate(ctx, req, emit)
	}
	m := w.repeat(req)
	if emit != nil && m.Text != "" {
		emit(llm.Delta{Text: m.Text})
	}
	finish := llm.Stop
	if len(m.Calls) > 0 {
		finish = llm.CallTools
	}
	return llm.Response{Message: m, Finish: finish}, nil
}

// repeat is the parrot's turn: it searches for the question, reads the first hit, and then says
// whatever passages it was shown, as a model would that has been talked into it.
func (w *witness) repeat(req llm.Request) llm.Message {
	m := llm.Message{Role: llm.Assistant}
	call := func(id, name string, args map[string]any) llm.Message {
		b, _ := json.Marshal(args)
		m.Calls = []llm.ToolCall{{ID: id, Name: name, Arguments: string(b)}}
		return m
	}
	var results []string
	goal := ""
	for _, x := range req.Messages {
		switch x.Role {
		case llm.Tool:
			results = append(results, x.Text)
		case llm.User:
			if goal == "" {
				goal = x.Text
			}
		}
	}
	last := ""
	if len(results) > 0 {
		last = results[len(results)-1]
	}
	switch {
	case len(req.Tools) > 0 && len(results) == 0:
		return call("c1", "search_knowledge", map[string]any{"query": between(goal, "<question>\n", "\n</question>")})
	case len(req.Tools) > 0 && len(results) == 1:
		if id := between(last, `"document_id":"`, `"`); id != "" {
			if w.read == "read_document_version" {
				if rest := between(last, `"versions":[`, `]`); rest != "" {
					id = between(rest[strings.LastIndex(rest, `"document_id"`):], `"document_id":"`, `"`)
				}
			}
			return call("c2", w.read, map[string]any{"document_id": id})
		}
	}
	m.Text = "INSUFFICIENT_EVIDENCE\n没有资料。"
	text := last
	if len(req.Tools) == 0 {
		text = between(goal, "<context>", "</context>")
	}
	ref := "S1"
	if strings.Contains(text, "[C1]") {
		ref = "C1"
	}
	if i := strings.Index(text, "批准预算"); i >= 0 {
		line := text[strings.LastIndexAny(text[:i], "\n\"")+1:]
		line, _, _ = strings.Cut(line, "。")
		m.Text = "结论：" + line + "[" + ref + "]。\n依据：" + line + "[" + ref + "]。"
	}
	return m
}

// between returns what stands between two marks; "" if they are not there.
func between(s, from, to string) string {
	_, rest, ok := strings.Cut(s, from)
	if !ok {
		return ""
	}
	out, _, ok := strings.Cut(rest, to)
	if !ok {
		return ""
	}
	return out
}

// scales is a reranker whose order is its own, and the same for the same passages.
type scales struct{}

func (scales) Info() llm.Info {
	return llm.Info{Engine: llm.Model, Name: "scales", Host: "127.0.0.1:9"}
}

func (scales) Rerank(_ context.Context, query string, texts []string) (llm.Ranking, error) {
	var out llm.Ranking
	for _, t := range texts {
		sum := sha256.Sum256([]byte(query + t))
		out.Scores = append(out.Scores, float64(sum[0]))
	}
	return out, nil
}

// open wires the product over its folder, as the command does.
func (p *product) open(t failing) {
	t.Helper()
	db, err := sqlite.Open(context.Background(), p.dir, sqlite.Options{Serve: true, Ephemeral: true, Clock: p.clock.now})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	p.db = db
	log := slog.New(slog.NewJSONHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	local, words := retrieval.NewLocal(db.Segments()), embedding.New(&llmtest.Lexicon{Name: "lexicon"}, embedding.Traits{})
	if err := db.Vectors().Want(context.Background(), embedding.Wanted{Model: words.Key()}); err != nil {
		t.Fatalf("vectors: %v", err)
	}
	p.vectors = &embedding.Worker{Queue: db.Vectors(), Store: db.Vectors(), Model: words, Log: log}
	local.Lexicons = lexicon.NewReader(db.Tenancy().Lexicons()).Of
	meaning := retrieval.NewSemantic(local, db.Vectors(), retrieval.SemanticOptions{Folder: db.Spool(), Patience: time.Minute, Log: log}, words)
	searcher := retrieval.NewHybrid(local, db.Texts(), meaning, 0.3)
	searcher.Lexicons, searcher.Reranking = local.Lexicons, &retrieval.Reranking{Model: scales{}, Hits: 5, Log: log}
	history := toolkit.NewHistory(db.Directory(), db.Catalog(), db.Texts(), db.Blobs(), db.Ledger())
	executor, err := tool.NewExecutor(db.Directory(), []tool.Tool{
		toolkit.NewSearch(db.Directory(), searcher, db.Texts()), toolkit.NewRead(db.Directory(), db.Catalog(), db.Texts()), history,
	}, tool.Options{})
	if err != nil {
		t.Fatalf("executor: %v", err)
	}
	p.worker = &ingest.Worker{Queue: db.Queue(), Publisher: db.Publisher(), Blobs: db.Blobs(), Chunking: chunk.Options{}, Log: log}
	p.agent = agent.New(agent.Deps{
		Directory: db.Directory(), Journal: db.Journal(), Events: db.Events(), Executor: executor, Memory: db.Memory(), Catalog: db.Catalog(),
		Generator: p.model, Limits: run.DefaultLimits(), Clock: p.clock.now, Log: log,
	})
	p.actions, err = action.New(action.Deps{
		Directory: db.Directory(), Catalog: db.Catalog(), Journal: db.Journal(), Book: db.Approvals(), Tasks: db.Tasks(), Confirm: true, Clock: p.clock.now, Log: log,
	}, []action.Declaration{
		{Tool: toolkit.NewCreateTask(), Evidence: true, Effect: approval.Recorded}, {Tool: toolkit.NewExportDocument(), Effect: approval.Recorded},
		{Tool: toolkit.NewExportHistory(), Effect: approval.Recorded},
	})
	if err != nil {
		t.Fatalf("actions: %v", err)
	}
	d := desk.New(desk.Deps{
		Tasks: db.Tasks(), Actions: p.actions,
		Directory: db.Directory(), Catalog: db.Catalog(), Texts: db.Texts(), Blobs: db.Blobs(), Bases: db.Bases(), Jobs: db.Jobs(),
		Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(), Trees: db.Proof(), Tapes: db.Proof(), Search: searcher,
		Admin: db.Admin(), Lexicons: db.Tenancy().Lexicons(), Approvals: db.Approvals(), Memory: db.Memory(), Drafts: db.Drafts(), Feedback: db.Feedback(), Results: db.Results(), History: history, Clock: p.clock.now,
	})
	gate := auth.NewGate(auth.GateDeps{
		Tokens: db.Auth(), Logins: db.Logins(), Identities: db.Identities(), Directory: db.Directory(), Tenants: db.Admin().Tenants, Clock: p.clock.now,
	})
	p.door = httpapi.New(httpapi.Deps{
		Gate: gate, Desk: d, Runner: p.agent, Requests: db.Requests(), Version: "leaktest", Clock: p.clock.now, Log: log, Model: p.model.Info(),
		Intake: &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs()}, Spool: db.Spool(),
	})
}

// newProduct opens a fresh product in a folder.
func newProduct(t failing, dir string) *product {
	p := &product{dir: dir, clock: &clock{}, log: &logbook{}, model: &witness{rules: rules.New()}}
	p.open(t)
	return p
}

func (p *product) close(t failing) {
	t.Helper()
	p.actions.Close()
	p.agent.Close()
	if err := p.db.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
}

// token makes a credential of a user.
func (p *product) token(t failing, tenant, user string, expires time.Time) string {
	t.Helper()
	secret, err := auth.Issue(context.Background(), p.db.Auth(), auth.Token{
		Tenant: access.TenantID(tenant), User: access.UserID(user), Name: "leaktest", Permissions: access.AllPermissions, ExpiresAt: expires,
	})
	if err != nil {
		t.Fatalf("token of %s: %v", user, err)
	}
	return secret
}

// request is one call of the door.
type request struct {
	method, path, body string
	headers            []string
}

func get(path string, headers ...string) request { return request{"GET", path, "", headers} }

func send(method, path string, body any) request {
	b, _ := json.Marshal(body)
	return request{method, path, string(b), []string{"Content-Type", "application/json"}}
}

// response is all that left the door.
type response struct {
	status int
	header string
	body   string
}

func (p *product) do(token string, q request) response {
	var in io.Reader
	if q.body != "" {
		in = strings.NewReader(q.body)
	}
	r := httptest.NewRequestWithContext(context.Background(), q.method, q.path, in)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(q.headers); i += 2 {
		r.Header.Set(q.headers[i], q.headers[i+1])
	}
	rec := httptest.NewRecorder()
	p.door.ServeHTTP(rec, r)
	rec.Header().Del("X-Request-Id")
	rec.Header().Del("Date")
	var h bytes.Buffer
	rec.Header().Write(&h)
	return response{rec.Code, h.String(), rec.Body.String()}
}

// form is an upload.
func form(path, name, text string, fields ...string) request {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		m.WriteField(fields[i], fields[i+1])
	}
	part, _ := m.CreateFormFile("file", name)
	io.WriteString(part, text)
	m.Close()
	return request{"POST", path, b.String(), []string{"Content-Type", m.FormDataContentType()}}
}
