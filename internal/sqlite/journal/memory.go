package journal

import (
	"context"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/conversation"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Memory implements memory.Store.
type Memory struct{ DB *database.DB }

// Memory implements memory.Store.
func (m *Memory) Memory(ctx context.Context, tenant access.TenantID, actor access.UserID, id string) (out memory.Memory, err error) {
	err = m.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, err = conversation.Summary(ctx, t, conversation.Owner{Tenant: tenant, Actor: actor}, id)
		return err
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
	return m.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := directory.Identity(ctx, t, tenant, actor); err != nil {
			return err
		}
		return conversation.Keep(ctx, t, conversation.Owner{Tenant: tenant, Actor: actor}, mem, t.Now())
	})
}

// Erase implements memory.Store.
func (m *Memory) Erase(ctx context.Context, tenant access.TenantID, actor access.UserID, id string) error {
	return m.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		t.After(m.DB.EmptyLog)
		return conversation.Forget(ctx, t, conversation.Owner{Tenant: tenant, Actor: actor}, id)
	})
}

// Conversations implements memory.Store.
func (m *Memory) Conversations(ctx context.Context, tenant access.TenantID, actor access.UserID, f memory.Filter) (out []memory.Conversation, next string, err error) {
	from, err := row.ParseCursor(f.After)
	if err != nil {
		return nil, "", err
	}
	err = m.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, next, err = conversation.Page(ctx, t, conversation.Owner{Tenant: tenant, Actor: actor}, from, row.PageSize(f.Limit))
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return out, next, nil
}
