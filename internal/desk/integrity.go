package desk

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// integrity holds a run as it is stored against the ledger's entry of its end, and the entry against the
// signed tree over the tenant's ledger. What was changed beside the product is said, and shown all the
// same.
func (d *Desk) integrity(ctx context.Context, stored *run.Run, evidence []citation.Evidence) (run.Integrity, error) {
	if !stored.State.Final() {
		return run.Integrity{Unproved: []string{run.NotEnded}}, nil
	}
	entries, err := d.deps.Ledger.OfRun(ctx, string(stored.Tenant), string(stored.ID))
	if err != nil {
		return run.Integrity{}, err
	}
	e := endOf(entries, stored.Attempt)
	if e == nil {
		return run.Integrity{Problems: []string{run.EntryGone}}, nil
	}
	out := run.Hold(stored, evidence, e.Body)
	whole, err := d.standsProved(ctx, *e)
	if err != nil {
		return run.Integrity{}, err
	}
	if !whole && !slices.Contains(out.Problems, run.EntryOther) {
		out.Problems = append(out.Problems, run.EntryOther)
	}
	return out, nil
}

// endOf finds the entry of the end of an attempt. One that names none was written before resumes were.
func endOf(entries []ledger.Entry, attempt int) *ledger.Entry {
	var found *ledger.Entry
	for i := range entries {
		var body struct {
			Attempt int `json:"attempt"`
		}
		if entries[i].Kind != ledger.RunEnded {
			continue
		}
		if json.Unmarshal(entries[i].Body, &body) != nil || body.Attempt == attempt || body.Attempt == 0 {
			found = &entries[i]
		}
	}
	return found
}

// standsProved reports whether an entry is the one of its hash, and the tree over the ledger has that.
func (d *Desk) standsProved(ctx context.Context, e ledger.Entry) (bool, error) {
	if !e.Sound() {
		return false, nil
	}
	name := ledger.Name{Tenant: e.Tenant}
	p, err := d.deps.Trees.Inclusion(ctx, name, e.ID, ledger.AtEntry)
	if problem.Is(err, problem.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	c, err := p.Verify(d.LedgerKey(), e)
	return err == nil && c.Name == name, nil
}
