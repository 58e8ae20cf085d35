package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// ledger registers the reading of the ledger.
func (s *server) ledger() {
	handle(s, operation("list-ledger", http.MethodGet, "/api/ledger", "Entries of the ledger: one's own, an auditor's tenant whole", 0), s.listLedger)
}

func (s *server) listLedger(ctx context.Context, actor access.Actor, in *struct {
	Paging
	RunID string `query:"run_id"`
	Actor string `query:"actor"`
	From  string `query:"from" doc:"A day in UTC, inclusive, or a time."`
	To    string `query:"to" doc:"A day in UTC, inclusive, or a time, exclusive."`
}) (*answer[api.List[api.Entry]], error) {
	from, to, fields := instants(in.From, in.To)
	if err := refused(fields); err != nil {
		return nil, err
	}
	var at struct {
		After int64 `json:"a"`
	}
	if in.Cursor != "" {
		if err := unseal(in.Cursor, &at); err != nil {
			return nil, err
		}
		if at.After <= 0 {
			return nil, badCursor()
		}
	}
	entries, last, err := s.deps.Desk.Ledger(ctx, actor, desk.LedgerFilter{
		RunID: in.RunID, Actor: in.Actor, From: from, To: to, After: at.After, Limit: in.size(maxPage),
	})
	if err != nil {
		return nil, err
	}
	out := api.List[api.Entry]{Items: wire.Each(entries, wire.Entry)}
	if at.After = last; last > 0 {
		out.NextCursor = seal(at)
	}
	return &answer[api.List[api.Entry]]{out}, nil
}
