package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// Ledger implements ledger.Log. Triggers of the schema refuse to change or remove an entry and to
// move the head anywhere but one on.
type Ledger struct{ db *DB }

// Ledger returns the ledger of all tenants.
func (db *DB) Ledger() *Ledger { return &Ledger{db} }

// Append implements ledger.Log.
func (l *Ledger) Append(ctx context.Context, e ledger.Entry) (ledger.Entry, error) {
	err := l.db.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if _, err = epochOf(ctx, t, access.TenantID(e.Tenant)); err == nil {
			e, err = record(ctx, t, e)
		}
		return err
	})
	return e, err
}

// Entries implements ledger.Log.
func (l *Ledger) Entries(ctx context.Context, tenant string, after int64, limit int) (out []ledger.Entry, err error) {
	err = l.db.read(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx, selectEntry+`WHERE tenant = ? AND sequence > ? ORDER BY sequence LIMIT ?`, tenant, after, max(0, limit))
		out, err = collect(rows, err, scanEntry)
		return err
	})
	return out, err
}

// Entry implements ledger.Log.
func (l *Ledger) Entry(ctx context.Context, tenant, id string) (e ledger.Entry, err error) {
	err = l.db.read(ctx, func(ctx context.Context, t *tx) error {
		e, err = scanEntry(t.QueryRowContext(ctx, selectEntry+`WHERE tenant = ? AND id = ?`, tenant, id))
		return missing(err)
	})
	if err != nil {
		return ledger.Entry{}, err
	}
	return e, nil
}

// Head implements ledger.Log.
func (l *Ledger) Head(ctx context.Context, tenant string) (head ledger.Head, err error) {
	err = l.db.read(ctx, func(ctx context.Context, t *tx) (err error) {
		head, err = headOf(ctx, t, tenant)
		return err
	})
	return head, err
}

const selectEntry = `SELECT tenant, sequence, id, kind, run, actor, time, body, previous, hash FROM entries `

func scanEntry(r scanner) (e ledger.Entry, err error) {
	var micros int64
	var body string
	err = r.Scan(&e.Tenant, &e.Sequence, &e.ID, &e.Kind, &e.RunID, &e.Actor, &micros, &body, &e.Previous, &e.Hash)
	e.Time, e.Body = at(micros), json.RawMessage(body)
	return e, err
}

func headOf(ctx context.Context, t *tx, tenant string) (head ledger.Head, err error) {
	err = t.QueryRowContext(ctx, `SELECT sequence, hash FROM heads WHERE tenant = ?`, tenant).Scan(&head.Sequence, &head.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		return ledger.Head{}, nil
	}
	return head, err
}

// record appends an entry to its tenant's chain inside the transaction of what it records.
func record(ctx context.Context, t *tx, e ledger.Entry) (ledger.Entry, error) {
	head, err := headOf(ctx, t, e.Tenant)
	if err != nil {
		return e, err
	}
	if e.ID == "" {
		e.ID = random("led_")
	}
	if e.Time.IsZero() {
		e.Time = t.now
	}
	if len(e.Body) > 0 && !json.Valid(e.Body) {
		return e, problem.New(problem.Internal, "ledger_body", "The body of a ledger entry is not JSON.")
	}
	e = ledger.Seal(head, e)
	_, err = t.ExecContext(ctx, `INSERT INTO entries (tenant, sequence, id, kind, run, actor, time, body, previous, hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.Tenant, e.Sequence, e.ID, e.Kind, e.RunID, e.Actor, e.Time.UnixMicro(), string(e.Body), e.Previous, e.Hash)
	if err != nil {
		return e, err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO heads (tenant, sequence, hash) VALUES (?, ?, ?)
ON CONFLICT (tenant) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash`, e.Tenant, e.Sequence, e.Hash)
	return e, err
}

// change is what nearly every write ends with: the tenant's epoch rises, and the ledger says who
// did what. The body holds ids, hashes, states and counts, and no text.
func change(ctx context.Context, t *tx, kind ledger.Kind, tenant access.TenantID, by access.UserID, body any) error {
	if err := bump(ctx, t, tenant); err != nil {
		return err
	}
	return note(ctx, t, kind, tenant, by, body)
}

// note writes a ledger entry about something that alters nobody's view.
func note(ctx context.Context, t *tx, kind ledger.Kind, tenant access.TenantID, by access.UserID, body any) error {
	b := marshal(body)
	if b.Err != nil {
		return b.Err
	}
	_, err := record(ctx, t, ledger.Entry{Tenant: string(tenant), Kind: kind, Actor: string(by), Body: json.RawMessage(b.Text)})
	return err
}
