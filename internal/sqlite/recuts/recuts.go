// Package recuts keeps which versions a former chunker cut, and puts new chunks in the place of old ones, inside
// transactions of the driver that it is part of.
//
// Chunks, their segment, their count and what the ledger tells of them change in one transaction. The vectors that were
// made of the former chunks go with them, and a job is made of new ones.
package recuts

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/pending"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
	"github.com/kaoju/kaoju/internal/sqlite/textseal"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
)

// Store implements recut.Store, and queue.Queue for its jobs.
type Store struct{ pending.Queue }

// Jobs are the jobs of versions that are to be cut anew.
var Jobs = pending.Table{Name: "recuts", Turn: "recut_turn", Stage: "chunk"}

// outdated is a condition on versions that a chunker of a lower number cut.
const outdated = `chunker < ? AND status IN (` + pending.Searchable + `) AND EXISTS (SELECT 1 FROM texts WHERE document = row)`

// Want implements recut.Store.
func (s *Store) Want(ctx context.Context, chunker int) error {
	return s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM recuts WHERE document IN (SELECT row FROM documents WHERE chunker >= ? OR status NOT IN (`+pending.Searchable+`))`, chunker)
		if err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `UPDATE recuts SET due_at = 0 WHERE NOT running`); err != nil {
			return err
		}
		return Jobs.Open(ctx, t, `WHERE `+outdated, chunker)
	})
}

// Source implements recut.Store.
func (s *Store) Source(ctx context.Context, id string, token int64) (out recut.Source, err error) {
	err = s.Look(ctx, id, token, end, func(ctx context.Context, t *database.Tx, j pending.Job) error {
		var document corpus.DocumentID
		if err := t.QueryRowContext(ctx, `SELECT id, title FROM documents WHERE row = ?`, j.Document).Scan(&document, &out.Title); err != nil {
			return err
		}
		if _, err := textseal.Check(ctx, t, j.Tenant, j.Document, document); err != nil {
			return err
		}
		var column string
		if err := t.QueryRowContext(ctx, `SELECT text, record FROM texts WHERE document = ?`, j.Document).Scan(&out.Parsed.Text, &column); err != nil {
			return err
		}
		out.Tenant = j.Tenant
		out.Parsed.Blocks, err = stored.ReadBlocks(column)
		return err
	})
	if err != nil {
		return recut.Source{}, err
	}
	return out, nil
}

// ready is what was made of a version as it will be stored, with what the ledger will tell of it.
type ready struct {
	recut.Made
	rows   []stored.Row
	same   bool   // the version has these chunks already, but for their ids
	sealed string // the hash of the chunks
}

// prepare reads, writes as columns and hashes all that a transaction then stores, beside whoever writes: how long that takes
// grows with the version. Only the worker of the job changes its chunks, so that what was compared with them still holds then.
func (s *Store) prepare(ctx context.Context, id string, token int64, m recut.Made) (r ready, err error) {
	r.Made = m
	if r.rows, err = stored.Rows(m.Chunks); err != nil {
		return r, err
	}
	err = s.Look(ctx, id, token, end, func(ctx context.Context, t *database.Tx, j pending.Job) error {
		rows, err := t.QueryContext(ctx, `SELECT text, record FROM chunks WHERE document = ? ORDER BY no`, j.Document)
		there, err := row.Collect(rows, err, func(r row.Scanner) (c [2]string, err error) {
			err = r.Scan(&c[0], &c[1])
			return c, err
		})
		if err != nil {
			return err
		}
		r.same = slices.EqualFunc(there, r.rows, func(c [2]string, own stored.Row) bool { return c == [2]string{own.Text, own.Record} })
		r.sealed, err = textseal.OfRows(ctx, t, j.Document, r.rows)
		return err
	})
	return r, err
}

// Keep implements recut.Store.
func (s *Store) Keep(ctx context.Context, id string, token int64, m recut.Made) (replaced bool, err error) {
	r, err := s.prepare(ctx, id, token, m)
	if err != nil {
		return false, err
	}
	failpoint.Reach(ctx, failpoint.RecutPrepared)
	err = s.Attend(ctx, id, token, end, func(ctx context.Context, t *database.Tx, j pending.Job) error {
		var title string
		if err := t.QueryRowContext(ctx, `SELECT title FROM documents WHERE row = ?`, j.Document).Scan(&title); err != nil {
			return err
		}
		if title != m.Title {
			return problem.New(problem.Conflict, "title_changed", "The title of the version was changed since its segment was built.")
		}
		if replaced = !r.same; replaced {
			err = s.replace(ctx, t, j, r)
		}
		if err == nil {
			_, err = t.ExecContext(ctx, `UPDATE documents SET chunker = ? WHERE row = ?`, m.Chunker, j.Document)
		}
		if err != nil {
			return err
		}
		err = end(ctx, t, j)
		failpoint.Reach(ctx, failpoint.RecutEnded)
		return err
	})
	if err == nil && replaced {
		s.DB.Jobs.Ring("") // a job of vectors may wait
	}
	return replaced && err == nil, err
}

// replace puts chunks and segment in the place of those that are there, and tells the ledger.
func (s *Store) replace(ctx context.Context, t *database.Tx, j pending.Job, r ready) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM chunks WHERE document = ?`, j.Document); err != nil {
		return err
	}
	failpoint.Reach(ctx, failpoint.RecutRemoved)
	if err := stored.PutRows(ctx, t, j.Document, r.rows); err != nil {
		return err
	}
	failpoint.Reach(ctx, failpoint.RecutWritten)
	if err := putSegment(ctx, t, j.Document, r.Segment); err != nil {
		return err
	}
	failpoint.Reach(ctx, failpoint.RecutIndexed)
	if _, err := t.ExecContext(ctx, `UPDATE tenants SET cuts = cuts + 1 WHERE id = ?`, j.Tenant); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `UPDATE documents SET chunk_count = ?, cut = (SELECT cuts FROM tenants WHERE id = tenant) WHERE row = ?`, len(r.rows), j.Document)
	if err != nil {
		return err
	}
	if err := vectors.Again(ctx, t, j.Document); err != nil {
		return err
	}
	failpoint.Reach(ctx, failpoint.RecutUnembedded)
	err = tell(ctx, t, j, r)
	failpoint.Reach(ctx, failpoint.RecutTold)
	return err
}

