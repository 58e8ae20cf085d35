package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Blobs implements corpus.Blobs with one file a checksum, blobs/ab/cdef….
//
// Files come and go only inside a transaction of the write connection, whose lock all processes
// share, so that putting bytes and dropping the last reference to the same bytes can't cross. A
// blob stays while a version has its checksum or an upload that put it has not reserved yet.
type Blobs struct{ db *DB }

// Blobs returns the original bytes.
func (db *DB) Blobs() *Blobs { return &Blobs{db} }

// temporary begins the names of files that are still being written.
const temporary = "put-"

// Put implements corpus.Blobs. The bytes are on the disk under their final name before the
// transaction that knows of them commits.
func (b *Blobs) Put(ctx context.Context, r io.Reader, limit int64) (corpus.Checksum, int64, error) {
	name, sum, size, err := b.receive(ctx, r, limit)
	if name != "" {
		defer os.Remove(name) //nolint:errcheck // after the rename there is nothing to remove
	}
	if err != nil {
		return "", 0, err
	}
	err = b.db.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO blobs (checksum, size, pending) VALUES (?, ?, 1)
ON CONFLICT (checksum) DO UPDATE SET pending = pending + 1`, sum, size)
		if err != nil {
			return err
		}
		path := b.db.blobPath(sum)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		// The bytes under a name are always the same, so that replacing them harms no reader.
		if err := os.Rename(name, path); err != nil {
			return err
		}
		if !b.db.durable {
			return nil
		}
		return errors.Join(syncFolder(filepath.Dir(path)), syncFolder(filepath.Dir(filepath.Dir(path))))
	})
	if err != nil {
		return "", 0, err
	}
	return sum, size, nil
}

// receive writes the bytes to a temporary file and to the disk.
func (b *Blobs) receive(ctx context.Context, r io.Reader, limit int64) (name string, sum corpus.Checksum, size int64, err error) {
	f, err := os.CreateTemp(filepath.Join(b.db.dir, "blobs"), temporary)
	if err != nil {
		return "", "", 0, translate(err)
	}
	defer f.Close() //nolint:errcheck // Sync told whether the bytes are there
	h := sha256.New()
	size, err = io.Copy(io.MultiWriter(f, h), io.LimitReader(reader{ctx, r}, max(limit, limit+1)))
	var p *problem.Error
	switch {
	case errors.As(err, &p) || ctx.Err() != nil:
		return f.Name(), "", 0, err
	case err != nil:
		return f.Name(), "", 0, problem.Wrap(err, problem.Unavailable, "upload_interrupted", "The upload broke off after %d bytes.", size)
	case size > limit:
		return f.Name(), "", 0, problem.New(problem.Invalid, "too_large", "The file is larger than %d bytes.", limit)
	}
	if b.db.durable {
		if err := f.Sync(); err != nil {
			return f.Name(), "", 0, translate(err)
		}
	}
	return f.Name(), corpus.Checksum(hex.EncodeToString(h.Sum(nil))), size, nil
}

// reader stops when its context ends.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// Open implements corpus.Blobs.
func (b *Blobs) Open(_ context.Context, sum corpus.Checksum) (io.ReadCloser, error) {
	if !validSum(sum) {
		return nil, problem.Missing()
	}
	f, err := os.Open(b.db.blobPath(sum))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.Missing()
	}
	if err != nil {
		return nil, translate(err)
	}
	return f, nil
}

func (db *DB) blobPath(sum corpus.Checksum) string {
	return filepath.Join(db.dir, "blobs", string(sum[:2]), string(sum[2:]))
}

// validSum keeps anything but a checksum from becoming a path.
func validSum(sum corpus.Checksum) bool {
	b, err := hex.DecodeString(string(sum))
	return err == nil && len(b) == sha256.Size && hex.EncodeToString(b) == string(sum)
}

// useBlob ends the wait for an upload's reservation and returns the size of the bytes.
func useBlob(ctx context.Context, t *tx, sum corpus.Checksum) (size int64, err error) {
	err = t.QueryRowContext(ctx, `UPDATE blobs SET pending = max(0, pending - 1) WHERE checksum = ? RETURNING size`, sum).Scan(&size)
	if err = missing(err); problem.Is(err, problem.NotFound) {
		return 0, problem.New(problem.Invalid, "no_original", "The bytes of this upload were not stored before it.")
	}
	return size, err
}

// Forsake implements corpus.Blobs. It does so also when the upload's client is gone.
func (b *Blobs) Forsake(ctx context.Context, sum corpus.Checksum) error {
	return b.db.forsake(ctx, sum)
}

// forsake drops the bytes of an upload that will not be reserved, also when its client is gone.
func (db *DB) forsake(ctx context.Context, sum corpus.Checksum) error {
	return db.write(context.WithoutCancel(ctx), func(ctx context.Context, t *tx) error {
		db.dropAfter(ctx, t, sum)
		_, err := useBlob(ctx, t, sum)
		return err
	})
}

// dropAfter removes bytes once the transaction that took a reference away is durable: were the
// file gone before, a crash between the two would leave a version without its original. Failing
// to, or dying before, only leaves bytes for the sweep of a later Open.
func (db *DB) dropAfter(ctx context.Context, t *tx, sum corpus.Checksum) {
	t.after = append(t.after, func() {
		_ = db.write(context.WithoutCancel(ctx), func(ctx context.Context, t *tx) error { return db.dropBlob(ctx, t, sum) })
	})
}

// dropBlob removes bytes that nothing refers to any more, in a transaction that has not taken the
// last reference away itself. If the process dies between the file's removal and the commit, a
// row without file and without references is left, which the next sweep removes and the next Put
// makes good.
func (db *DB) dropBlob(ctx context.Context, t *tx, sum corpus.Checksum) error {
	r, err := t.ExecContext(ctx, `DELETE FROM blobs WHERE checksum = ?1 AND pending = 0
AND NOT EXISTS (SELECT 1 FROM documents WHERE checksum = ?1 AND status <> 'erased')`, sum)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if err := os.Remove(db.blobPath(sum)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes what killed processes left: uploads that were never reserved, unfinished files,
// and files that the database does not know. Only a process that has the folder to itself may.
func (db *DB) sweep(ctx context.Context) error {
	return db.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := t.ExecContext(ctx, `UPDATE blobs SET pending = 0 WHERE pending <> 0`); err != nil {
			return err
		}
		rows, err := t.QueryContext(ctx, `SELECT checksum FROM blobs WHERE checksum NOT IN (SELECT checksum FROM documents WHERE status <> 'erased')`)
		idle, err := collect(rows, err, text[corpus.Checksum])
		if err != nil {
			return err
		}
		for _, sum := range idle {
			if err := db.dropBlob(ctx, t, sum); err != nil {
				return err
			}
		}
		return db.sweepFiles(ctx, t)
	})
}

func (db *DB) sweepFiles(ctx context.Context, t *tx) error {
	rows, err := t.QueryContext(ctx, `SELECT checksum FROM blobs`)
	sums, err := collect(rows, err, text[corpus.Checksum])
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(sums))
	for _, sum := range sums {
		known[db.blobPath(sum)] = true
	}
	err = filepath.WalkDir(filepath.Join(db.dir, "blobs"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || known[path] {
			return err
		}
		return os.Remove(path)
	})
	return translate(err)
}

// syncFolder makes names in a folder durable. Systems that can't do so keep them by themselves.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // nothing was written through it
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
