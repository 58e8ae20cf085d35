package desk

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// integrity holds a run as it is stored against the ledger's entry of its end, and the entry against the
// signed tree over the tenant's ledger. What was changed beside the product is said, and shown all the
// same.
func (r *rights) integrity(ctx context.Context, stored *run.Run, evidence []citation.Evidence) (run.Integrity, error) {
	d := r.desk
	entries, err := d.deps.Ledger.OfRun(ctx, string(stored.Tenant), string(stored.ID))
	if err != nil {
		return run.Integrity{}, err
	}
	if !stored.State.Final() && !run.Over(entries) {
		return run.Integrity{Unproved: []string{run.NotEnded}}, nil
	}
	told := run.ToldOf(entries, stored.Attempt)
	if told.Ended == nil {
		return run.Integrity{Problems: []string{run.EntryGone}}, nil
	}
	there, _, err := r.all(ctx, stored, evidence)
	if err != nil {
		return run.Integrity{}, err
	}
	forgot := slices.Contains(stored.Notices, run.ScopeChanged)
	out := told.Hold(stored, evidence, !there || forgot)
	// Whether something was taken away, deleted or erased is not told.
	out.Unproved = slices.DeleteFunc(out.Unproved, func(gap string) bool { return gap == run.Withheld })
	if !there || forgot && slices.Contains(out.Unproved, run.OlderForm) {
		out.Unproved = append(out.Unproved, run.Withheld)
	}
	for _, e := range told.Entries() {
		whole, err := d.standsProved(ctx, e)
		if err != nil {
			return run.Integrity{}, err
		}
		if !whole && !slices.Contains(out.Problems, run.EntryOther) {
			out.Problems = append(out.Problems, run.EntryOther)
		}
	}
	return out, nil
}

// changed is the refusal to give away what a reader could not see to be changed: the file says nothing of it.
func changed() error {
	return problem.New(problem.Conflict, "record_changed",
		"This record is not what the ledger tells of: it was changed since it was written, and is not given out. "+
			"The commands kaoju run why and kaoju draft show say in what.")
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
