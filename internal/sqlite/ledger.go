package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Ledger implements ledger.Log. Triggers of the schema refuse to change or remove an entry and to
// move the head anywhere but one on.
type Ledger struct {
	proof.Log
	db *database.DB
}

// Ledger returns the ledger of all tenants.
func (db *DB) Ledger() *Ledger { return &Ledger{Log: db.Proof().Log, db: db.core} }

// Append implements ledger.Log.
func (l *Ledger) Append(ctx context.Context, e ledger.Entry) (ledger.Entry, error) {
	err := l.db.Write(ctx, func(ctx context.Context, t *database.Tx) (err error) {
		if _, err = database.Epoch(ctx, t, access.TenantID(e.Tenant)); err == nil {
			e, err = record(ctx, t, e)
		}
		return err
	})
	return e, err
}

// Proof returns what proves the ledger, and what the steps of runs were.
func (db *DB) Proof() *proof.Store {
	within := func(run func(context.Context, func(context.Context, *database.Tx) error) error) proof.Within {
		return func(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
			return run(ctx, func(ctx context.Context, t *database.Tx) error { return fn(ctx, t.Tx) })
		}
	}
	return &proof.Store{Log: proof.Log{Read: within(db.core.Read)}, Write: within(db.core.Write), Signer: db.key}
}

// record appends an entry to its tenant's chain inside the transaction of what it records.
func record(ctx context.Context, t *database.Tx, e ledger.Entry) (ledger.Entry, error) {
	head, err := proof.Head(ctx, t.Tx, e.Tenant)
	if err != nil {
		return e, err
	}
	if err := proof.Once(ctx, t.Tx, e); err != nil {
		return e, err
	}
	if e.ID == "" {
		e.ID = row.Random("led_")
	}
	if e.Time.IsZero() {
		e.Time = t.Now()
	}
	if len(e.Body) > 0 && !json.Valid(e.Body) {
		return e, problem.New(problem.Internal, "ledger_body", "The body of a ledger entry is not JSON.")
	}
	e = ledger.Seal(head, ledger.Attribute(ctx, e))
	_, err = t.ExecContext(ctx, `INSERT INTO entries (tenant, sequence, id, kind, run, actor, time, body, previous, hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.Tenant, e.Sequence, e.ID, e.Kind, e.RunID, e.Actor, e.Time.UnixMicro(), string(e.Body), e.Previous, e.Hash)
	if err != nil {
		return e, err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO heads (tenant, sequence, hash) VALUES (?, ?, ?)
ON CONFLICT (tenant) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash`, e.Tenant, e.Sequence, e.Hash)
	if err != nil {
		return e, err
	}
	return e, proof.Plant(ctx, t.Tx, e)
}

// change is what nearly every write ends with: the tenant's epoch rises, and the ledger says who
// did what. The body holds ids, hashes, states and counts, and no text.
func change(ctx context.Context, t *database.Tx, kind ledger.Kind, tenant access.TenantID, by access.UserID, body any) error {
	if err := database.Bump(ctx, t, tenant); err != nil {
		return err
	}
	return note(ctx, t, kind, tenant, by, body)
}

// note writes a ledger entry about something that alters nobody's view.
func note(ctx context.Context, t *database.Tx, kind ledger.Kind, tenant access.TenantID, by access.UserID, body any) error {
	b := row.Marshal(body)
	if b.Err != nil {
		return b.Err
	}
	_, err := record(ctx, t, ledger.Entry{Tenant: string(tenant), Kind: kind, Actor: string(by), Body: json.RawMessage(b.Text)})
	return err
}
