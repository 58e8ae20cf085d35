package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	drawing "github.com/kaoju/kaoju/internal/picture"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/toolkit"
)

const (
	acme   = access.TenantID("acme")
	globex = access.TenantID("globex")
)

// world is a whole server on a data folder of its own. Alice manages kb-a; Carol, a knowledge
// administrator, reads it; Bob is of the same tenant and has nothing there; Dave is an auditor;
// Erin is of another tenant; Frank is suspended; Tina administers the tenant, and Toby the other.
type world struct {
	t      *testing.T
	db     *sqlite.DB
	server *server
	door   http.Handler
	runner *scripted
	ticket *ticket
	tokens map[string]string
	log    *bytes.Buffer
	// actions may be put in place of another one, as a restart does.
	actions *action.Engine
	at      atomic.Pointer[time.Time]
}

func newWorld(t *testing.T, change ...func(*Deps)) *world {
	t.Helper()
	ctx := t.Context()
	w := &world{t: t, tokens: map[string]string{}, log: &bytes.Buffer{}}
	db, err := sqlite.Open(ctx, t.TempDir(), sqlite.Options{Serve: true, Clock: w.now})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	w.db = db
	w.people()
	w.ticket = &ticket{}
	w.actions = w.engine(true)
	d := desk.New(desk.Deps{
		Tasks: db.Tasks(), Actions: forwarded{w},
		Directory: db.Directory(), Catalog: db.Catalog(), Texts: db.Texts(), Blobs: db.Blobs(), Bases: db.Bases(),
		Jobs: db.Jobs(), Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(), Trees: db.Proof(), Tapes: db.Proof(), Search: naive{db}, Admin: db.Admin(), Tenancy: db.Tenancy(), Lexicons: db.Tenancy().Lexicons(),
		Approvals: db.Approvals(), Memory: db.Memory(), Drafts: db.Drafts(), Feedback: db.Feedback(), Results: db.Results(), Clock: w.now,
		Pages:   drawing.New(drawing.Options{Painter: easel{}, Folder: drawing.Folder{Path: db.Cache()}}),
		History: toolkit.NewHistory(db.Directory(), db.Catalog(), db.Texts(), db.Blobs(), db.Ledger()),
	})
	w.runner = &scripted{db: db}
	deps := Deps{
		Desk: d, Runner: w.runner, Requests: db.Requests(), Version: "test", Spool: t.TempDir(), UploadBytes: 1 << 20,
		Intake: &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs(), MaxBytes: 1 << 20}, Clock: w.now,
		Pace: Pace{Recheck: 5 * time.Millisecond, Heartbeat: 10 * time.Millisecond, Write: 5 * time.Second},
		Log:  slog.New(slog.NewJSONHandler(&guarded{w: w.log}, nil)),
	}
	for _, c := range change {
		c(&deps)
	}
	if deps.Gate == nil {
		gate := w.gate()
		gate.Clock = deps.Clock
		deps.Gate = auth.NewGate(gate)
	}
	if deps.Federation == nil {
		deps.Federation = w.federated(deps.Gate, idle{})
	}
	w.server = newServer(deps)
	w.door = w.server.front()
	return w
}

// pictures returns how many pictures of pages are kept.
func (w *world) pictures() int {
	files, err := os.ReadDir(w.db.Cache())
	must(w.t, err)
	return len(files)
}

// gate is what the doorkeeper of a world works with.
func (w *world) gate() auth.GateDeps {
	return auth.GateDeps{Tokens: w.db.Auth(), Logins: w.db.Logins(), Directory: w.db.Directory(), Tenants: w.db.Admin().Tenants, Identities: w.db.Identities()}
}

// now is the time of the world: that of the machine, or the one that a test set.
func (w *world) now() time.Time {
	if at := w.at.Load(); at != nil {
		return *at
	}
	return time.Now()
}

// set stops the world's clock at a time.
func (w *world) set(at time.Time) { w.at.Store(&at) }

// guarded lets many requests write one log.
type guarded struct {
	mu sync.Mutex
	w  io.Writer
}

