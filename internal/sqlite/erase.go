package sqlite

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/contents"
	"github.com/kaoju/kaoju/internal/sqlite/docket"
	"github.com/kaoju/kaoju/internal/sqlite/erasure"
	"github.com/kaoju/kaoju/internal/sqlite/recuts"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
)

// Erase implements corpus.Catalog. Erasing what is erased already removes again what could not be
// removed before, such as bytes in the log that a long read held there, or what a run still kept.
func (c *Catalog) Erase(ctx context.Context, scope access.Scope, id corpus.DocumentID) error {
	var sum corpus.Checksum
	err := c.db.writeScoped(ctx, scope, func(ctx context.Context, t *tx) error {
		v, err := scanDocument(t.QueryRowContext(ctx, selectDocument+`WHERE tenant = ? AND id = ? AND status <> 'reserved'`, scope.Tenant(), id))
		if err = missing(err); err != nil {
			return err
		}
		if !mayWrite(scope, v.Document, access.Manager) || !scope.Has(access.KnowledgeAdmin) && !scope.Unbounded() {
			return problem.Missing()
		}
		if sum = v.Checksum; v.Status == erased {
			_, err := blankRuns(ctx, t, v.Document)
			return err
		}
		body := documentBody(v.Document)
		body["was"], body["status"] = v.Status, erased
		n, err := c.db.strip(ctx, t, v)
		if err != nil {
			return err
		}
		body["runs"] = n
		return change(ctx, t, ledger.DocumentErased, v.Tenant, scope.Actor(), body)
	})
	if err != nil {
		return err
	}
	if err := c.db.write(ctx, func(ctx context.Context, t *tx) error { return c.db.dropBlob(ctx, t, sum) }); err != nil {
		return err
	}
	return c.db.scour(ctx)
}

// strip makes a version a tombstone: its content is gone from the database with this transaction,
// with whatever runs keep of it, and its original after it, unless another version has the same
// bytes. It returns how many runs were blanked.
func (db *DB) strip(ctx context.Context, t *tx, v version) (int, error) {
	if err := withdraw(ctx, t, &v, erased); err != nil {
		return 0, err
	}
	for _, content := range []string{
		`DELETE FROM texts WHERE document = ?`, `DELETE FROM chunks WHERE document = ?`, `DELETE FROM segments WHERE document = ?`,
		`DELETE FROM brought WHERE document = ?`,
		`UPDATE documents SET title = '', source_uri = '', labels = '[]', notices = '[]' WHERE row = ?`,
	} {
		if _, err := t.ExecContext(ctx, content, v.row); err != nil {
			return 0, err
		}
	}
	if err := errors.Join(vectors.Erase(ctx, t, v.row), recuts.Erase(ctx, t, v.row), contents.Erase(ctx, t, v.row)); err != nil {
		return 0, err
	}
	db.dropAfter(ctx, t, v.Checksum)
	return blankRuns(ctx, t, v.Document)
}

// blankRuns removes what runs keep of a version: the passages they read, what they answered from
// them, its title among what they found, and their recordings, which show all of that; and the arguments
// of calls that a person wrote about the version or from what such a run said. A run that lost something on
// its way has forgotten what it found, but the results of its tools that were recorded have not. A run that
// names the version in a question or in what it asked of a tool, and was shown nothing of it, stays as it is:
// else whoever may not see a version could tell by such a run that it was there. The ledger is told what is left of
// each that has ended. It returns how many runs were changed.
func blankRuns(ctx context.Context, t *tx, d corpus.Document) (int, error) {
	rows, err := t.QueryContext(ctx, selectRun+erasure.ShownOf, d.Tenant, d.ID, run.ScopeChanged)
	found, err := collect(rows, err, scanRun)
	if err != nil {
		return 0, err
	}
	var wrote []string
	for _, j := range found {
		read, err := erasure.Passages(ctx, t, j.ID, d.ID)
		if err != nil {
			return 0, err
		}
		j.Run = erasure.Run(j.Run, d.ID, read > 0)
		if read > 0 {
			wrote = append(wrote, string(j.ID))
		}
		if err := errors.Join(j.save(ctx, t), erasure.Beside(ctx, t, j.ID, read > 0)); err != nil {
			return 0, err
		}
		if err := reduced(ctx, t, j.Run, d.ID); err != nil {
			return 0, err
		}
	}
	return len(found), docket.Blank(ctx, t, d.Tenant, string(d.ID), wrote)
}

