package ingest_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite"
)

const (
	tenant = access.TenantID("acme")
	base   = access.KnowledgeBaseID("kb")
)

var carol = access.Actor{Tenant: tenant, User: "carol"}

// shop is a knowledge base over SQLite, with blobs that a test can make fail.
type shop struct {
	t      *testing.T
	dir    string
	db     *sqlite.DB
	blobs  *faulty
	intake *ingest.Intake
	worker *ingest.Worker
	clock  atomic.Int64 // seconds
	// current is the job that the hook of the cancelling test asks to stop.
	current string
}

// faulty opens originals through a hook.
type faulty struct {
	corpus.Blobs
	open func(ctx context.Context) (io.ReadCloser, error) // nil: as it is
}

func (f *faulty) Open(ctx context.Context, sum corpus.Checksum) (io.ReadCloser, error) {
	if f.open != nil {
		if r, err := f.open(ctx); r != nil || err != nil {
			return r, err
		}
	}
	return f.Blobs.Open(ctx, sum)
}

func newShop(t *testing.T) *shop {
	t.Helper()
	ctx := t.Context()
	s := &shop{t: t, dir: t.TempDir()}
	s.clock.Store(1_800_000_000)
	db, err := sqlite.Open(ctx, s.dir, sqlite.Options{Clock: func() time.Time { return time.Unix(s.clock.Load(), 0).UTC() }})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, db.Admin().CreateTenant(ctx, tenant, "Acme"))
	for _, user := range []access.UserID{"carol", "alice"} {
		must(t, db.Admin().PutUser(ctx, tenant, "system", access.Identity{User: user, Roles: []access.Role{access.Member}}))
	}
	must(t, access.Within(ctx, db.Directory(), carol, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		_, err := db.Bases().Create(ctx, scope, access.KnowledgeBase{ID: base, Name: "KB", Publishing: access.Directly})
		return err
	}))
	s.db, s.blobs = db, &faulty{Blobs: db.Blobs()}
	s.intake = &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs(), MaxBytes: 1 << 20}
	s.worker = &ingest.Worker{
		Queue: db.Queue(), Publisher: db.Publisher(), Blobs: s.blobs, Lease: 30 * time.Millisecond,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	return s
}

func (s *shop) upload(name, text string) (corpus.Reservation, error) {
	return s.intake.Upload(context.Background(), carol, corpus.Upload{KnowledgeBase: base, FileName: name, Publish: true}, strings.NewReader(text))
}

func (s *shop) job(id string) queue.Job {
	s.t.Helper()
	job, err := s.db.Jobs().Job(context.Background(), string(tenant), "carol", id)
	must(s.t, err)
	return job
}

// listed returns what the manager sees in the knowledge base.
func (s *shop) listed() []corpus.Document {
	s.t.Helper()
	ctx := context.Background()
	var out []corpus.Document
	must(s.t, access.Within(ctx, s.db.Directory(), carol, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		page, err := s.db.Catalog().Documents(ctx, scope, corpus.Filter{KnowledgeBase: base, Limit: 100})
		out = page.Items
		return err
	}))
	return out
}

func TestUploadBecomesAPublishedVersion(t *testing.T) {
	s := newShop(t)
	r, err := s.upload(`C:\files\policy.md`, "# 差旅政策\n\n上海 650 元。\n")
	must(t, err)
	if docs := s.listed(); len(docs) != 0 {
		t.Fatalf("%d documents are visible before the job has run", len(docs))
	}
	must(t, s.worker.Drain(t.Context()))
	if job := s.job(r.Job); job.State != queue.Succeeded {
		t.Fatalf("job %+v", job)
	}
	docs := s.listed()
	if len(docs) != 1 || docs[0].Key != "policy.md" || docs[0].Title != "差旅政策" || docs[0].Status != access.StatusPublished ||
		docs[0].Version != 1 || docs[0].ChunkCount == 0 || docs[0].Language != "zh" {
		t.Fatalf("documents %+v", docs)
	}
	again, err := s.upload("policy.md", "# 差旅政策\n\n上海 650 元。\n")
	must(t, err)
	if !again.Unchanged || again.Document != r.Document {
		t.Errorf("the same bytes made %+v", again)
	}
}

