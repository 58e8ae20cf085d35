// Package conversation reads and writes what is kept of conversations inside the driver's transactions:
// the summary that goes on in the next question, and the list that is made of a person's runs. A row
// belongs to one actor and one conversation; who asks is the driver's.
package conversation

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// titleLength bounds the title of a conversation, in code points.
const titleLength = 80

// Owner is whose conversations they are.
type Owner struct {
	Tenant access.TenantID
	Actor  access.UserID
}

// Summary returns the summary of one conversation, or problem.NotFound.
func Summary(ctx context.Context, q row.Queries, o Owner, id string) (out memory.Memory, err error) {
	var updated int64
	err = q.QueryRowContext(ctx, `SELECT conversation, summary, updated_at FROM memories WHERE tenant = ? AND actor = ? AND conversation = ?`,
		o.Tenant, o.Actor, id).Scan(&out.Conversation, &out.Summary, &updated)
	out.UpdatedAt = row.At(updated)
	return out, row.Missing(err)
}

// Keep stores a summary in place of the one before.
func Keep(ctx context.Context, q row.Queries, o Owner, m memory.Memory, now time.Time) error {
	_, err := q.ExecContext(ctx, `INSERT INTO memories (tenant, actor, conversation, summary, updated_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET summary = excluded.summary, updated_at = excluded.updated_at`,
		o.Tenant, o.Actor, m.Conversation, m.Summary, now.UnixMicro())
	return err
}

// Forget removes a summary; problem.NotFound if there is none.
func Forget(ctx context.Context, q row.Queries, o Owner, id string) error {
	return row.One(q.ExecContext(ctx, `DELETE FROM memories WHERE tenant = ? AND actor = ? AND conversation = ?`, o.Tenant, o.Actor, id))
}

// Page returns at most limit conversations after a place, the one with the newest run first, and the
// place of the next page.
func Page(ctx context.Context, q row.Queries, o Owner, from row.Cursor, limit int) (out []memory.Conversation, next string, err error) {
	rows, err := q.QueryContext(ctx, `WITH own AS (
  SELECT conversation AS id, count(*) AS runs, max(created_at) AS last FROM runs
  WHERE tenant = ?1 AND actor = ?2 AND conversation <> '' GROUP BY conversation
) SELECT id, runs, last, (
  SELECT record ->> 'goal' FROM runs WHERE tenant = ?1 AND actor = ?2 AND conversation = own.id ORDER BY created_at, id LIMIT 1
) FROM own WHERE ?3 = '' OR last < ?4 OR last = ?4 AND id < ?3 ORDER BY last DESC, id DESC LIMIT ?5`, o.Tenant, o.Actor, from.ID, from.Micros, limit+1)
	out, err = row.Collect(rows, err, scan)
	if len(out) > limit {
		out = out[:limit]
		last := out[limit-1]
		next = row.Cursor{Micros: last.UpdatedAt.UnixMicro(), ID: last.ID}.String()
	}
	return out, next, err
}

func scan(r row.Scanner) (c memory.Conversation, err error) {
	var last int64
	err = r.Scan(&c.ID, &c.Runs, &last, &c.Title)
	c.UpdatedAt = row.At(last)
	if title := []rune(c.Title); len(title) > titleLength {
		c.Title = string(title[:titleLength-1]) + "…"
	}
	return c, err
}
