// Package vectors keeps the vectors of versions and the jobs that make them, inside transactions of
// the driver that it is part of.
//
// A job is a row as long as there is something to do: it is written with the version that needs it,
// or when the model changes, and goes with the vectors. A job that is being worked on is due again
// when its lease has run out; a worker is fenced by its token alone.
package vectors

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/signin"
	"github.com/kaoju/kaoju/internal/sqlite/wake"
)

// Store implements embedding.Store and retrieval.Vectors, and queue.Queue for the jobs of vectors.
type Store struct {
	Read, Write signin.Run
	// Bells ring for "" when a version was stored.
	Bells *wake.Bells
}

// searchable are the statuses of versions that any scope could admit.
const searchable = `'draft', 'published', 'archived'`

// allowed says of tenants that their text may go to the model.
const allowed = ` (local_only = 0 OR NOT EXISTS (SELECT 1 FROM embedding_model WHERE remote)) `

// nextTenant selects the tenant whose turn it is: the one that was served least recently among
// those of which a job is due.
const nextTenant = `SELECT id FROM tenants WHERE` + allowed + `AND EXISTS (
  SELECT 1 FROM embeddings WHERE tenant = tenants.id AND due_at <= ?) ORDER BY vector_turn, id LIMIT 1`

// Open makes a job of a version that was just stored, if there is a model and it has chunks.
func Open(ctx context.Context, q row.Queries, document int64) error {
	_, err := q.ExecContext(ctx, `INSERT INTO embeddings (document, id, tenant, running, attempt, token, code, detail, due_at)
SELECT row, 'e_' || lower(hex(randomblob(12))), tenant, 0, 0, 0, '', '', 0 FROM documents, embedding_model WHERE row = ? AND chunk_count > 0`, document)
	return err
}

// Withdraw lets the vectors of a version go from the memory of servers, with whatever the tenant's number
// moves for next. No scope admits them meanwhile.
func Withdraw(ctx context.Context, q row.Queries, document int64) error {
	return note(ctx, q, document)
}

// Erase removes what was made of a version, and its job, which may be the last that a model waits for.
func Erase(ctx context.Context, q row.Queries, document int64) error {
	if err := note(ctx, q, document); err != nil {
		return err
	}
	for _, statement := range []string{
		`UPDATE tenants SET vector_mark = vector_mark + 1 WHERE id = (SELECT tenant FROM documents WHERE row = ?)`,
		`DELETE FROM vectors WHERE document = ?`, `DELETE FROM embeddings WHERE document = ?`,
	} {
		if _, err := q.ExecContext(ctx, statement, document); err != nil {
			return err
		}
	}
	var tenant access.TenantID
	if err := q.QueryRowContext(ctx, `SELECT tenant FROM documents WHERE row = ?`, document).Scan(&tenant); err != nil {
		return err
	}
	return settle(ctx, q, tenant)
}

// Claim implements queue.Queue.
func (s *Store) Claim(ctx context.Context, lease time.Duration) (job queue.Job, ok bool, err error) {
	err = s.Write(ctx, func(ctx context.Context, t signin.Tx) error {
		now := t.Now().UnixMicro()
		var tenant access.TenantID
		err := t.QueryRowContext(ctx, nextTenant, now).Scan(&tenant)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		err = t.QueryRowContext(ctx, `SELECT e.id, e.tenant, d.id, e.attempt + 1, e.token + 1 FROM embeddings e JOIN documents d ON d.row = e.document
WHERE e.tenant = ? AND e.due_at <= ? ORDER BY e.document LIMIT 1`, tenant, now).Scan(&job.ID, &job.Tenant, &job.Subject, &job.Attempt, &job.Token)
		if err != nil {
			return err
		}
		job.State, job.Stage, job.UpdatedAt, ok = queue.Running, "embed", t.Now(), true
		if _, err := t.ExecContext(ctx, `UPDATE tenants SET vector_turn = (SELECT max(vector_turn) + 1 FROM tenants) WHERE id = ?`, tenant); err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `UPDATE embeddings SET running = 1, attempt = ?, token = ?, due_at = ? WHERE id = ?`,
			job.Attempt, job.Token, t.Now().Add(lease).UnixMicro(), job.ID)
		return err
	})
	return job, ok && err == nil, err
}

// Report implements queue.Queue. It is problem.Conflict "cancelled" where the text of the tenant must
// not go to the model any more; the job waits then. Progress within a version is kept by nobody.
func (s *Store) Report(ctx context.Context, id string, token int64, _ queue.Progress, lease time.Duration) error {
	stays := false
	err := s.Write(ctx, func(ctx context.Context, t signin.Tx) error {
		j, err := held(ctx, t, id, token)
		if err != nil {
			return err
		}
		if stays = !j.allowed; stays {
			return j.putBack(ctx, t, t.Now(), nil)
		}
		_, err = t.ExecContext(ctx, `UPDATE embeddings SET due_at = ? WHERE id = ?`, t.Now().Add(lease).UnixMicro(), id)
		return err
	})
	if err == nil && stays {
		err = problem.New(problem.Conflict, "cancelled", "The text of this tenant must not leave the premises.")
	}
	return err
}

// Retry implements queue.Queue.
func (s *Store) Retry(ctx context.Context, id string, token int64, delay time.Duration, cause *problem.Error) error {
	return s.Write(ctx, func(ctx context.Context, t signin.Tx) error {
		j, err := held(ctx, t, id, token)
		if err != nil {
			return err
		}
		return j.putBack(ctx, t, t.Now().Add(max(0, delay)), cause)
	})
}

// Recover implements queue.Queue.
func (s *Store) Recover(ctx context.Context) (n int, err error) {
	err = s.Write(ctx, func(ctx context.Context, t signin.Tx) error {
		r, err := t.ExecContext(ctx, `UPDATE embeddings SET running = 0, due_at = 0 WHERE running`)
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
func (s *Store) Wait(ctx context.Context) error {
	return s.Bells.Await(ctx, "", func() (ok bool, err error) {
		err = s.Read(ctx, func(ctx context.Context, t signin.Tx) error {
			var tenant string
			err := t.QueryRowContext(ctx, nextTenant, t.Now().UnixMicro()).Scan(&tenant)
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			ok = err == nil
			return err
		})
		return ok, err
	})
}

// job is a job under the eyes of its worker.
type job struct {
	id       string
	document int64
	tenant   access.TenantID
	gone     bool // no scope could admit the version any more
	allowed  bool
}

// held reads a job for the worker that shows its token.
func held(ctx context.Context, q row.Queries, id string, token int64) (job, error) {
	j := job{id: id}
	err := q.QueryRowContext(ctx, `SELECT e.document, e.tenant, d.status NOT IN (`+searchable+`), `+allowed+`FROM embeddings e
JOIN documents d ON d.row = e.document JOIN tenants ON tenants.id = e.tenant WHERE e.id = ? AND e.token = ? AND e.running`, id, token).
		Scan(&j.document, &j.tenant, &j.gone, &j.allowed)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.New(problem.Conflict, "lease_lost", "Another worker has taken this over.")
	}
	return j, err
}

// putBack makes a job wait until a time.
func (j job) putBack(ctx context.Context, q row.Queries, until time.Time, cause *problem.Error) error {
	if cause == nil {
		cause = &problem.Error{}
	}
	_, err := q.ExecContext(ctx, `UPDATE embeddings SET running = 0, due_at = ?, code = ?, detail = ? WHERE id = ?`,
		until.UnixMicro(), cause.Code, cause.Detail, j.id)
	return err
}
