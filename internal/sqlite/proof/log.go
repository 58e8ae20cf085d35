package proof

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Log reads the entries of the ledger: all of ledger.Log but Append, which is the driver's.
type Log struct {
	// Read runs fn in one snapshot.
	DB *database.DB
}

const selectEntry = `SELECT tenant, sequence, id, kind, run, actor, time, body, previous, hash FROM entries `

func scanEntry(r row.Scanner) (e ledger.Entry, err error) {
	var micros int64
	var body string
	err = r.Scan(&e.Tenant, &e.Sequence, &e.ID, &e.Kind, &e.RunID, &e.Actor, &micros, &body, &e.Previous, &e.Hash)
	e.Time, e.Body = row.At(micros), json.RawMessage(body)
	return e, err
}

// Entries implements ledger.Log.
func (l Log) Entries(ctx context.Context, tenant string, after int64, limit int) (out []ledger.Entry, err error) {
	err = l.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, selectEntry+`WHERE tenant = ? AND sequence > ? ORDER BY sequence LIMIT ?`, tenant, after, max(0, limit))
		out, err = row.Collect(rows, err, scanEntry)
		return err
	})
	return out, err
}

// Entry implements ledger.Log.
func (l Log) Entry(ctx context.Context, tenant, id string) (e ledger.Entry, err error) {
	err = l.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		e, err = scanEntry(t.QueryRowContext(ctx, selectEntry+`WHERE tenant = ? AND id = ?`, tenant, id))
		return row.Missing(err)
	})
	if err != nil {
		return ledger.Entry{}, err
	}
	return e, nil
}

// Belonging selects the entries of a run of a tenant, in order. That the run is named has to be said for its index to be used.
const Belonging = selectEntry + `WHERE run = ? AND run <> '' AND tenant = ? ORDER BY sequence`

// OfRun implements ledger.Log.
func (l Log) OfRun(ctx context.Context, tenant, run string) (out []ledger.Entry, err error) {
	err = l.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, Belonging, run, tenant)
		out, err = row.Collect(rows, err, scanEntry)
		return err
	})
	return out, err
}

// Added returns the first entry that tells of a version; sql.ErrNoRows if there is none.
func Added(ctx context.Context, q row.Queries, tenant, document string) (ledger.Entry, error) {
	return scanEntry(q.QueryRowContext(ctx, selectEntry+AddedOf, tenant, document))
}

// AddedOf is what Added asks for, by the index of the schema that has it: left to itself the engine looks through the
// ledger in its order.
const AddedOf = `INDEXED BY entries_of_added WHERE tenant = ? AND kind = 'document.added' AND body ->> '$.document' = ? ORDER BY sequence LIMIT 1`

// Recut returns the newest entry that tells of the chunks of a version as they were cut anew; sql.ErrNoRows if there is none.
func Recut(ctx context.Context, q row.Queries, tenant, document string) (ledger.Entry, error) {
	return scanEntry(q.QueryRowContext(ctx, selectEntry+RecutOf, tenant, document))
}

// RecutOf is what Recut asks for, by the index of the schema that has it.
const RecutOf = `INDEXED BY entries_of_recut WHERE tenant = ? AND kind = 'document.recut' AND body ->> '$.document' = ? ORDER BY sequence DESC LIMIT 1`

// Over is an expression for whether the ledger tells of the end of a row of runs and of no resumption since, as run.Over.
const Over = `coalesce((SELECT kind FROM entries WHERE run = runs.id AND run <> '' AND tenant = runs.tenant AND kind IN ('run.ended', 'run.resumed')
ORDER BY sequence DESC LIMIT 1) = 'run.ended', 0)`

// Once refuses the entry of an end of a run whose end the ledger tells of, and no resumption since: such a run was changed
// beside the product, and a new end would make the changed record the one that is told of.
func Once(ctx context.Context, q row.Queries, e ledger.Entry) error {
	if e.Kind != ledger.RunEnded || e.RunID == "" {
		return nil
	}
	var over bool
	err := q.QueryRowContext(ctx, `SELECT `+Over+` FROM (SELECT ? AS id, ? AS tenant) runs`, e.RunID, e.Tenant).Scan(&over)
	if err == nil && over {
		err = problem.New(problem.Conflict, "record_changed", "The ledger tells of the end of this run already: its record was changed since, and gets no other.")
	}
	return err
}

// Interrupted refuses a run of whose last end the ledger tells otherwise than that it was interrupted: such a run was changed
// beside the product, and is not gone on with.
func Interrupted(ctx context.Context, q row.Queries, tenant, id string) error {
	var state string
	err := q.QueryRowContext(ctx, `SELECT coalesce(body ->> '$.state', '') FROM entries WHERE tenant = ? AND run = ? AND run <> '' AND kind = 'run.ended'
ORDER BY sequence DESC LIMIT 1`, tenant, id).Scan(&state)
	switch {
	case errors.Is(err, sql.ErrNoRows): // an end of before ends were told of
		return nil
	case err == nil && state != "interrupted":
		err = problem.New(problem.Conflict, "record_changed", "The ledger tells of another end of this run: its record was changed since, and it is not resumed.")
	}
	return err
}

// Head implements ledger.Log.
func (l Log) Head(ctx context.Context, tenant string) (head ledger.Head, err error) {
	err = l.DB.Read(ctx, func(ctx context.Context, t *database.Tx) (err error) {
		head, err = Head(ctx, t, tenant)
		return err
	})
	return head, err
}

// Head returns the stored end of a tenant's chain; the zero Head for an empty one.
func Head(ctx context.Context, t *database.Tx, tenant string) (head ledger.Head, err error) {
	err = t.QueryRowContext(ctx, `SELECT sequence, hash FROM heads WHERE tenant = ?`, tenant).Scan(&head.Sequence, &head.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		return ledger.Head{}, nil
	}
	return head, err
}
