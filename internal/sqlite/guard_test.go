package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// appendOnly are the tables whose rows stay as they were written, with the columns that may move on by
// a rule of their own, which other tests hold.
var appendOnly = map[string]map[string]string{
	"entries": {}, "places": {}, "nodes": {}, "recordings": {}, "events": {}, "evidence": {}, "decisions": {}, "draft_versions": {}, "evaluations": {}, "tasks": {},
	"heads":     {"sequence": "it moves on by one"},
	"drafts":    {"newest": "it counts up by one"},
	"proposals": {},
}

// mutable are all other tables, with what changes in them.
var mutable = map[string]string{
	"tenants": "settings and epochs", "users": "the directory", "groups": "the directory", "members": "the directory", "bases": "settings",
	"grants": "rights", "passwords": "secrets", "sessions": "they end", "tokens": "they are revoked", "identities": "they are unlinked",
	"provided": "what a provider gives changes", "spent": "what can't be good any longer is forgotten", "memories": "they are erased by their owner",
	"documents": "states and policies", "reservations": "they end with their job", "texts": "they are erased", "chunks": "they are erased",
	"segments": "they are erased", "merged": "it goes with any segment in it", "merged_pieces": "they go with it", "merged_versions": "they go with it", "vectors": "they are erased", "embedding_model": "it changes", "embeddings": "they go on", "recuts": "they go on", "in_force": "what is in force changes", "brought": "files move in their source", "blobs": "they are erased", "contents": "names in them are erased", "jobs": "they go on", "runs": "they go on",
	"requests": "they are forgotten after a day", "marks": "one current verdict each", "schema_versions": "it grows with the program", "lexicons": "a list is replaced as a whole",
}

