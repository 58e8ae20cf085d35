package docket

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Put stores a new proposal. A taken id, or a run that holds one already, is problem.Conflict
// "exists".
func Put(ctx context.Context, q row.Queries, p approval.Proposal) error {
	call := ""
	if p.Call != nil {
		var err error
		if call, err = packCall(*p.Call); err != nil {
			return err
		}
	}
	ok, err := row.Changed(q.ExecContext(ctx, `INSERT INTO proposals (id, tenant, proposer, kind, run, document, base, key, version, from_version, lock_version,
  key_state, summary, seal, call, status, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		p.ID, p.Tenant, p.Proposer, p.Kind, p.Run, p.Document, p.KnowledgeBase, p.DocKey, p.Version, p.FromVersion, p.LockVersion,
		p.KeyState, string(p.Summary), p.Seal.Key, call, p.Status, p.CreatedAt.UnixMicro(), p.ExpiresAt.UnixMicro()))
	if err == nil && !ok {
		return problem.New(problem.Conflict, "exists", "There is a proposal of this id already.")
	}
	return err
}

// Own returns a proposal of its proposer's, with its task.
func Own(ctx context.Context, q row.Queries, tenant access.TenantID, actor access.UserID, id approval.ID) (approval.Proposal, error) {
	p, err := row.Found(scanProposal(q.QueryRowContext(ctx, selectProposal+`WHERE id = ? AND tenant = ? AND proposer = ?`, id, tenant, actor)))
	if err != nil {
		return p, err
	}
	return withTask(ctx, q, p)
}

// OfRun returns the proposal that a run holds.
func OfRun(ctx context.Context, q row.Queries, run string) (approval.Proposal, error) {
	return row.Found(scanProposal(q.QueryRowContext(ctx, selectProposal+`WHERE p.run = ?`, run)))
}

// Late returns the pending proposals whose time is over.
func Late(ctx context.Context, q row.Queries, now time.Time) ([]approval.Proposal, error) {
	rows, err := q.QueryContext(ctx, selectProposal+`WHERE status = 'pending' AND expires_at <= ? ORDER BY expires_at, id`, now.UnixMicro())
	return row.Collect(rows, err, scanProposal)
}

// AnyLate reports whether there is one.
func AnyLate(ctx context.Context, q row.Queries, now time.Time) (any bool, err error) {
	err = q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM proposals WHERE status = 'pending' AND expires_at <= ?)`, now.UnixMicro()).Scan(&any)
	return any, err
}

// Place is where a page of a list begins: after the item of an id and a time; at the newest if the
// id is empty.
type Place struct {
	ID     string
	Micros int64
}

// Page returns a proposer's own proposals, newest first, with their tasks.
func Page(ctx context.Context, q row.Queries, actor access.Actor, f approval.Filter, from Place) ([]approval.Proposal, error) {
	rows, err := q.QueryContext(ctx, selectProposal+`WHERE tenant = ?1 AND proposer = ?2 AND (?3 = '' OR status = ?3) AND (?7 = '' OR kind = ?7)
AND (?4 = '' OR created_at < ?5 OR created_at = ?5 AND id < ?4) ORDER BY created_at DESC, id DESC LIMIT ?6`,
		actor.Tenant, actor.User, f.Status, from.ID, from.Micros, f.Limit, f.Kind)
	out, err := row.Collect(rows, err, scanProposal)
	for i := range out {
		if err == nil {
			out[i], err = withTask(ctx, q, out[i])
		}
	}
	return out, err
}

// Blank erases what people asked of tools about a version, and what the tools answered: of calls about
// the version itself, and of those that lean on a run which read it. Hashes stay.
func Blank(ctx context.Context, q row.Queries, tenant access.TenantID, document string, runs []string) error {
	named, err := json.Marshal(append([]string{}, runs...))
	if err != nil {
		return err
	}
	rows, err := q.QueryContext(ctx, selectProposal+`WHERE p.tenant = ?1 AND kind = 'tool' AND call ->> '$.args' IS NOT NULL
AND (document = ?2 OR call ->> '$.evidence' IN (SELECT value FROM json_each(?3)))`, tenant, document, string(named))
	list, err := row.Collect(rows, err, scanProposal)
	if err != nil {
		return err
	}
	for _, p := range list {
		// The seal is another, so that the hashes tell nothing any more.
		_, err := q.ExecContext(ctx, `UPDATE proposals SET call = json_set(call, '$.args', NULL, '$.args_hash', ?), seal = ? WHERE id = ?`,
			p.Call.ArgsHash(), p.Seal.Anew().Key, p.ID)
		if err != nil {
			return err
		}
		if _, err := q.ExecContext(ctx, `UPDATE tasks SET answer = '' WHERE proposal = ? AND answer <> ''`, p.ID); err != nil {
			return err
		}
	}
	return nil
}

// Conclude ends a pending proposal: its status, and the decision if there is one. One that is not
// pending is problem.NotFound.
func Conclude(ctx context.Context, q row.Queries, p approval.Proposal, end approval.Status, d *approval.Decision) (approval.Proposal, error) {
	ok, err := row.Changed(q.ExecContext(ctx, `UPDATE proposals SET status = ? WHERE id = ? AND status = 'pending'`, end, p.ID))
	if err == nil && !ok {
		err = problem.Missing()
	}
	if err != nil {
		return p, err
	}
	p.Status, p.Decision = end, d
	if d != nil {
		_, err = q.ExecContext(ctx, `INSERT INTO decisions (proposal, by, at, approved, request) VALUES (?, ?, ?, ?, ?)`,
			p.ID, d.By, d.At.UnixMicro(), d.Approved, d.Request)
	}
	return p, err
}
