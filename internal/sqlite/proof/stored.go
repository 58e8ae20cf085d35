package proof

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Told implements run.Archive.
func (o *Store) Told(ctx context.Context, tenant access.TenantID) (out []run.ID, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT id FROM runs WHERE tenant = ?1
UNION SELECT run FROM entries WHERE tenant = ?1 AND kind = ?2 AND run <> '' ORDER BY 1`, tenant, ledger.RunEnded)
		out, err = row.Collect(rows, err, row.Text[run.ID])
		return err
	})
	return out, err
}

// Stored implements run.Archive.
func (o *Store) Stored(ctx context.Context, tenant access.TenantID, id run.ID) (s run.Stored, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		s, err = storedOf(ctx, t, tenant, id)
		return err
	})
	return s, err
}

func storedOf(ctx context.Context, t *database.Tx, tenant access.TenantID, id run.ID) (s run.Stored, err error) {
	var r stored.RunRow
	err = t.QueryRowContext(ctx, `SELECT `+stored.RunColumns+` FROM runs WHERE id = ? AND tenant = ?`, id, tenant).Scan(r.Into()...)
	if errors.Is(err, sql.ErrNoRows) {
		return s, nil
	}
	if err == nil {
		s.Run, err = r.Run()
	}
	if err != nil {
		return s, err
	}
	if s.Evidence, err = stored.EvidenceOf(ctx, t, id); err != nil {
		return s, err
	}
	if s.Tape, err = tape(ctx, t, id, s.Run.Seal); err != nil {
		return s, err
	}
	rows, err := t.QueryContext(ctx, Belonging, id, tenant)
	if s.Entries, err = row.Collect(rows, err, scanEntry); err != nil {
		return s, err
	}
	rows, err = t.QueryContext(ctx, `SELECT attempt, type, data FROM events WHERE run = ? AND type IN (?, ?, ?) ORDER BY sequence`,
		id, event.Completed, event.Failed, event.Interrupted)
	if s.Closing, err = row.Collect(rows, err, scanClosing); err != nil {
		return s, err
	}
	s.Lost, err = lost(ctx, t, s)
	return s, err
}

func scanClosing(r row.Scanner) (e event.Event, err error) {
	var data string
	err = r.Scan(&e.Attempt, &e.Type, &data)
	e.Data = json.RawMessage(data)
	return e, err
}

// lost reports whether a version that a run found or read was erased, by the ledger's word. A run that lost something
// on its way does not say any more what that was.
func lost(ctx context.Context, t *database.Tx, s run.Stored) (there bool, err error) {
	if slices.Contains(s.Run.Notices, run.ScopeChanged) {
		return true, nil
	}
	var named []string
	for _, e := range s.Evidence {
		named = append(named, string(e.Document))
	}
	for _, h := range s.Run.Hits {
		named = append(named, string(h.Document))
		for _, v := range h.Versions {
			named = append(named, string(v.Document))
		}
	}
	rows, err := t.QueryContext(ctx, `SELECT id FROM documents WHERE tenant = ? AND status = 'erased' AND id IN (SELECT value FROM json_each(?))`,
		s.Run.Tenant, row.Marshal(row.List(named)))
	gone, err := row.Collect(rows, err, row.Text[string])
	if err != nil || len(gone) == 0 { // mostly
		return false, err
	}
	err = t.QueryRowContext(ctx, Erased, s.Run.Tenant, row.Marshal(gone)).Scan(&there)
	return there, err
}

// Erased asks for the entries of erasures by the index of the schema that has them, so that the ledger is not looked
// through for each run. It fails where that index does not hold what is asked for.
const Erased = `SELECT EXISTS (SELECT 1 FROM entries INDEXED BY entries_of_erased WHERE tenant = ? AND kind = 'document.erased'
AND body ->> '$.document' IN (SELECT value FROM json_each(?)))`
