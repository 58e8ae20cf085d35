package approvals

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/docket"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Proposal implements approval.Book.
func (a *Book) Proposal(ctx context.Context, tenant access.TenantID, actor access.UserID, id approval.ID) (p approval.Proposal, err error) {
	if _, err := a.Expire(ctx); err != nil {
		return p, err
	}
	err = a.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		p, err = docket.Own(ctx, t, tenant, actor, id)
		return err
	})
	return p, err
}

// Proposals implements approval.Book.
func (a *Book) Proposals(ctx context.Context, tenant access.TenantID, actor access.UserID, f approval.Filter) (out []approval.Proposal, next string, err error) {
	from, err := row.ParseCursor(f.After)
	if err != nil {
		return nil, "", err
	}
	if _, err := a.Expire(ctx); err != nil {
		return nil, "", err
	}
	limit := row.PageSize(f.Limit)
	f.Limit = limit + 1
	err = a.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		out, err = docket.Page(ctx, t, access.Actor{Tenant: tenant, User: actor}, f, docket.Place{ID: from.ID, Micros: from.Micros})
		if len(out) > limit {
			out = out[:limit]
			last := out[limit-1]
			next = row.Cursor{Micros: last.CreatedAt.UnixMicro(), ID: string(last.ID)}.String()
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return out, next, nil
}

// enter writes a ledger entry about a proposal or its effect.
func enter(ctx context.Context, t *database.Tx, kind ledger.Kind, p approval.Proposal, by access.UserID, body any) (ledger.Entry, error) {
	b := row.Marshal(body)
	if b.Err != nil {
		return ledger.Entry{}, b.Err
	}
	return chain.Append(ctx, t, ledger.Entry{Tenant: string(p.Tenant), Kind: kind, RunID: p.Run, Actor: string(by), Body: json.RawMessage(b.Text)})
}
