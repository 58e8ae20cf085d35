package approvals

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/docket"
	"github.com/kaoju/kaoju/internal/sqlite/journal"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// Tasks implements approval.Tasks.
//
// A worker is fenced by the token alone: whoever claims a task, or ends one whose worker is gone,
// names the token that it saw, and a task ends once.
type Tasks struct{ DB *database.DB }

// Task implements approval.Tasks.
func (o *Tasks) Task(ctx context.Context, tenant access.TenantID, user access.UserID, id approval.TaskID) (k approval.Task, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		k, err = docket.TaskFor(ctx, t, tenant, user, id)
		return err
	})
	return k, err
}

// Due implements approval.Tasks.
func (o *Tasks) Due(ctx context.Context, at time.Time) (out []approval.Task, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, err = docket.DueTasks(ctx, t, row.Bound(at))
		return err
	})
	return out, err
}

// Claim implements approval.Tasks.
func (o *Tasks) Claim(ctx context.Context, scope access.Scope, id approval.TaskID, token int64, lease time.Duration) (k approval.Task, err error) {
	err = o.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		if k, err = docket.OpenTask(ctx, t, id, token); err != nil {
			return err
		}
		p := k.Proposal
		if p.Tenant != scope.Tenant() || p.Proposer != scope.Actor() {
			return problem.Missing()
		}
		code, err := stillThere(ctx, t, scope, p)
		if err != nil {
			return err
		}
		if code != "" {
			end := approval.Result{Status: approval.Failed, Code: code}
			if k.Status == approval.Running {
				end.Status = approval.Unknown
			}
			k, err = endTask(ctx, t, k, end)
			return err
		}
		k.Status, k.Token, k.StartedAt = approval.Running, token+1, t.Now()
		return docket.SaveTask(ctx, t, k, t.Now().Add(lease).UnixMicro())
	})
	return k, err
}

// stillThere says why an approved call may not be carried out any more; "" if it may.
func stillThere(ctx context.Context, t *database.Tx, scope access.Scope, p approval.Proposal) (code string, err error) {
	v, err := versions.Scan(t.QueryRowContext(ctx, versions.Select+`WHERE tenant = ? AND id = ?`, p.Tenant, p.Document))
	if err == nil {
		err = mayDecide(ctx, t, scope, v, p)
	}
	if problem.Is(row.Missing(err), problem.NotFound) {
		return "permission_denied", nil
	}
	if err != nil {
		return "", err
	}
	state, _, err := versions.KeyState(ctx, t, v.Document)
	if err == nil && (v.LockVersion != p.LockVersion || state != p.KeyState || p.Call.Erased != "") {
		code = "lock_conflict"
	}
	return code, err
}

// Finish implements approval.Tasks.
func (o *Tasks) Finish(ctx context.Context, id approval.TaskID, token int64, r approval.Result) (k approval.Task, err error) {
	if !r.Status.Final() {
		return k, problem.New(problem.Invalid, "invalid_status", "%q is no end of a task.", r.Status)
	}
	if len(r.Answer) > 0 && !json.Valid(r.Answer) {
		return k, problem.New(problem.Invalid, "invalid_answer", "What the tool answered is not JSON.")
	}
	err = o.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if k, err = docket.OpenTask(ctx, t, id, token); err != nil {
			return err
		}
		k, err = endTask(ctx, t, k, r)
		return err
	})
	return k, err
}

// approveCall ends a pending call as approved and makes its task. A call whose effect is the task
// itself has succeeded with that; the run of another goes on until its task ends.
func approveCall(ctx context.Context, t *database.Tx, p approval.Proposal, d *approval.Decision) (approval.Proposal, error) {
	p, told, err := conclude(ctx, t, p, approval.Approved, d)
	if err != nil {
		return p, err
	}
	k := approval.Task{ID: approval.TaskOf(p.ID), Status: approval.Queued, CreatedAt: t.Now(), Proposal: p}
	if err := docket.PutTask(ctx, t, k); err != nil {
		return p, err
	}
	j, err := journal.Find(ctx, t, run.ID(p.Run))
	if err != nil {
		return p, err
	}
	j.State = run.Running
	events := []event.Event{told, docket.Started(k)}
	if d == nil {
		events = events[1:] // Nobody was asked.
	}
	if j.Events, err = journal.Append(ctx, t, j.Run, j.Events, events); err != nil {
		return p, err
	}
	if err := j.Save(ctx, t); err != nil {
		return p, err
	}
	if p.Call.Effect == approval.Recorded {
		if k, err = endTask(ctx, t, k, approval.Result{Status: approval.Succeeded}); err != nil {
			return p, err
		}
	}
	return docket.Joined(p, k), nil
}

// endTask ends a task with its run. A failed or unknown effect ends the run as failed.
func endTask(ctx context.Context, t *database.Tx, k approval.Task, r approval.Result) (approval.Task, error) {
	k.Status, k.Code, k.Result, k.EndedAt = r.Status, r.Code, r.Answer, t.Now()
	if k.StartedAt.IsZero() && r.Status == approval.Succeeded {
		k.StartedAt = t.Now()
	}
	told := docket.TaskBody(k)
	if k.Proposal.Call.Erased != "" {
		k.Result = nil // It may repeat what was erased while the call was under way.
	}
	if err := docket.SaveTask(ctx, t, k, 0); err != nil {
		return k, err
	}
	if _, err := enter(ctx, t, ledger.TaskEnded, k.Proposal, k.Proposal.Proposer, told); err != nil {
		return k, err
	}
	j, err := journal.Find(ctx, t, run.ID(k.Proposal.Run))
	if err != nil {
		return k, err
	}
	closing, why, last := docket.Ended(k)
	return k, journal.End(ctx, t, j, why, closing, last)
}
