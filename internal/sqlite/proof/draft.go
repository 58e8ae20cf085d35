package proof

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/drafts"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// DraftsTold implements draft.Archive.
func (o *Store) DraftsTold(ctx context.Context, tenant access.TenantID) (out []draft.ID, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT id FROM drafts WHERE tenant = ?1
UNION SELECT body ->> '$.draft' FROM entries WHERE tenant = ?1 AND kind = ?2 AND body ->> '$.draft' IS NOT NULL ORDER BY 1`, tenant, ledger.DraftSaved)
		out, err = row.Collect(rows, err, row.Text[draft.ID])
		return err
	})
	return out, err
}

// DraftStored implements draft.Archive.
func (o *Store) DraftStored(ctx context.Context, tenant access.TenantID, id draft.ID) (s draft.Stored, err error) {
	s.ID = id
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		if s.Versions, err = drafts.Whole(ctx, t, tenant, id); err != nil {
			return err
		}
		if len(s.Versions) == 0 {
			rows, err := t.QueryContext(ctx, selectEntry+`WHERE tenant = ? AND kind = ? AND body ->> '$.draft' = ? ORDER BY sequence`, tenant, ledger.DraftSaved, id)
			s.Entries, err = row.Collect(rows, err, scanEntry)
			return err
		}
		rows, err := t.QueryContext(ctx, Belonging, s.Versions[0].Run, tenant)
		if s.Entries, err = row.Collect(rows, err, scanEntry); err != nil {
			return err
		}
		of, err := storedOf(ctx, t, tenant, s.Versions[0].Run)
		if of.Run != nil {
			s.Erased = of.Lost || run.ToldOf(of.Entries, of.Run.Attempt).Reduced != nil
		}
		return err
	})
	return s, err
}
