package proof

import (
	"context"
	"database/sql"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Keep stores the recordings of a step, after those before. Blank ones keep their hash alone.
func Keep(ctx context.Context, t *sql.Tx, id run.ID, list []run.Packed, blank bool) error {
	for _, p := range list {
		if blank {
			p.Record = ""
		}
		_, err := t.ExecContext(ctx, `INSERT INTO recordings (run, no, hash, record)
SELECT ?1, coalesce(max(no), 0) + 1, ?2, ?3 FROM recordings WHERE run = ?1`, id, p.Hash, p.Record)
		if err != nil {
			return err
		}
	}
	return nil
}

// Blank removes what the recordings of a run say. Their hashes stay.
func Blank(ctx context.Context, t *sql.Tx, id run.ID) error {
	_, err := t.ExecContext(ctx, `UPDATE recordings SET record = '' WHERE run = ? AND record <> ''`, id)
	return err
}

// Tape implements run.Tapes.
func (o *Store) Tape(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (out []run.Recorded, err error) {
	err = o.Read(ctx, func(ctx context.Context, t *sql.Tx) error {
		var there int
		if err := t.QueryRowContext(ctx, `SELECT 1 FROM runs WHERE id = ? AND tenant = ? AND actor = ?`, id, tenant, actor).Scan(&there); err != nil {
			return row.Missing(err)
		}
		out, err = tape(ctx, t, id)
		return err
	})
	return out, err
}

// tape reads the recordings of a run, in order.
func tape(ctx context.Context, t *sql.Tx, id run.ID) ([]run.Recorded, error) {
	rows, err := t.QueryContext(ctx, `SELECT hash, record FROM recordings WHERE run = ? ORDER BY no`, id)
	return row.Collect(rows, err, scanRecorded)
}

func scanRecorded(s row.Scanner) (r run.Recorded, err error) {
	var record string
	if err := s.Scan(&r.Hash, &record); err != nil {
		return r, err
	}
	if r.Erased = record == ""; !r.Erased {
		r.Altered = citation.HashText(record) != r.Hash
		r.Recording, err = run.Unpack([]byte(record))
	}
	return r, err
}