func (g *guarded) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.w.Write(b)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) people() {
	ctx, admin := w.t.Context(), w.db.Admin()
	must(w.t, admin.CreateTenant(ctx, acme, "Acme"))
	must(w.t, admin.CreateTenant(ctx, globex, "Globex"))
	for _, p := range []struct {
		tenant access.TenantID
		user   access.UserID
		role   access.Role
	}{
		{acme, "alice", access.Member}, {acme, "bob", access.Member}, {acme, "carol", access.KnowledgeAdmin},
		{acme, "dave", access.Auditor}, {acme, "frank", access.Member}, {globex, "erin", access.Member},
		{acme, "tina", access.TenantAdmin}, {globex, "toby", access.TenantAdmin},
	} {
		id := access.Identity{User: p.user, DisplayName: strings.ToUpper(string(p.user)), Roles: []access.Role{p.role}}
		must(w.t, admin.PutUser(ctx, p.tenant, "operator", id))
		secret, err := auth.Issue(ctx, w.db.Auth(), auth.Token{Tenant: p.tenant, User: p.user, Name: "test", Permissions: access.AllPermissions})
		must(w.t, err)
		w.tokens[string(p.user)] = secret
	}
	must(w.t, admin.PutUser(ctx, acme, "operator", access.Identity{User: "frank", Roles: []access.Role{access.Member}, Suspended: true}))
}

// request makes a request in a person's name; nobody's for "".
func (w *world) request(who, method, path string, body io.Reader, headers ...string) *http.Request {
	r := httptest.NewRequestWithContext(w.t.Context(), method, path, body)
	if who != "" {
		r.Header.Set("Authorization", "Bearer "+w.tokens[who])
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func (w *world) do(r *http.Request) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	w.door.ServeHTTP(rec, r)
	return rec
}

// send makes a request with a JSON body and returns the answer.
func (w *world) send(who, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
		headers = append([]string{"Content-Type", "application/json"}, headers...)
	}
	return w.do(w.request(who, method, path, in, headers...))
}

// expect makes a request that must be answered with a status, and decodes the answer.
func expect[T any](w *world, who, method, path, body string, status int, headers ...string) T {
	w.t.Helper()
	rec := w.send(who, method, path, body, headers...)
	if rec.Code != status {
		w.t.Fatalf("%s %s as %q: status %d, want %d: %s", method, path, who, rec.Code, status, rec.Body)
	}
	var out T
	if status != http.StatusNoContent {
		if err := json.Unmarshal(rec.Body.Bytes(), &out); err != nil {
			w.t.Fatalf("%s %s: %v: %s", method, path, err, rec.Body)
		}
	}
	return out
}

// refusal makes a request that must be refused with a status and a code.
func (w *world) refusal(who, method, path, body string, status int, code string, headers ...string) api.Problem {
	w.t.Helper()
	p := expect[api.Problem](w, who, method, path, body, status, headers...)
	if p.Code != code || p.Status != status || p.Type != "urn:kaoju:problem:"+code || p.Title == "" || p.Detail == "" {
		w.t.Fatalf("%s %s as %q: %+v, want code %q and the members of a problem", method, path, who, p, code)
	}
	return p
}

// formOf writes a multipart form; the field "file" is the file, named by "name".
func formOf(fields ...string) (io.Reader, string) {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] == "file" {
			name, text, _ := strings.Cut(fields[i+1], "|")
			part, err := m.CreateFormFile("file", name)
			if err == nil {
				_, err = io.WriteString(part, text)
			}
			if err != nil {
				panic(err)
			}
			continue
		}
		if err := m.WriteField(fields[i], fields[i+1]); err != nil {
			panic(err)
		}
	}
	if err := m.Close(); err != nil {
		panic(err)
	}
	return &b, m.FormDataContentType()
}

func (w *world) upload(who, kb string, fields ...string) *httptest.ResponseRecorder {
	body, media := formOf(fields...)
	return w.do(w.request(who, http.MethodPost, "/api/knowledge-bases/"+kb+"/documents", body, "Content-Type", media))
}

// add uploads a file as Alice and has it worked on; "name|text" is the file.
func (w *world) add(kb, file string, fields ...string) api.Upload {
	w.t.Helper()
	rec := w.upload("alice", kb, append([]string{"file", file}, fields...)...)
	if rec.Code != http.StatusAccepted {
		w.t.Fatalf("upload: %d %s", rec.Code, rec.Body)
	}
	var up api.Upload
	must(w.t, json.Unmarshal(rec.Body.Bytes(), &up))
	w.work()
	return up
}

