package record

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// heldRuns and heldDrafts are what verify --runs prints of a tenant.
type (
	heldRuns struct {
		run.Tally
		Names []changedRun `json:"names"` // of those that are changed
	}
	heldDrafts struct {
		draft.Tally
		Names []changedDraft `json:"names"`
	}
)

// changedRun and changedDraft are what the ledger tells otherwise of, and what of it was changed.
type (
	changedRun struct {
		ID       run.ID   `json:"run_id"`
		Problems []string `json:"problems"`
	}
	changedDraft struct {
		ID       draft.ID `json:"draft_id"`
		Problems []string `json:"problems"`
	}
)

// holdRuns holds every run and every draft of a tenant, and names each that was changed as it is found. That some were is
// problem.Conflict "record_changed".
func (c commands) holdRuns(ctx context.Context, s *wiring.Product, tenant access.TenantID, cmd *cobra.Command) (*heldRuns, *heldDrafts, error) {
	runs, saved := heldRuns{Names: []changedRun{}}, heldDrafts{Names: []changedDraft{}}
	name := func(id, since string, held run.Integrity) {
		if !console.WantsJSON(cmd) {
			c.Say("%s was changed since it %s: %s", terminal.Clean(id), since, terminal.Clean(strings.Join(held.Problems, ", ")))
		}
	}
	var err error
	runs.Tally, err = run.HoldAll(ctx, s.DB.Proof(), tenant, func(id run.ID, held run.Integrity) {
		if held.Changed() {
			runs.Names = append(runs.Names, changedRun{id, held.Problems})
			name(string(id), "ended", held)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	saved.Tally, err = draft.HoldAll(ctx, s.DB.Proof(), tenant, func(id draft.ID, held run.Integrity) {
		if held.Changed() {
			saved.Names = append(saved.Names, changedDraft{id, held.Problems})
			name(string(id), "was saved", held)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return &runs, &saved, draft.Changed(runs.Tally, saved.Tally)
}

// holdDecisions holds the proposals of a tenant with their decisions. What was found before stays the failure; then what is
// found here is told beside it.
func (c commands) holdDecisions(ctx context.Context, s *wiring.Product, tenant access.TenantID, cmd *cobra.Command, before error) (string, error) {
	if before != nil && !problem.Is(before, problem.Conflict) {
		return "", before
	}
	said, err := s.DB.DecisionsAgree(ctx, tenant)
	switch {
	case err == nil:
		return said, before
	case before == nil || !problem.Is(err, problem.Conflict):
		return err.Error(), err
	}
	if !console.WantsJSON(cmd) {
		c.Say("%s", terminal.Clean(err.Error()))
	}
	return err.Error(), before
}
