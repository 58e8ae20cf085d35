// Package memory holds the summary of a conversation: a clue for understanding its next question.
//
// It is made from the actor's own questions alone, never from evidence, answers or rights: topics
// and referents, at most 500 code points. It belongs to (conversation, actor) and is nobody
// else's. It is never evidence and cannot be cited.
package memory

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Limit bounds a summary, in code points.
const Limit = 500

// Memory is the summary of one conversation for one actor.
type Memory struct {
	Conversation string
	Summary      string
	UpdatedAt    time.Time
}

// Conversation is one conversation of an actor, with when its last run was asked for.
type Conversation struct {
	ID        string
	Title     string // its first question, cut short
	Runs      int
	UpdatedAt time.Time
}

// Begin returns the id of a new conversation, for whoever asks without naming one.
func Begin() string { return "conv_" + strings.ToLower(rand.Text()) }

// Filter selects conversations of a list.
type Filter struct {
	Limit int
	After string
}

// Store is the seam to memories. Every method names the actor; for anybody else a conversation is
// problem.NotFound, in the same words as one that does not exist.
type Store interface {
	// Memory returns the summary of a conversation; problem.NotFound if there is none.
	Memory(ctx context.Context, tenant access.TenantID, actor access.UserID, conversation string) (Memory, error)
	// Remember replaces the summary. More than Limit code points is problem.Invalid "too_long".
	Remember(ctx context.Context, tenant access.TenantID, actor access.UserID, m Memory) error
	// Erase removes the summary; problem.NotFound if there is none.
	Erase(ctx context.Context, tenant access.TenantID, actor access.UserID, conversation string) error
	// Conversations lists the actor's own, newest first, with the cursor of the next page. A
	// conversation is there as soon as a run names it.
	Conversations(ctx context.Context, tenant access.TenantID, actor access.UserID, f Filter) ([]Conversation, string, error)
}

// TooLong is the refusal of a summary beyond the limit.
func TooLong() *problem.Error {
	return problem.New(problem.Invalid, "too_long", "A conversation's memory is at most %d characters.", Limit)
}
