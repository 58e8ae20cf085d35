// Package desk holds what a person does beside asking: looking at knowledge bases and documents,
// searching, opening the sources of a run, following its events, reading the ledger.
//
// Every door calls it and none calls a store. It is the place where rights are resolved: each
// method takes the actor, reads the directory as it is now, and answers problem.NotFound for
// whatever the actor may not see, in the same words as for what does not exist. Answers of
// earlier runs are reduced here to what the actor may still read.
package desk

import (
	"context"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
)

// Searcher finds passages in a scope. *retrieval.Searcher is the one.
type Searcher interface {
	Search(ctx context.Context, scope access.Scope, q retrieval.Query) (retrieval.Result, error)
}

// Deps are what a desk reads and writes. All are needed but Tasks and Actions, without which there is
// no tool to call, Pages, without which no page has a picture, and Clock, which defaults to time.Now.
type Deps struct {
	Directory access.Directory
	Catalog   corpus.Catalog
	Texts     corpus.Texts
	Blobs     corpus.Blobs
	Bases     corpus.Bases
	Jobs      queue.Jobs
	Journal   run.Journal
	Events    event.Log
	Ledger    ledger.Log
	Trees     ledger.Trees
	Tapes     run.Tapes
	Search    Searcher
	Admin     access.Admin
	Tenancy   access.Tenancy
	Lexicons  lexicon.Store
	Approvals approval.Book
	Tasks     approval.Tasks
	Actions   Actions // nil where no tool is declared
	Memory    memory.Store
	History   History
	Drafts    Drafts
	Feedback  Feedback
	Results   eval.Results
	Pages     Pages // nil where no pages are drawn
	Clock     func() time.Time
}

// Desk serves one server's people. It is safe for concurrent use.
type Desk struct {
	deps Deps
	// people makes reading the directory and changing it accordingly one act.
	people sync.Mutex
}

// New returns a desk.
func New(deps Deps) *Desk {
	if deps.Clock == nil {
		deps.Clock = time.Now
	}
	return &Desk{deps: deps}
}

// Me returns what the directory says of the actor now.
func (d *Desk) Me(ctx context.Context, actor access.Actor) (access.Identity, error) {
	snap, err := d.deps.Directory.Snapshot(ctx, actor.Tenant, actor.User)
	if err != nil {
		return access.Identity{}, err
	}
	if snap.Identity.Suspended || snap.Identity.User != actor.User {
		return access.Identity{}, problem.Missing()
	}
	return snap.Identity, nil
}

// within reads under a fresh scope, again when the directory moved on meanwhile.
func (d *Desk) within(ctx context.Context, actor access.Actor, req access.Request, fn func(access.Scope) error) error {
	return access.Within(ctx, d.deps.Directory, actor, req, fn)
}

// Job returns a job that the actor's own request made.
func (d *Desk) Job(ctx context.Context, actor access.Actor, id string) (queue.Job, error) {
	return d.deps.Jobs.Job(ctx, string(actor.Tenant), string(actor.User), id)
}

// CancelJob asks a job of the actor to stop.
func (d *Desk) CancelJob(ctx context.Context, actor access.Actor, id string) (queue.Job, error) {
	return d.deps.Jobs.Cancel(ctx, string(actor.Tenant), string(actor.User), id)
}

// lockConflict is the answer to an edit of a row that somebody else changed meanwhile.
func lockConflict() error {
	return problem.New(problem.Conflict, "lock_conflict", "This was changed meanwhile; read it again.")
}
