package evaluation

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Results implements eval.Results.
type Results struct{ DB *database.DB }

// Keep implements eval.Results.
func (s *Results) Keep(ctx context.Context, tenant access.TenantID, by access.UserID, r eval.Result) error {
	return s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := database.Epoch(ctx, t, tenant); err != nil {
			return err
		}
		if err := insert(ctx, t, tenant, r); err != nil {
			return err
		}
		return chain.Note(ctx, t, ledger.EvaluationEnded, tenant, by, body(r))
	})
}

// Result implements eval.Results.
func (s *Results) Result(ctx context.Context, tenant access.TenantID, id string) (r eval.Result, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		r, err = one(ctx, t, tenant, id)
		return err
	})
	return r, err
}

// Results implements eval.Results.
func (s *Results) Results(ctx context.Context, tenant access.TenantID, f eval.Filter) (out []eval.Result, next string, err error) {
	from, err := row.ParseCursor(f.After)
	if err != nil {
		return nil, "", err
	}
	limit := row.PageSize(f.Limit)
	err = s.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, err = page(ctx, t, tenant, from.Micros, from.ID, limit+1)
		return err
	})
	if len(out) > limit {
		last := out[limit-1]
		out, next = out[:limit], row.Cursor{Micros: last.StartedAt.UnixMicro(), ID: last.ID}.String()
	}
	return out, next, err
}
