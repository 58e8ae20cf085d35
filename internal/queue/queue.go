// Package queue holds durable jobs that one worker at a time works on under a lease.
//
// A claim raises the job's fencing token; whoever works on a job shows the token with every
// write, and a worker whose lease ran out gets problem.Conflict "lease_lost" instead of
// overwriting its successor's work. A job that was running when its process died is claimed
// again when its lease has run out, or at once after Recover at the start of a single server.
package queue

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
)

// State is the state of a job. The last three are final.
type State string

// The states of a job.
const (
	Queued    State = "queued"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Final reports whether nothing can change any more.
func (s State) Final() bool { return s == Succeeded || s == Failed || s == Cancelled }

// Job is a unit of work on one subject (a reserved document).
type Job struct {
	ID      string
	Tenant  string
	Owner   string // the user whose request made it, the only one who sees it
	Subject string
	State   State
	Stage   string // "parse", "chunk", "index", …
	Done    int
	Total   int
	Attempt int
	Token   int64    // fencing token of the present claim
	Notices []string // of a job that succeeded, such as "no_text_layer"
	// Code and Detail say why a job failed, or why it will be tried again.
	Code, Detail string
	CreatedAt    time.Time
	UpdatedAt    time.Time
	// Contents are the files that were in the subject's file, each with what became of it. Only Jobs gives them.
	Contents []Content
}

// Content is a file that came inside another.
type Content struct {
	Path     string // inside the other file
	Key      string // of its document
	Document string // "" for one that was not taken
	Version  int    // of the document; 0 for one that was not taken
	Job      string // "" where there is none: its bytes were unchanged, or it was not taken
	// Code and Detail say why it was not taken.
	Code, Detail string
}

// Progress is how far a running job is.
type Progress struct {
	Stage       string
	Done, Total int
}

// Queue is the seam to jobs. Jobs are made by corpus.Catalog.Reserve and ended by
// corpus.Publisher, in the transactions that need them.
type Queue interface {
	// Claim takes the oldest job that is due of the tenant that was served least recently, and
	// leases it; ok is false if none is. So the tenants take turns, however many files one has.
	Claim(ctx context.Context, lease time.Duration) (job Job, ok bool, err error)
	// Report stores progress and renews the lease. It returns problem.Conflict "lease_lost" to a
	// stale worker and problem.Conflict "cancelled" when the owner asked to stop.
	Report(ctx context.Context, id string, token int64, p Progress, lease time.Duration) error
	// Retry puts a running job back, due after the delay, with the cause.
	Retry(ctx context.Context, id string, token int64, delay time.Duration, cause *problem.Error) error
	// Recover makes every running job due at once. A single server calls it before it starts.
	Recover(ctx context.Context) (int, error)
	// Wait returns when a job may be due, or when the context ends.
	Wait(ctx context.Context) error
}

// Jobs is the seam for the owner of a job. Anyone else gets problem.NotFound.
type Jobs interface {
	Job(ctx context.Context, tenant, owner, id string) (Job, error)
	// Cancel asks a job to stop: a queued one ends at once, a running one at its next Report. A
	// job that has ended stays as it is.
	Cancel(ctx context.Context, tenant, owner, id string) (Job, error)
}
