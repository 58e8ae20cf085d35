package ingest

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

// Worker works on ingestion jobs.
type Worker struct {
	Queue     queue.Queue
	Publisher corpus.Publisher
	Blobs     corpus.Blobs
	Chunking  chunk.Options
	Log       *slog.Logger
	// Reader parses the files; nil means in this process.
	Reader parse.Reader
	// Lexicons gives the words of a tenant; nil if nobody has any.
	Lexicons func(context.Context, access.TenantID) (*analysis.Lexicon, error)
	// Lease is how long a job is this worker's without a report; 0 means 10 seconds.
	Lease time.Duration
	// FileTime bounds the work on one file; 0 means two minutes.
	FileTime time.Duration
	// Tries bounds how often a job is tried after transient faults, or after a process that died
	// over it; 0 means 5.
	Tries int
}

// The causes for which the work on a job ends before it is done.
var (
	errJobCancelled = errors.New("the owner cancelled the job")
	errJobLost      = errors.New("another worker holds the job")
	errFileTime     = errors.New("the time for one file is used up")
)

// Run works on jobs with n workers until the context ends.
func (w *Worker) Run(ctx context.Context, n int) {
	var group sync.WaitGroup
	for range max(1, n) {
		group.Go(func() {
			for ctx.Err() == nil {
				worked, err := w.next(ctx)
				if err != nil && ctx.Err() == nil {
					w.Log.Error("ingestion queue failed", "error", err)
				}
				if worked && err == nil {
					continue
				}
				if err := w.Queue.Wait(ctx); err != nil && ctx.Err() == nil {
					w.Log.Error("ingestion queue cannot be watched", "error", err)
					select {
					case <-ctx.Done():
					case <-time.After(time.Second):
					}
				}
			}
		})
	}
	group.Wait()
}

// Drain works on jobs until none is due.
func (w *Worker) Drain(ctx context.Context) error {
	for {
		worked, err := w.next(ctx)
		if err != nil || !worked {
			return err
		}
	}
}

// next claims one job and works on it; worked is false if none was due.
func (w *Worker) next(ctx context.Context) (worked bool, err error) {
	job, ok, err := w.Queue.Claim(ctx, w.lease())
	if err != nil || !ok {
		return false, err
	}
	failpoint.Reach(ctx, failpoint.JobClaimed)
	return true, w.work(ctx, job)
}

func (w *Worker) lease() time.Duration {
	if w.Lease > 0 {
		return w.Lease
	}
	return 10 * time.Second
}

func (w *Worker) tries() int {
	if w.Tries > 0 {
		return w.Tries
	}
	return 5
}

// work brings one job to its end, or back into the queue.
func (w *Worker) work(ctx context.Context, job queue.Job) error {
	fileTime := w.FileTime
	if fileTime <= 0 {
		fileTime = 2 * time.Minute
	}
	work, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit, release := context.WithTimeoutCause(work, fileTime, errFileTime)
	defer release()
	t := &task{worker: w, job: job}
	stopped := t.heartbeat(limit, cancel)
	err := t.contained(limit)
	cause := context.Cause(limit)
	cancel(nil)
	<-stopped
	return w.settle(context.WithoutCancel(ctx), job, t.file, err, cause)
}

// settle ends a job whose work returned err, or puts it back.
func (w *Worker) settle(ctx context.Context, job queue.Job, file string, err, cause error) error {
	ctx, release := context.WithTimeout(ctx, 30*time.Second)
	defer release()
	code := problem.CodeOf(err)
	switch {
	case err == nil:
		return nil
	case errors.Is(cause, errJobLost) || code == "lease_lost":
		return nil
	case errors.Is(cause, errJobCancelled) || code == "cancelled":
		return ignoreLost(w.Publisher.Release(ctx, corpus.DocumentID(job.Subject), job.ID, job.Token, nil))
	case errors.Is(cause, errFileTime):
		err = problem.New(problem.Invalid, "too_slow", "%s: reading it takes longer than is allowed for one file.", file)
	case errors.Is(cause, context.Canceled):
		// The process is stopping: the next one goes on with this job.
		return ignoreLost(w.Queue.Retry(ctx, job.ID, job.Token, 0, problem.New(problem.Unavailable, "interrupted", "The server stopped while it read this file.")))
	}
	if !final(err) && job.Attempt < w.tries() {
		w.Log.Warn("ingestion will be tried again", "job", job.ID, "attempt", job.Attempt, "error", err)
		delay := time.Second << min(job.Attempt-1, 6)
		return ignoreLost(w.Queue.Retry(ctx, job.ID, job.Token, delay, shown(err, file)))
	}
	w.Log.Info("file was not taken in", "job", job.ID, "code", code)
	failpoint.Reach(ctx, failpoint.FileRefused)
	return ignoreLost(w.Publisher.Release(ctx, corpus.DocumentID(job.Subject), job.ID, job.Token, shown(err, file)))
}

// final reports whether trying again can't help: the input is wrong, or the parser failed on it.
func final(err error) bool {
	switch problem.KindOf(err) {
	case problem.Unavailable, problem.Internal:
		return problem.CodeOf(err) == "parser_failed"
	}
	return true
}

// shown is the error as the owner sees it: an unclassified fault is not spelled out.
func shown(err error, file string) *problem.Error {
	var p *problem.Error
	if errors.As(err, &p) && p.Kind != problem.Internal {
		return &problem.Error{Kind: p.Kind, Code: p.Code, Detail: p.Detail}
	}
	if problem.CodeOf(err) == "parser_failed" {
		return problem.New(problem.Invalid, "parser_failed", "%s: the parser failed on this file.", file)
	}
	return problem.New(problem.Internal, "internal", "%s: it could not be taken in because of a fault of the server; see its log.", file)
}

// ignoreLost drops the error of a job that meanwhile became another worker's.
func ignoreLost(err error) error {
	if problem.CodeOf(err) == "lease_lost" {
		return nil
	}
	return err
}

func detail(err error) string {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Detail
	}
	return err.Error()
}
