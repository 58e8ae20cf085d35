// Package pending holds jobs of versions, inside transactions of the driver that it is part of.
//
// A job is a row of a table as long as there is something to do about its version, and goes with what it was for. A job
// that is being worked on is due again when its lease has run out; a worker is fenced by its token alone. Tenants take
// turns, whatever each has waiting.
package pending

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Searchable are the statuses of versions that any scope could admit.
const Searchable = `'draft', 'published', 'archived'`

// Table is a table of jobs. Its parts are constants of the program.
type Table struct {
	Name  string // of the table
	Turn  string // the column of tenants that says when the turn of one was
	Stage string // what a worker of such a job is at
	// Allowed is a condition about a row of tenants without which its jobs wait; empty if there is none. Refusal says
	// what it means.
	Allowed, Refusal string
}

func (t Table) allowed() string {
	if t.Allowed == "" {
		return ` 1 `
	}
	return t.Allowed
}

// next selects the tenant whose turn it is: the one that was served least recently among
// those of which a job is due.
func (t Table) next() string {
	return `SELECT id FROM tenants WHERE` + t.allowed() + `AND EXISTS (
  SELECT 1 FROM ` + t.Name + ` WHERE tenant = tenants.id AND due_at <= ?) ORDER BY ` + t.Turn + `, id LIMIT 1`
}

// Open makes jobs of the versions that a condition about documents, and other tables after it, selects, and that have none.
func (t Table) Open(ctx context.Context, q row.Queries, where string, args ...any) error {
	_, err := q.ExecContext(ctx, `INSERT INTO `+t.Name+` (document, id, tenant, running, attempt, token, code, detail, due_at)
SELECT row, 'e_' || lower(hex(randomblob(12))), tenant, 0, 0, 0, '', '', 0 FROM documents `+where+` ON CONFLICT DO NOTHING`, args...)
	return err
}

// Queue implements queue.Queue for the jobs of a table.
type Queue struct {
	Table
	DB *database.DB
}

// Claim implements queue.Queue.
func (s *Queue) Claim(ctx context.Context, lease time.Duration) (job queue.Job, ok bool, err error) {
	err = s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		now := t.Now().UnixMicro()
		var tenant access.TenantID
		err := t.QueryRowContext(ctx, s.next(), now).Scan(&tenant)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		err = t.QueryRowContext(ctx, `SELECT e.id, e.tenant, d.id, e.attempt + 1, e.token + 1 FROM `+s.Name+` e JOIN documents d ON d.row = e.document
WHERE e.tenant = ? AND e.due_at <= ? ORDER BY e.document LIMIT 1`, tenant, now).Scan(&job.ID, &job.Tenant, &job.Subject, &job.Attempt, &job.Token)
		if err != nil {
			return err
		}
		job.State, job.Stage, job.UpdatedAt, ok = queue.Running, s.Stage, t.Now(), true
		if _, err := t.ExecContext(ctx, `UPDATE tenants SET `+s.Turn+` = (SELECT max(`+s.Turn+`) + 1 FROM tenants) WHERE id = ?`, tenant); err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `UPDATE `+s.Name+` SET running = 1, attempt = ?, token = ?, due_at = ? WHERE id = ?`,
			job.Attempt, job.Token, t.Now().Add(lease).UnixMicro(), job.ID)
		return err
	})
	return job, ok && err == nil, err
}

// Report implements queue.Queue. It is problem.Conflict "cancelled" where the job must wait, which it does then.
// Progress within a version is kept by nobody.
func (s *Queue) Report(ctx context.Context, id string, token int64, _ queue.Progress, lease time.Duration) error {
	stays := false
	err := s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := s.Held(ctx, t, id, token)
		if err != nil {
			return err
		}
		if stays = !j.Allowed; stays {
			return s.putBack(ctx, t, id, t.Now(), nil)
		}
		_, err = t.ExecContext(ctx, `UPDATE `+s.Name+` SET due_at = ? WHERE id = ?`, t.Now().Add(lease).UnixMicro(), id)
		return err
	})
	if err == nil && stays {
		err = problem.New(problem.Conflict, "cancelled", "%s", s.Refusal)
	}
	return err
}

