package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/memory"
)

// memories registers the caller's own conversations and what is remembered of them.
func (s *server) memories() {
	const one = "/api/conversations/{id}/memory"
	handle(s, operation("list-conversations", http.MethodGet, "/api/conversations", "The caller's own conversations, newest first", 0), s.listConversations)
	handle(s, operation("get-memory", http.MethodGet, one, "What is remembered of a conversation", 0), s.getMemory)
	handle(s, operation("erase-memory", http.MethodDelete, one, "Erase what is remembered of a conversation", http.StatusNoContent), s.eraseMemory)
}

// ConversationPath names a conversation in an address.
type ConversationPath struct {
	ID string `path:"id"`
}

func (s *server) listConversations(ctx context.Context, actor access.Actor, in *Paging) (*answer[api.List[api.Conversation]], error) {
	page, err := s.deps.Desk.Conversations(ctx, actor, memory.Filter{Limit: in.size(maxPage), After: in.Cursor})
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Conversation]]{api.List[api.Conversation]{Items: wire.Each(page.Items, wire.Conversation), NextCursor: next(page.Next)}}, nil
}

func (s *server) getMemory(ctx context.Context, actor access.Actor, in *ConversationPath) (*answer[api.Memory], error) {
	m, err := s.deps.Desk.Memory(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	return &answer[api.Memory]{api.Memory{Summary: m.Summary, UpdatedAt: m.UpdatedAt.UTC()}}, nil
}

func (s *server) eraseMemory(ctx context.Context, actor access.Actor, in *ConversationPath) (*nothing, error) {
	return nil, s.deps.Desk.Forget(ctx, actor, in.ID)
}
