package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/migration"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// TestProposalsDecisionsAndTasksAreKeptWhereTheirTablesAreMadeAnew holds that a folder from before proposals
// could be about archiving loses none of them, nor what keeps them from being changed.
func TestProposalsDecisionsAndTasksAreKeptWhereTheirTablesAreMadeAnew(t *testing.T) {
	dir := t.TempDir()
	steps, err := migration.Steps(migrations)
	if err != nil {
		t.Fatal(err)
	}
	before := 0
	for i, step := range steps {
		if strings.Contains(step, "proposals_before") && strings.Contains(step, "'archive'") {
			before = i
		}
	}
	former := database.Connect(filepath.Join(dir, "kaoju.db"), 1, false, true)
	run := func(statement string, args ...any) {
		t.Helper()
		if _, err := former.Exec(statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	run(`CREATE TABLE schema_versions (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT`)
	for i, step := range steps[:before] {
		run(step)
		run(`INSERT INTO schema_versions VALUES (?, 0)`, i+1)
	}
	run(`INSERT INTO tenants (id, name, created_at) VALUES ('acme', '', 0)`)
	for i, p := range [][3]string{{"publish", "pending", ""}, {"publish", "published", ""}, {"tool", "approved", `{"tool":"t"}`}} {
		run(`INSERT INTO runs VALUES (?, 'acme', 'carol', '', 'done', 0, 0, 0, 0, 0, 0, '{}', '', 0, 0)`, fmt.Sprint("r", i))
		run(`INSERT INTO proposals (id, tenant, proposer, kind, run, document, base, key, version, from_version, lock_version, key_state, summary, call, status, created_at, expires_at, seal)
VALUES (?, 'acme', 'carol', ?, ?, 'd', 'kb', 'k', 2, 1, 3, 'state', '{}', ?, ?, 4, 5, 'seal')`, fmt.Sprint("p", i), p[0], fmt.Sprint("r", i), p[2], p[1])
	}
	run(`INSERT INTO decisions VALUES ('p1', 'carol', 6, 1, 'q1'), ('p2', 'carol', 7, 1, 'q2')`)
	run(`INSERT INTO tasks VALUES ('t', 'p2', 'r2', 'acme', 'carol', 'queued', '', '', 0, 0, 8, 0, 0)`)
	rows := map[string]string{
		"proposals": `SELECT concat_ws(' ', id, tenant, proposer, kind, run, document, base, key, version, from_version, lock_version, key_state, summary, call, status, created_at, expires_at, seal) FROM proposals ORDER BY id`,
		"decisions": `SELECT concat_ws(' ', proposal, by, at, approved, request) FROM decisions ORDER BY proposal`,
		"tasks":     `SELECT concat_ws(' ', id, proposal, run, tenant, owner, status, created_at) FROM tasks`,
	}
	want := map[string][]string{}
	for table, query := range rows {
		found, err := former.Query(query)
		want[table], err = row.Collect(found, err, func(r row.Scanner) (line string, err error) {
			err = r.Scan(&line)
			return line, err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := former.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := Open(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for table, query := range rows {
		got := column(t, db, query)
		if d := cmp.Diff(want[table], got); d != "" || len(got) == 0 {
			t.Errorf("%s: %s", table, d)
		}
	}
	if broken := column(t, db, `SELECT "table" FROM pragma_foreign_key_check`); len(broken) > 0 {
		t.Errorf("rows of %v point nowhere", broken)
	}
}
