package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/memory"
)

// Conversations lists the actor's own conversations, newest first.
func (d *Desk) Conversations(ctx context.Context, actor access.Actor, f memory.Filter) (corpus.Page[memory.Conversation], error) {
	if _, err := d.Me(ctx, actor); err != nil {
		return corpus.Page[memory.Conversation]{}, err
	}
	list, next, err := d.deps.Memory.Conversations(ctx, actor.Tenant, actor.User, f)
	return corpus.Page[memory.Conversation]{Items: list, Next: next}, err
}

// Memory returns what is remembered of one of the actor's own conversations.
func (d *Desk) Memory(ctx context.Context, actor access.Actor, conversation string) (memory.Memory, error) {
	if _, err := d.Me(ctx, actor); err != nil {
		return memory.Memory{}, err
	}
	return d.deps.Memory.Memory(ctx, actor.Tenant, actor.User, conversation)
}

// Forget erases what is remembered of one of the actor's own conversations.
func (d *Desk) Forget(ctx context.Context, actor access.Actor, conversation string) error {
	if _, err := d.Me(ctx, actor); err != nil {
		return err
	}
	return d.deps.Memory.Erase(ctx, actor.Tenant, actor.User, conversation)
}
