package database

import (
	"context"
	"database/sql"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Tx is one transaction, at one time. Callers of the driver never see it.
type Tx struct {
	*sql.Tx
	// DB is the database of the transaction.
	DB  *DB
	now time.Time
	// after holds what is to be done once the transaction is durable.
	after []func()
}

// Now is the one time of the transaction.
func (t *Tx) Now() time.Time { return t.now }

// After has fn called once the transaction is durable; never, if it is undone.
func (t *Tx) After(fn func()) { t.after = append(t.after, fn) }

// Work is what is done in a transaction.
type Work = func(context.Context, *Tx) error

// Run runs work in a transaction: DB.Read, DB.Write, or what stands in their place.
type Run = func(ctx context.Context, fn Work) error

// Write runs fn in a transaction of the one write connection.
func (db *DB) Write(ctx context.Context, fn Work) error {
	return db.within(ctx, db.writer, nil, fn)
}

// Read runs fn in one snapshot.
func (db *DB) Read(ctx context.Context, fn Work) error {
	return db.within(ctx, db.reader, &sql.TxOptions{ReadOnly: true}, fn)
}

func (db *DB) within(ctx context.Context, pool *sql.DB, o *sql.TxOptions, fn Work) error {
	inner, err := pool.BeginTx(ctx, o)
	if err != nil {
		return Translate(err)
	}
	defer inner.Rollback() //nolint:errcheck // after Commit it does nothing
	t := &Tx{Tx: inner, DB: db, now: db.Now()}
	if err := fn(ctx, t); err != nil {
		return Translate(err)
	}
	if err := inner.Commit(); err != nil {
		return Translate(err)
	}
	for _, f := range t.after {
		f()
	}
	return nil
}

// ReadScoped runs fn in one snapshot after checking that the scope is of this snapshot's epoch.
// The check is the snapshot's first read, so that nothing can change between it and the rows.
func (db *DB) ReadScoped(ctx context.Context, scope access.Scope, fn Work) error {
	return db.Read(ctx, func(ctx context.Context, t *Tx) error {
		if err := Current(ctx, t, scope); err != nil {
			return err
		}
		return fn(ctx, t)
	})
}

// WriteScoped is ReadScoped for a transaction that writes.
func (db *DB) WriteScoped(ctx context.Context, scope access.Scope, fn Work) error {
	return db.Write(ctx, func(ctx context.Context, t *Tx) error {
		if err := Current(ctx, t, scope); err != nil {
			return err
		}
		return fn(ctx, t)
	})
}

// Attempt runs fn so that a refusal of fn's undoes what fn wrote and owes, and nothing that the transaction did
// before. The refusal that keeps says is kept undoes nothing. What fails apart from fn is err.
func (t *Tx) Attempt(ctx context.Context, fn Work, keeps func(refusal error) bool) (refusal, err error) {
	if _, err := t.ExecContext(ctx, `SAVEPOINT attempt`); err != nil {
		return nil, err
	}
	owed := len(t.after)
	if refusal = fn(ctx, t); refusal != nil && !keeps(refusal) {
		t.after = t.after[:owed]
		if _, err := t.ExecContext(ctx, `ROLLBACK TO attempt`); err != nil {
			return nil, err
		}
	}
	_, err = t.ExecContext(ctx, `RELEASE attempt`)
	return refusal, err
}

// Current refuses a scope that is not of the tenant's epoch as this transaction sees it.
func Current(ctx context.Context, t *Tx, scope access.Scope) error {
	epoch, err := Epoch(ctx, t, scope.Tenant())
	if err != nil {
		return err
	}
	return scope.Current(epoch)
}

// Epoch returns a tenant's epoch; an unknown tenant is problem.NotFound.
func Epoch(ctx context.Context, t *Tx, tenant access.TenantID) (access.Epoch, error) {
	var epoch access.Epoch
	err := t.QueryRowContext(ctx, `SELECT epoch FROM tenants WHERE id = ?`, tenant).Scan(&epoch)
	return epoch, row.Missing(err)
}

// Bump raises a tenant's epoch: every scope and every cached filter made before is stale.
func Bump(ctx context.Context, t *Tx, tenant access.TenantID) error {
	return row.One(t.ExecContext(ctx, `UPDATE tenants SET epoch = epoch + 1 WHERE id = ?`, tenant))
}
