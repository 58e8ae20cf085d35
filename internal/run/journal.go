package run

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
)

// Lease is the right of one worker to commit steps of a run.
type Lease struct {
	Run   ID
	Token int64 // fencing token, raised by every claim
}

// Commit is what one step changed. All of it becomes durable at once, or none.
type Commit struct {
	Lease Lease
	// Run is the run after the step. Its Step must be the stored one or the next.
	Run    *Run
	Events []event.Event
	// Evidence is what this step registered; it is appended and never changed.
	Evidence []citation.Evidence
	// Entries go to the ledger of the run's tenant.
	Entries []ledger.Entry
	// Recordings are what the step was, word for word.
	Recordings []Packed
	// Scope, if it is valid, is the one under which the step was judged: the step is stored only if
	// the directory has not moved on since.
	Scope access.Scope
}

// Filter selects runs of a list. Empty fields do not select.
type Filter struct {
	Conversation string
	State        State
	Limit        int
	After        string
}

// Journal is the seam to stored runs. Each method is one transaction.
type Journal interface {
	Work
	Own
}

// Work is what those who work on runs do with them.
type Work interface {
	// Create stores a queued run with its first events.
	Create(ctx context.Context, r *Run, events []event.Event) error
	// Claim leases a queued run to a worker. A run that is not queued, or that another worker
	// holds, is problem.Conflict "not_claimable".
	Claim(ctx context.Context, id ID, lease time.Duration) (Lease, error)
	// Renew extends a lease and reports whether the actor asked to cancel. A lost lease is
	// problem.Conflict "lease_lost".
	Renew(ctx context.Context, l Lease, lease time.Duration) (cancel bool, err error)
	// Commit stores a step. A stale lease, or a step that is not expected, is problem.Conflict
	// "lease_lost"; a move that MayBecome forbids is problem.Conflict "illegal_move"; a scope that
	// is older than the directory is problem.Conflict "scope_stale". When the run is final the
	// lease ends with it.
	Commit(ctx context.Context, c Commit) error
	// Interrupt ends the attempts of runs whose worker is gone: all that are not final and hold no
	// lease that is valid at the given time, with run.interrupted and a ledger entry each. The time
	// that a lost worker was last known to work counts as used. The start of a single server passes
	// a time past every lease.
	Interrupt(ctx context.Context, at time.Time) (int, error)
}

// Own is what an actor does with runs of its own. Each method answers problem.NotFound for runs of
// anybody else.
type Own interface {
	// Run returns a run with its evidence in order of registration.
	Run(ctx context.Context, tenant access.TenantID, actor access.UserID, id ID) (*Run, []citation.Evidence, error)
	// Runs lists an actor's runs, newest first.
	Runs(ctx context.Context, tenant access.TenantID, actor access.UserID, f Filter) (corpus.Page[*Run], error)
	// Cancel asks a run to stop: a queued one becomes cancelled, a running one cancelling, with
	// the events that tell so. A run that has ended stays as it is.
	Cancel(ctx context.Context, tenant access.TenantID, actor access.UserID, id ID) (*Run, error)
	// Resume queues an interrupted run for its next attempt, with the events that tell so. The
	// commit's run is the stored one with the next attempt, queued, and carries its use and limits
	// over; its lease is not looked at. Anything but an interrupted run, and one whose last attempt
	// is another, is problem.Conflict "not_resumable": of two resumes at once one wins. A scope that
	// is older than the directory is problem.Conflict "scope_stale".
	Resume(ctx context.Context, c Commit) error
}
