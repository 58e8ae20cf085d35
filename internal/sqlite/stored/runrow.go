package stored

import (
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// RunColumns are the columns of a run's row that say what the run is.
const RunColumns = `id, tenant, actor, conversation, state, step, created_at, checkpoint, record`

// RunRow is what stands in them.
type RunRow struct {
	id           run.ID
	tenant       access.TenantID
	actor        access.UserID
	conversation string
	state        run.State
	step         int
	created      int64
	checkpoint   string
	record       string
}

// Into is where a row is read to.
func (r *RunRow) Into() []any {
	return []any{&r.id, &r.tenant, &r.actor, &r.conversation, &r.state, &r.step, &r.created, &r.checkpoint, &r.record}
}

// Run is the run of a row. What the row is found by is in the record too, and the row wins: a run that was made
// another's is then not the one that the ledger tells of.
func (r *RunRow) Run() (*run.Run, error) {
	out, err := ReadRun(r.record)
	if err != nil {
		return nil, err
	}
	out.ID, out.Tenant, out.Actor, out.Conversation, out.State, out.Step = r.id, r.tenant, r.actor, r.conversation, r.state, r.step
	if out.CreatedAt.UnixMicro() != r.created { // which keeps less of a time
		out.CreatedAt = row.At(r.created)
	}
	out.Checkpoint = r.checkpoint
	return out, nil
}