// putSegment stores the segment of a version; one without chunks has none. Merged copies of the former one go by themselves.
func putSegment(ctx context.Context, q row.Queries, document int64, segment []byte) (err error) {
	if segment == nil {
		_, err = q.ExecContext(ctx, `DELETE FROM segments WHERE document = ?`, document)
		return err
	}
	there, err := row.Changed(q.ExecContext(ctx, `UPDATE segments SET bytes = ? WHERE document = ?`, segment, document))
	if err == nil && !there {
		_, err = q.ExecContext(ctx, `INSERT INTO segments (document, bytes) VALUES (?, ?)`, document, segment)
	}
	return err
}

// tell writes the hash of the present chunks into the ledger. It is nobody's entry: no person did it.
func tell(ctx context.Context, t *database.Tx, j pending.Job, r ready) error {
	body := map[string]any{"chunker": r.Chunker, "chunks": len(r.rows), "chunks_hash": r.sealed}
	var id, base, key string
	var version int
	if err := t.QueryRowContext(ctx, `SELECT id, base, key, version FROM documents WHERE row = ?`, j.Document).Scan(&id, &base, &key, &version); err != nil {
		return err
	}
	body["document"], body["knowledge_base"], body["doc_key"], body["version"] = id, base, key, version
	return chain.Note(ctx, t, ledger.DocumentRecut, j.Tenant, "", body)
}

func end(ctx context.Context, t *database.Tx, j pending.Job) error { return Jobs.End(ctx, t, j.ID) }

// Erase removes the job of a version that is gone.
func Erase(ctx context.Context, q row.Queries, document int64) error {
	_, err := q.ExecContext(ctx, `DELETE FROM recuts WHERE document = ?`, document)
	return err
}

// Waits are the versions d of a tenant that a chunker of a lower number cut, of those with a status.
const Waits = `documents d WHERE d.tenant = ? AND d.chunker < ? AND d.status IN (` + pending.Searchable + `) AND EXISTS (SELECT 1 FROM texts WHERE document = d.row)`

// Pending implements recut.Store.
func (s *Store) Pending(ctx context.Context, scope access.Scope, chunker int) (n int, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		n, err = pending.Admitted(ctx, t, scope, Waits, scope.Tenant(), chunker)
		return err
	})
	return n, err
}

// Waiting implements recut.Store.
func (s *Store) Waiting(ctx context.Context, tenant access.TenantID, chunker int) (out []recut.Waiting, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT id, coalesce((SELECT code FROM recuts WHERE document = row), '') FROM documents WHERE tenant = ? AND `+outdated+` ORDER BY row`, tenant, chunker)
		out, err = row.Collect(rows, err, func(r row.Scanner) (w recut.Waiting, err error) {
			err = r.Scan(&w.Document, &w.Code)
			return w, err
		})
		return err
	})
	return out, err
}