// work does the waiting jobs: each paragraph of the original becomes a chunk.
func (w *world) work() {
	w.t.Helper()
	ctx := w.t.Context()
	for {
		job, ok, err := w.db.Queue().Claim(ctx, time.Minute)
		must(w.t, err)
		if !ok {
			return
		}
		doc, _, err := w.db.Publisher().Reserved(ctx, job.ID)
		must(w.t, err)
		r, err := w.db.Blobs().Open(ctx, doc.Checksum)
		must(w.t, err)
		b, err := io.ReadAll(r)
		must(w.t, err)
		must(w.t, r.Close())
		_, err = w.db.Publisher().Publish(ctx, parsed(doc, string(b)), job.ID, job.Token)
		must(w.t, err)
	}
}

func parsed(doc corpus.Document, text string) corpus.Version {
	v := corpus.Version{Document: doc.ID, Title: string(doc.Key), Language: "en", MediaType: "text/plain", Text: text}
	if strings.HasSuffix(string(doc.Key), ".pdf") {
		v.MediaType = "application/pdf"
	}
	if strings.HasSuffix(string(doc.Key), ".dxf") {
		v.MediaType = "image/vnd.dxf"
	}
	start := 0
	for i, p := range strings.Split(text, "\n\n") {
		span := corpus.Span{Start: start, End: start + len([]rune(p))}
		start = span.End + 2
		var locator corpus.Locator = corpus.TextLocator{Format: "txt", Heading: []string{}, Line: 2*i + 1, Char: [2]int{span.Start, span.End}}
		if strings.HasSuffix(string(doc.Key), ".epub") { // each paragraph is a chapter
			locator = corpus.EPUBLocator{Spine: i + 1, Href: "a.xhtml", Heading: []string{}, Char: [2]int{0, span.Len()}}
		}
		segments := []corpus.Segment{{Span: span, Locator: locator}}
		v.Blocks = append(v.Blocks, corpus.Block{Kind: corpus.Paragraph, Span: span, Head: -1, Segments: segments})
		v.Chunks = append(v.Chunks, corpus.Chunk{
			ID: corpus.ChunkID(fmt.Sprintf("chunk-%s-%d", doc.ID, i+1)), Document: doc.ID, No: i + 1,
			Text: p, Span: span, Locator: locator, Segments: segments,
		})
	}
	return v
}

// kb makes a knowledge base of Alice's that publishes directly.
func (w *world) kb(id string) {
	w.t.Helper()
	expect[api.KnowledgeBase](w, "alice", http.MethodPost, "/api/knowledge-bases", `{"id":"`+id+`","name":"Base `+id+`"}`, http.StatusCreated)
	expect[api.KnowledgeBase](w, "alice", http.MethodPatch, "/api/knowledge-bases/"+id, `{"publishing":"direct"}`, http.StatusOK)
}

func (w *world) grant(kb string, pairs ...string) {
	w.t.Helper()
	g := api.Grants{}
	for i := 0; i+1 < len(pairs); i += 2 {
		g.Grants = append(g.Grants, api.Grant{Principal: pairs[i], Role: pairs[i+1]})
	}
	b, err := json.Marshal(g)
	must(w.t, err)
	expect[api.Grants](w, "alice", http.MethodPut, "/api/knowledge-bases/"+kb+"/grants", string(b), http.StatusOK)
}

// naive finds chunks by looking at every text that the scope admits.
type naive struct{ db *sqlite.DB }

func (n naive) Search(ctx context.Context, scope access.Scope, q retrieval.Query) (retrieval.Result, error) {
	var out retrieval.Result
	page, err := n.db.Catalog().Documents(ctx, scope, corpus.Filter{Limit: 200})
	if err != nil {
		return out, err
	}
	for _, d := range page.Items {
		chunks, err := n.db.Texts().Chunks(ctx, scope, d.ID, 0, 1000)
		if err != nil {
			return out, err
		}
		for _, c := range chunks {
			if strings.Contains(strings.ToLower(c.Text), strings.ToLower(q.Text)) {
				out.Hits = append(out.Hits, retrieval.Hit{
					Document: d, Chunk: c.ID, HeadingPath: c.HeadingPath, Locator: c.Locator, Span: c.Span, Snippet: c.Text,
					Score: 1, Ranks: retrieval.Ranks{Keyword: len(out.Hits) + 1}, Matched: []string{q.Text},
				})
			}
		}
	}
	out.Hits = out.Hits[min(q.Offset, len(out.Hits)):]
	out.More = len(out.Hits) > q.Limit
	out.Hits = out.Hits[:min(q.Limit, len(out.Hits))]
	return out, nil
}

