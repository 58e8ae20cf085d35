package ingest

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/progress"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

// The stages of a job, in their order, as its owner sees them. While a file is parsed, its progress counts the pages, sheets,
// slides, texts or other parts that the format has, and while files are taken out of it, those; in the others, and where a format has
// none, it is a part or the whole of one.
const (
	StageRead    = "read" // the original is fetched
	StageParse   = "parse"
	StageIndex   = "index" // it is cut into chunks, and they are indexed
	StagePublish = "publish"
	StageUnpack  = "unpack" // before it is parsed: the files in it are taken out
)

// task is the work on one job.
type task struct {
	worker *Worker
	job    queue.Job
	file   string
	stage  atomic.Pointer[queue.Progress]
}

// beat is how often a job reports, and so the longest that a file is still worked on after its owner called it off.
const beat = 500 * time.Millisecond

// heartbeat reports progress and keeps the lease until the context ends.
func (t *task) heartbeat(ctx context.Context, cancel context.CancelCauseFunc) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(min(beat, t.worker.lease()/3))
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if err := t.report(ctx); err != nil {
				switch problem.CodeOf(err) {
				case "lease_lost":
					cancel(errJobLost)
				case "cancelled":
					cancel(errJobCancelled)
				}
			}
		}
	}()
	return done
}

func (t *task) report(ctx context.Context) error {
	at := queue.Progress{Stage: StageRead, Total: 1}
	if p := t.stage.Load(); p != nil {
		at = *p
	}
	err := t.worker.Queue.Report(ctx, t.job.ID, t.job.Token, at, t.worker.lease())
	failpoint.Reach(ctx, failpoint.LeaseRenewed)
	return err
}

// enter begins a stage and tells of it; it fails when the job is no longer ours or wanted.
func (t *task) enter(ctx context.Context, stage string, done, total int) error {
	t.stage.Store(&queue.Progress{Stage: stage, Done: done, Total: total})
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.report(ctx)
}

// parts returns what notes in a stage how many parts of the file have been read, or taken out; the next report tells of it.
func (t *task) parts(ctx context.Context, stage string) func(done, total int) {
	return func(done, total int) {
		t.stage.Store(&queue.Progress{Stage: stage, Done: done, Total: total})
		failpoint.Reach(ctx, failpoint.PartRead)
	}
}

// contained publishes the job's file and turns a panic on hostile input into its error.
func (t *task) contained(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = problem.Wrap(fmt.Errorf("panic: %v\n%s", p, debug.Stack()), problem.Internal, "parser_failed", "The parser failed.")
			t.worker.Log.Error("parser failed", "job", t.job.ID, "error", err)
		}
	}()
	return t.publish(ctx)
}

// publish takes the file of the job through all stages.
func (t *task) publish(ctx context.Context) error {
	w := t.worker
	doc, up, err := w.Publisher.Reserved(ctx, t.job.ID)
	if err != nil {
		return err
	}
	t.file = up.FileName
	if tries := w.tries(); t.job.Attempt > tries {
		// Each of the tries before ended without a word, as when a file takes the process down.
		return problem.New(problem.Invalid, "parser_failed", "%s: %d attempts to read this file broke off without an end.", t.file, tries)
	}
	data, err := read(ctx, w.Blobs, doc.Checksum)
	if err != nil {
		return err
	}
	options, err := w.options(ctx, doc.Tenant)
	if err != nil {
		return err
	}
	if err := t.enter(ctx, StageParse, 0, 1); err != nil {
		return err
	}
	options.Indexing = func() { t.stage.Store(&queue.Progress{Stage: StageIndex, Total: 1}) }
	version, err := Prepare(progress.With(ctx, t.parts(ctx, StageParse)), parse.File{Name: up.FileName, MediaType: up.MediaType, Data: data}, doc.Title, options)
	if err != nil {
		return err
	}
	version.Document = doc.ID
	drop, err := t.unpack(ctx, parse.File{Name: up.FileName, MediaType: up.MediaType, Data: data}, &version, options.Reader)
	defer drop()
	if err != nil {
		return err
	}
	if err := t.enter(ctx, StagePublish, len(version.Chunks), len(version.Chunks)); err != nil {
		return err
	}
	_, err = w.Publisher.Publish(ctx, version, t.job.ID, t.job.Token)
	failpoint.Reach(ctx, failpoint.VersionPublished)
	return err
}

// Options say how a file is cut and indexed.
type Options struct {
	Reader   parse.Reader // nil means in this process
	Chunking chunk.Options
	Lexicon  *analysis.Lexicon // of the tenant; nil if it has none
	// Indexing is called between reading and cutting; nil if nobody wants to know.
	Indexing func()
}

// options are those for a tenant's files.
func (w *Worker) options(ctx context.Context, tenant access.TenantID) (o Options, err error) {
	o.Reader, o.Chunking = w.Reader, w.Chunking
	if w.Lexicons != nil {
		o.Lexicon, err = w.Lexicons(ctx, tenant)
	}
	return o, err
}

// Prepare parses, chunks and indexes one file. title, if not empty, is used instead of the one
// that the file gives itself.
func Prepare(ctx context.Context, f parse.File, title string, options Options) (corpus.Version, error) {
	if options.Reader == nil {
		options.Reader = parse.Limits{}
	}
	failpoint.Reach(ctx, failpoint.ParseStarted)
	result, err := options.Reader.Parse(ctx, f)
	failpoint.Reach(ctx, failpoint.ParseEnded)
	if err != nil {
		return corpus.Version{}, err
	}
	if err := ctx.Err(); err != nil {
		return corpus.Version{}, err
	}
	if options.Indexing != nil {
		options.Indexing()
	}
	parsed := result.Parsed
	if title == "" {
		title = parsed.Title
	}
	if title == "" {
		title = strings.TrimSuffix(f.Name, extension(f.Name))
	}
	v := corpus.Version{
		Title: title, Language: parsed.Language, MediaType: result.MediaType, Notices: parsed.Notices,
		Text: parsed.Text, Blocks: parsed.Blocks, Chunks: chunk.Split(parsed, options.Chunking), Chunker: chunk.Version,
	}
	failpoint.Reach(ctx, failpoint.ChunksCut)
	for i := range v.Chunks {
		v.Chunks[i].ID = corpus.NewChunkID()
	}
	if len(v.Chunks) > 0 {
		v.Segment, err = index.BuildWith(options.Lexicon, title, v.Chunks)
	}
	failpoint.Reach(ctx, failpoint.SegmentBuilt)
	return v, err
}

func extension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[i:]
	}
	return ""
}

// read loads an original. Its size was bounded when it came in.
func read(ctx context.Context, blobs corpus.Blobs, sum corpus.Checksum) ([]byte, error) {
	r, err := blobs.Open(ctx, sum)
	if err != nil {
		return nil, problem.Wrap(err, problem.Unavailable, "original_unreadable", "The stored original could not be opened.")
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, problem.Wrap(err, problem.Unavailable, "original_unreadable", "The stored original could not be read.")
	}
	return data, nil
}
