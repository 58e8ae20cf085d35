package desk

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// LedgerFilter selects entries. Empty fields do not select.
type LedgerFilter struct {
	RunID    string
	Actor    string
	From, To time.Time // inclusive, exclusive
	After    int64     // what the page before said to go on after
	Limit    int
}

// scanned bounds the entries that one request looks at; a page may end early and go on.
const scanned = 20000

// Ledger lists entries in order: an auditor's tenant whole, everybody else's own. What it says to go on
// after is a place in the list that the actor may see whole, and 0 if there is no more: for whoever is
// no auditor it counts nothing that others do. Only auditors, and the operator, are told the places of
// entries in the chain.
func (d *Desk) Ledger(ctx context.Context, actor access.Actor, f LedgerFilter) (page []ledger.Entry, after int64, err error) {
	name, err := d.log(ctx, actor)
	if err != nil {
		return nil, 0, err
	}
	if name.Person != "" && f.Actor != "" && f.Actor != name.Person {
		return nil, 0, nil
	}
	if f.After < 0 {
		return nil, 0, problem.New(problem.Invalid, "invalid_cursor", "The cursor is not one that this list gave.")
	}
	page, after, err = d.page(ctx, name, f)
	if err == nil && !actor.Operator { // who holds the folder reads it anyway
		page, err = d.entries(ctx, actor, name, page...)
	}
	if name.Person != "" && !actor.Operator {
		for i, e := range page {
			page[i] = e.Apart()
		}
	}
	return page, after, err
}

// OwnRuns returns which of the runs that entries belong to are the actor's own, and can be opened.
func (d *Desk) OwnRuns(ctx context.Context, actor access.Actor, entries []ledger.Entry) (map[string]bool, error) {
	own := map[string]bool{}
	for _, e := range entries {
		if _, known := own[e.RunID]; known || e.RunID == "" {
			continue
		}
		_, _, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, run.ID(e.RunID))
		if err != nil && !problem.Is(err, problem.NotFound) {
			return nil, err
		}
		own[e.RunID] = err == nil
	}
	return own, nil
}

// page reads a page of the entries of a log that a filter admits.
func (d *Desk) page(ctx context.Context, name ledger.Name, f LedgerFilter) (page []ledger.Entry, after int64, err error) {
	after = f.After
	for looked := 0; looked < scanned; {
		entries, err := d.deps.Trees.Leaves(ctx, name, after, 500)
		if err != nil {
			return nil, 0, err
		}
		if len(entries) == 0 {
			return page, 0, nil
		}
		for _, e := range entries {
			if f.admits(e) {
				if len(page) == f.Limit {
					return page, after, nil
				}
				page = append(page, e)
			}
			after++
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
