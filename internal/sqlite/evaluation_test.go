package sqlite

import (
	"context"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// withResult opens a folder with one tenant and one result.
func withResult(t *testing.T) *DB {
	t.Helper()
	db := opened(t, t.TempDir())
	if err := db.Admin().CreateTenant(context.Background(), "acme", "Acme"); err != nil {
		t.Fatal(err)
	}
	r := eval.Result{Format: 1, ID: "eval_1", StartedAt: time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)}
	if err := db.Results().Keep(context.Background(), "acme", "admin", r); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestAKeptResultCannotBeChangedInTheDatabase(t *testing.T) {
	db := withResult(t)
	for _, statement := range []string{
		`UPDATE evaluations SET record = '{}'`, `UPDATE evaluations SET summary = '{}'`, `UPDATE evaluations SET tenant = 'other'`, `UPDATE evaluations SET started_at = 0`,
	} {
		if _, err := db.writer.Exec(statement); err == nil {
			t.Errorf("%s was let through", statement)
		}
	}
	if _, err := db.Results().Result(context.Background(), "acme", "eval_1"); err != nil {
		t.Error(err)
	}
}

// TestAResultThatCannotBeReadIsToldOf stores what another program might have: a later form, and
// no JSON at all.
func TestAResultThatCannotBeReadIsToldOf(t *testing.T) {
	ctx := context.Background()
	for name, text := range map[string]string{"a later form": `{"format": 2, "id": "eval_2"}`, "no form": `{}`, "no JSON": `x`} {
		db := withResult(t)
		if _, err := db.writer.Exec(`INSERT INTO evaluations (tenant, id, started_at, summary, record) VALUES ('acme', 'eval_2', 0, ?1, ?1)`, text); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Results().Result(ctx, "acme", "eval_2"); problem.CodeOf(err) != "broken_record" {
			t.Errorf("%s: %v", name, err)
		}
		if list, _, err := db.Results().Results(ctx, "acme", eval.Filter{}); problem.CodeOf(err) != "broken_record" || list != nil {
			t.Errorf("%s in a list: %v, %v", name, list, err)
		}
	}
}

func TestAResultWithoutIdIsNotKept(t *testing.T) {
	db := withResult(t)
	before, err := db.Ledger().Head(context.Background(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Results().Keep(context.Background(), "acme", "admin", eval.Result{Format: 1}); problem.CodeOf(err) != "record" {
		t.Errorf("%v", err)
	}
	after, err := db.Ledger().Head(context.Background(), "acme")
	if err != nil || before != after {
		t.Errorf("the ledger went on: %v", err)
	}
	if _, err := ledger.Check(context.Background(), db.Ledger(), "acme"); err != nil {
		t.Error(err)
	}
}
