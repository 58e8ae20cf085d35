// Package chain appends entries to the ledger of a tenant, in the transaction of what they record: no change
// is kept without its entry, and no entry without its change.
package chain

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Log implements ledger.Log. Triggers of the schema refuse to change or remove an entry and to
// move the head anywhere but one on.
type Log struct{ proof.Log }

// Append implements ledger.Log.
func (l *Log) Append(ctx context.Context, e ledger.Entry) (ledger.Entry, error) {
	err := l.DB.Write(ctx, func(ctx context.Context, t *database.Tx) (err error) {
		if _, err = database.Epoch(ctx, t, access.TenantID(e.Tenant)); err == nil {
			e, err = Append(ctx, t, e)
		}
		return err
	})
	return e, err
}

// Append appends an entry to its tenant's chain inside the transaction of what it records.
func Append(ctx context.Context, t *database.Tx, e ledger.Entry) (ledger.Entry, error) {
	head, err := proof.Head(ctx, t, e.Tenant)
	if err != nil {
		return e, err
	}
	if err := proof.Once(ctx, t, e); err != nil {
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
	return e, proof.Plant(ctx, t, e)
}

// Change is what nearly every write ends with: the tenant's epoch rises, and the ledger says who
// did what. The body holds ids, hashes, states and counts, and no text.
func Change(ctx context.Context, t *database.Tx, kind ledger.Kind, tenant access.TenantID, by access.UserID, body any) error {
	if err := database.Bump(ctx, t, tenant); err != nil {
		return err
	}
	return Note(ctx, t, kind, tenant, by, body)
}

// Note writes a ledger entry about something that alters nobody's view.
func Note(ctx context.Context, t *database.Tx, kind ledger.Kind, tenant access.TenantID, by access.UserID, body any) error {
	b := row.Marshal(body)
	if b.Err != nil {
		return b.Err
	}
	_, err := Append(ctx, t, ledger.Entry{Tenant: string(tenant), Kind: kind, Actor: string(by), Body: json.RawMessage(b.Text)})
	return err
}
