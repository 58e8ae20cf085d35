// Package blobs keeps the original bytes of versions, each once, and drops those that nothing refers to any more.
package blobs

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/originals"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Store implements corpus.Blobs with one file a checksum, blobs/ab/cdef….
//
// Files come and go only inside a transaction of the write connection, whose lock all processes
// share, so that putting bytes and dropping the last reference to the same bytes can't cross. A
// blob stays while a version has its checksum or an upload that put it has not reserved yet.
type Store struct{ DB *database.DB }

// Files returns the folder of the files.
func Files(db *database.DB) originals.Folder {
	return originals.Folder{Dir: filepath.Join(db.Dir(), "blobs"), Durable: db.Durable()}
}

// Put implements corpus.Blobs. The bytes are on the disk under their final name before the
// transaction that knows of them commits.
func (b *Store) Put(ctx context.Context, r io.Reader, limit int64) (corpus.Checksum, int64, error) {
	name, sum, size, err := Files(b.DB).Receive(ctx, r, limit)
	if name != "" {
		defer os.Remove(name) //nolint:errcheck // after it was placed there is nothing to remove
	}
	if err != nil {
		return "", 0, database.Translate(err)
	}
	failpoint.Reach(ctx, failpoint.UploadReceived)
	err = b.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO blobs (checksum, size, pending) VALUES (?, ?, 1)
ON CONFLICT (checksum) DO UPDATE SET pending = pending + 1`, sum, size)
		if err != nil {
			return err
		}
		failpoint.Reach(ctx, failpoint.BlobNoted)
		err = Files(b.DB).Place(name, sum)
		failpoint.Reach(ctx, failpoint.BlobPlaced)
		return err
	})
	if err != nil {
		return "", 0, err
	}
	return sum, size, nil
}

// Open implements corpus.Blobs.
func (b *Store) Open(_ context.Context, sum corpus.Checksum) (io.ReadCloser, error) {
	f, err := Files(b.DB).Open(sum)
	return f, database.Translate(err)
}

// Use ends the wait for an upload's reservation and returns the size of the bytes.
func Use(ctx context.Context, t *database.Tx, sum corpus.Checksum) (size int64, err error) {
	err = t.QueryRowContext(ctx, `UPDATE blobs SET pending = max(0, pending - 1) WHERE checksum = ? RETURNING size`, sum).Scan(&size)
	if err = row.Missing(err); problem.Is(err, problem.NotFound) {
		return 0, problem.New(problem.Invalid, "no_original", "The bytes of this upload were not stored before it.")
	}
	return size, err
}

// Forsake implements corpus.Blobs. It does so also when the upload's client is gone.
func (b *Store) Forsake(ctx context.Context, sum corpus.Checksum) error {
	return Forsake(ctx, b.DB, sum)
}

// Forsake drops the bytes of an upload that will not be reserved, also when its client is gone.
func Forsake(ctx context.Context, db *database.DB, sum corpus.Checksum) error {
	return db.Write(context.WithoutCancel(ctx), func(ctx context.Context, t *database.Tx) error {
		DropAfter(ctx, t, sum)
		_, err := Use(ctx, t, sum)
		return err
	})
}

// DropAfter removes bytes once the transaction that took a reference away is durable: were the
// file gone before, a crash between the two would leave a version without its original. Failing
// to, or dying before, only leaves bytes for the sweep of a later Open.
func DropAfter(ctx context.Context, t *database.Tx, sum corpus.Checksum) {
	t.After(func() {
		failpoint.Reach(ctx, failpoint.RefusalKept)
		_ = t.DB.Write(context.WithoutCancel(ctx), func(ctx context.Context, t *database.Tx) error { return Drop(ctx, t, sum) })
		failpoint.Reach(ctx, failpoint.BlobGone)
	})
}

// Drop removes bytes that nothing refers to any more, in a transaction that has not taken the
// last reference away itself. If the process dies between the file's removal and the commit, a
// row without file and without references is left, which the next sweep removes and the next Put
// makes good.
func Drop(ctx context.Context, t *database.Tx, sum corpus.Checksum) error {
	r, err := t.ExecContext(ctx, `DELETE FROM blobs WHERE checksum = ?1 AND pending = 0
AND NOT EXISTS (SELECT 1 FROM documents WHERE checksum = ?1 AND status <> 'erased')`, sum)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return err
	}
	err = Files(t.DB).Remove(sum)
	failpoint.Reach(ctx, failpoint.BlobRemoved)
	return err
}

// Sweep removes what killed processes left: uploads that were never reserved, unfinished files,
// and files that the database does not know. Only a process that has the folder to itself may.
func Sweep(ctx context.Context, db *database.DB) error {
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
			if err := Drop(ctx, t, sum); err != nil {
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
	return database.Translate(Files(t.DB).Sweep(sums))
}

// Check checks that every blob that is known is there, with its size and the bytes of its checksum, and
// names all that are not.
func Check(ctx context.Context, t *database.Tx) error {
	rows, err := t.QueryContext(ctx, `SELECT checksum, size FROM blobs ORDER BY checksum`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var wrong []string
	for rows.Next() {
		var sum corpus.Checksum
		var size int64
		if err := rows.Scan(&sum, &size); err != nil {
			return err
		}
		got, length, err := Files(t.DB).Sum(sum)
		switch {
		case err != nil || length != size:
			wrong = append(wrong, "the original with checksum "+string(sum)+" is missing or cut short")
		case got != sum:
			wrong = append(wrong, "the original with checksum "+string(sum)+" has other bytes")
		}
	}
	if err := rows.Err(); err != nil || wrong == nil {
		return err
	}
	return Damaged(strings.Join(wrong, "; "))
}

// Damaged says what was found damaged in a data folder.
func Damaged(what string) error {
	return problem.New(problem.Conflict, "damaged", "The data folder is damaged: %s.", what)
}
