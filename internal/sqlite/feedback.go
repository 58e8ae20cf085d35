package sqlite

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/mark"
)

// Feedback implements desk.Feedback.
type Feedback struct{ db *DB }

// Feedback returns the marks of all tenants.
func (db *DB) Feedback() *Feedback { return &Feedback{db} }

// Mark implements desk.Feedback.
func (s *Feedback) Mark(ctx context.Context, tenant access.TenantID, m desk.Mark) (desk.Mark, error) {
	err := s.db.write(ctx, func(ctx context.Context, t *tx) error {
		j, err := ownRun(ctx, t, tenant, m.Actor, m.Run)
		if err != nil {
			return err
		}
		if j.Answer.Text == "" || slices.Contains(j.Notices, erasedNotice) {
			return desk.NoAnswer()
		}
		rows, err := t.QueryContext(ctx, `SELECT hash FROM marks WHERE run = ?`, m.Run)
		had, err := collect(rows, err, text[string])
		if err != nil {
			return err
		}
		if len(had) >= desk.MaxMarks && !slices.Contains(had, m.Hash) {
			return problem.New(problem.Exhausted, "too_many_marks", "A run has at most %d marks.", desk.MaxMarks)
		}
		var created int64
		err = t.QueryRowContext(ctx, `INSERT INTO marks (tenant, actor, run, hash, sentence, verdict, note, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?8, ?8) ON CONFLICT DO UPDATE SET verdict = excluded.verdict, note = excluded.note, updated_at = excluded.updated_at
RETURNING created_at`, tenant, m.Actor, m.Run, m.Hash, m.Sentence, m.Opinion, m.Note, t.now.UnixMicro()).Scan(&created)
		if err != nil {
			return err
		}
		m.CreatedAt, m.UpdatedAt = at(created), t.now
		return made(ctx, t, idempotency.Receipt{ID: string(m.Run)})
	})
	if err != nil {
		return desk.Mark{}, err
	}
	return m, nil
}

// Marks implements desk.Feedback.
func (s *Feedback) Marks(ctx context.Context, tenant access.TenantID, actor access.UserID, f desk.MarkFilter) (page corpus.Page[desk.Marked], err error) {
	from, err := parseCursor(f.After)
	if err != nil {
		return page, err
	}
	f.Limit = pageSize(f.Limit)
	err = s.db.read(ctx, func(ctx context.Context, t *tx) error {
		page, err = mark.Page(ctx, t, mark.Place{Tenant: tenant, Actor: actor, Cursor: from}, f)
		return err
	})
	return page, err
}

// blankMarks empties what was said of a run that read an erased version. Verdicts and hashes stay.
func blankMarks(ctx context.Context, t *tx, id run.ID) error {
	_, err := t.ExecContext(ctx, `UPDATE marks SET sentence = '', note = '' WHERE run = ?`, id)
	return err
}
