// Package mark reads and writes what people said of answers inside transactions of the driver that it is part of,
// with the runs that they said it of. Who may do so is the driver's and the desk's.
package mark

import (
	"context"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Place is whose marks a page has, and after which it begins. An actor of "" is everybody in the tenant.
type Place struct {
	Tenant access.TenantID
	Actor  access.UserID
	row.Cursor
}

// Page returns marks, oldest first, with their runs: in three queries, however many there are.
func Page(ctx context.Context, q row.Queries, at Place, f desk.MarkFilter) (page corpus.Page[desk.Marked], err error) {
	rows, err := q.QueryContext(ctx, `SELECT actor, run, hash, sentence, verdict, note, created_at, updated_at FROM marks
WHERE tenant = ?1 AND (?2 = '' OR actor = ?2) AND (?3 = '' OR run = ?3) AND (?4 = '' OR created_at > ?5 OR created_at = ?5 AND run || ' ' || hash > ?4)
ORDER BY created_at, run || ' ' || hash LIMIT ?6`, at.Tenant, at.Actor, f.Run, at.ID, at.Micros, f.Limit+1)
	if page.Items, err = row.Collect(rows, err, scan); err != nil {
		return page, err
	}
	if len(page.Items) > f.Limit {
		page.Items = page.Items[:f.Limit]
		last := page.Items[f.Limit-1]
		page.Next = row.Cursor{Micros: last.CreatedAt.UnixMicro(), ID: string(last.Run) + " " + last.Hash}.String()
	}
	return page, join(ctx, q, page.Items)
}

func scan(s row.Scanner) (m desk.Marked, err error) {
	var created, updated int64
	err = s.Scan(&m.Actor, &m.Run, &m.Hash, &m.Sentence, &m.Opinion, &m.Note, &created, &updated)
	m.CreatedAt, m.UpdatedAt = row.At(created), row.At(updated)
	return m, err
}

// about is a run that marks are about.
type about struct {
	run  *run.Run
	read []citation.Evidence
}

// join adds to marks the runs that they are about, and what these read.
func join(ctx context.Context, q row.Queries, marks []desk.Marked) error {
	runs := map[run.ID]*about{}
	var ids []run.ID
	for _, m := range marks {
		if runs[m.Run] == nil {
			runs[m.Run], ids = &about{}, append(ids, m.Run)
		}
	}
	rows, err := q.QueryContext(ctx, `SELECT `+stored.RunColumns+` FROM runs WHERE id IN (SELECT value FROM json_each(?))`, row.Marshal(ids))
	found, err := row.Collect(rows, err, scanRun)
	if err != nil {
		return err
	}
	for _, r := range found {
		runs[r.ID].run = r
	}
	rows, err = q.QueryContext(ctx, `SELECT run, record FROM evidence WHERE run IN (SELECT value FROM json_each(?)) ORDER BY run, no`, row.Marshal(ids))
	read, err := row.Collect(rows, err, scanRead)
	if err != nil {
		return err
	}
	for _, e := range read {
		runs[e.run].read = append(runs[e.run].read, e.Evidence)
	}
	for i, m := range marks {
		marks[i].Of, marks[i].Evidence = runs[m.Run].run, runs[m.Run].read
	}
	return nil
}

func scanRun(s row.Scanner) (*run.Run, error) {
	var r stored.RunRow
	if err := s.Scan(r.Into()...); err != nil {
		return nil, err
	}
	return r.Run()
}

// readBy is a piece of evidence with the run that read it.
type readBy struct {
	run run.ID
	citation.Evidence
}

func scanRead(s row.Scanner) (e readBy, err error) {
	var record string
	if err = s.Scan(&e.run, &record); err == nil {
		e.Evidence, err = stored.ReadEvidence(record)
	}
	return e, err
}

// Put stores a mark in place of the one on the same sentence, with its times. A run has a bounded number.
func Put(ctx context.Context, q row.Queries, tenant access.TenantID, m *desk.Mark, now time.Time) error {
	rows, err := q.QueryContext(ctx, `SELECT hash FROM marks WHERE run = ?`, m.Run)
	had, err := row.Collect(rows, err, row.Text[string])
	if err != nil {
		return err
	}
	if len(had) >= desk.MaxMarks && !slices.Contains(had, m.Hash) {
		return problem.New(problem.Exhausted, "too_many_marks", "A run has at most %d marks.", desk.MaxMarks)
	}
	var created int64
	err = q.QueryRowContext(ctx, `INSERT INTO marks (tenant, actor, run, hash, sentence, verdict, note, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?8, ?8) ON CONFLICT DO UPDATE SET verdict = excluded.verdict, note = excluded.note, updated_at = excluded.updated_at
RETURNING created_at`, tenant, m.Actor, m.Run, m.Hash, m.Sentence, m.Opinion, m.Note, now.UnixMicro()).Scan(&created)
	m.CreatedAt, m.UpdatedAt = row.At(created), now
	return err
}

// Blank empties what was said of a run that read an erased version. Verdicts and hashes stay.
func Blank(ctx context.Context, q row.Queries, id run.ID) error {
	_, err := q.ExecContext(ctx, `UPDATE marks SET sentence = '', note = '' WHERE run = ?`, id)
	return err
}