func TestBadInputNamesFileAndCauseAndLeavesNothing(t *testing.T) {
	tests := []struct{ name, file, text, code string }{
		{"no bytes", "empty.md", "", "empty_document"},
		{"a program named as Markdown", "tool.md", "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00", "content_mismatch"},
		{"a PDF named as text", "report.txt", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n", "content_mismatch"},
		{"a type nobody knows", "data.xyzzy", "hello", "unknown_type"},
		{"words named as a drawing", "plan.dxf", "no drawing", "content_mismatch"},
		{"a drawing that is damaged at once", "plan.dxf", "0\nSECTION\n2\nHEADER\nx\ny\n", "dxf_malformed"},
		{"a drawing with entities", "flow.svg", `<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>`, "xml_doctype"},
		{"a drawing that nests too deep", "flow.svg", "<svg>" + strings.Repeat("<g>", 300), "xml_depth_limit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newShop(t)
			r, err := s.upload(tt.file, tt.text)
			must(t, err)
			must(t, s.worker.Drain(t.Context()))
			job := s.job(r.Job)
			if job.State != queue.Failed || job.Code != tt.code || !strings.Contains(job.Detail, tt.file) {
				t.Errorf("job ended %s with %s: %s", job.State, job.Code, job.Detail)
			}
			if docs := s.listed(); len(docs) != 0 {
				t.Errorf("%d documents were left behind", len(docs))
			}
			next, err := s.upload(tt.file, "readable")
			must(t, err)
			if next.Version != 1 {
				t.Errorf("the failed upload kept version 1: the next is %d", next.Version)
			}
		})
	}
}

func TestTooLargeUploadIsRefusedAtOnce(t *testing.T) {
	s := newShop(t)
	_, err := s.upload("huge.txt", strings.Repeat("x", 1<<20+1))
	if problem.CodeOf(err) != "too_large" || !strings.Contains(err.Error(), "huge.txt") {
		t.Errorf("error %v", err)
	}
	if worked := s.worker.Drain(t.Context()); worked != nil || len(s.listed()) != 0 {
		t.Error("the refused upload left something behind")
	}
}

func TestStrangersCannotUpload(t *testing.T) {
	s := newShop(t)
	for _, kb := range []access.KnowledgeBaseID{base, "unknown"} {
		body := &counter{}
		_, err := s.intake.Upload(t.Context(), access.Actor{Tenant: tenant, User: "alice"}, corpus.Upload{KnowledgeBase: kb, FileName: "a.md"}, body)
		if !problem.Is(err, problem.NotFound) || body.reads > 0 {
			t.Errorf("%s: error %v after %d reads of the body", kb, err, body.reads)
		}
	}
}

type counter struct{ reads int }

func (c *counter) Read([]byte) (int, error) { c.reads++; return 0, io.EOF }

func TestBadNamesAreRefusedByField(t *testing.T) {
	s := newShop(t)
	for pointer, up := range map[string]corpus.Upload{
		"/doc_key": {Key: "a\x00b"}, "/id": {ID: "../etc"}, "/title": {Title: "a\nb"}, "/source_uri": {SourceURI: "x\x1b"},
	} {
		up.KnowledgeBase, up.FileName = base, "a.md"
		_, err := s.intake.Upload(t.Context(), carol, up, strings.NewReader("x"))
		var p *problem.Error
		if !errors.As(err, &p) || len(p.Fields) != 1 || p.Fields[0].Pointer != pointer {
			t.Errorf("%s: %v", pointer, err)
		}
	}
}

func TestTransientFaultIsTriedAgainWithBackOff(t *testing.T) {
	s := newShop(t)
	failures := 2
	s.blobs.open = func(context.Context) (io.ReadCloser, error) {
		if failures--; failures >= 0 {
			return nil, errors.New("disk is away")
		}
		return nil, nil
	}
	r, err := s.upload("a.md", "hello")
	must(t, err)
	for range 10 {
		must(t, s.worker.Drain(t.Context()))
		if s.job(r.Job).State.Final() {
			break
		}
		if job := s.job(r.Job); job.State != queue.Queued || job.Code != "original_unreadable" {
			t.Fatalf("between tries the job is %+v", job)
		}
		s.clock.Add(60)
	}
	if job := s.job(r.Job); job.State != queue.Succeeded || job.Attempt != 3 {
		t.Errorf("job %+v", job)
	}
}

func TestLastingFaultEndsTheJobAndFreesTheVersion(t *testing.T) {
	s := newShop(t)
	s.blobs.open = func(context.Context) (io.ReadCloser, error) { return nil, errors.New("disk is away") }
	r, err := s.upload("a.md", "hello")
	must(t, err)
	for range 10 {
		must(t, s.worker.Drain(t.Context()))
		s.clock.Add(600)
	}
	if job := s.job(r.Job); job.State != queue.Failed || job.Attempt != 5 {
		t.Errorf("job %+v", job)
	}
}

func TestPanickingParserIsThatFilesError(t *testing.T) {
	s := newShop(t)
	first := true
	s.blobs.open = func(context.Context) (io.ReadCloser, error) {
		if first {
			first = false
			panic("index out of range")
		}
		return nil, nil
	}
	bad, err := s.upload("bad.md", "bad")
	must(t, err)
	good, err := s.upload("good.md", "good")
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	if job := s.job(bad.Job); job.State != queue.Failed || job.Code != "parser_failed" || strings.Contains(job.Detail, "index out of range") {
		t.Errorf("job %+v", job)
	}
	if job := s.job(good.Job); job.State != queue.Succeeded {
		t.Errorf("the next file: %+v", job)
	}
}

