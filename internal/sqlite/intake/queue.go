package intake

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Queue implements queue.Queue.
//
// A running job's due_at is the end of its lease: what is due is claimed, whether it waits or its
// worker is gone. A worker is fenced by its token alone: one that comes late but before anybody
// else claimed the job loses nothing.
type Queue struct{ DB *database.DB }

// due tells what may be claimed. Jobs of one key are worked on in the order of their uploads, so
// that version numbers follow it; a job waits while an earlier one of its key is open.
const due = `state IN ('queued', 'running') AND due_at <= ?1 AND NOT EXISTS (
  SELECT 1 FROM jobs e WHERE e.lane = jobs.lane AND e.number < jobs.number AND e.state IN ('queued', 'running'))`

// NextDue selects the oldest job that is due of the tenant whose turn it is: the one that was
// served least recently among those that have any.
const NextDue = selectJob + `WHERE tenant = (
  SELECT id FROM tenants WHERE EXISTS (SELECT 1 FROM jobs WHERE jobs.tenant = tenants.id AND ` + due + `) ORDER BY served, id LIMIT 1
) AND ` + due + ` ORDER BY number LIMIT 1`

// Claim implements queue.Queue.
func (q *Queue) Claim(ctx context.Context, lease time.Duration) (job queue.Job, ok bool, err error) {
	err = q.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := scanJob(t.QueryRowContext(ctx, NextDue, t.Now().UnixMicro()))
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		j.State, j.UpdatedAt, ok = queue.Running, t.Now(), true
		j.Attempt++
		j.Token++
		job = j.Job
		_, err = t.ExecContext(ctx, `UPDATE tenants SET served = (SELECT max(served) + 1 FROM tenants) WHERE id = ?`, j.Tenant)
		if err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `UPDATE jobs SET state = ?, attempt = ?, token = ?, due_at = ?, updated_at = ? WHERE id = ?`,
			j.State, j.Attempt, j.Token, t.Now().Add(lease).UnixMicro(), t.Now().UnixMicro(), j.ID)
		return err
	})
	return job, ok && err == nil, err
}

// claimed reads a running job for the worker that shows its token.
func claimed(ctx context.Context, t *database.Tx, id string, token int64) (queued, error) {
	j, err := scanJob(t.QueryRowContext(ctx, selectJob+`WHERE id = ?`, id))
	if err = row.Missing(err); problem.Is(err, problem.NotFound) || err == nil && (j.State != queue.Running || j.Token != token) {
		return queued{}, database.LeaseLost()
	}
	return j, err
}

// Report implements queue.Queue.
func (q *Queue) Report(ctx context.Context, id string, token int64, p queue.Progress, lease time.Duration) error {
	return q.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := claimed(ctx, t, id, token)
		switch {
		case err != nil:
			return err
		case j.cancelAsked:
			return Cancelled()
		}
		_, err = t.ExecContext(ctx, `UPDATE jobs SET stage = ?, done = ?, total = ?, due_at = ?, updated_at = ? WHERE id = ?`,
			p.Stage, p.Done, p.Total, t.Now().Add(lease).UnixMicro(), t.Now().UnixMicro(), id)
		return err
	})
}

// Retry implements queue.Queue. A job whose owner asked to stop ends instead.
func (q *Queue) Retry(ctx context.Context, id string, token int64, delay time.Duration, cause *problem.Error) error {
	return q.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := claimed(ctx, t, id, token)
		if err != nil {
			return err
		}
		return putBack(ctx, t, j, delay, cause)
	})
}

// putBack makes a running job wait again. Its token is of no use any more, since only a running
// job has a worker and the next claim raises it.
func putBack(ctx context.Context, t *database.Tx, j queued, delay time.Duration, cause *problem.Error) error {
	if j.cancelAsked {
		j.State = queue.Queued
		return callOff(ctx, t, j)
	}
	if cause != nil {
		j.Code, j.Detail = cause.Code, cause.Detail
	}
	t.After(func() { t.DB.Jobs.Ring("") })
	_, err := t.ExecContext(ctx, `UPDATE jobs SET state = ?, code = ?, detail = ?, due_at = ?, updated_at = ? WHERE id = ?`,
		queue.Queued, j.Code, j.Detail, t.Now().Add(max(0, delay)).UnixMicro(), t.Now().UnixMicro(), j.ID)
	return err
}

// Recover implements queue.Queue.
func (q *Queue) Recover(ctx context.Context) (n int, err error) {
	err = q.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, selectJob+`WHERE state = 'running' ORDER BY number`)
		running, err := row.Collect(rows, err, scanJob)
		if err != nil {
			return err
		}
		n = len(running)
		for _, j := range running {
			if err := putBack(ctx, t, j, 0, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// Wait implements queue.Queue.
func (q *Queue) Wait(ctx context.Context) error {
	return q.DB.Jobs.Await(ctx, "", func() (ok bool, err error) {
		err = q.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
			_, err := scanJob(t.QueryRowContext(ctx, NextDue, t.Now().UnixMicro()))
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			ok = err == nil
			return err
		})
		return ok, err
	})
}
