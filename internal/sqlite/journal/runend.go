package journal

import (
	"context"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Cancel implements run.Journal. A run that no worker works on (a queued one, or one that waits
// for a person) ends at once and its token rises, so that a worker which just claimed it, or
// stands by, finds its lease lost. With a run that waits for a decision its proposal ends.
func (o *Runs) Cancel(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (r *run.Run, err error) {
	err = o.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := own(ctx, t, tenant, actor, id)
		if err != nil {
			return err
		}
		r = j.Run
		asked := event.New(event.CancelAsked, map[string]any{"state": run.Cancelling})
		switch {
		case j.Kind == run.ForAction && j.State == run.Running:
			return nil // It was decided: what was approved can't be called back.
		case j.Kind.Decides() && j.State == run.Waiting:
			if err := o.CallOff(ctx, t, j, asked); err != nil {
				return err
			}
			j, err = Find(ctx, t, id)
			r = j.Run
			return err
		case j.State == run.Queued || j.State == run.Waiting:
			return End(ctx, t, j, run.WasCancelled, event.Completed, asked)
		case j.State == run.Running:
			j.State = run.Cancelling
			if j.Events, err = Append(ctx, t, j.Run, j.Events, []event.Event{asked}); err != nil {
				return err
			}
			return j.Save(ctx, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Resume implements run.Journal. The token rises, so that nobody who held the run before can commit,
// and the run counts as held for a while (claimGrace), since whoever resumed it is about to claim it.
func (o *Runs) Resume(ctx context.Context, c run.Commit) error {
	return o.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := own(ctx, t, c.Run.Tenant, c.Run.Actor, c.Run.ID)
		switch {
		case err != nil:
			return err
		case j.State != run.Interrupted || !j.State.MayBecome(c.Run.State) || c.Run.Attempt != j.Attempt+1 || c.Run.Step != j.Step:
			return problem.New(problem.Conflict, "not_resumable", "Only a run that was interrupted can be resumed.")
		}
		if err := proof.Interrupted(ctx, t, string(j.Tenant), string(j.ID)); err != nil {
			return err
		}
		j.token++
		j.leased, j.committed, j.seen = false, 0, 0
		if err := keep(ctx, t, j, c); err != nil {
			return err
		}
		return row.One(t.ExecContext(ctx, `UPDATE runs SET lease_until = ? WHERE id = ?`, t.Now().Add(claimGrace).UnixMicro(), j.ID))
	})
}

// Interrupt implements run.Journal. A run that waits for a person has no worker that could be
// gone: it outlives restarts and is left alone. So is one whose approved call is being carried out:
// the task has a lease of its own, and ends the run. A queued run counts as held for a while after it
// was made (claimGrace), since its maker is about to claim it. One whose end the ledger tells of was
// changed beside the product, and is left for whoever verifies.
func (o *Runs) Interrupt(ctx context.Context, at time.Time) (n int, err error) {
	err = o.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, selectRun+`WHERE state IN ('queued', 'running', 'cancelling') AND lease_until <= ?
AND NOT EXISTS (SELECT 1 FROM tasks WHERE run = runs.id AND status IN ('queued', 'running')) AND NOT `+proof.Over+` ORDER BY created_at, id`, row.Bound(at))
		gone, err := row.Collect(rows, err, scanRun)
		if err != nil {
			return err
		}
		n = len(gone)
		for _, j := range gone {
			if j.State != run.Queued && j.committed > 0 {
				j.Use.Elapsed += time.Duration(max(0, j.seen-j.committed)) * time.Microsecond
			}
			if err := End(ctx, t, j, run.ProcessGone, event.Interrupted); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// End ends a run from outside its worker: the events given, the closing one, the ledger entry.
func End(ctx context.Context, t *database.Tx, j Run, why run.Reason, closing event.Type, events ...event.Event) error {
	r := j.Run
	r.State, r.Reason, r.EndedAt = r.Kind.Ends(why), why, t.Now()
	j.token++
	j.leased = false
	var worked time.Duration
	switch {
	case !r.Kind.Decides():
		worked = r.Use.Elapsed // nobody works on the run at this moment
	case !r.StartedAt.IsZero():
		worked = max(0, t.Now().Sub(r.StartedAt))
	}
	events = append(events, event.New(closing, map[string]any{
		"state": r.State, "finish_reason": r.Reason, "usage": stored.Usage(r.Usage), "duration_ms": worked.Milliseconds(),
	}))
	var err error
	if j.Events, err = Append(ctx, t, r, j.Events, events); err != nil {
		return err
	}
	evidence, err := stored.EvidenceOf(ctx, t, r.ID)
	if err != nil {
		return err
	}
	_, err = chain.Append(ctx, t, ledger.Entry{
		Tenant: string(r.Tenant), Kind: ledger.RunEnded, RunID: string(r.ID), Actor: string(r.Actor), Body: run.EndedBody(r, evidence),
	})
	if err != nil {
		return err
	}
	return errors.Join(j.Save(ctx, t), leftOf(ctx, t, r, false))
}