// scripted is a runner whose runs read the first chunk that holds a word of the goal and answer
// with it. It commits through the real journal. With hold set, a run waits for release before
// its last step.
type scripted struct {
	db   *sqlite.DB
	mu   sync.Mutex
	n    int
	hold bool
	work sync.WaitGroup
	open chan struct{}
	last agent.Request
}

func (s *scripted) Start(ctx context.Context, actor access.Actor, req agent.Request) (run.ID, error) {
	if strings.TrimSpace(req.Goal) == "" {
		e := problem.New(problem.Invalid, "invalid_request", "goal must not be empty.")
		e.Fields = []problem.Field{{Pointer: "/goal", Detail: "must not be empty"}}
		return "", e
	}
	scope, err := access.Resolve(ctx, s.db.Directory(), actor, access.Request{Bases: req.Bases})
	if err != nil {
		return "", err
	}
	for _, kb := range req.Bases {
		if scope.Level(kb) < access.Reader {
			return "", problem.Missing()
		}
	}
	s.mu.Lock()
	s.last = req
	s.n++
	id := run.ID(fmt.Sprintf("run_%s_%d", actor.User, s.n))
	if s.open == nil {
		s.open = make(chan struct{})
	}
	s.mu.Unlock()
	kind := req.Kind
	if kind == "" {
		kind = run.ForAnswer
	}
	r := &run.Run{
		ID: id, Tenant: actor.Tenant, Actor: actor.User, Kind: kind, Goal: req.Goal, Conversation: req.Conversation,
		Scope: run.Scope{Bases: scope.Bases()}, Route: run.AgenticRAG, Tools: []string{"search_knowledge"}, State: run.Queued,
		Attempt: 1, Limits: run.DefaultLimits(), CreatedAt: time.Now().UTC(),
	}
	if err := s.db.Journal().Create(ctx, r, []event.Event{event.New(event.RunCreated, map[string]any{"state": "queued"})}); err != nil {
		return "", err
	}
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		s.perform(context.WithoutCancel(ctx), r, actor)
	}()
	return id, nil
}

func (s *scripted) perform(ctx context.Context, r *run.Run, actor access.Actor) {
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	lease, err := s.db.Journal().Claim(ctx, r.ID, time.Minute)
	check(err)
	scope, err := access.Resolve(ctx, s.db.Directory(), actor, r.Scope.Request())
	check(err)
	found, err := naive{s.db}.Search(ctx, scope, retrieval.Query{Text: r.Goal, Limit: 5})
	check(err)
	r.State, r.StartedAt, r.Step = run.Running, time.Now().UTC(), 1
	var evidence []citation.Evidence
	events := []event.Event{
		event.New(event.RunStarted, map[string]any{}),
		event.New(event.ToolStarted, map[string]any{"call_id": "c1", "tool": "search_knowledge", "args": map[string]any{"query": r.Goal}}),
	}
	for i, h := range found.Hits {
		e := citation.New(fmt.Sprintf("S%d", i+1), r.Seal.Nonce(run.NameExcerpt(fmt.Sprintf("S%d", i+1))), corpus.Passage{
			Document: h.Document.ID, KnowledgeBase: h.Document.KnowledgeBase, Key: h.Document.Key, Version: h.Document.Version,
			Status: h.Document.Status, Title: h.Document.Title, Chunk: h.Chunk, Locator: h.Locator, Span: h.Span, Text: h.Snippet,
		}, time.Now())
		evidence = append(evidence, e)
		events = append(events, event.New(event.SourceAdded, map[string]any{"ref": e.Ref, "document_id": e.Document, "version": e.Version}))
	}
	events = append(events, event.New(event.ToolStarted, map[string]any{"call_id": "c2", "tool": "search_knowledge", "args": map[string]any{"query": "after " + r.Goal}}))
	// What a model was shown, and said, is recorded as the agent records it.
	var shown []string
	for _, e := range evidence {
		shown = append(shown, e.Excerpt)
	}
	prompt := []llm.Message{{Role: llm.User, Text: r.Goal + "\n" + strings.Join(shown, "\n")}}
	said := run.Recording{Attempt: 1, Step: 1, Turn: &run.Turn{Prompt: prompt, Hash: strings.Repeat("a", 64), Response: &llm.Response{
		Message: llm.Message{Role: llm.Assistant, Text: strings.Join(shown, "; ")}, Finish: llm.Stop,
	}}}.Pack(r.Seal)
	r.TapeHash = run.Fold("", said.Hash)
	check(s.db.Journal().Commit(ctx, run.Commit{Lease: lease, Run: r, Events: events, Evidence: evidence, Recordings: []run.Packed{said}}))
	s.mu.Lock()
	hold, open := s.hold, s.open
	s.mu.Unlock()
	if hold {
		<-open
	}
	s.finish(ctx, lease, r, evidence)
}

