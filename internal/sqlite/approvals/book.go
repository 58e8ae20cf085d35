// Package approvals keeps proposals, decides them together with their effect, and holds the tasks of those whose effect is
// outside.
package approvals

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/docket"
	"github.com/kaoju/kaoju/internal/sqlite/journal"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// Book implements approval.Book.
//
// A decision, its effect in the store, the end of the run that waited, and their ledger entries are
// one transaction. There is no state between a decision and such an effect that a crash could leave
// or that a recovery would have to finish: after a restart both are there or neither is. An effect
// outside has a task instead, which is written with the decision; see Tasks.
//
// Every method first ends the proposals whose time is over, and that is kept whatever else the
// method answers: what has once been seen as too late stays so, also when the clock goes back.
type Book struct{ DB *database.DB }

// Propose implements approval.Book.
func (a *Book) Propose(ctx context.Context, scope access.Scope, p approval.Proposal) (out approval.Proposal, err error) {
	if len(p.Summary) == 0 {
		p.Summary = json.RawMessage(`{}`)
	}
	if !json.Valid(p.Summary) {
		return out, problem.New(problem.Invalid, "invalid_summary", "The summary of a proposal is not JSON.")
	}
	if p.Kind == "" {
		p.Kind = approval.Publish
	}
	if p.Kind != approval.Publish && p.Kind != approval.Archive && p.Kind != approval.CallTool || (p.Kind == approval.CallTool) != (p.Call != nil) {
		return out, problem.New(problem.Invalid, "invalid_kind", "%q is no kind of proposal that can be made here.", p.Kind)
	}
	err = a.transact(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := versions.Admitted(ctx, t, scope, corpus.DocumentID(p.Document))
		if err != nil {
			return err
		}
		if err := mayDecide(ctx, t, scope, v, p); err != nil {
			return err
		}
		if p.Kind == approval.Archive && v.Status != access.StatusPublished {
			return versions.NotPublished(v)
		}
		if p.Call != nil && v.Status != access.StatusPublished {
			return problem.Missing()
		}
		if out, err = propose(ctx, t, scope, p, v); err != nil {
			return err
		}
		return requests.Made(ctx, t, idempotency.Receipt{ID: string(out.ID)})
	})
	if err != nil {
		return approval.Proposal{}, err
	}
	return out, nil
}

// mayDecide checks everything that a person must be to propose or decide, by the directory as it
// is in this transaction: no service account, the role and the level that publishing, archiving or the call
// needs, and nobody whom a policy keeps from the document. A version that was deleted meanwhile
// keeps its policy.
func mayDecide(ctx context.Context, t *database.Tx, scope access.Scope, v versions.Row, p approval.Proposal) error {
	role, level := access.KnowledgeAdmin, access.Editor
	if p.Kind == approval.Archive {
		level = access.Manager
	}
	if c := p.Call; c != nil {
		role, level = c.Role, max(c.Level, access.Reader)
	}
	id, err := directory.Identity(ctx, t, scope.Tenant(), scope.Actor())
	if err != nil {
		return err
	}
	if id.Service || role != "" && !scope.Has(role) || !versions.MayWrite(scope, v.Document, level) {
		return problem.Missing()
	}
	return nil
}

func propose(ctx context.Context, t *database.Tx, scope access.Scope, p approval.Proposal, v versions.Row) (approval.Proposal, error) {
	if p.ID == "" {
		p.ID = approval.ID(row.Random("prop_"))
	}
	if p.Run == "" {
		p.Run = row.Random("run_")
	}
	state, from, err := versions.KeyState(ctx, t, v.Document)
	if err != nil {
		return p, err
	}
	p.Tenant, p.Proposer = v.Tenant, scope.Actor()
	p.Document, p.KnowledgeBase, p.DocKey, p.Version = string(v.ID), v.KnowledgeBase, string(v.Key), v.Version
	p.FromVersion, p.LockVersion, p.KeyState = from, v.LockVersion, state
	p.Status, p.Decision, p.Task = approval.Pending, nil, nil
	p.CreatedAt, p.ExpiresAt = t.Now(), t.Now().Add(approval.Lifetime)
	p = docket.Sealed(p)
	if err := journal.Insert(ctx, t, docket.RunOf(p), docket.Begun(p)); err != nil {
		return p, err
	}
	if err := docket.Put(ctx, t, p); err != nil {
		return p, err
	}
	body := docket.Body(p)
	body["expires_at"] = p.ExpiresAt
	if _, err = enter(ctx, t, ledger.ProposalMade, p, p.Proposer, body); err == nil && p.Call != nil && p.Call.Automatic {
		p, err = approveCall(ctx, t, p, nil)
	}
	return p, err
}

