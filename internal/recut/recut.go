// Package recut cuts versions anew that a former chunker cut, beside the index that is searched meanwhile.
//
// Each version is a durable job: leased, tried again with back-off, and ended in the one transaction that puts the new
// chunks and their segment in the place of the old ones. They are cut from the text and the structure that are stored,
// which is all that a chunker reads. The original is not parsed again: the text is what the ledger tells of and what
// citations count their places in, and another parser might make another one of it. So a citation of a former chunk
// opens as it did, by document, span and place.
package recut

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/pause"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

// Source is what of a version is cut.
type Source struct {
	Tenant access.TenantID
	Title  string
	Parsed corpus.Parsed // text and blocks
}

// Made is what was cut, with the title that its segment was built with. Segment is nil if there are no chunks.
type Made struct {
	Chunker int
	Title   string
	Chunks  []corpus.Chunk
	Segment []byte
}

// Waiting is a version that waits, with the code of why it could not be cut yet, if it was tried.
type Waiting struct {
	Document corpus.DocumentID
	Code     string
}

// Store is the seam to versions that a former chunker cut. Its jobs are those of a queue.Queue: the subject of one is a
// version, and its token fences what follows.
type Store interface {
	// Want makes a job of every version that any scope could admit and that a chunker of a lower number cut. The jobs
	// of others end, and those that wait after a failure are due.
	Want(ctx context.Context, chunker int) error
	// Source reads the version of a job. A version that is gone is problem.NotFound, and its job has ended; a stale
	// worker gets problem.Conflict "lease_lost". A text that is not what the ledger tells of is problem.Conflict
	// "text_changed", so that nothing is made of it.
	Source(ctx context.Context, job string, token int64) (Source, error)
	// Keep puts what was made in the place of what is there and ends the job, in one transaction: chunks, segment, the
	// number of the chunker, the ledger's entry of the chunks, and a job of the vectors, whose former ones go. Neither
	// epoch nor lock version move. Chunks that are those of the version already stay, with their ids, and nothing
	// but the number changes; replaced says whether they did not. It fails as Source does, and is problem.Conflict
	// "title_changed" where the title is another.
	Keep(ctx context.Context, job string, token int64, m Made) (replaced bool, err error)
	// Waiting returns the versions of a tenant that Want would make a job of, or has made one of.
	Waiting(ctx context.Context, tenant access.TenantID, chunker int) ([]Waiting, error)
	// Pending counts those of Waiting that a scope admits, without a list of them: it is asked for with every look at the
	// server, however many wait.
	Pending(ctx context.Context, scope access.Scope, chunker int) (int, error)
}

// Agree says in a sentence whether the versions of a tenant are as the program cuts them. That some wait is no fault;
// that some could not be cut is one.
func Agree(ctx context.Context, s Store, tenant access.TenantID) (string, error) {
	list, err := s.Waiting(ctx, tenant, chunk.Version)
	if err != nil || len(list) == 0 {
		return "all versions are as this program cuts them", err
	}
	why := map[string]int{}
	for _, w := range list {
		if w.Code != "" {
			why[w.Code]++
		}
	}
	if len(why) > 0 {
		return "", fmt.Errorf("of %d versions that wait to be cut anew, some could not be: %v; they are found as they were cut before", len(list), why)
	}
	return fmt.Sprintf("%d versions wait to be cut anew; they are found as they were cut before", len(list)), nil
}

// Worker works on the jobs of a store, one at a time.
type Worker struct {
	Queue queue.Queue
	Store Store
	Log   *slog.Logger
	// Lexicons gives the words of a tenant; nil if nobody has any.
	Lexicons func(context.Context, access.TenantID) (*analysis.Lexicon, error)
	Chunking chunk.Options
	// Lease is how long a job is this worker's without a report; 0 means a minute.
	Lease time.Duration
}

// Want says to the store that versions are to be as the program cuts them.
func (w *Worker) Want(ctx context.Context) error { return w.Store.Want(ctx, chunk.Version) }

// Run works on jobs until the context ends. After each it rests as long as that took, so that it takes half of one
// processor from who searches meanwhile.
func (w *Worker) Run(ctx context.Context) {
	for ctx.Err() == nil {
		began := time.Now()
		worked, err := w.next(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			w.Log.Error("versions can't be cut anew", "error", err)
			_ = pause.For(ctx, respite)
		case worked:
			_ = pause.For(ctx, min(time.Since(began), respite))
		default:
			if err := w.Queue.Wait(ctx); err != nil && ctx.Err() == nil {
				w.Log.Error("the queue of versions to be cut anew can't be watched", "error", err)
				_ = pause.For(ctx, respite)
			}
		}
	}
}