func (s *scripted) finish(ctx context.Context, lease run.Lease, r *run.Run, evidence []citation.Evidence) {
	var text []string
	for _, e := range evidence {
		text = append(text, e.Excerpt+" ["+e.Ref+"].")
		r.Answer.Refs = append(r.Answer.Refs, e.Ref)
	}
	r.Answer.Text = strings.Join(text, "\n")
	r.Answer.Sections.Conclusion = r.Answer.Text
	r.State, r.Reason, r.EndedAt, r.Step = run.Completed, run.Success, time.Now().UTC(), 2
	if r.Kind == run.ForDraft {
		r.State, r.Reason = run.AwaitingReview, run.DraftReady
		r.Checks = citation.Verify(r.Answer, evidence)
	}
	if len(evidence) == 0 {
		r.State, r.Reason = run.InsufficientEvidence, run.Insufficient
		r.Answer = citation.Answer{Text: "The material does not settle this.", Insufficient: true, Missing: []string{"a source"}}
	}
	chars := len([]rune(r.Answer.Text))
	err := s.db.Journal().Commit(ctx, run.Commit{
		Lease: lease, Run: r,
		Events: []event.Event{
			event.New(event.AnswerStarted, map[string]any{"answer_id": "a1"}),
			event.New(event.AnswerDelta, map[string]any{"answer_id": "a1", "offset": 0, "chars": chars}),
			event.New(event.Completed, map[string]any{"state": r.State, "finish_reason": r.Reason}),
		},
		Entries: []ledger.Entry{{Kind: ledger.RunEnded, Actor: string(r.Actor), Time: time.Now(), Body: run.EndedBody(r, evidence)}},
	})
	// A run that was cancelled meanwhile has ended already.
	if err != nil && !problem.Is(err, problem.Conflict) {
		panic(err)
	}
}

func (s *scripted) Await(ctx context.Context, actor access.Actor, id run.ID) error {
	var n int64
	for {
		r, _, err := s.db.Journal().Run(ctx, actor.Tenant, actor.User, id)
		if err != nil || r.State.Final() {
			return err
		}
		if err := s.db.Events().Wait(ctx, string(id), n); err != nil {
			return err
		}
		n++
	}
}

// Resume works on an interrupted run as if it began.
func (s *scripted) Resume(ctx context.Context, actor access.Actor, id run.ID) (*run.Run, error) {
	r, _, err := s.db.Journal().Run(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return nil, err
	}
	r.State, r.Reason, r.Attempt = run.Queued, "", r.Attempt+1
	if err := s.db.Journal().Resume(ctx, run.Commit{
		Run: r, Events: []event.Event{event.New(event.Resumed, map[string]any{"attempt": r.Attempt})}, Entries: []ledger.Entry{{Kind: ledger.RunResumed, Body: json.RawMessage(`{}`)}},
	}); err != nil {
		return nil, err
	}
	resumed := *r
	s.work.Go(func() { s.perform(context.WithoutCancel(ctx), r, actor) })
	return &resumed, nil
}

func (s *scripted) Cancel(ctx context.Context, actor access.Actor, id run.ID) (*run.Run, error) {
	return s.db.Journal().Cancel(ctx, actor.Tenant, actor.User, id)
}

// ask runs a question of a person to its end.
func (w *world) ask(who, question string) api.Answer {
	w.t.Helper()
	a := expect[api.Answer](w, who, http.MethodPost, "/api/chat", `{"question":"`+question+`"}`, http.StatusOK)
	w.runner.work.Wait()
	return a
}
