package embedding

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/index/vector"
	"github.com/kaoju/kaoju/internal/pause"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

// Wanted says what versions are to be embedded with.
type Wanted struct {
	Model  string
	Remote bool // the jobs of tenants that are local-only wait
}

// Source is what of a version becomes vectors.
type Source struct {
	Title  string
	Chunks []corpus.Chunk
}

// Store is the seam to the vectors of versions. Its jobs are those of a queue.Queue: the subject
// of one is a version, and its token fences what follows.
type Store interface {
	// Want makes a job of every version with chunks that the model has not embedded yet, and of
	// every later one when it is stored. Jobs for another model end. An empty model wants none. What
	// is stored of another model stays in force in a tenant until the last of the tenant's jobs has
	// ended; then that model's vectors go. A tenant without vectors has those of the model in force
	// from the first job on.
	Want(ctx context.Context, w Wanted) error
	// Source reads the version of a job. A version that is gone is problem.NotFound, and its job has
	// ended; a stale worker gets problem.Conflict "lease_lost".
	Source(ctx context.Context, job string, token int64) (Source, error)
	// Keep stores what was made of the version and ends the job in one transaction. It fails as Source
	// does.
	Keep(ctx context.Context, job string, token int64, m Made) error
}

// Made is what a model made of a version: its segment, and how many passages it refused for what they
// say. Those have no vector.
type Made struct {
	Segment []byte
	Refused int
}

// Refused is the code of an embedder's error, of kind problem.Invalid, that says: these texts, or one of
// them, are refused, and will be again.
const Refused = "embedding_refused"

// Worker works on the jobs of a store with one model, one at a time: what takes up the processor or
// an endpoint in the background is bounded, whatever comes in.
type Worker struct {
	Queue queue.Queue
	Store Store
	Model *Model
	Log   *slog.Logger
	// Lease is how long a job is this worker's without a report; 0 means a minute.
	Lease time.Duration
	// Batch is how many texts go to the model at once, and so how long a question that comes
	// meanwhile shares the processor; 0 means 8.
	Batch int
	// Pause is how long the worker waits after a failure, twice as long after each further one in a
	// row, up to a hundred times; 0 means 3 seconds.
	Pause time.Duration
}

// tries is how often a job is tried whose failure is not the model's being away. After that the
// version has no vectors from this model, which its log says: one text that a model can't bear
// must not keep the others from being in force.
const tries = 5

// Run works on jobs until the context ends.
func (w *Worker) Run(ctx context.Context) {
	for ctx.Err() == nil {
		worked, err := w.next(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil && worked {
			continue
		}
		if err != nil {
			w.Log.Error("vectors can't be stored", "error", err)
			_ = pause.For(ctx, w.pause())
		}
		if err := w.Queue.Wait(ctx); err != nil && ctx.Err() == nil {
			w.Log.Error("the queue of vectors can't be watched", "error", err)
			_ = pause.For(ctx, w.pause())
		}
	}
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

func (w *Worker) lease() time.Duration {
	if w.Lease > 0 {
		return w.Lease
	}
	return time.Minute
}

func (w *Worker) pause() time.Duration {
	if w.Pause > 0 {
		return w.Pause
	}
	return 3 * time.Second
}

// next claims one job and works on it; worked is false if none was due. Since every job needs the
// same model, a failure of one delays the rest too: the job is put back, and nothing is claimed
// until it is due again or another is.
func (w *Worker) next(ctx context.Context) (worked bool, err error) {
	job, ok, err := w.Queue.Claim(ctx, w.lease())
	if err != nil || !ok {
		return false, err
	}
	failpoint.Reach(ctx, failpoint.VectorsClaimed)
	err = w.contained(ctx, job)
	settling, release := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer release()
	switch code := problem.CodeOf(err); {
	case err == nil:
		return true, nil
	case problem.Is(err, problem.NotFound) || code == "lease_lost" || code == "cancelled":
		return true, nil // the version is gone, or this is another's job
	case ctx.Err() != nil:
		return true, ignoreLost(w.Queue.Retry(settling, job.ID, job.Token, 0, nil))
	case problem.KindOf(err) != problem.Unavailable && job.Attempt >= tries:
		w.Log.Error("a version has no vectors", "document", job.Subject, "model", w.Model.Space().Model, "error", err)
		return true, w.giveUp(settling, job)
	}
	delay := w.pause() << min(job.Attempt-1, 6)
	w.Log.Warn("vectors will be tried again", "document", job.Subject, "attempt", job.Attempt, "after", delay, "error", err)
	if err := ignoreLost(w.Queue.Retry(settling, job.ID, job.Token, delay, shown(err))); err != nil {
		return true, err
	}
	_ = pause.For(ctx, min(delay, w.pause()*4))
	return true, nil
}

// giveUp stores that nothing of a version has a vector.
func (w *Worker) giveUp(ctx context.Context, job queue.Job) error {
	source, err := w.Store.Source(ctx, job.ID, job.Token)
	if err != nil {
		return ignoreLost(err)
	}
	rows, _ := w.passages(source)
	segment, err := vector.Build(w.Model.Space(), nil)
	if err != nil {
		return err
	}
	return ignoreLost(w.Store.Keep(ctx, job.ID, job.Token, Made{Segment: segment, Refused: len(rows)}))
}

// contained works on a job and turns a panic of a model in this process into its error.
func (w *Worker) contained(ctx context.Context, job queue.Job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = problem.Wrap(fmt.Errorf("panic: %v\n%s", p, debug.Stack()), problem.Internal, "embedding_failed", "The embedding model failed on a version.")
		}
	}()
	return w.work(ctx, job)
}

