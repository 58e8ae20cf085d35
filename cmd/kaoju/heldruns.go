package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// heldRuns is what verify --runs prints of the runs of a tenant.
type heldRuns struct {
	run.Tally
	Names []changedRun `json:"names"` // of those that are changed
}

// changedRun is a run that is not what the ledger tells of, and what of it was changed.
type changedRun struct {
	ID       run.ID   `json:"run_id"`
	Problems []string `json:"problems"`
}

// holdRuns holds every run of a tenant, and names each that was changed as it is found. That some were is
// problem.Conflict "record_changed".
func (c *cli) holdRuns(ctx context.Context, s *stack, tenant access.TenantID, cmd *cobra.Command) (*heldRuns, error) {
	out := heldRuns{Names: []changedRun{}}
	var err error
	out.Tally, err = run.HoldAll(ctx, s.db.Proof(), tenant, func(id run.ID, held run.Integrity) {
		if !held.Changed() {
			return
		}
		out.Names = append(out.Names, changedRun{id, held.Problems})
		if !wantsJSON(cmd) {
			c.say("%s was changed since it ended: %s", terminal.Clean(string(id)), terminal.Clean(strings.Join(held.Problems, ", ")))
		}
	})
	if err != nil {
		return nil, err
	}
	return &out, changedOf(out.Tally)
}

// changedOf is the failure of runs that were changed; nil if none was.
func changedOf(n run.Tally) error {
	if n.Changed == 0 {
		return nil
	}
	return problem.New(problem.Conflict, "record_changed", "Of %d runs, %d are not what the ledger tells of.", n.Runs, n.Changed)
}

// told says of runs of which none was changed how far that is proved.
func told(n run.Tally) string {
	if n.Unproved == 0 {
		return fmt.Sprintf("%d runs are what the ledger tells of", n.Runs)
	}
	return fmt.Sprintf("%d runs are what the ledger tells of, as far as it goes: of %d it does not tell all", n.Runs, n.Unproved)
}
