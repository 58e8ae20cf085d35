package journal

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/mark"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Feedback implements desk.Feedback.
type Feedback struct{ DB *database.DB }

// Mark implements desk.Feedback.
func (s *Feedback) Mark(ctx context.Context, tenant access.TenantID, m desk.Mark) (desk.Mark, error) {
	err := s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := own(ctx, t, tenant, m.Actor, m.Run)
		if err != nil {
			return err
		}
		if j.Answer.Text == "" || slices.Contains(j.Notices, run.Erased) {
			return desk.NoAnswer()
		}
		if err := mark.Put(ctx, t, tenant, &m, t.Now()); err != nil {
			return err
		}
		return requests.Made(ctx, t, idempotency.Receipt{ID: string(m.Run)})
	})
	if err != nil {
		return desk.Mark{}, err
	}
	return m, nil
}

// Marks implements desk.Feedback.
func (s *Feedback) Marks(ctx context.Context, tenant access.TenantID, actor access.UserID, f desk.MarkFilter) (page corpus.Page[desk.Marked], err error) {
	from, err := row.ParseCursor(f.After)
	if err != nil {
		return page, err
	}
	f.Limit = row.PageSize(f.Limit)
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		page, err = mark.Page(ctx, t, mark.Place{Tenant: tenant, Actor: actor, Cursor: from}, f)
		return err
	})
	return page, err
}
