package approvals

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/docket"
	"github.com/kaoju/kaoju/internal/sqlite/journal"
)

// settleProposal ends a pending proposal with the run that waited for it. Events that come before
// go first.
func settleProposal(ctx context.Context, t *database.Tx, p approval.Proposal, end approval.Status, d *approval.Decision, before ...event.Event) (approval.Proposal, error) {
	p, told, err := conclude(ctx, t, p, end, d)
	if err != nil {
		return p, err
	}
	j, err := journal.Find(ctx, t, run.ID(p.Run))
	if err != nil {
		return p, err
	}
	return p, journal.End(ctx, t, j, docket.Reason(end), event.Completed, append(before, told)...)
}

// conclude ends a pending proposal: its status, the decision if there is one, and the ledger entry.
// It returns the event that tells of it.
func conclude(ctx context.Context, t *database.Tx, p approval.Proposal, end approval.Status, d *approval.Decision) (approval.Proposal, event.Event, error) {
	p, err := docket.Conclude(ctx, t, p, end, d)
	if err != nil {
		return p, event.Event{}, err
	}
	body := docket.Body(p)
	actor := access.UserID("")
	if d != nil {
		actor = d.By
	}
	_, err = enter(ctx, t, ledger.ProposalEnded, p, actor, body)
	return p, docket.Decided(p, t.Now()), err
}

// CallOff ends a waiting run together with its proposal. Cancelling is a decision of the
// actor, who is the proposer; it came by the run and names no request of its own.
func CallOff(ctx context.Context, t *database.Tx, j journal.Run, asked event.Event) error {
	p, err := docket.OfRun(ctx, t, string(j.ID))
	if problem.Is(err, problem.NotFound) {
		return journal.End(ctx, t, j, run.WasCancelled, event.Completed, asked)
	}
	if err != nil {
		return err
	}
	if p.Due(t.Now()) {
		_, err = settleProposal(ctx, t, p, approval.Expired, nil)
	} else {
		_, err = settleProposal(ctx, t, p, approval.Cancelled, &approval.Decision{By: j.Actor, At: t.Now()}, asked)
	}
	return err
}

// expire ends every pending proposal whose time is over.
func expire(ctx context.Context, t *database.Tx) (int, error) {
	due, err := docket.Late(ctx, t, t.Now())
	if err != nil {
		return 0, err
	}
	for _, p := range due {
		if _, err := settleProposal(ctx, t, p, approval.Expired, nil); err != nil {
			return 0, err
		}
	}
	return len(due), nil
}

// Expire implements approval.Book.
func (a *Book) Expire(ctx context.Context) (n int, err error) {
	due, err := a.due(ctx)
	if err != nil || !due {
		return 0, err
	}
	err = a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) (err error) {
		n, err = expire(ctx, t)
		return err
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// due reports whether any pending proposal's time is over, so that a timer and a read need no
// write to find that none is.
func (a *Book) due(ctx context.Context) (found bool, err error) {
	err = a.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		found, err = docket.AnyLate(ctx, t, t.Now())
		return err
	})
	return found, err
}