// reduced tells the ledger what is left of a run. One that goes on is told of when it ends.
func reduced(ctx context.Context, t *tx, r *run.Run, document corpus.DocumentID) error {
	if !r.State.Final() {
		return nil
	}
	e, err := erasure.Reduction(ctx, t, r, document)
	if err == nil {
		_, err = record(ctx, t, e)
	}
	return err
}

// leftOf tells the ledger of a run that ends what is left of it, if something was erased while it was under way:
// whoever told of its end did not know.
func leftOf(ctx context.Context, t *tx, r *run.Run, blank bool) error {
	n, err := erasure.Emptied(ctx, t, r.ID)
	if err != nil || n == 0 && !blank {
		return err
	}
	return reduced(ctx, t, r, "")
}

// erasedOf returns those documents of a step that were erased while the run was under way; true
// for those that the run has read, in this step or before.
func erasedOf(ctx context.Context, t *tx, before, r *run.Run, added []citation.Evidence) (map[corpus.DocumentID]bool, error) {
	named := map[corpus.DocumentID]bool{}
	for _, h := range slices.Concat(before.Hits, r.Hits) {
		named[h.Document] = false
		for _, v := range h.Versions {
			named[v.Document] = false
		}
	}
	rows, err := t.QueryContext(ctx, `SELECT DISTINCT document FROM evidence WHERE run = ?`, r.ID)
	read, err := collect(rows, err, text[corpus.DocumentID])
	if err != nil {
		return nil, err
	}
	for _, id := range read {
		named[id] = true
	}
	for _, e := range added {
		named[e.Document] = true
	}
	if len(named) == 0 {
		return nil, nil
	}
	var all []corpus.DocumentID
	for id := range named {
		all = append(all, id)
	}
	rows, err = t.QueryContext(ctx, `SELECT id FROM documents WHERE tenant = ? AND status = 'erased' AND id IN (SELECT value FROM json_each(?))`, r.Tenant, marshal(all))
	gone, err := collect(rows, err, text[corpus.DocumentID])
	out := make(map[corpus.DocumentID]bool, len(gone))
	for _, id := range gone {
		out[id] = named[id]
	}
	return out, err
}

// scour leaves nothing of what was erased in the database file and its log. Rebuilding the file
// frees it from what cells left in the slack of pages; a checkpoint that truncates the log waits
// for reads that began before, up to the time that any transaction waits.
func (db *DB) scour(ctx context.Context) error {
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return translate(err)
	}
	defer conn.Close() //nolint:errcheck // it goes back to the pool
	if _, err := conn.ExecContext(ctx, `VACUUM`); err != nil {
		return translate(err)
	}
	var busy, frames, moved int
	if err := conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved); err != nil {
		return translate(err)
	}
	if busy != 0 {
		return problem.New(problem.Unavailable, "busy", "The version is erased, but a long read still holds its bytes in the log: erase it again.")
	}
	return nil
}

// emptyLog moves what was overwritten from the write-ahead log into the database and empties the
// log, in which deleted text would otherwise stay until later writes reach its place. It waits
// for no reader: while one holds a snapshot, the text stays until the next checkpoint.
func (db *DB) emptyLog() {
	ctx := context.Background()
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return // the folder is being closed, which empties the log too
	}
	defer conn.Close() //nolint:errcheck // it goes back to the pool
	for _, statement := range []string{"PRAGMA busy_timeout = 0", "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA busy_timeout = " + strconv.Itoa(busyMillis)} {
		_, _ = conn.ExecContext(ctx, statement)
	}
}
