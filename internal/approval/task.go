package approval

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/seal"
)

// Effect says where the effect of a call happens.
type Effect string

// The effects. Recorded is in the store: the task itself is what the call was for, and is written
// with the decision. Outside is at somebody else's: it follows the decision.
const (
	Recorded Effect = "recorded"
	Outside  Effect = "outside"
)

// The tools whose effect is that a text is given out: of the version in force, or of all versions.
const (
	ExportDocument = "export_document"
	ExportHistory  = "export_history"
)

// Call is a call of a tool as it was proposed. Nothing of it changes afterwards.
type Call struct {
	Tool        string
	Sensitivity string
	// Args are the arguments after all checks, in their canonical form.
	Args json.RawMessage
	// Nonce is the one under which they are hashed; "" if the hash is plain.
	Nonce string
	// SpecHash is over the tool's declaration. A tool that was declared anew since is another tool.
	SpecHash string
	// Evidence is the run that the call leans on; "" where the tool needs none.
	Evidence string
	// Role and Level are what the proposer must hold, when proposing and again when deciding.
	Role   access.Role
	Level  access.Level
	Effect Effect
	// Automatic is true for a call that needs no decision.
	Automatic bool
	// Owner is the user whom the task is for, if the call names one: they may see it too.
	Owner access.UserID
	// Erased is the hash of arguments that were erased with a document which they may repeat; "" while
	// they are there. Nothing can be done any more with such a call.
	Erased string
}

// ArgsHash is the hash of the arguments, as events and ledger name them.
func (c Call) ArgsHash() string {
	if c.Erased != "" {
		return c.Erased
	}
	return seal.Hash(c.Nonce, string(c.Args))
}

// TaskID names what an approved call became.
type TaskID string

// TaskOf returns the id of the task that a proposal may become: the same one, whenever it is asked.
func TaskOf(id ID) TaskID { return TaskID("task_" + strings.TrimPrefix(string(id), "prop_")) }

// TaskStatus is the state of a task. The last three are final.
type TaskStatus string

// The statuses of a task. Unknown is for an effect outside that may have happened or not, which
// nobody can find out from here: it is never shown as a success or a failure.
const (
	Queued    TaskStatus = "queued"
	Running   TaskStatus = "running"
	Succeeded TaskStatus = "succeeded"
	Failed    TaskStatus = "failed"
	Unknown   TaskStatus = "unknown"
)

// Final reports whether a task in this status will not change any more.
func (s TaskStatus) Final() bool { return s == Succeeded || s == Failed || s == Unknown }

// Task is what an approved call became. There is one for each approved proposal.
type Task struct {
	ID     TaskID
	Status TaskStatus
	// Code says why a task did not succeed: a stable word.
	Code string
	// Result is what the tool answered: data, and nothing else.
	Result json.RawMessage
	// Token fences workers: it rises with every claim.
	Token     int64
	CreatedAt time.Time
	StartedAt time.Time // zero until it was claimed
	EndedAt   time.Time
	// Proposal is the call with its run and its decision.
	Proposal Proposal
}

// Result is how a task ends.
type Result struct {
	Status TaskStatus
	Code   string
	Answer json.RawMessage
}

// TaskLost is the answer to a worker whose task another one has claimed or ended.
func TaskLost() *problem.Error {
	return problem.New(problem.Conflict, "lease_lost", "Another worker has this task, or it has ended.")
}

// Tasks is the seam to approved calls. Each method is one transaction.
type Tasks interface {
	// Task returns a task to the one who proposed it or to the one whom it is for. For anybody else
	// it is problem.NotFound.
	Task(ctx context.Context, tenant access.TenantID, user access.UserID, id TaskID) (Task, error)
	// Due returns the tasks that nobody works on at a time: queued ones, and running ones whose
	// lease has run out by then, oldest first.
	Due(ctx context.Context, at time.Time) ([]Task, error)
	// Claim leases a task that is not final to a worker and raises its token: whoever worked under
	// the earlier one has lost it. Whether somebody still does is not asked, for a worker claims its
	// own task again for each further try; that a lease has run out is what Due is for. The scope is
	// the proposer's of this moment, and another's finds no task (problem.NotFound). Role, access,
	// lock version and key state are checked again: if they no longer hold, a queued task ends as
	// Failed and a running one as Unknown, with permission_denied or lock_conflict, and that task is
	// returned. A token that is not the task's present one is TaskLost.
	Claim(ctx context.Context, scope access.Scope, id TaskID, token int64, lease time.Duration) (Task, error)
	// Finish ends a task that is not final, with its run, events and a ledger entry. A token that is
	// not the task's present one is TaskLost.
	Finish(ctx context.Context, id TaskID, token int64, r Result) (Task, error)
}
