package sqlite

import (
	"context"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/problem"
)

// Memory implements memory.Store.
type Memory struct{ db *DB }

// Memory returns the summaries of conversations.
func (db *DB) Memory() *Memory { return &Memory{db} }

// Memory implements memory.Store.
func (m *Memory) Memory(ctx context.Context, tenant access.TenantID, actor access.UserID, conversation string) (out memory.Memory, err error) {
	err = m.db.read(ctx, func(ctx context.Context, t *tx) error {
		var updated int64
		err := t.QueryRowContext(ctx, `SELECT conversation, summary, updated_at FROM memories WHERE tenant = ? AND actor = ? AND conversation = ?`,
			tenant, actor, conversation).Scan(&out.Conversation, &out.Summary, &updated)
		out.UpdatedAt = at(updated)
		return missing(err)
	})
	if err != nil {
		return memory.Memory{}, err
	}
	return out, nil
}

// Remember implements memory.Store. The time is that of the store.
func (m *Memory) Remember(ctx context.Context, tenant access.TenantID, actor access.UserID, mem memory.Memory) error {
	switch {
	case utf8.RuneCountInString(mem.Summary) > memory.Limit:
		return memory.TooLong()
	case mem.Conversation == "":
		return problem.New(problem.Invalid, "no_conversation", "A summary belongs to a conversation.")
	}
	return m.db.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := identity(ctx, t, tenant, actor); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `INSERT INTO memories (tenant, actor, conversation, summary, updated_at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET summary = excluded.summary, updated_at = excluded.updated_at`,
			tenant, actor, mem.Conversation, mem.Summary, t.now.UnixMicro())
		return err
	})
}

// Erase implements memory.Store.
func (m *Memory) Erase(ctx context.Context, tenant access.TenantID, actor access.UserID, conversation string) error {
	return m.db.write(ctx, func(ctx context.Context, t *tx) error {
		t.after = append(t.after, m.db.emptyLog)
		return one(t.ExecContext(ctx, `DELETE FROM memories WHERE tenant = ? AND actor = ? AND conversation = ?`, tenant, actor, conversation))
	})
}

// titleLength bounds the title of a conversation, in code points.
const titleLength = 80

// Conversations implements memory.Store.
func (m *Memory) Conversations(ctx context.Context, tenant access.TenantID, actor access.UserID, f memory.Filter) (out []memory.Conversation, next string, err error) {
	from, err := parseCursor(f.After)
	if err != nil {
		return nil, "", err
	}
	limit := pageSize(f.Limit)
	err = m.db.read(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx, `WITH own AS (
  SELECT conversation AS id, count(*) AS runs, max(created_at) AS last FROM runs
  WHERE tenant = ?1 AND actor = ?2 AND conversation <> '' GROUP BY conversation
) SELECT id, runs, last, (
  SELECT record ->> 'goal' FROM runs WHERE tenant = ?1 AND actor = ?2 AND conversation = own.id ORDER BY created_at, id LIMIT 1
) FROM own WHERE ?3 = '' OR last < ?4 OR last = ?4 AND id < ?3 ORDER BY last DESC, id DESC LIMIT ?5`, tenant, actor, from.ID, from.Micros, limit+1)
		out, err = collect(rows, err, scanConversation)
		if len(out) > limit {
			out = out[:limit]
			last := out[limit-1]
			next = cursor{Micros: last.UpdatedAt.UnixMicro(), ID: last.ID}.String()
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return out, next, nil
}

func scanConversation(r scanner) (c memory.Conversation, err error) {
	var last int64
	err = r.Scan(&c.ID, &c.Runs, &last, &c.Title)
	c.UpdatedAt = at(last)
	if title := []rune(c.Title); len(title) > titleLength {
		c.Title = string(title[:titleLength-1]) + "…"
	}
	return c, err
}
