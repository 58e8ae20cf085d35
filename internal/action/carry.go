package action

import (
	"context"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

// The codes of tasks that did not succeed, beside those of tools.
const (
	toolChanged    = "tool_changed"
	outcomeUnknown = "outcome_unknown"
)

// tries bounds how often a repeatable call goes out, over all processes.
const tries = 3

// Carry carries out an approved call and returns how its task ended. It goes on when the request
// that led to it is given up: the decision was made. A task that another worker has is returned as
// it is. A closed engine carries out nothing: the task waits for the next one.
func (e *Engine) Carry(ctx context.Context, k approval.Task) (approval.Task, error) {
	if err := e.enter(); err != nil {
		return k, err
	}
	defer e.work.Done()
	ctx, stop := e.detached(ctx)
	defer stop()
	for wait := time.Second; ; wait *= 2 {
		after, err := e.once(ctx, k)
		if problem.CodeOf(err) == "lease_lost" {
			return e.deps.Tasks.Task(ctx, k.Proposal.Tenant, k.Proposal.Proposer, k.ID)
		}
		if err != nil || after.Status.Final() {
			return after, err
		}
		if err := e.deps.Pause(ctx, wait); err != nil {
			return after, err
		}
		k = after
	}
}

// enter counts a call as under way, unless the engine is closed.
func (e *Engine) enter() error {
	e.closing.Lock()
	defer e.closing.Unlock()
	if err := e.life.Err(); err != nil {
		return err
	}
	e.work.Add(1)
	return nil
}

// detached is a context that ends with the engine and not with a request.
func (e *Engine) detached(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(e.life, cancel)
	return ctx, func() { stop(); cancel() }
}

// Close breaks off the calls under way, which may leave tasks whose outcome is unknown, and returns
// when that is written. None begins any more. It may be called again.
func (e *Engine) Close() {
	e.closing.Lock()
	e.end()
	e.closing.Unlock()
	e.work.Wait()
}

// once claims a task and calls its tool once. A task that is not final afterwards may be tried again.
func (e *Engine) once(ctx context.Context, k approval.Task) (approval.Task, error) {
	t, known := e.tools[k.Proposal.Call.Tool]
	switch {
	case !known || t.hash != k.Proposal.Call.SpecHash:
		return e.refuse(ctx, k, toolChanged)
	case k.Status == approval.Running && (!t.Repeatable || k.Token >= tries):
		return e.finish(ctx, k, approval.Result{Status: approval.Unknown, Code: outcomeUnknown})
	}
	actor := access.Actor{Tenant: k.Proposal.Tenant, User: k.Proposal.Proposer}
	claimed := k
	err := access.Within(ctx, e.deps.Directory, actor, access.Request{View: access.Content}, func(scope access.Scope) (err error) {
		claimed, err = e.deps.Tasks.Claim(ctx, scope, k.ID, k.Token, lease)
		return err
	})
	if problem.Is(err, problem.NotFound) { // The person is gone or suspended.
		return e.refuse(ctx, k, string(tool.PermissionDenied))
	}
	if err != nil || claimed.Status.Final() {
		return claimed, err
	}
	return e.call(ctx, actor, t, claimed)
}

// call runs the tool of a task that was just claimed.
func (e *Engine) call(ctx context.Context, actor access.Actor, t declared, k approval.Task) (approval.Task, error) {
	p := k.Proposal
	out := e.executor.Run(ctx, actor, []string{p.Call.Tool}, tool.Session{Run: p.Run}, llm.ToolCall{
		ID: string(p.ID), Name: p.Call.Tool, Arguments: string(p.Call.Args),
	})
	if out.Failure == nil {
		return e.finish(ctx, k, approval.Result{Status: approval.Succeeded, Answer: out.Result.Content})
	}
	e.deps.Log.Warn("an approved call did not succeed", "task", k.ID, "tool", p.Call.Tool, "try", k.Token, "code", out.Failure.Code, "error", out.Failure.Err)
	switch {
	case out.Failure.Code.Harmless() && k.Token == 1:
		return e.finish(ctx, k, approval.Result{Status: approval.Failed, Code: string(out.Failure.Code)})
	case t.Repeatable && k.Token < tries && ctx.Err() == nil:
		return k, nil
	}
	// An earlier try, or this one, may have had its effect.
	return e.finish(ctx, k, approval.Result{Status: approval.Unknown, Code: outcomeUnknown})
}

// refuse ends a task that may not be carried out any more. One that was under way when its worker
// went may have had its effect.
func (e *Engine) refuse(ctx context.Context, k approval.Task, code string) (approval.Task, error) {
	r := approval.Result{Status: approval.Failed, Code: code}
	if k.Status == approval.Running {
		r.Status = approval.Unknown
	}
	return e.finish(ctx, k, r)
}

// finish writes the end of a task, also while the engine is closing.
func (e *Engine) finish(ctx context.Context, k approval.Task, r approval.Result) (approval.Task, error) {
	return e.deps.Tasks.Finish(context.WithoutCancel(ctx), k.ID, k.Token, r)
}

// grace is how long a call that was just approved is left to the request that approved it.
const grace = 10 * time.Second

// Due returns the tasks that nobody works on at a time: calls that were approved and never began, and
// calls whose worker is gone. A server asks at its start, before it serves anybody, for a time past
// every lease, and then by a timer for the present one.
func (e *Engine) Due(ctx context.Context, at time.Time) ([]approval.Task, error) {
	all, err := e.deps.Tasks.Due(ctx, at)
	return slices.DeleteFunc(all, func(k approval.Task) bool {
		return k.Status == approval.Queued && at.Before(k.CreatedAt.Add(grace))
	}), err
}

// Recover carries out tasks that were due, and returns how many of them have ended. A task that
// another worker has taken since is left to it.
func (e *Engine) Recover(ctx context.Context, due []approval.Task) int {
	n := 0
	for _, k := range due {
		if ctx.Err() != nil {
			return n
		}
		after, err := e.Carry(ctx, k)
		if err != nil {
			e.deps.Log.Error("an approved call could not be carried out", "task", k.ID, "error", err)
			continue
		}
		if after.Status.Final() {
			n++
		}
	}
	return n
}
