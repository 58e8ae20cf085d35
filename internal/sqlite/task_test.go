package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/migration"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Proposals and decisions of a folder that knew no calls are there after the tables were made anew,
// as they were, and as fixed as before.
func TestProposalsOutliveTheirTable(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	steps, err := migration.Steps(migrations)
	if err != nil {
		t.Fatal(err)
	}
	old := database.Connect(filepath.Join(dir, "kaoju.db"), 1, false, true)
	for _, statement := range []string{
		`CREATE TABLE schema_versions (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT`, steps[0], steps[1],
		`INSERT INTO schema_versions VALUES (1, 0), (2, 0)`, `INSERT INTO tenants (id, name, created_at) VALUES ('acme', '', 0)`,
		`INSERT INTO runs VALUES ('r1', 'acme', 'u1', '', 'completed', 0, 1, 0, 0, 0, 0, '{}'), ('r2', 'acme', 'u1', '', 'waiting_for_human', 0, 1, 0, 0, 0, 0, '{}')`,
		`INSERT INTO proposals VALUES ('p1', 'acme', 'u1', 'publish', 'r1', 'd1', 'kb', 'k', 2, 1, 3, 'state', '{"v":1}', 'published', 10, 20),
  ('p2', 'acme', 'u1', 'publish', 'r2', 'd2', 'kb', 'k', 3, 2, 1, 'state', '{}', 'pending', 11, 9000000000000000)`,
		`INSERT INTO decisions VALUES ('p1', 'u1', 15, 1, 'req_1')`,
	} {
		if _, err := old.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	db := opened(t, dir)
	list, _, err := db.Approvals().Proposals(ctx, "acme", "u1", approval.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	want := []approval.Proposal{
		{ID: "p2", Tenant: "acme", Proposer: "u1", Kind: approval.Publish, Run: "r2", Document: "d2", KnowledgeBase: "kb", DocKey: "k", Version: 3, FromVersion: 2,
			LockVersion: 1, KeyState: "state", Summary: []byte(`{}`), Status: approval.Pending, CreatedAt: row.At(11), ExpiresAt: row.At(9000000000000000)},
		{ID: "p1", Tenant: "acme", Proposer: "u1", Kind: approval.Publish, Run: "r1", Document: "d1", KnowledgeBase: "kb", DocKey: "k", Version: 2, FromVersion: 1,
			LockVersion: 3, KeyState: "state", Summary: []byte(`{"v":1}`), Status: approval.Executed, CreatedAt: row.At(10), ExpiresAt: row.At(20),
			Decision: &approval.Decision{By: "u1", At: row.At(15), Approved: true, Request: "req_1"}},
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
	for _, statement := range []string{
		`DELETE FROM proposals`, `UPDATE proposals SET document = 'd9'`, `UPDATE proposals SET call = 'x'`, `UPDATE proposals SET status = 'cancelled' WHERE id = 'p1'`,
		`DELETE FROM decisions`, `UPDATE decisions SET approved = 0`, `INSERT OR REPLACE INTO decisions VALUES ('p1', 'u2', 15, 0, 'req_2')`, `INSERT INTO decisions VALUES ('p9', 'u1', 0, 1, '')`,
	} {
		if _, err := db.writer.Exec(statement); err == nil {
			t.Errorf("the database allowed %s", statement)
		}
	}
	if left := column(t, db, `SELECT name FROM sqlite_schema WHERE name LIKE '%before'`); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if broken := column(t, db, `SELECT "table" FROM pragma_foreign_key_check`); len(broken) != 0 {
		t.Errorf("references that lead nowhere: %v", broken)
	}
}

func TestTheDatabaseRefusesToChangeATaskThatEnded(t *testing.T) {
	db := filled(t, t.TempDir())
	d := upload(t, db, "acme", "u1", "text")
	scope := resolve(t, db, "acme", "u1")
	p, err := db.Approvals().Propose(context.Background(), scope, approval.Proposal{
		Kind: approval.CallTool, Document: string(d.ID), Call: &approval.Call{Tool: "t", Args: []byte(`{}`), Effect: approval.Recorded, Level: access.Reader},
	})
	if err != nil {
		t.Fatal(err)
	}
	if p, err = db.Approvals().Decide(context.Background(), scope, p.ID, approval.Decision{Approved: true}); err != nil || p.Task.Status != approval.Succeeded {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, statement := range []string{
		`DELETE FROM tasks`, `UPDATE tasks SET status = 'queued'`, `UPDATE tasks SET answer = '{}'`, `UPDATE tasks SET owner = 'x'`, `UPDATE tasks SET proposal = 'x'`,
	} {
		if _, err := db.writer.Exec(statement); err == nil {
			t.Errorf("the database allowed %s", statement)
		}
	}
}
