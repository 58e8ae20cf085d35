package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/cmd/kaoju/record"
)

// changeBeside runs statements on the database of a folder as somebody does who has no product, without its triggers.
func changeBeside(t *testing.T, dir string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "kaoju.db")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var drops string
	if err := db.QueryRow(`SELECT coalesce(group_concat('DROP TRIGGER ' || name, '; '), 'SELECT 1') FROM sqlite_schema WHERE type = 'trigger'`).Scan(&drops); err != nil {
		t.Fatal(err)
	}
	for _, s := range append([]string{drops}, statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func TestEveryRunOfAFolderIsHeldAgainstTheLedger(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	on := func(args ...string) []string { return append(args, "--data", dir) }
	file := filepath.Join(t.TempDir(), "limits.md")
	if err := os.WriteFile(file, []byte("# Limits\n\nThe limit for lodging is 650 yuan a night.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	done(t, on("kb", "create", "kb")...)
	done(t, on("add", "--kb", "kb", "--publish", file)...)
	var ids []string
	for _, q := range []string{"What is the limit for lodging?", "Which limit for lodging is there?", "What is the limit for lodging a night?", "What is the lodging limit?", "Who founded Rome?"} {
		var a chatAnswer
		_, out, errs := kaoju(t, on("ask", "--json", q)...)
		if err := json.Unmarshal([]byte(out), &a); err != nil || a.RunID == "" {
			t.Fatalf("%s%s", out, errs)
		}
		ids = append(ids, a.RunID)
	}
	if out := done(t, on("ledger", "verify", "--runs")...); !strings.Contains(out, "5 runs are what the ledger tells of\n") {
		t.Error(out)
	}
	if out := done(t, on("doctor")...); !strings.Contains(out, "5 runs are what the ledger tells of") {
		t.Error(out)
	}
	changeBeside(t, dir, `PRAGMA foreign_keys = OFF`,
		`UPDATE runs SET record = json_set(record, '$.answer.text', 'It is 651 yuan.') WHERE id = '`+ids[0]+`'`,
		// As if something of it had been erased.
		`UPDATE runs SET record = json_set(record, '$.notices', json('["erased"]'), '$.seal.kept', json('{"goal":"x"}')) WHERE id = '`+ids[1]+`'`,
		`DELETE FROM runs WHERE id = '`+ids[2]+`'`,
		`UPDATE runs SET record = 'x' WHERE id = '`+ids[3]+`'`,
	)
	out := fails(t, exitFailed, on("ledger", "verify", "--runs")...)
	for _, id := range ids[:4] {
		if !strings.Contains(out, id+" was changed since it ended: ") {
			t.Errorf("%s is not named: %s", id, out)
		}
	}
	if strings.Contains(out, ids[4]) || !strings.Contains(out, "Of 5 runs, 4 are not what the ledger tells of.") {
		t.Error(out)
	}
	var v record.Verdict
	if err := json.Unmarshal([]byte(fails(t, exitFailed, on("ledger", "verify", "--runs", "--json")...)), &v); err != nil {
		t.Fatal(err)
	}
	if v.Valid || v.Code != "record_changed" || v.Runs == nil || v.Runs.Runs != 5 || v.Runs.Changed != 4 || len(v.Runs.Names) != 4 {
		t.Errorf("%+v %+v", v, v.Runs)
	}
	for _, r := range v.Runs.Names {
		want := map[string]string{ids[0]: "answer_hash", ids[1]: "record_hash", ids[2]: "run_missing", ids[3]: "record"}[string(r.ID)]
		if !slices.Contains(r.Problems, want) {
			t.Errorf("%s: %v, want %s", r.ID, r.Problems, want)
		}
	}
	if out := fails(t, exitFailed, on("doctor")...); !strings.Contains(out, "Of 5 runs, 4 are not what the ledger tells of.") {
		t.Error(out)
	}
	// Without the runs, the ledger is whole.
	done(t, on("ledger", "verify")...)
	fails(t, exitUsage, "ledger", "verify", "--runs", file)
	fails(t, exitUsage, "ledger", "verify", "--runs", "--server", "http://127.0.0.1:1")
}

func TestNothingIsAnsweredFromATextThatWasChanged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	on := func(args ...string) []string { return append(args, "--data", dir) }
	file := filepath.Join(t.TempDir(), "limits.md")
	if err := os.WriteFile(file, []byte("# Limits\n\nThe limit for lodging is 120 yuan a night.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	done(t, on("kb", "create", "kb")...)
	done(t, on("add", "--kb", "kb", "--publish", file)...)
	if out := done(t, on("ask", "What is the limit for lodging?")...); !strings.Contains(out, "120 yuan") {
		t.Fatal(out)
	}
	if out := done(t, on("doctor")...); !strings.Contains(out, "the texts of 1 versions are what the ledger tells of") {
		t.Error(out)
	}
	changeBeside(t, dir, `UPDATE texts SET text = replace(text, '120', '130')`, `UPDATE chunks SET text = replace(text, '120', '130'), record = replace(record, '120', '130')`)
	for said, line := range map[string][]string{"(tool_error)": {"ask", "What is the limit for lodging?"}, "it was changed since it was taken in": {"search", "limit lodging"}} {
		status, out, errs := kaoju(t, on(line...)...)
		if status != exitFailed || strings.Contains(out, "130") || !strings.Contains(out+errs, said) {
			t.Errorf("%v: status %d\n%s%s", line, status, out, errs)
		}
	}
	if out := fails(t, exitFailed, on("doctor")...); !strings.Contains(out, "Of the texts of 1 versions, 1 are not what the ledger tells of: doc_") {
		t.Error(out)
	}
}
