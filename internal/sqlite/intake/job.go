package intake

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite/contents"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Jobs implements queue.Jobs.
type Jobs struct{ DB *database.DB }

const selectJob = `SELECT id, tenant, owner, subject, state, stage, done, total, attempt, token, notices, code, detail, cancel_asked,
  created_at, updated_at FROM jobs `

// queued is a job with what only the queue needs to know.
type queued struct {
	queue.Job
	cancelAsked bool
}

func scanJob(r row.Scanner) (j queued, err error) {
	var created, updated int64
	var notices string
	err = r.Scan(&j.ID, &j.Tenant, &j.Owner, &j.Subject, &j.State, &j.Stage, &j.Done, &j.Total, &j.Attempt, &j.Token, &notices,
		&j.Code, &j.Detail, &j.cancelAsked, &created, &updated)
	if err != nil {
		return j, err
	}
	j.CreatedAt, j.UpdatedAt = row.At(created), row.At(updated)
	j.Notices, err = row.Words(notices)
	return j, err
}

// Job implements queue.Jobs.
func (q *Jobs) Job(ctx context.Context, tenant, owner, id string) (j queue.Job, err error) {
	err = q.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		r, err := ownJob(ctx, t, tenant, owner, id)
		if j = r.Job; err == nil && j.State == queue.Succeeded {
			j.Contents, err = contents.Of(ctx, t, tenant, j.Subject)
		}
		return err
	})
	return j, err
}

// Cancel implements queue.Jobs.
func (q *Jobs) Cancel(ctx context.Context, tenant, owner, id string) (j queue.Job, err error) {
	err = q.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		r, err := ownJob(ctx, t, tenant, owner, id)
		if err != nil {
			return err
		}
		if err := callOff(ctx, t, r); err != nil {
			return err
		}
		r, err = ownJob(ctx, t, tenant, owner, id)
		j = r.Job
		return err
	})
	return j, err
}

func ownJob(ctx context.Context, t *database.Tx, tenant, owner, id string) (queued, error) {
	r, err := scanJob(t.QueryRowContext(ctx, selectJob+`WHERE id = ? AND tenant = ? AND owner = ?`, id, tenant, owner))
	if err != nil {
		return queued{}, row.Missing(err)
	}
	return r, nil
}

// callOff ends a queued job at once, and asks a running one to stop.
func callOff(ctx context.Context, t *database.Tx, j queued) error {
	switch j.State {
	case queue.Queued:
		w, err := reservedBy(ctx, t, j.ID)
		if err != nil {
			return err
		}
		return giveUp(ctx, t, w, queue.Cancelled, nil)
	case queue.Running:
		_, err := t.ExecContext(ctx, `UPDATE jobs SET cancel_asked = 1, updated_at = ? WHERE id = ?`, t.Now().UnixMicro(), j.ID)
		return err
	}
	return nil
}

// CallOffAll calls off the uploads on their way into a knowledge base.
func CallOffAll(ctx context.Context, t *database.Tx, tenant access.TenantID, kb access.KnowledgeBaseID) error {
	rows, err := t.QueryContext(ctx, selectJob+`WHERE state IN ('queued', 'running') AND id IN (
  SELECT r.job FROM reservations r JOIN documents d ON d.row = r.document WHERE d.tenant = ? AND d.base = ?)`, tenant, kb)
	open, err := row.Collect(rows, err, scanJob)
	if err != nil {
		return err
	}
	for _, j := range open {
		if err := callOff(ctx, t, j); err != nil {
			return err
		}
	}
	return nil
}

// endJob ends a job for good. Its lease ends with it.
func endJob(ctx context.Context, t *database.Tx, id string, end queue.State, notices []string, cause *problem.Error) error {
	code, detail := "", ""
	if cause != nil {
		code, detail = cause.Code, cause.Detail
	}
	t.After(func() { t.DB.Jobs.Ring("") }) // the next job of the same key may be due
	return row.One(t.ExecContext(ctx, `UPDATE jobs SET state = ?, notices = ?, code = ?, detail = ?, updated_at = ? WHERE id = ?`,
		end, row.Marshal(row.List(notices)), code, detail, t.Now().UnixMicro(), id))
}

// Cancelled tells a worker that the owner of its job has called it off.
func Cancelled() error {
	return problem.New(problem.Conflict, "cancelled", "The job was cancelled.")
}
