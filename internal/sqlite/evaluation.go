package sqlite

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/evaluation"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Results implements eval.Results.
type Results struct{ db *database.DB }

// Results returns the kept results of evaluations.
func (db *DB) Results() *Results { return &Results{db: db.core} }

// Keep implements eval.Results.
func (s *Results) Keep(ctx context.Context, tenant access.TenantID, by access.UserID, r eval.Result) error {
	return s.db.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := database.Epoch(ctx, t, tenant); err != nil {
			return err
		}
		if err := evaluation.Insert(ctx, t.Tx, tenant, r); err != nil {
			return err
		}
		return note(ctx, t, ledger.EvaluationEnded, tenant, by, evaluation.Body(r))
	})
}

// Result implements eval.Results.
func (s *Results) Result(ctx context.Context, tenant access.TenantID, id string) (r eval.Result, err error) {
	err = s.db.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		r, err = evaluation.One(ctx, t.Tx, tenant, id)
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
	err = s.db.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, err = evaluation.Page(ctx, t.Tx, tenant, from.Micros, from.ID, limit+1)
		return err
	})
	if len(out) > limit {
		last := out[limit-1]
		out, next = out[:limit], row.Cursor{Micros: last.StartedAt.UnixMicro(), ID: last.ID}.String()
	}
	return out, next, err
}
