package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// Proved is an entry of the ledger with the proof that it is there.
type Proved struct {
	Entry ledger.Entry
	Proof ledger.Inclusion
	Key   ledger.Public
}

// Grown is the present state of a log, with the proof that an earlier one is its beginning where
// that was asked for.
type Grown struct {
	Checkpoint ledger.Checkpoint
	Proof      *ledger.Consistency
	Key        ledger.Public
}

// log is the log in which an actor may look: an auditor's is the tenant's, everybody else's their
// own, in which entries have no place among those of others.
func (d *Desk) log(ctx context.Context, actor access.Actor) (ledger.Name, error) {
	id, err := d.Me(ctx, actor)
	if err != nil {
		return ledger.Name{}, err
	}
	name := ledger.Name{Tenant: string(actor.Tenant)}
	if !id.Has(access.Auditor) {
		name.Person = string(actor.User)
	}
	return name, nil
}

// standing returns an entry as it stands in a log; problem.NotFound if it does not stand there.
func standing(name ledger.Name, e ledger.Entry) (ledger.Entry, error) {
	switch {
	case name.Person == "":
		return e, nil
	case e.Actor != name.Person:
		return ledger.Entry{}, problem.Missing()
	}
	return e.Apart(), nil
}

// Entry returns an entry of the ledger: an auditor's any of the tenant, everybody else's their own.
func (d *Desk) Entry(ctx context.Context, actor access.Actor, id string) (ledger.Entry, error) {
	name, err := d.log(ctx, actor)
	if err != nil {
		return ledger.Entry{}, err
	}
	e, err := d.deps.Ledger.Entry(ctx, string(actor.Tenant), id)
	if err != nil {
		return ledger.Entry{}, err
	}
	if e, err = standing(name, e); err != nil {
		return ledger.Entry{}, err
	}
	seen, err := d.entries(ctx, actor, name, e)
	if err != nil {
		return ledger.Entry{}, err
	}
	return seen[0], nil
}

// Prove returns an entry with the proof that the actor's log holds it, when that had so many entries
// (ledger.Latest, ledger.AtEntry).
func (d *Desk) Prove(ctx context.Context, actor access.Actor, id string, size int64) (Proved, error) {
	e, err := d.Entry(ctx, actor, id)
	if err != nil {
		return Proved{}, err
	}
	name, err := d.log(ctx, actor)
	if err != nil {
		return Proved{}, err
	}
	p, err := d.deps.Trees.Inclusion(ctx, name, id, size)
	return Proved{e, p, d.LedgerKey()}, err
}

// Checkpoint signs the actor's log as it was at a size, or as it is (ledger.Latest).
func (d *Desk) Checkpoint(ctx context.Context, actor access.Actor, size int64) (Grown, error) {
	name, err := d.log(ctx, actor)
	if err != nil {
		return Grown{}, err
	}
	c, err := d.deps.Trees.Checkpoint(ctx, name, size)
	return Grown{Checkpoint: c, Key: d.LedgerKey()}, err
}

// Growth signs the actor's log as it is, and proves that what it held at an earlier size is its
// beginning.
func (d *Desk) Growth(ctx context.Context, actor access.Actor, from int64) (Grown, error) {
	name, err := d.log(ctx, actor)
	if err != nil {
		return Grown{}, err
	}
	p, err := d.deps.Trees.Consistency(ctx, name, from)
	if err != nil {
		return Grown{}, err
	}
	c, err := d.LedgerKey().Checkpoint(p.Checkpoint)
	return Grown{c, &p, d.LedgerKey()}, err
}

// LedgerKey returns the public key by which checkpoints and bundles are checked. It is for anybody
// to keep.
func (d *Desk) LedgerKey() ledger.Public { return d.deps.Trees.Key().Public() }

// ExportLedger gives the actor's whole log to each in order, then the checkpoint over exactly what was
// given. It may be long, and holds nothing of it in memory but a page.
func (d *Desk) ExportLedger(ctx context.Context, actor access.Actor, begin func(ledger.Name), each func(ledger.Entry) error) (Grown, error) {
	name, err := d.log(ctx, actor)
	if err != nil {
		return Grown{}, err
	}
	begin(name)
	end, err := d.deps.Trees.Checkpoint(ctx, name, ledger.Latest)
	if err != nil {
		return Grown{}, err
	}
	for given := int64(0); given < end.Tree.Size; {
		// A right that was lost meanwhile ends the export.
		if now, err := d.log(ctx, actor); err != nil || now != name {
			return Grown{}, problem.Missing()
		}
		entries, err := d.deps.Trees.Leaves(ctx, name, given, 500)
		if err != nil {
			return Grown{}, err
		}
		if len(entries) == 0 {
			break
		}
		for _, e := range entries[:min(int64(len(entries)), end.Tree.Size-given)] {
			given++
			if e, err = standing(name, e); err != nil {
				return Grown{}, err
			}
			if err := each(e); err != nil {
				return Grown{}, err
			}
		}
	}
	return Grown{Checkpoint: end, Key: d.LedgerKey()}, nil
}
