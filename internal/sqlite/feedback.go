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

func scanMark(r scanner) (m desk.Mark, err error) {
	var created, updated int64
	err = r.Scan(&m.Actor, &m.Run, &m.Hash, &m.Sentence, &m.Opinion, &m.Note, &created, &updated)
	m.CreatedAt, m.UpdatedAt = at(created), at(updated)
	return m, err
}

// Marks implements desk.Feedback.
func (s *Feedback) Marks(ctx context.Context, tenant access.TenantID, actor access.UserID, f desk.MarkFilter) (page corpus.Page[desk.Mark], err error) {
	from, err := parseCursor(f.After)
	if err != nil {
		return page, err
	}
	limit := pageSize(f.Limit)
	err = s.db.read(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx, `SELECT actor, run, hash, sentence, verdict, note, created_at, updated_at FROM marks
WHERE tenant = ?1 AND (?2 = '' OR actor = ?2) AND (?3 = '' OR run = ?3) AND (?4 = '' OR created_at > ?5 OR created_at = ?5 AND run || ' ' || hash > ?4)
ORDER BY created_at, run || ' ' || hash LIMIT ?6`, tenant, actor, f.Run, from.ID, from.Micros, limit+1)
		page.Items, err = collect(rows, err, scanMark)
		if len(page.Items) > limit {
			page.Items = page.Items[:limit]
			last := page.Items[limit-1]
			page.Next = cursor{Micros: last.CreatedAt.UnixMicro(), ID: string(last.Run) + " " + last.Hash}.String()
		}
		return err
	})
	return page, err
}

// blankMarks empties what was said of a run that read an erased version. Verdicts and hashes stay.
func blankMarks(ctx context.Context, t *tx, id run.ID) error {
	_, err := t.ExecContext(ctx, `UPDATE marks SET sentence = '', note = '' WHERE run = ?`, id)
	return err
}
