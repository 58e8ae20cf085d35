package proof

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Keep stores the recordings of a step, after those before. Blank ones keep their hash alone.
func Keep(ctx context.Context, t *database.Tx, id run.ID, list []run.Packed, blank bool) error {
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
func Blank(ctx context.Context, q row.Queries, id run.ID) error {
	_, err := q.ExecContext(ctx, `UPDATE recordings SET record = '' WHERE run = ? AND record <> ''`, id)
	return err
}

// Tape implements run.Tapes.
func (o *Store) Tape(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (out []run.Recorded, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		var record string
		if err := t.QueryRowContext(ctx, `SELECT record FROM runs WHERE id = ? AND tenant = ? AND actor = ?`, id, tenant, actor).Scan(&record); err != nil {
			return row.Missing(err)
		}
		s, err := stored.ReadSeal(record)
		if err == nil {
			out, err = tape(ctx, t, id, s)
		}
		return err
	})
	return out, err
}

// tape reads the recordings of a run, in order, which were hashed under a seal. Erasing renews the seal
// of a run that has one: while it is the first, a record without words was emptied by nobody who may.
func tape(ctx context.Context, t *database.Tx, id run.ID, s seal.Seal) ([]run.Recorded, error) {
	rows, err := t.QueryContext(ctx, `SELECT hash, record FROM recordings WHERE run = ? ORDER BY no`, id)
	return row.Collect(rows, err, func(from row.Scanner) (r run.Recorded, err error) {
		var record string
		if err := from.Scan(&r.Hash, &record); err != nil {
			return r, err
		}
		r.Erased = record == "" && (s.Renewed() || s.Plain())
		r.Altered = !r.Erased && s.Hash(run.NameRecording, record) != r.Hash
		if record != "" {
			r.Recording, err = run.Unpack([]byte(record))
		}
		return r, err
	})
}