// Decide implements approval.Book.
func (a *Book) Decide(ctx context.Context, scope access.Scope, id approval.ID, d approval.Decision) (out approval.Proposal, err error) {
	err = a.transact(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		p, err := docket.Own(ctx, t, scope.Tenant(), scope.Actor(), id)
		if err != nil {
			return err
		}
		v, err := versions.Scan(t.QueryRowContext(ctx, versions.Select+`WHERE tenant = ? AND id = ?`, p.Tenant, p.Document))
		if err != nil {
			return row.Missing(err)
		}
		if err := mayDecide(ctx, t, scope, v, p); err != nil {
			return err
		}
		d.By, d.At = scope.Actor(), t.Now()
		if out, err = decide(ctx, t, p, v, d); err != nil {
			return err
		}
		return requests.Made(ctx, t, idempotency.Receipt{ID: string(out.ID)})
	})
	return out, err
}

// kept is a refusal that comes with a change: the transaction that found it is durable.
type kept struct{ error }

// Unwrap returns the refusal.
func (k kept) Unwrap() error { return k.error }

// decide settles an own proposal for somebody who may.
func decide(ctx context.Context, t *database.Tx, p approval.Proposal, v versions.Row, d approval.Decision) (approval.Proposal, error) {
	if p.Status != approval.Pending {
		return docket.Settled(p, d)
	}
	if !d.Approved {
		return settleProposal(ctx, t, p, approval.Cancelled, &d)
	}
	state, _, err := versions.KeyState(ctx, t, v.Document)
	if err != nil {
		return p, err
	}
	if v.LockVersion != p.LockVersion || state != p.KeyState || p.Call != nil && p.Call.Erased != "" {
		p, err = settleProposal(ctx, t, p, approval.Conflict, &d)
		if err != nil {
			return p, err
		}
		return p, kept{approval.LockConflict()}
	}
	if p.Kind == approval.CallTool {
		return approveCall(ctx, t, p, &d)
	}
	// The effect belongs to the decision: its entries follow that of the decision, in this
	// transaction.
	end, effect := approval.Executed, carryOut
	if p.Kind == approval.Archive {
		end, effect = approval.Archived, takeOut
	}
	if p, err = settleProposal(ctx, t, p, end, &d); err != nil {
		return p, err
	}
	return p, effect(ctx, t, p, v)
}

// takeOut archives the version. It is the published one still, since the key is as it was.
func takeOut(ctx context.Context, t *database.Tx, p approval.Proposal, v versions.Row) error {
	if err := versions.Withdraw(ctx, t, &v, access.StatusArchived); err != nil {
		return err
	}
	return effected(ctx, t, ledger.DocumentArchived, p, versions.Body(v.Document))
}

// effected writes the entry of what an approved proposal did.
func effected(ctx context.Context, t *database.Tx, kind ledger.Kind, p approval.Proposal, body map[string]any) error {
	body["proposal"] = p.ID
	if err := database.Bump(ctx, t, p.Tenant); err != nil {
		return err
	}
	_, err := enter(ctx, t, kind, p, p.Proposer, body)
	return err
}

// carryOut publishes the version. The one that is published already is written again, so that
// only its lock version rises.
func carryOut(ctx context.Context, t *database.Tx, p approval.Proposal, v versions.Row) error {
	var body map[string]any
	var err error
	if v.Status == access.StatusPublished {
		v.LockVersion++
		_, err = t.ExecContext(ctx, `UPDATE documents SET lock_version = ? WHERE row = ?`, v.LockVersion, v.Number)
		body = versions.Body(v.Document)
		body["archived"] = []corpus.DocumentID{}
	} else {
		body, err = versions.Succeed(ctx, t, &v)
	}
	if err != nil {
		return err
	}
	return effected(ctx, t, ledger.DocumentPublished, p, body)
}

// transact runs fn in a transaction that first ends what is too late. If fn refuses, what it
// wrote is undone, but not what was too late, nor what fn says is kept.
func (a *Book) transact(ctx context.Context, scope access.Scope, fn func(context.Context, *database.Tx) error) error {
	var refusal error
	err := a.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		if _, err := expire(ctx, t); err != nil {
			return err
		}
		var err error
		refusal, err = t.Attempt(ctx, fn, func(refusal error) bool { return errors.As(refusal, new(kept)) })
		return err
	})
	if err != nil {
		return err
	}
	if k := (kept{}); errors.As(refusal, &k) {
		refusal = k.error
	}
	return database.Translate(refusal)
}
