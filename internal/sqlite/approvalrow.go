package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

const selectProposal = `SELECT id, tenant, proposer, kind, run, document, base, key, version, from_version, lock_version, key_state, summary,
  status, created_at, expires_at, d.by, d.at, d.approved, d.request FROM proposals LEFT JOIN decisions d ON d.proposal = id `

func scanProposal(r scanner) (p approval.Proposal, err error) {
	var summary string
	var created, expires int64
	var by, request *string
	var decided *int64
	var approved *bool
	err = r.Scan(&p.ID, &p.Tenant, &p.Proposer, &p.Kind, &p.Run, &p.Document, &p.KnowledgeBase, &p.DocKey, &p.Version, &p.FromVersion,
		&p.LockVersion, &p.KeyState, &summary, &p.Status, &created, &expires, &by, &decided, &approved, &request)
	if err != nil {
		return p, err
	}
	p.Summary, p.CreatedAt, p.ExpiresAt = json.RawMessage(summary), at(created), at(expires)
	if by != nil {
		p.Decision = &approval.Decision{By: access.UserID(*by), At: at(*decided), Approved: *approved, Request: *request}
	}
	return p, nil
}

func putProposal(ctx context.Context, t *tx, p approval.Proposal) error {
	err := one(t.ExecContext(ctx, `INSERT INTO proposals (id, tenant, proposer, kind, run, document, base, key, version, from_version, lock_version,
  key_state, summary, status, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		p.ID, p.Tenant, p.Proposer, p.Kind, p.Run, p.Document, p.KnowledgeBase, p.DocKey, p.Version, p.FromVersion, p.LockVersion,
		p.KeyState, string(p.Summary), p.Status, p.CreatedAt.UnixMicro(), p.ExpiresAt.UnixMicro()))
	if problem.Is(err, problem.NotFound) {
		return problem.New(problem.Conflict, "exists", "There is a proposal of this id already.")
	}
	return err
}

func ownProposal(ctx context.Context, t *tx, tenant access.TenantID, actor access.UserID, id approval.ID) (approval.Proposal, error) {
	p, err := scanProposal(t.QueryRowContext(ctx, selectProposal+`WHERE id = ? AND tenant = ? AND proposer = ?`, id, tenant, actor))
	if err != nil {
		return approval.Proposal{}, missing(err)
	}
	return p, nil
}

// keyState hashes what a proposal must find unchanged, and returns the version in force; 0 if
// there is none. Uploads on their way are not versions yet. Deleted ones count, since they were
// there.
func keyState(ctx context.Context, t *tx, d corpus.Document) (state string, inForce int, err error) {
	rows, err := t.QueryContext(ctx, selectDocument+`WHERE tenant = ? AND base = ? AND key = ? AND status <> 'reserved' ORDER BY version`,
		d.Tenant, d.KnowledgeBase, d.Key)
	all, err := collect(rows, err, scanDocument)
	h := sha256.New()
	for _, v := range all {
		fmt.Fprintf(h, "%q %d %s %d\n", v.ID, v.Version, v.Status, v.LockVersion)
		if v.Status == access.StatusPublished {
			inForce = v.Version
		}
	}
	return hex.EncodeToString(h.Sum(nil)), inForce, err
}

// proposalBody is what the ledger keeps of a proposal: ids, numbers and hashes, no key and no text.
// The summary that the person was shown is kept by its hash.
func proposalBody(p approval.Proposal) map[string]any {
	shown := sha256.Sum256(p.Summary)
	return map[string]any{
		"proposal": p.ID, "kind": p.Kind, "document": p.Document, "knowledge_base": p.KnowledgeBase, "version": p.Version,
		"from_version": p.FromVersion, "lock_version": p.LockVersion, "key_state": p.KeyState, "status": p.Status,
		"summary_hash": hex.EncodeToString(shown[:]),
	}
}

// Proposal implements approval.Book.
func (a *Approvals) Proposal(ctx context.Context, tenant access.TenantID, actor access.UserID, id approval.ID) (p approval.Proposal, err error) {
	if _, err := a.Expire(ctx); err != nil {
		return p, err
	}
	err = a.db.read(ctx, func(ctx context.Context, t *tx) error {
		p, err = ownProposal(ctx, t, tenant, actor, id)
		return err
	})
	return p, err
}

// Proposals implements approval.Book.
func (a *Approvals) Proposals(ctx context.Context, tenant access.TenantID, actor access.UserID, f approval.Filter) (out []approval.Proposal, next string, err error) {
	from, err := parseCursor(f.After)
	if err != nil {
		return nil, "", err
	}
	if _, err := a.Expire(ctx); err != nil {
		return nil, "", err
	}
	limit := pageSize(f.Limit)
	err = a.db.read(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx, selectProposal+`WHERE tenant = ?1 AND proposer = ?2 AND (?3 = '' OR status = ?3)
AND (?4 = '' OR created_at < ?5 OR created_at = ?5 AND id < ?4) ORDER BY created_at DESC, id DESC LIMIT ?6`,
			tenant, actor, f.Status, from.ID, from.Micros, limit+1)
		out, err = collect(rows, err, scanProposal)
		if len(out) > limit {
			out = out[:limit]
			last := out[limit-1]
			next = cursor{Micros: last.CreatedAt.UnixMicro(), ID: string(last.ID)}.String()
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return out, next, nil
}

// enter writes a ledger entry about a proposal or its effect.
func enter(ctx context.Context, t *tx, kind ledger.Kind, p approval.Proposal, by access.UserID, body any) (ledger.Entry, error) {
	b := marshal(body)
	if b.Err != nil {
		return ledger.Entry{}, b.Err
	}
	return record(ctx, t, ledger.Entry{Tenant: string(p.Tenant), Kind: kind, RunID: p.Run, Actor: string(by), Body: json.RawMessage(b.Text)})
}
