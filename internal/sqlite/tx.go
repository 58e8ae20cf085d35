package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"time"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// tx is one transaction, at one time. Callers of the package never see it.
type tx struct {
	*sql.Tx
	now time.Time
	// after holds what is to be done once the transaction is durable.
	after []func()
}

// write runs fn in a transaction of the one write connection.
func (db *DB) write(ctx context.Context, fn func(context.Context, *tx) error) error {
	return db.within(ctx, db.writer, nil, fn)
}

// read runs fn in one snapshot.
func (db *DB) read(ctx context.Context, fn func(context.Context, *tx) error) error {
	return db.within(ctx, db.reader, &sql.TxOptions{ReadOnly: true}, fn)
}

func (db *DB) within(ctx context.Context, pool *sql.DB, o *sql.TxOptions, fn func(context.Context, *tx) error) error {
	inner, err := pool.BeginTx(ctx, o)
	if err != nil {
		return translate(err)
	}
	defer inner.Rollback() //nolint:errcheck // after Commit it does nothing
	t := &tx{Tx: inner, now: db.now()}
	if err := fn(ctx, t); err != nil {
		return translate(err)
	}
	if err := inner.Commit(); err != nil {
		return translate(err)
	}
	for _, f := range t.after {
		f()
	}
	return nil
}

// readScoped runs fn in one snapshot after checking that the scope is of this snapshot's epoch.
// The check is the snapshot's first read, so that nothing can change between it and the rows.
func (db *DB) readScoped(ctx context.Context, scope access.Scope, fn func(context.Context, *tx) error) error {
	return db.read(ctx, func(ctx context.Context, t *tx) error {
		if err := current(ctx, t, scope); err != nil {
			return err
		}
		return fn(ctx, t)
	})
}

// writeScoped is readScoped for a transaction that writes.
func (db *DB) writeScoped(ctx context.Context, scope access.Scope, fn func(context.Context, *tx) error) error {
	return db.write(ctx, func(ctx context.Context, t *tx) error {
		if err := current(ctx, t, scope); err != nil {
			return err
		}
		return fn(ctx, t)
	})
}

func current(ctx context.Context, t *tx, scope access.Scope) error {
	epoch, err := epochOf(ctx, t, scope.Tenant())
	if err != nil {
		return err
	}
	return scope.Current(epoch)
}

// epochOf returns a tenant's epoch; an unknown tenant is problem.NotFound.
func epochOf(ctx context.Context, t *tx, tenant access.TenantID) (access.Epoch, error) {
	var epoch access.Epoch
	err := t.QueryRowContext(ctx, `SELECT epoch FROM tenants WHERE id = ?`, tenant).Scan(&epoch)
	return epoch, missing(err)
}

// bump raises a tenant's epoch: every scope and every cached filter made before is stale.
func bump(ctx context.Context, t *tx, tenant access.TenantID) error {
	return one(t.ExecContext(ctx, `UPDATE tenants SET epoch = epoch + 1 WHERE id = ?`, tenant))
}

// translate is the one place where errors of the engine and of the file system become errors of
// the product.
func translate(err error) error {
	var p *problem.Error
	var e *driver.Error
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil || errors.As(err, &p) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &path) || errors.As(err, &link):
		return problem.Wrap(err, problem.Unavailable, "storage", "The data folder can't be read or written.")
	case errors.As(err, &e):
		switch e.Code() & 0xff {
		case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
			return problem.Wrap(err, problem.Unavailable, "busy", "The database is in use by another process; try again.")
		case lib.SQLITE_FULL, lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY:
			return problem.Wrap(err, problem.Unavailable, "storage", "The data folder can't be read or written.")
		case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
			return problem.Wrap(err, problem.Internal, "storage_corrupt", "The database is damaged.")
		}
	}
	return problem.Wrap(err, problem.Internal, "storage", "The database failed.")
}

// collect reads all rows of a query. Rows are read out before anything else is asked of the same
// transaction.
func collect[T any](rows *sql.Rows, err error, scan func(scanner) (T, error)) ([]T, error) {
	return row.Collect(rows, err, scan)
}

type (
	scanner = row.Scanner
	written = row.Written
	cursor  = row.Cursor
)

func marshal(v any) written                 { return row.Marshal(v) }
func parseCursor(s string) (cursor, error)  { return row.ParseCursor(s) }
func text[T ~string](r scanner) (T, error)  { return row.Text[T](r) }
func list[T any](s []T) []T                 { return row.List(s) }
func words(column string) ([]string, error) { return row.Words(column) }
func at(micros int64) time.Time             { return row.At(micros) }
func random(prefix string) string           { return row.Random(prefix) }
func one(r sql.Result, err error) error     { return row.One(r, err) }
func missing(err error) error               { return row.Missing(err) }
func scanNumber(r scanner) (n int64, err error) {
	err = r.Scan(&n)
	return n, err
}