// everything is a folder in which each append-only table has a row that has come to its end.
func everything(t *testing.T) *DB {
	t.Helper()
	db, ctx := filled(t, t.TempDir()), context.Background()
	drafted(t, db)
	d := upload(t, db, "acme", "u1", "text")
	scope := resolve(t, db, "acme", "u1")
	p, err := db.Approvals().Propose(ctx, scope, approval.Proposal{
		ID: "prop_1", Run: "run_2", Kind: approval.CallTool, Document: string(d.ID),
		Call: &approval.Call{Tool: "t", Args: []byte(`{"title":"x"}`), Effect: approval.Recorded, Level: access.Reader},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Approvals().Decide(ctx, scope, p.ID, approval.Decision{Approved: true}); err != nil {
		t.Fatal(err)
	}
	if err := db.Results().Keep(ctx, "acme", "u1", eval.Result{ID: "eval_1", Format: 1, StartedAt: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.writer.Exec(`INSERT INTO recordings VALUES ('run_1', 1, 'h', '{}')`); err != nil {
		t.Fatal(err)
	}
	return db
}

// rows is a table as it stands, one line a row.
func rows(t *testing.T, db *DB, table string, columns []string) []string {
	t.Helper()
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = "quote(" + c + ")"
	}
	// The writer's connection sees what it wrote at once.
	r, err := db.writer.Query(`SELECT ` + strings.Join(quoted, " || '|' || ") + ` FROM ` + table + ` ORDER BY 1`)
	out, err := row.Collect(r, err, row.Text[string])
	if err != nil {
		t.Fatalf("%s: %v", table, err)
	}
	return out
}

// columnsOf are the columns of a table with their types, in order.
func columnsOf(t *testing.T, db *DB, table string) (names []string, kind map[string]string) {
	t.Helper()
	kind = map[string]string{}
	for _, c := range column(t, db, `SELECT name || ' ' || type FROM pragma_table_info(?) ORDER BY cid`, table) {
		name, is, _ := strings.Cut(c, " ")
		names, kind[name] = append(names, name), is
	}
	return names, kind
}

// another is a value of a column's type that is not the column's.
func another(column, kind string) string {
	switch kind {
	case "INTEGER":
		return column + " + 1"
	case "BLOB":
		return "zeroblob(length(" + column + "))"
	}
	return column + " || 'x'"
}

func TestEveryTableIsAppendOnlyOrSaysWhatChangesInIt(t *testing.T) {
	tables := column(t, opened(t, t.TempDir()), `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
	known := slices.Sorted(maps.Keys(appendOnly))
	known = append(known, slices.Collect(maps.Keys(mutable))...)
	slices.Sort(known)
	if d := cmp.Diff(known, tables); d != "" {
		t.Errorf("a table is not among them, or twice, or is gone: %s", d)
	}
}

// Each column of each append-only table is tried by every statement that could change it.
func TestTheDatabaseRefusesEveryChangeOfWhatIsAppendOnly(t *testing.T) {
	db := everything(t)
	tried := 0
	for table, moves := range appendOnly {
		names, kind := columnsOf(t, db, table)
		before := rows(t, db, table, names)
		if len(before) == 0 {
			t.Errorf("%s is empty: nothing is tried", table)
		}
		try := func(statement string) {
			t.Helper()
			tried++
			result, err := db.writer.Exec(statement)
			if d := cmp.Diff(before, rows(t, db, table, names)); d != "" {
				t.Fatalf("the database allowed %s: %s", statement, d)
			}
			if n := int64(0); err == nil {
				if n, _ = result.RowsAffected(); n != 0 {
					t.Errorf("%s says that it changed %d rows", statement, n)
				}
			}
		}
		for name := range moves {
			if kind[name] == "" {
				t.Errorf("%s has no column %s", table, name)
			}
		}
		try(`DELETE FROM ` + table)
		for i, name := range names {
			if moves[name] != "" {
				continue
			}
			value := another(name, kind[name])
			for _, verb := range []string{"UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"} {
				try(fmt.Sprintf(`%s %s SET %s = %s`, verb, table, name, value))
			}
			instead := slices.Clone(names)
			instead[i] = value
			if key := column(t, db, `SELECT name FROM pragma_table_info(?) WHERE pk > 0 AND name = ?`, table, name); len(key) == 0 {
				try(fmt.Sprintf(`INSERT OR REPLACE INTO %s (%s) SELECT %s FROM %s`, table, strings.Join(names, ", "), strings.Join(instead, ", "), table))
			}
		}
	}
	if tried < 200 {
		t.Errorf("only %d statements were tried", tried)
	}
}

// What erasing takes can be taken, and nothing be put in its place.
func TestWhatIsErasedCanOnlyBeEmptied(t *testing.T) {
	hash := strings.Repeat("a", 64)
	for name, tt := range map[string]struct {
		statement string
		allowed   bool
	}{
		"a version without text":           {`UPDATE draft_versions SET title = '', body = '', record = json_remove(record, '$.checks', '$.nonce')`, true},
		"a version that leans on less":     {`UPDATE draft_versions SET record = json_remove(record, '$.cited')`, false},
		"a version with other checks":      {`UPDATE draft_versions SET record = json_set(record, '$.checks', json('[{}]'))`, false},
		"evidence without its words":       {`UPDATE evidence SET record = json_remove(json_set(record, '$.excerpt', '', '$.title', ''), '$.source_uri', '$.context', '$.locator', '$.segments')`, true},
		"evidence with another title":      {`UPDATE evidence SET record = json_remove(json_set(record, '$.excerpt', '', '$.title', 'y'), '$.source_uri', '$.context', '$.locator', '$.segments')`, false},
		"evidence with another place":      {`UPDATE evidence SET record = json_remove(json_set(record, '$.excerpt', '', '$.title', '', '$.locator', json('{"kind":"txt"}')), '$.source_uri', '$.context', '$.segments')`, false},
		"evidence of another base":         {`UPDATE evidence SET record = json_remove(json_set(record, '$.excerpt', '', '$.title', '', '$.knowledge_base', 'y'), '$.source_uri', '$.context', '$.locator', '$.segments')`, false},
		"evidence of another passage":      {`UPDATE evidence SET record = json_remove(json_set(record, '$.excerpt', '', '$.title', '', '$.span', json('[0,1]')), '$.source_uri', '$.context', '$.locator', '$.segments')`, false},
		"evidence with other words":        {`UPDATE evidence SET record = json_set(record, '$.excerpt', 'y')`, false},
		"evidence without its hash":        {`UPDATE evidence SET record = json_remove(json_set(record, '$.excerpt', '', '$.title', ''), '$.hash', '$.source_uri', '$.context', '$.locator', '$.segments')`, false},
		"evidence of another version":      {`UPDATE evidence SET record = json_remove(json_set(record, '$.excerpt', '', '$.title', '', '$.version', 9), '$.source_uri', '$.context', '$.locator', '$.segments')`, false},
		"a recording without its record":   {`UPDATE recordings SET record = ''`, true},
		"a call without arguments":         {`UPDATE proposals SET call = json_set(call, '$.args', NULL, '$.args_hash', '` + hash + `')`, true},
		"a call without arguments or hash": {`UPDATE proposals SET call = json_set(call, '$.args', NULL)`, false},
		"a call with other arguments":      {`UPDATE proposals SET call = json_set(call, '$.args', json('{}'), '$.args_hash', '` + hash + `')`, false},
		"a call of another tool":           {`UPDATE proposals SET call = json_set(call, '$.args', NULL, '$.args_hash', '` + hash + `', '$.tool', 'u')`, false},
		"a call with another hash, later": {`UPDATE proposals SET call = json_set(call, '$.args', NULL, '$.args_hash', '` + hash + `');
UPDATE proposals SET call = json_set(call, '$.args_hash', '` + strings.Repeat("b", 64) + `')`, false},
		"a task without its answer":    {`UPDATE tasks SET answer = ''`, true},
		"a task with another answer":   {`UPDATE tasks SET answer = '{}'`, false},
		"a draft with its next number": {`UPDATE drafts SET newest = newest + 1`, true},
		"a draft with another number":  {`UPDATE drafts SET newest = newest + 2`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := everything(t).writer.Exec(tt.statement); (err == nil) != tt.allowed {
				t.Errorf("%s: %v", tt.statement, err)
			}
		})
	}
}

// What has ended does not move again, and what nothing leans on yet is kept all the same: neither a
// form of the column nor a reference refuses these.
func TestWhatHasEndedOrWaitsIsKept(t *testing.T) {
	db := everything(t)
	open, closed := `(SELECT id FROM proposals WHERE status = 'pending')`, `(SELECT id FROM proposals WHERE status = 'approved')`
	for _, statement := range []string{
		`INSERT INTO proposals SELECT 'prop_2', tenant, proposer, kind, 'run_1', document, base, key, version, from_version, lock_version, key_state, summary, call, 'pending', created_at, expires_at, seal FROM proposals`,
		`INSERT INTO drafts SELECT 'draft_2', tenant, actor, 'run_2', newest, created_at FROM drafts`,
	} {
		if _, err := db.writer.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, statement := range []string{
		`DELETE FROM proposals WHERE id IN ` + open,
		`DELETE FROM drafts WHERE id = 'draft_2'`,
		`UPDATE proposals SET status = 'pending' WHERE id IN ` + closed,
		`UPDATE proposals SET status = 'cancelled' WHERE id IN ` + closed,
		`UPDATE proposals SET status = 'pending' WHERE id IN ` + open,
		`UPDATE tasks SET status = 'running'`,
		`UPDATE tasks SET status = 'failed'`,
		`UPDATE heads SET sequence = sequence - 1`,
		`UPDATE heads SET sequence = sequence + 2`,
	} {
		if r, err := db.writer.Exec(statement); err == nil {
			n, _ := r.RowsAffected()
			t.Errorf("the database allowed %s, of %d rows", statement, n)
		}
	}
}
