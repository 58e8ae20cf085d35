package desk

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
)

// LedgerFilter selects entries. Empty fields do not select.
type LedgerFilter struct {
	RunID    string
	Actor    string
	From, To time.Time // inclusive, exclusive
	After    int64     // sequence of the last entry of the page before
	Limit    int
}

// scanned bounds the entries that one request looks at; a page may end early and go on.
const scanned = 20000

// Ledger lists entries in order: an auditor's tenant whole, everybody else's own. The last
// sequence looked at is returned if there may be more, otherwise 0.
func (d *Desk) Ledger(ctx context.Context, actor access.Actor, f LedgerFilter) (page []ledger.Entry, after int64, err error) {
	id, err := d.Me(ctx, actor)
	if err != nil {
		return nil, 0, err
	}
	if !id.Has(access.Auditor) {
		if f.Actor != "" && f.Actor != string(actor.User) {
			return nil, 0, nil
		}
		f.Actor = string(actor.User)
	}
	after = f.After
	for looked := 0; looked < scanned; {
		entries, err := d.deps.Ledger.Entries(ctx, string(actor.Tenant), after, 500)
		if err != nil {
			return nil, 0, err
		}
		if len(entries) == 0 {
			return page, 0, nil
		}
		for _, e := range entries {
			if !f.admits(e) {
				after = e.Sequence
				continue
			}
			if len(page) == f.Limit {
				return page, after, nil
			}
			page = append(page, e)
			after = e.Sequence
		}
		looked += len(entries)
	}
	return page, after, nil
}

func (f LedgerFilter) admits(e ledger.Entry) bool {
	return (f.RunID == "" || e.RunID == f.RunID) && (f.Actor == "" || e.Actor == f.Actor) &&
		(f.From.IsZero() || !e.Time.Before(f.From)) && (f.To.IsZero() || e.Time.Before(f.To))
}

// body marshals the body of a ledger entry, which is always an object of plain values.
func body(m map[string]any) json.RawMessage {
	b, err := json.Marshal(m)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return b
}
