// Package approval holds the separate human decision that a change needs: proposals, decisions,
// and the seam to the book that keeps both.
//
// A proposal says what is to happen to one object in one exact state; a decision is its own
// authenticated request by the one who proposed. No text of a chat, a document or a model is ever
// a decision. Decisions are append-only.
//
// An effect inside the store is one transaction with its decision: it happens once or not at all,
// whatever process dies when. An effect outside it can't be. Its decision makes a task, which one
// worker claims, carries out and ends; where nobody can know what became of it, the task says so.
package approval

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/seal"
)

// ID names a proposal.
type ID string

// Kind says what a proposal would do.
type Kind string

// The kinds. Publish makes a version the published one of its key, and Archive takes the published one out
// of force without another in its place. CallTool calls a tool about one version.
const (
	Publish  Kind = "publish"
	Archive  Kind = "archive"
	CallTool Kind = "tool"
)

// Status is the state of a proposal. All but Pending are final.
type Status string

// The statuses.
const (
	Pending   Status = "pending"
	Executed  Status = "published" // approved, and the effect happened with the decision
	Archived  Status = "archived"  // the same of a proposal to archive
	Approved  Status = "approved"  // a call of a tool was approved: its task says what came of it
	Cancelled Status = "cancelled" // declined, or its run was cancelled
	Expired   Status = "expired"
	Conflict  Status = "conflict" // approved, but the object had changed meanwhile
)

// Lifetime is how long a proposal may be decided.
const Lifetime = 15 * time.Minute

// Proposal is one wish to do something to an object, made by the only person who may decide it.
type Proposal struct {
	ID            ID
	Tenant        access.TenantID
	Proposer      access.UserID
	Kind          Kind
	Run           string // the run that waits for the decision
	Document      string
	KnowledgeBase access.KnowledgeBaseID
	DocKey        string
	Version       int
	// FromVersion is the version in force when it was proposed; 0 if there was none.
	FromVersion int
	LockVersion int
	// KeyState is a hash over id, version, status and lock version of every version of the key. It
	// is another as soon as any of them was added, published, archived or deleted.
	KeyState string
	// Summary is metadata for the card: versions, checksums, sizes and what the difference counts.
	// It holds no text of the document.
	Summary   json.RawMessage
	Seal      seal.Seal // under which summary, arguments and answer are hashed; it never leaves the store
	Status    Status
	CreatedAt time.Time
	ExpiresAt time.Time
	Decision  *Decision // nil while it is pending, and for one that expired or needed none
	Call      *Call     // of a proposal to call a tool
	Task      *Task     // of a call that was approved; without its own Proposal
}

// Decision is what a person decided, in which request. The book fills in By and At. Cancelling
// the run that waits is a decision too, with an empty Request.
type Decision struct {
	By       access.UserID
	At       time.Time
	Approved bool
	Request  string // id of the request that carried it
}

// Due reports whether an undecided proposal has run out. The last moment is no longer in time.
func (p Proposal) Due(now time.Time) bool { return p.Status == Pending && !now.Before(p.ExpiresAt) }

// The refusals of a decision.
func AlreadyDecided() *problem.Error {
	return problem.New(problem.Conflict, "already_decided", "This proposal has been decided already.")
}

// LockConflict is the refusal when the object changed since it was proposed.
func LockConflict() *problem.Error {
	return problem.New(problem.Conflict, "lock_conflict", "The document changed since this was proposed; nothing was done. Propose it again.")
}

// TooLate is the refusal of a decision after the proposal's lifetime.
func TooLate() *problem.Error {
	return problem.New(problem.Expired, "proposal_expired", "The time to decide this proposal is over; nothing was done.")
}

// Filter selects proposals of a list. Empty fields do not select.
type Filter struct {
	Kind   Kind
	Status Status
	Limit  int
	After  string
}

// Book is the seam to proposals. Each method is one transaction; for anybody but the proposer a
// proposal is problem.NotFound.
type Book interface {
	// Propose stores a pending proposal, together with a run that waits for the decision
	// (run.created, run.waiting_for_human) and a ledger entry. Run, document fields, lock version,
	// key state and times are filled in; ID, Run, Summary and Call come from the caller.
	//
	// Publishing needs the role knowledge_admin, editor on the knowledge base, and a version that
	// the scope admits. Archiving needs the role, manager, and a version that the scope admits; one
	// that is not in force is problem.Conflict "not_published". A call needs the role and the level that it names, and a version that the
	// scope admits and that is in force. Anything less is problem.NotFound. A call that needs no
	// decision is Approved at once and has a task.
	Propose(ctx context.Context, scope access.Scope, p Proposal) (Proposal, error)
	// Decide records a decision and, in the same transaction, carries it out or makes the task that
	// carries it out. Role, access, lock version and key state are checked again: rights that are
	// gone are problem.NotFound and change nothing; a changed object ends the proposal as Conflict
	// and returns LockConflict; one whose time is over ends as Expired and returns TooLate; one that
	// is not pending returns AlreadyDecided, unless it is the same decision of the same request,
	// which returns the same proposal again. A declined proposal leaves everything as it is. The run
	// that waits ends with success, cancelled, expired or conflict, with its events and ledger
	// entries; that of an approved call whose effect is outside ends with its task.
	Decide(ctx context.Context, scope access.Scope, id ID, d Decision) (Proposal, error)
	// Proposal returns one of the actor's own; Proposals lists them, newest first, with the cursor
	// of the next page.
	Proposal(ctx context.Context, tenant access.TenantID, actor access.UserID, id ID) (Proposal, error)
	Proposals(ctx context.Context, tenant access.TenantID, actor access.UserID, f Filter) ([]Proposal, string, error)
	// Expire ends every pending proposal whose time is over, with its run, and returns how many.
	// A server calls it by a timer, so that expiry shows without any request.
	Expire(ctx context.Context) (int, error)
}
