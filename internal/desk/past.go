package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Past is a run as it is stored, with what it takes to go through it again.
type Past struct {
	Run      *run.Run
	Evidence []citation.Evidence
	Tape     []run.Recorded
	// Integrity says whether all of it is what the ledger tells of.
	Integrity run.Integrity
}

// Past gives one of the actor's own runs as it is stored, as long as all that it found and read is there for
// the actor. Otherwise it is problem.Conflict "not_replayable", in the same words whatever became of a
// document: going through the recordings would tell whether they were erased.
func (d *Desk) Past(ctx context.Context, actor access.Actor, id run.ID) (Past, error) {
	stored, evidence, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return Past{}, err
	}
	out := Past{Run: stored, Evidence: evidence}
	if out.Tape, err = d.deps.Tapes.Tape(ctx, stored.Tenant, stored.Actor, id); err != nil {
		return Past{}, err
	}
	why, err := d.Why(ctx, actor, id)
	switch {
	case err != nil:
		return Past{}, err
	case !why.Whole:
		return Past{}, problem.New(problem.Conflict, "not_replayable", "The run can't be replayed: something that it found or read is not there for you any more.")
	}
	out.Integrity = *why.Integrity
	return out, nil
}
