package desk

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// LedgerFilter selects entries. Empty fields do not select.
type LedgerFilter struct {
	RunID    string
	Actor    string
	From, To time.Time // inclusive, exclusive
	After    string    // what the page before said to go on after
	Limit    int
}

// scanned bounds the entries that one request looks at; a page may end early and go on.
const scanned = 20000

// Ledger lists entries in order: an auditor's tenant whole, everybody else's own. What it says to
// go on after is an entry's id, and "" if there is no more. Only auditors, and the
// operator, are told the places of entries in the chain, which count what everybody does.
func (d *Desk) Ledger(ctx context.Context, actor access.Actor, f LedgerFilter) (page []ledger.Entry, after string, err error) {
	id, err := d.Me(ctx, actor)
	if err != nil {
		return nil, "", err
	}
	auditor := id.Has(access.Auditor)
	if !auditor {
		if f.Actor != "" && f.Actor != string(actor.User) {
			return nil, "", nil
		}
		f.Actor = string(actor.User)
	}
	var from int64
	if f.After != "" {
		last, err := d.deps.Ledger.Entry(ctx, string(actor.Tenant), f.After)
		if problem.Is(err, problem.NotFound) {
			return nil, "", problem.New(problem.Invalid, "invalid_cursor", "The cursor is not one that this list gave.")
		}
		if err != nil {
			return nil, "", err
		}
		from = last.Sequence
	}
	page, after, err = d.entries(ctx, string(actor.Tenant), f, from)
	for i := range page {
		if !auditor && !actor.Operator {
			page[i].Sequence, page[i].Previous = 0, ""
		}
	}
	return page, after, err
}

// entries reads a page of the entries that a filter admits, those after a sequence.
func (d *Desk) entries(ctx context.Context, tenant string, f LedgerFilter, from int64) (page []ledger.Entry, after string, err error) {
	for looked := 0; looked < scanned; {
		entries, err := d.deps.Ledger.Entries(ctx, tenant, from, 500)
		if err != nil {
			return nil, "", err
		}
		if len(entries) == 0 {
			return page, "", nil
		}
		for _, e := range entries {
			if f.admits(e) {
				if len(page) == f.Limit {
					return page, after, nil
				}
				page = append(page, e)
			}
			from, after = e.Sequence, e.ID
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
