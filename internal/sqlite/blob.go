package sqlite

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/originals"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Blobs implements corpus.Blobs with one file a checksum, blobs/ab/cdef….
//
// Files come and go only inside a transaction of the write connection, whose lock all processes
// share, so that putting bytes and dropping the last reference to the same bytes can't cross. A
// blob stays while a version has its checksum or an upload that put it has not reserved yet.
type Blobs struct{ db *database.DB }

// Blobs returns the original bytes.
func (db *DB) Blobs() *Blobs { return &Blobs{db: db.core} }

// originalFiles returns the folder of the files.
func originalFiles(db *database.DB) originals.Folder {
	return originals.Folder{Dir: filepath.Join(db.Dir(), "blobs"), Durable: db.Durable()}
}

// Put implements corpus.Blobs. The bytes are on the disk under their final name before the
// transaction that knows of them commits.
func (b *Blobs) Put(ctx context.Context, r io.Reader, limit int64) (corpus.Checksum, int64, error) {
	name, sum, size, err := originalFiles(b.db).Receive(ctx, r, limit)
	if name != "" {
		defer os.Remove(name) //nolint:errcheck // after it was placed there is nothing to remove
	}
	if err != nil {
		return "", 0, database.Translate(err)
	}
	failpoint.Reach(ctx, failpoint.UploadReceived)
	err = b.db.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO blobs (checksum, size, pending) VALUES (?, ?, 1)
ON CONFLICT (checksum) DO UPDATE SET pending = pending + 1`, sum, size)
		if err != nil {
			return err
		}
		failpoint.Reach(ctx, failpoint.BlobNoted)
		err = originalFiles(b.db).Place(name, sum)
		failpoint.Reach(ctx, failpoint.BlobPlaced)
		return err
	})
	if err != nil {
		return "", 0, err
	}
	return sum, size, nil
}

// Open implements corpus.Blobs.
func (b *Blobs) Open(_ context.Context, sum corpus.Checksum) (io.ReadCloser, error) {
	f, err := originalFiles(b.db).Open(sum)
	return f, database.Translate(err)
}

// useBlob ends the wait for an upload's reservation and returns the size of the bytes.
func useBlob(ctx context.Context, t *database.Tx, sum corpus.Checksum) (size int64, err error) {
	err = t.QueryRowContext(ctx, `UPDATE blobs SET pending = max(0, pending - 1) WHERE checksum = ? RETURNING size`, sum).Scan(&size)
	if err = row.Missing(err); problem.Is(err, problem.NotFound) {
		return 0, problem.New(problem.Invalid, "no_original", "The bytes of this upload were not stored before it.")
	}
	return size, err
}

// Forsake implements corpus.Blobs. It does so also when the upload's client is gone.
func (b *Blobs) Forsake(ctx context.Context, sum corpus.Checksum) error {
	return forsake(ctx, b.db, sum)
}

// forsake drops the bytes of an upload that will not be reserved, also when its client is gone.
func forsake(ctx context.Context, db *database.DB, sum corpus.Checksum) error {
	return db.Write(context.WithoutCancel(ctx), func(ctx context.Context, t *database.Tx) error {
		dropAfter(ctx, t, sum)
		_, err := useBlob(ctx, t, sum)
		return err
	})
}

// dropAfter removes bytes once the transaction that took a reference away is durable: were the
// file gone before, a crash between the two would leave a version without its original. Failing
// to, or dying before, only leaves bytes for the sweep of a later Open.
func dropAfter(ctx context.Context, t *database.Tx, sum corpus.Checksum) {
	t.After(func() {
		failpoint.Reach(ctx, failpoint.RefusalKept)
		_ = t.DB.Write(context.WithoutCancel(ctx), func(ctx context.Context, t *database.Tx) error { return dropBlob(ctx, t, sum) })
		failpoint.Reach(ctx, failpoint.BlobGone)
	})
}

// dropBlob removes bytes that nothing refers to any more, in a transaction that has not taken the
// last reference away itself. If the process dies between the file's removal and the commit, a
// row without file and without references is left, which the next sweep removes and the next Put
// makes good.
func dropBlob(ctx context.Context, t *database.Tx, sum corpus.Checksum) error {
	r, err := t.ExecContext(ctx, `DELETE FROM blobs WHERE checksum = ?1 AND pending = 0
AND NOT EXISTS (SELECT 1 FROM documents WHERE checksum = ?1 AND status <> 'erased')`, sum)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return err
	}
	err = originalFiles(t.DB).Remove(sum)
	failpoint.Reach(ctx, failpoint.BlobRemoved)
	return err
}

// sweep removes what killed processes left: uploads that were never reserved, unfinished files,
// and files that the database does not know. Only a process that has the folder to itself may.
func sweep(ctx context.Context, db *database.DB) error {
	return db.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := t.ExecContext(ctx, `UPDATE blobs SET pending = 0 WHERE pending <> 0`); err != nil {
			return err
		}
		rows, err := t.QueryContext(ctx, `SELECT checksum FROM blobs WHERE checksum NOT IN (SELECT checksum FROM documents WHERE status <> 'erased')`)
		idle, err := row.Collect(rows, err, row.Text[corpus.Checksum])
		if err != nil {
			return err
		}
		for _, sum := range idle {
			if err := dropBlob(ctx, t, sum); err != nil {
				return err
			}
		}
		return sweepFiles(ctx, t)
	})
}

func sweepFiles(ctx context.Context, t *database.Tx) error {
	rows, err := t.QueryContext(ctx, `SELECT checksum FROM blobs`)
	sums, err := row.Collect(rows, err, row.Text[corpus.Checksum])
	if err != nil {
		return err
	}
	return database.Translate(originalFiles(t.DB).Sweep(sums))
}
