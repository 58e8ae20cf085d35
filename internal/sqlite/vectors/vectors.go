package vectors

import (
	"context"
	"database/sql"
	"errors"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/pending"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Want implements embedding.Store.
func (s *Store) Want(ctx context.Context, w embedding.Wanted) error {
	return s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		former, err := wanted(ctx, t)
		if err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM embedding_model`); err != nil {
			return err
		}
		if former != w.Model {
			if _, err := t.ExecContext(ctx, `DELETE FROM embeddings`); err != nil {
				return err
			}
		}
		if w.Model == "" {
			return nil
		}
		if _, err := t.ExecContext(ctx, `INSERT INTO embedding_model (one, name, remote) VALUES (1, ?, ?)`, w.Model, w.Remote); err != nil {
			return err
		}
		err = Jobs.Open(ctx, t, `WHERE chunk_count > 0 AND status IN (`+searchable+`) AND NOT EXISTS (SELECT 1 FROM vectors WHERE document = row AND model = ?)`, w.Model)
		if err != nil {
			return err
		}
		rows, err := t.QueryContext(ctx, `SELECT id FROM tenants`)
		tenants, err := row.Collect(rows, err, row.Text[access.TenantID])
		for i := 0; err == nil && i < len(tenants); i++ {
			err = settle(ctx, t, tenants[i])
		}
		if err != nil {
			return err
		}
		// Where the model is in force again before another one was complete, that one's work is void.
		_, err = t.ExecContext(ctx, `DELETE FROM vectors WHERE model <> ?1 AND document IN (
  SELECT row FROM documents JOIN tenants ON tenants.id = tenant WHERE vector_model = ?1)`, w.Model)
		return err
	})
}

// wanted reads the model that versions are embedded with; "" if there is none.
func wanted(ctx context.Context, q row.Queries) (model string, err error) {
	err = q.QueryRowContext(ctx, `SELECT name FROM embedding_model`).Scan(&model)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return model, err
}

// settle puts the model into force in a tenant, if nothing of the tenant waits for it any more or
// nothing else is in force, and removes what other models made.
func settle(ctx context.Context, q row.Queries, tenant access.TenantID) error {
	model, err := wanted(ctx, q)
	if err != nil || model == "" {
		return err
	}
	r, err := q.ExecContext(ctx, `UPDATE tenants SET vector_model = ?1, vector_mark = vector_mark + 1
WHERE id = ?2 AND vector_model <> ?1 AND (vector_model = '' OR NOT EXISTS (SELECT 1 FROM embeddings WHERE tenant = ?2))`, model, tenant)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = q.ExecContext(ctx, `DELETE FROM vectors WHERE model <> ? AND document IN (SELECT row FROM documents WHERE tenant = ?)`, model, tenant)
	return err
}

// Source implements embedding.Store.
func (s *Store) Source(ctx context.Context, id string, token int64) (out embedding.Source, err error) {
	err = s.Look(ctx, id, token, end, func(ctx context.Context, t *database.Tx, j pending.Job) error {
		if err := t.QueryRowContext(ctx, `SELECT title FROM documents WHERE row = ?`, j.Document).Scan(&out.Title); err != nil {
			return err
		}
		rows, err := t.QueryContext(ctx, `SELECT id, no, text, record FROM chunks WHERE document = ? ORDER BY no`, j.Document)
		out.Chunks, err = row.Collect(rows, err, scanChunk)
		return err
	})
	if err != nil {
		return embedding.Source{}, err
	}
	return out, nil
}

func scanChunk(r row.Scanner) (c corpus.Chunk, err error) {
	var column string
	if err = r.Scan(&c.ID, &c.No, &c.Text, &column); err == nil {
		err = stored.ReadChunk(column, &c)
	}
	return c, err
}

// Keep implements embedding.Store.
func (s *Store) Keep(ctx context.Context, id string, token int64, m embedding.Made) error {
	return s.Attend(ctx, id, token, end, func(ctx context.Context, t *database.Tx, j pending.Job) error {
		model, err := wanted(ctx, t)
		if err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `INSERT INTO vectors (document, model, bytes, refused) VALUES (?, ?, ?, ?)
ON CONFLICT (document, model) DO UPDATE SET bytes = excluded.bytes, refused = excluded.refused`, j.Document, model, m.Segment, m.Refused); err != nil {
			return err
		}
		failpoint.Reach(ctx, failpoint.VectorsWritten)
		if err := note(ctx, t, j.Document); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `UPDATE tenants SET vector_mark = vector_mark + 1 WHERE id = ? AND vector_model = ?`, j.Tenant, model); err != nil {
			return err
		}
		return end(ctx, t, j)
	})
}

// note says that the vectors of a version are others from the tenant's next number on. The number itself
// moves with what is in force: where the model is not yet, it moves when it is.
func note(ctx context.Context, q row.Queries, document int64) error {
	_, err := q.ExecContext(ctx, `UPDATE documents SET vector_mark = (SELECT vector_mark + 1 FROM tenants WHERE id = tenant) WHERE row = ?`, document)
	return err
}

// Mark implements retrieval.Vectors.
func (s *Store) Mark(ctx context.Context, tenant access.TenantID) (m retrieval.Mark, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		m, err = mark(ctx, t, tenant)
		return err
	})
	return m, err
}

func mark(ctx context.Context, q row.Queries, tenant access.TenantID) (m retrieval.Mark, err error) {
	err = q.QueryRowContext(ctx, `SELECT vector_model, vector_mark FROM tenants WHERE id = ?`, tenant).Scan(&m.Model, &m.Number)
	return m, row.Missing(err)
}

// Vectors implements retrieval.Vectors.
func (s *Store) Vectors(ctx context.Context, tenant access.TenantID, since retrieval.Mark) (img retrieval.VectorImage, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		if img.Mark, err = mark(ctx, t, tenant); err != nil {
			return err
		}
		img.Whole = since.Number == 0 || since.Model != img.Mark.Model
		if img.Whole {
			since.Number = -1
		}
		var at []int64
		rows, err := t.QueryContext(ctx, `SELECT d.row, d.id, d.key, v.document IS NOT NULL AND d.status IN (`+searchable+`) FROM documents d
LEFT JOIN vectors v ON v.document = d.row AND v.model = ? WHERE d.tenant = ? AND d.vector_mark > ? ORDER BY d.row`, img.Mark.Model, tenant, since.Number)
		all, err := row.Collect(rows, err, func(r row.Scanner) (x retrieval.Embedded, err error) {
			var number int64
			there := false
			if err = r.Scan(&number, &x.Document, &x.Key, &there); !there {
				number = 0
			}
			at = append(at, number)
			return x, err
		})
		for i := 0; err == nil && i < len(all); i++ {
			switch x := all[i]; {
			case at[i] != 0:
				err = t.QueryRowContext(ctx, `SELECT bytes FROM vectors WHERE document = ? AND model = ?`, at[i], img.Mark.Model).Scan(&x.Segment)
				img.Documents = append(img.Documents, x)
			case !img.Whole:
				img.Gone = append(img.Gone, x.Document)
			}
		}
		return err
	})
	if err != nil {
		return retrieval.VectorImage{}, err
	}
	return img, nil
}

// Waiting implements retrieval.Vectors.
func (s *Store) Waiting(ctx context.Context, tenant access.TenantID) (out []corpus.DocumentID, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT d.id FROM embeddings e JOIN documents d ON d.row = e.document WHERE e.tenant = ? ORDER BY e.document`, tenant)
		out, err = row.Collect(rows, err, row.Text[corpus.DocumentID])
		return err
	})
	return out, err
}

// Waits are the versions d of a tenant that have a job.
const Waits = `embeddings e JOIN documents d ON d.row = e.document WHERE e.tenant = ?`

// Pending implements retrieval.Vectors.
func (s *Store) Pending(ctx context.Context, scope access.Scope) (n int, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		n, err = pending.Admitted(ctx, t, scope, Waits, scope.Tenant())
		return err
	})
	return n, err
}

// Refusals selects the versions of a tenant of which the model in force refused a passage: by those alone, of which there are few.
const Refusals = `SELECT d.id FROM vectors v INDEXED BY vectors_refused CROSS JOIN documents d ON d.row = v.document
WHERE v.refused > 0 AND v.model = (SELECT name FROM embedding_model) AND d.tenant = ? AND d.status IN (` + searchable + `) ORDER BY d.row`

// Refused implements retrieval.Vectors.
func (s *Store) Refused(ctx context.Context, tenant access.TenantID) (out []corpus.DocumentID, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, Refusals, tenant)
		out, err = row.Collect(rows, err, row.Text[corpus.DocumentID])
		return err
	})
	return out, err
}
