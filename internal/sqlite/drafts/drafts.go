// Package drafts reads and writes the rows of saved drafts inside the driver's transactions. Who may is
// the driver's. Triggers of the schema refuse to change or remove a version.
package drafts

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

const columns = `SELECT id, tenant, actor, run, newest, created_at, no, title, titled, body, hash, record, saved_at
FROM drafts JOIN draft_versions ON draft = id `

func scan(r row.Scanner) (d draft.Draft, err error) {
	var created, savedAt int64
	var record string
	err = r.Scan(&d.ID, &d.Tenant, &d.Actor, &d.Run, &d.Newest, &created, &d.No, &d.Title, &d.Titled, &d.Body, &d.Hash, &record, &savedAt)
	if err != nil {
		return d, row.Missing(err)
	}
	d.CreatedAt, d.SavedAt = row.At(created), row.At(savedAt)
	return d, stored.ReadDraft(record, &d.Version)
}

// One returns the one version that a condition names, or problem.NotFound.
func One(ctx context.Context, q row.Queries, where string, args ...any) (draft.Draft, error) {
	return scan(q.QueryRowContext(ctx, columns+where, args...))
}

// Put stores the newest version of a draft, and the draft itself with its first.
func Put(ctx context.Context, q row.Queries, d draft.Draft) error {
	_, err := q.ExecContext(ctx, `INSERT INTO drafts (id, tenant, actor, run, newest, created_at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET newest = excluded.newest`, d.ID, d.Tenant, d.Actor, d.Run, d.Newest, d.CreatedAt.UnixMicro())
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO draft_versions (draft, no, title, titled, body, hash, record, saved_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		d.ID, d.No, d.Title, d.Titled, d.Body, d.Hash, stored.Draft(d.Version), d.SavedAt.UnixMicro())
	return err
}

// Page returns the newest version of each draft of an actor, the newest draft first, after a place.
func Page(ctx context.Context, q row.Queries, tenant access.TenantID, actor access.UserID, from row.Cursor, limit int) (page corpus.Page[draft.Draft], err error) {
	rows, err := q.QueryContext(ctx, columns+`WHERE tenant = ?1 AND actor = ?2 AND no = newest
AND (?3 = '' OR created_at < ?4 OR created_at = ?4 AND id < ?3) ORDER BY created_at DESC, id DESC LIMIT ?5`, tenant, actor, from.ID, from.Micros, limit+1)
	page.Items, err = row.Collect(rows, err, scan)
	if len(page.Items) > limit {
		page.Items = page.Items[:limit]
		last := page.Items[limit-1]
		page.Next = row.Cursor{Micros: last.CreatedAt.UnixMicro(), ID: string(last.ID)}.String()
	}
	return page, err
}

// Versions returns all versions of a draft of an actor, the newest first, or problem.NotFound.
func Versions(ctx context.Context, q row.Queries, tenant access.TenantID, actor access.UserID, id draft.ID) ([]draft.Draft, error) {
	rows, err := q.QueryContext(ctx, columns+`WHERE id = ? AND tenant = ? AND actor = ? ORDER BY no DESC`, id, tenant, actor)
	out, err := row.Collect(rows, err, scan)
	if err == nil && len(out) == 0 {
		err = problem.Missing()
	}
	return out, err
}

// Whole returns all versions of a draft of anybody, in order, for whoever verifies a folder; none if there is none.
func Whole(ctx context.Context, q row.Queries, tenant access.TenantID, id draft.ID) ([]draft.Draft, error) {
	rows, err := q.QueryContext(ctx, columns+`WHERE id = ? AND tenant = ? ORDER BY no`, id, tenant)
	return row.Collect(rows, err, scan)
}

// Blank empties what was written from a run that read an erased version. Hashes stay.
func Blank(ctx context.Context, q row.Queries, id run.ID) error {
	_, err := q.ExecContext(ctx, `UPDATE draft_versions SET title = '', body = '', record = json_remove(record, '$.checks', '$.nonce')
WHERE draft IN (SELECT id FROM drafts WHERE run = ?)`, id)
	return err
}
