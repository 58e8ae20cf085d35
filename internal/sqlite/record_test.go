package sqlite

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
)

func TestARecordThatCannotBeWrittenIsAnErrorAndLeavesNothing(t *testing.T) {
	ctx, db := context.Background(), opened(t, t.TempDir())
	if err := db.Admin().CreateTenant(ctx, "acme", ""); err != nil {
		t.Fatal(err)
	}
	r := &run.Run{ID: "run_1", Tenant: "acme", Actor: "rita", State: run.Queued, Attempt: 1, CreatedAt: time.Now()}
	r.Scope.UpdatedTo = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := db.Journal().Create(ctx, r, nil); problem.CodeOf(err) != "record" {
		t.Fatalf("got %v", err)
	}
	if got := column(t, db, `SELECT id FROM runs`); len(got) != 0 {
		t.Fatalf("it left %v", got)
	}
	err := db.core.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		return chain.Note(ctx, t, ledger.Security, "acme", "u", map[string]any{"cost": math.Inf(1)})
	})
	if problem.CodeOf(err) != "record" {
		t.Fatalf("a ledger entry: %v", err)
	}
}
