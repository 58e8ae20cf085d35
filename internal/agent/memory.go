package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// memoryTime bounds a look into the memory, which no run waits for longer.
const memoryTime = 2 * time.Second

// remembers reports whether the run belongs to a conversation that has a memory.
func (w *worker) remembers() bool {
	return w.agent.deps.Memory != nil && w.run.Conversation != "" && w.run.Route != run.Direct
}

// recall reads what the conversation was about, for this actor alone. A memory that can't be read
// leaves the question standing alone; it never fails the run.
func (w *worker) recall(ctx context.Context) {
	if !w.remembers() {
		return
	}
	limit, release := context.WithTimeout(ctx, memoryTime)
	defer release()
	summary, err := w.summary(limit)
	if err != nil {
		w.agent.deps.Log.Warn("memory could not be read", "run_id", w.run.ID, "error", err)
		return
	}
	w.memory = strings.Join(memory.Lines(summary), "\n")
}

// summary returns the stored summary, "" if there is none.
func (w *worker) summary(ctx context.Context) (string, error) {
	m, err := w.agent.deps.Memory.Memory(ctx, w.actor.Tenant, w.actor.User, w.run.Conversation)
	if problem.Is(err, problem.NotFound) {
		return "", nil
	}
	return m.Summary, err
}

// remember adds the topics of the question to the memory when the run ended with something said
// about it. It takes them from the question alone, never from what was found, and reads the
// memory anew, so that what its owner erased meanwhile stays erased. Nothing that goes wrong here
// reaches the run, not even a panic.
func (w *worker) remember(ctx context.Context, reason run.Reason) {
	switch reason.State() {
	case run.Completed, run.AwaitingReview, run.InsufficientEvidence, run.Refused:
	default:
		return
	}
	if !w.remembers() {
		return
	}
	limit, release := context.WithTimeout(ctx, memoryTime)
	defer release()
	if err := w.summarise(limit); err != nil {
		w.agent.deps.Log.Warn("memory could not be written", "run_id", w.run.ID, "error", err)
	}
}

func (w *worker) summarise(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	before, err := w.summary(ctx)
	if err != nil {
		return err
	}
	after := memory.Summarise(before, w.run.Goal)
	if after == "" || after == before {
		return nil
	}
	return w.agent.deps.Memory.Remember(ctx, w.actor.Tenant, w.actor.User, memory.Memory{
		Conversation: w.run.Conversation, Summary: after, UpdatedAt: w.now(),
	})
}