// Drain works on jobs until none is due, and calls tell after each.
func (w *Worker) Drain(ctx context.Context, tell func()) error {
	for {
		worked, err := w.next(ctx)
		if err != nil || !worked {
			return errors.Join(err, ctx.Err())
		}
		tell()
	}
}

// respite is how long the worker rests at most, and waits after a failure, twice as long after each further one.
const respite = 3 * time.Second

// tries is how often a version is tried in a row. After that it keeps the chunks that it has and is tried again a day later.
const tries = 5

func (w *Worker) lease() time.Duration {
	if w.Lease > 0 {
		return w.Lease
	}
	return time.Minute
}

// next claims one job and works on it; worked is false if none was due.
func (w *Worker) next(ctx context.Context) (worked bool, err error) {
	job, ok, err := w.Queue.Claim(ctx, w.lease())
	if err != nil || !ok {
		return false, err
	}
	failpoint.Reach(ctx, failpoint.RecutClaimed)
	err = w.contained(ctx, job)
	code, delay := problem.CodeOf(err), respite<<min(job.Attempt-1, 6)
	switch {
	case err == nil || problem.Is(err, problem.NotFound) || code == "lease_lost":
		return true, nil // done, gone, or another's
	case ctx.Err() != nil || code == "title_changed":
		err, delay = nil, 0
	case code == "text_changed" || job.Attempt >= tries:
		w.Log.Error("a version keeps the chunks of a former chunker", "document", job.Subject, "error", err)
		delay = 24 * time.Hour
	default:
		w.Log.Warn("a version will be cut anew later", "document", job.Subject, "attempt", job.Attempt, "after", delay, "error", err)
	}
	settling, release := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer release()
	err = w.Queue.Retry(settling, job.ID, job.Token, delay, shown(err))
	if problem.CodeOf(err) == "lease_lost" {
		err = nil
	}
	return true, err
}

// shown is what is kept of a failure: nothing that could hold text.
func shown(err error) *problem.Error {
	if err == nil {
		return nil
	}
	code := problem.CodeOf(err)
	if code == "" {
		code = "internal"
	}
	return problem.New(problem.KindOf(err), code, "The version could not be cut anew.")
}

// contained works on a job and turns a panic into its error.
func (w *Worker) contained(ctx context.Context, job queue.Job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = problem.Wrap(fmt.Errorf("panic: %v\n%s", p, debug.Stack()), problem.Internal, "recut_failed", "The chunker failed on a version.")
		}
	}()
	return w.work(ctx, job)
}

// work cuts one version. Each report renews the lease.
func (w *Worker) work(ctx context.Context, job queue.Job) error {
	source, err := w.Store.Source(ctx, job.ID, job.Token)
	if err != nil {
		return err
	}
	m := Made{Chunker: chunk.Version, Title: source.Title, Chunks: chunk.Split(source.Parsed, w.Chunking)}
	for i := range m.Chunks {
		m.Chunks[i].ID = corpus.NewChunkID()
	}
	failpoint.Reach(ctx, failpoint.RecutCut)
	if !chunk.Faithful(source.Parsed, m.Chunks) {
		return problem.New(problem.Internal, "recut_failed", "The chunker made of a version what its text does not say.")
	}
	if err := w.Queue.Report(ctx, job.ID, job.Token, queue.Progress{Stage: "index"}, w.lease()); err != nil {
		return err
	}
	if len(m.Chunks) > 0 {
		if m.Segment, err = w.segment(ctx, source, m.Chunks); err != nil {
			return err
		}
	}
	failpoint.Reach(ctx, failpoint.RecutBuilt)
	if err := w.Queue.Report(ctx, job.ID, job.Token, queue.Progress{Stage: "publish"}, w.lease()); err != nil {
		return err
	}
	_, err = w.Store.Keep(ctx, job.ID, job.Token, m)
	failpoint.Reach(ctx, failpoint.RecutKept)
	return err
}

func (w *Worker) segment(ctx context.Context, source Source, chunks []corpus.Chunk) ([]byte, error) {
	var lexicon *analysis.Lexicon
	if w.Lexicons != nil {
		var err error
		if lexicon, err = w.Lexicons(ctx, source.Tenant); err != nil {
			return nil, err
		}
	}
	return index.BuildWith(lexicon, source.Title, chunks)
}