// TestFileThatKillsTheProcessIsGivenUp plays processes that die over a job: each claims it and
// says no more.
func TestFileThatKillsTheProcessIsGivenUp(t *testing.T) {
	s := newShop(t)
	s.worker.Tries = 3
	opened := 0
	s.blobs.open = func(context.Context) (io.ReadCloser, error) { opened++; return nil, nil }
	r, err := s.upload("bomb.md", "boom")
	must(t, err)
	for range 3 {
		job, ok, err := s.db.Queue().Claim(t.Context(), time.Hour)
		must(t, err)
		if !ok || job.ID != r.Job {
			t.Fatalf("claimed %+v, %v", job, ok)
		}
		if _, err := s.db.Queue().Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	must(t, s.worker.Drain(t.Context()))
	job := s.job(r.Job)
	if job.State != queue.Failed || job.Code != "parser_failed" || !strings.Contains(job.Detail, "bomb.md") {
		t.Errorf("job %+v", job)
	}
	if opened != 0 || len(s.listed()) != 0 {
		t.Errorf("the file was opened %d times, %d documents are there", opened, len(s.listed()))
	}
	next, err := s.upload("bomb.md", "harmless")
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	if job := s.job(next.Job); job.State != queue.Succeeded || next.Version != 1 {
		t.Errorf("the mended file: version %d, %+v", next.Version, job)
	}
}

// TestFileOnItsLastTryIsStillRead holds that one process that dies does not cost the file.
func TestFileOnItsLastTryIsStillRead(t *testing.T) {
	s := newShop(t)
	s.worker.Tries = 2
	r, err := s.upload("a.md", "hello")
	must(t, err)
	if _, ok, err := s.db.Queue().Claim(t.Context(), time.Hour); err != nil || !ok {
		t.Fatal(ok, err)
	}
	_, err = s.db.Queue().Recover(t.Context())
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	if job := s.job(r.Job); job.State != queue.Succeeded || job.Attempt != 2 {
		t.Errorf("job %+v", job)
	}
}

func TestSlowFileIsGivenUp(t *testing.T) {
	s := newShop(t)
	s.worker.FileTime = 20 * time.Millisecond
	s.blobs.open = func(ctx context.Context) (io.ReadCloser, error) { <-ctx.Done(); return nil, ctx.Err() }
	r, err := s.upload("slow.md", "slow")
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	if job := s.job(r.Job); job.State != queue.Failed || job.Code != "too_slow" || !strings.Contains(job.Detail, "slow.md") {
		t.Errorf("job %+v", job)
	}
}

func TestCancelStopsTheWork(t *testing.T) {
	s := newShop(t)
	s.worker.Lease = 3 * time.Second
	s.blobs.open = func(ctx context.Context) (io.ReadCloser, error) {
		if _, err := s.db.Jobs().Cancel(ctx, string(tenant), "carol", s.current); err != nil {
			return nil, err
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	r, err := s.upload("a.md", "hello")
	must(t, err)
	s.current = r.Job
	must(t, s.worker.Drain(t.Context()))
	if job := s.job(r.Job); job.State != queue.Cancelled {
		t.Errorf("job %+v", job)
	}
	if len(s.listed()) != 0 {
		t.Error("a cancelled job left a document")
	}
}

func TestStoppedProcessLeavesTheJobToTheNext(t *testing.T) {
	s := newShop(t)
	ctx, stop := context.WithCancel(t.Context())
	s.blobs.open = func(work context.Context) (io.ReadCloser, error) { stop(); <-work.Done(); return nil, work.Err() }
	r, err := s.upload("a.md", "hello")
	must(t, err)
	s.worker.Run(ctx, 1)
	if job := s.job(r.Job); job.State != queue.Queued {
		t.Fatalf("job after the stop: %+v", job)
	}
	s.blobs.open = nil
	must(t, s.worker.Drain(t.Context()))
	if job := s.job(r.Job); job.State != queue.Succeeded {
		t.Errorf("job %+v", job)
	}
}

func TestBaseNameKeepsNothingDangerous(t *testing.T) {
	for in, want := range map[string]string{
		"../../etc/passwd": "passwd", `C:\x\y.md`: "y.md", "": "unnamed", "..": "unnamed", "/": "unnamed",
		"a\x00b\n.md": "ab.md", "rtl\u202egpj.md": "rtlgpj.md", "差旅 政策.md": "差旅 政策.md",
	} {
		if got := ingest.BaseName(in); got != want {
			t.Errorf("BaseName(%q) = %q, want %q", in, got, want)
		}
	}
	if long := ingest.BaseName(strings.Repeat("长", 300) + ".md"); len([]rune(long)) != 255 || !strings.HasSuffix(long, ".md") {
		t.Errorf("a long name became %d characters: …%s", len([]rune(long)), long[len(long)-6:])
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
