package sqlite

import (
	"context"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

func TestTwoOpeningsOfOneFolderCarryOutADecisionOnce(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	one := filled(t, dir)
	admin := access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}
	if err := one.Admin().PutUser(ctx, "acme", "root", admin); err != nil {
		t.Fatal(err)
	}
	d := upload(t, one, "acme", "u1", "text")
	two := opened(t, dir)
	for range 5 {
		decideInBoth(t, one, two, d)
	}
	if got := column(t, one, `SELECT count(*) FROM entries WHERE kind = 'document.published' AND body ->> 'proposal' IS NOT NULL`); got[0] != "5" {
		t.Fatalf("published %s times by 5 proposals", got[0])
	}
}

// decideInBoth makes a proposal by one opening of a folder and approves it by both at once.
func decideInBoth(t *testing.T, one, two *DB, d corpus.Document) {
	t.Helper()
	ctx := context.Background()
	p, err := one.Approvals().Propose(ctx, resolve(t, one, "acme", "u1"), approval.Proposal{Document: string(d.ID)})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	codes := make([]string, 2)
	for i, db := range []*DB{one, two} {
		wg.Go(func() {
			actor := access.Actor{Tenant: "acme", User: "u1"}
			err := access.Within(ctx, db.Directory(), actor, access.Request{View: access.Content}, func(s access.Scope) error {
				_, err := db.Approvals().Decide(ctx, s, p.ID, approval.Decision{Approved: true, Request: row.Random("req_")})
				return err
			})
			if codes[i] = "ok"; err != nil {
				codes[i] = problem.CodeOf(err)
			}
		})
	}
	wg.Wait()
	if (codes[0] == "ok") == (codes[1] == "ok") || codes[0] != "already_decided" && codes[1] != "already_decided" {
		t.Fatalf("the two decisions: %v", codes)
	}
}

// decisionTampering are changes of what is stored of proposals, by somebody who writes to the database.
var decisionTampering = map[string]string{
	"a decision":                      `UPDATE decisions SET approved = 0`,
	"who decided":                     `UPDATE decisions SET by = 'u2'`,
	"when it was decided":             `UPDATE decisions SET at = at + 1`,
	"the request of a decision":       `UPDATE decisions SET request = 'x'`,
	"a decision less":                 `DELETE FROM decisions`,
	"a decision more":                 `INSERT INTO decisions SELECT id, 'u1', 1, 1, '' FROM proposals WHERE status = 'pending'`,
	"who proposed":                    `UPDATE proposals SET proposer = 'u2' WHERE status = 'pending'`,
	"what is proposed":                `UPDATE proposals SET document = 'x' WHERE status = 'pending'`,
	"the version that is proposed":    `UPDATE proposals SET version = 9 WHERE status = 'pending'`,
	"the state that it was made upon": `UPDATE proposals SET lock_version = 9, key_state = 'x' WHERE status = 'pending'`,
	"until when it may be decided":    `UPDATE proposals SET expires_at = expires_at + 1 WHERE status = 'pending'`,
	"a pending one":                   `UPDATE proposals SET status = 'cancelled' WHERE status = 'pending'`,
	"one that ended, as pending":      `UPDATE proposals SET status = 'pending' WHERE status = 'cancelled'`,
	"what the person was shown":       `UPDATE proposals SET summary = '{"v":9}' WHERE status = 'pending'`,
	"the arguments of a call":         `UPDATE proposals SET call = json_set(call, '$.args', json('{"x":2}')) WHERE call <> '' AND call LIKE '%"x":1%'`,
	"the hash of arguments":           `UPDATE proposals SET call = json_set(call, '$.args', NULL, '$.args_hash', 'x') WHERE call <> ''`,
	"the tool of a call":              `UPDATE proposals SET call = json_set(call, '$.tool', 'x') WHERE call <> ''`,
	"a call that is none":             `UPDATE proposals SET call = 'x' WHERE call <> ''`,
	"a proposal less":                 `DELETE FROM decisions; DELETE FROM proposals WHERE status = 'pending'`,
	"a proposal more": `INSERT INTO proposals (id, run, tenant, proposer, kind, document, base, key, version, from_version, lock_version, key_state, summary, seal, call, status, created_at, expires_at)
SELECT 'prop_x', 'run_x', tenant, proposer, kind, document, base, key, version, from_version, lock_version, key_state, summary, seal, call, status, created_at, expires_at FROM proposals WHERE status = 'pending'`,
	"the entry of an end less": `DELETE FROM entries WHERE kind = 'proposal.ended'`,
}

func TestWhateverIsChangedOfADecisionInTheDatabaseIsTold(t *testing.T) {
	db, ctx := filled(t, t.TempDir()), context.Background()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(db.Admin().PutUser(ctx, "acme", "root", access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}))
	one, two := upload(t, db, "acme", "u1", "text"), upload(t, db, "acme", "u1", "another")
	propose := func(p approval.Proposal) approval.Proposal {
		t.Helper()
		made, err := db.Approvals().Propose(ctx, resolve(t, db, "acme", "u1"), p)
		check(err)
		return made
	}
	decide := func(p approval.Proposal, approved bool) {
		t.Helper()
		_, err := db.Approvals().Decide(ctx, resolve(t, db, "acme", "u1"), p.ID, approval.Decision{Approved: approved, Request: "req_1"})
		check(err)
	}
	call := func(d corpus.Document, automatic bool) approval.Proposal {
		return approval.Proposal{Kind: approval.CallTool, Document: string(d.ID), Call: &approval.Call{
			Tool: "t", Sensitivity: "write", Args: []byte(`{"x":1}`), Effect: approval.Recorded, Level: access.Reader, Automatic: automatic,
		}}
	}
	decide(propose(call(one, false)), true)
	propose(call(one, true))
	decide(propose(call(two, false)), true)
	decide(propose(approval.Proposal{Document: string(two.ID)}), true)
	decide(propose(approval.Proposal{Document: string(two.ID)}), false)
	check(db.Catalog().Erase(ctx, resolve(t, db, "acme", "u1"), one.ID))
	propose(approval.Proposal{Document: string(two.ID)})
	if said, err := db.DecisionsAgree(ctx, "acme"); err != nil || said != "6 proposals are decided as the ledger tells" {
		t.Fatal(said, err)
	}
	exec := func(statement string) {
		t.Helper()
		if _, err := db.writer.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	disarm(t, db)
	kept := []string{"proposals", "decisions", "entries"}
	exec(`PRAGMA foreign_keys = OFF`)
	for _, table := range kept {
		exec(`CREATE TABLE ` + table + `_before AS SELECT * FROM ` + table)
	}
	for name, statement := range decisionTampering {
		exec(statement)
		if said, err := db.DecisionsAgree(ctx, "acme"); problem.CodeOf(err) != "record_changed" {
			t.Errorf("%s is told by nothing: %s %v", name, said, err)
		}
		for _, table := range kept {
			exec(`DELETE FROM ` + table + `; INSERT INTO ` + table + ` SELECT * FROM ` + table + `_before`)
		}
	}
	if said, err := db.DecisionsAgree(ctx, "globex"); err != nil || said != "0 proposals are decided as the ledger tells" {
		t.Error(said, err)
	}
}