// Retry implements queue.Queue.
func (s *Queue) Retry(ctx context.Context, id string, token int64, delay time.Duration, cause *problem.Error) error {
	return s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := s.Held(ctx, t, id, token); err != nil {
			return err
		}
		return s.putBack(ctx, t, id, t.Now().Add(max(0, delay)), cause)
	})
}

// Recover implements queue.Queue.
func (s *Queue) Recover(ctx context.Context) (n int, err error) {
	err = s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		r, err := t.ExecContext(ctx, `UPDATE `+s.Name+` SET running = 0, due_at = 0 WHERE running`)
		if err != nil {
			return err
		}
		changed, err := r.RowsAffected()
		n = int(changed)
		return err
	})
	return n, err
}

// Wait implements queue.Queue.
func (s *Queue) Wait(ctx context.Context) error {
	return s.DB.Jobs.Await(ctx, "", func() (ok bool, err error) {
		err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
			var tenant string
			err := t.QueryRowContext(ctx, s.next(), t.Now().UnixMicro()).Scan(&tenant)
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			ok = err == nil
			return err
		})
		return ok, err
	})
}

// Job is a job under the eyes of its worker.
type Job struct {
	ID       string
	Document int64 // the row of the version
	Tenant   access.TenantID
	Gone     bool // no scope could admit the version any more
	Allowed  bool
}

// Held reads a job for the worker that shows its token.
func (t Table) Held(ctx context.Context, q row.Queries, id string, token int64) (Job, error) {
	j := Job{ID: id}
	err := q.QueryRowContext(ctx, `SELECT e.document, e.tenant, d.status NOT IN (`+Searchable+`), `+t.allowed()+`FROM `+t.Name+` e
JOIN documents d ON d.row = e.document JOIN tenants ON tenants.id = e.tenant WHERE e.id = ? AND e.token = ? AND e.running`, id, token).
		Scan(&j.Document, &j.Tenant, &j.Gone, &j.Allowed)
	if errors.Is(err, sql.ErrNoRows) {
		err = database.LeaseLost()
	}
	return j, err
}

// putBack makes a job wait until a time.
func (t Table) putBack(ctx context.Context, q row.Queries, id string, until time.Time, cause *problem.Error) error {
	if cause == nil {
		cause = &problem.Error{}
	}
	_, err := q.ExecContext(ctx, `UPDATE `+t.Name+` SET running = 0, due_at = ?, code = ?, detail = ? WHERE id = ?`,
		until.UnixMicro(), cause.Code, cause.Detail, id)
	return err
}

// End removes a job that has nothing left to do.
func (t Table) End(ctx context.Context, q row.Queries, id string) error {
	_, err := q.ExecContext(ctx, `DELETE FROM `+t.Name+` WHERE id = ?`, id)
	return err
}

// Look is Attend for a body that only reads. It leaves the one writer to others meanwhile, however large the version is.
func (s *Queue) Look(ctx context.Context, id string, token int64, end, body func(context.Context, *database.Tx, Job) error) error {
	gone := false
	err := s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := s.Held(ctx, t, id, token)
		if err != nil {
			return err
		}
		if gone = j.Gone; gone {
			return nil
		}
		return body(ctx, t, j)
	})
	if err == nil && gone {
		err = s.Attend(ctx, id, token, end, body)
	}
	return err
}

// Attend runs a body for the worker of a job whose version is there. The job of one that is gone
// ends as end says, and the answer is problem.NotFound.
func (s *Queue) Attend(ctx context.Context, id string, token int64, end, body func(context.Context, *database.Tx, Job) error) error {
	gone := false
	err := s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := s.Held(ctx, t, id, token)
		if err != nil {
			return err
		}
		if gone = j.Gone; gone {
			return end(ctx, t, j)
		}
		return body(ctx, t, j)
	})
	if err == nil && gone {
		err = problem.Missing()
	}
	return err
}