// passages returns the chunks of a version that the model reads, without vectors, and their texts.
func (w *Worker) passages(source Source) (rows []vector.Row, texts []string) {
	for _, c := range source.Chunks {
		if text := Text(source.Title, c); w.Model.Reads(text) {
			rows, texts = append(rows, vector.Row{Chunk: c.ID, No: c.No}), append(texts, text)
		}
	}
	return rows, texts
}

// work makes and stores the segment of a version.
func (w *Worker) work(ctx context.Context, job queue.Job) error {
	source, err := w.Store.Source(ctx, job.ID, job.Token)
	if err != nil {
		return err
	}
	rows, texts := w.passages(source)
	size := w.Batch
	if size <= 0 {
		size = 8
	}
	for i := 0; i < len(texts); i += size {
		end := min(i+size, len(texts))
		if err := w.fill(ctx, job, rows[i:end], texts[i:end]); err != nil {
			return err
		}
	}
	all := len(rows)
	rows = slices.DeleteFunc(rows, func(r vector.Row) bool { return r.Vector == nil })
	if n := all - len(rows); n > 0 {
		w.Log.Warn("passages of a version have no vector: the embedding model refuses them", "document", job.Subject, "passages", n)
	}
	segment, err := vector.Build(w.Model.Space(), rows)
	if err != nil {
		return err
	}
	failpoint.Reach(ctx, failpoint.VectorsMade)
	err = w.Store.Keep(ctx, job.ID, job.Token, Made{Segment: segment, Refused: all - len(rows)})
	failpoint.Reach(ctx, failpoint.VectorsKept)
	return err
}

// fill gives rows the vectors of their texts. What the model refuses is halved until the texts at
// fault are found; they get none.
func (w *Worker) fill(ctx context.Context, job queue.Job, rows []vector.Row, texts []string) error {
	vectors, err := w.passed(ctx, job, texts)
	if problem.CodeOf(err) == Refused {
		if len(texts) == 1 {
			return w.blame(ctx, job, err)
		}
		half := len(texts) / 2
		if err := w.fill(ctx, job, rows[:half], texts[:half]); err != nil {
			return err
		}
		return w.fill(ctx, job, rows[half:], texts[half:])
	}
	if err != nil {
		return err
	}
	for i, v := range vectors {
		rows[i].Vector = v
	}
	return nil
}

// passed gives texts to the model. The report before renews the lease, and tells whether the text may
// still go there.
func (w *Worker) passed(ctx context.Context, job queue.Job, texts []string) ([][]float32, error) {
	if err := w.Queue.Report(ctx, job.ID, job.Token, queue.Progress{Stage: "embed"}, w.lease()); err != nil {
		return nil, err
	}
	return w.Model.Passages(ctx, texts)
}

// harmless is a text that no model can have anything against.
const harmless = "text"

// blame decides whose fault it is that a text was refused. A model that refuses a harmless one too, as
// under a wrong name or with a setting that it does not know, refuses the request: nothing is given up
// for that.
func (w *Worker) blame(ctx context.Context, job queue.Job, refusal error) error {
	_, err := w.passed(ctx, job, []string{harmless})
	if problem.CodeOf(err) == Refused {
		return problem.Wrap(refusal, problem.Unavailable, "embedding_failed", "The embedding model refuses every text.")
	}
	return err
}

// Text is what of a chunk becomes its vector: where it stands, and what it says.
func Text(title string, c corpus.Chunk) string {
	parts := make([]string, 0, 3)
	for _, p := range []string{title, strings.Join(c.HeadingPath, " > "), c.Full()} {
		if p = strings.TrimSpace(p); p != "" && (len(parts) == 0 || parts[len(parts)-1] != p) {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "\n")
}

// shown is the error as it is stored: with nothing that a model's host said.
func shown(err error) *problem.Error {
	var p *problem.Error
	if errors.As(err, &p) {
		return &problem.Error{Kind: p.Kind, Code: p.Code, Detail: p.Detail}
	}
	return problem.New(problem.Unavailable, "embedding_failed", "The embedding model failed.")
}

// ignoreLost drops the error of a job that meanwhile became another worker's.
func ignoreLost(err error) error {
	if problem.CodeOf(err) == "lease_lost" || problem.Is(err, problem.NotFound) {
		return nil
	}
	return err
}
