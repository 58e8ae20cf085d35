package sqlite

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// filled makes a store with a tenant whose ledger has some entries.
func filled(t *testing.T, dir string) *DB {
	t.Helper()
	db := opened(t, dir)
	ctx := context.Background()
	if err := db.Admin().CreateTenant(ctx, "acme", ""); err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if err := db.Admin().PutUser(ctx, "acme", "root", access.Identity{User: access.UserID(fmt.Sprint("u", i))}); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func TestTheDatabaseRefusesToChangeAProposalOrADecision(t *testing.T) {
	db, ctx := filled(t, t.TempDir()), context.Background()
	admin := access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}
	if err := db.Admin().PutUser(ctx, "acme", "root", admin); err != nil {
		t.Fatal(err)
	}
	d := upload(t, db, "acme", "u1", "text")
	for _, id := range []approval.ID{"prop_1", "prop_2"} {
		if _, err := db.Approvals().Propose(ctx, resolve(t, db, "acme", "u1"), approval.Proposal{ID: id, Document: string(d.ID)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Approvals().Decide(ctx, resolve(t, db, "acme", "u1"), "prop_1", approval.Decision{}); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`UPDATE proposals SET status = 'pending' WHERE id = 'prop_1'`,
		`UPDATE proposals SET status = 'published' WHERE id = 'prop_1'`,
		`UPDATE proposals SET proposer = 'u2' WHERE id = 'prop_2'`,
		`UPDATE proposals SET expires_at = expires_at + 1 WHERE id = 'prop_2'`,
		`DELETE FROM proposals WHERE id = 'prop_2'`,
		`UPDATE decisions SET approved = 1`,
		`DELETE FROM decisions`,
		`INSERT OR REPLACE INTO decisions SELECT proposal, by, at, 1, request FROM decisions`,
	} {
		if _, err := db.writer.Exec(statement); err == nil || !strings.Contains(err.Error(), "append-only") && !strings.Contains(err.Error(), "ends once") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

func TestTheDatabaseRefusesToChangeTheLedger(t *testing.T) {
	db := filled(t, t.TempDir())
	for _, statement := range []string{
		`UPDATE entries SET actor = 'nobody' WHERE sequence = 2`,
		`DELETE FROM entries WHERE sequence = 7`,
		`INSERT OR REPLACE INTO entries SELECT tenant, sequence, 'other', kind, run, 'nobody', time, body, previous, hash FROM entries WHERE sequence = 2`,
		`INSERT OR REPLACE INTO entries SELECT tenant, 99, id, kind, run, 'nobody', time, body, previous, hash FROM entries WHERE sequence = 2`,
		`UPDATE heads SET sequence = 3`,
		`UPDATE heads SET sequence = 9`,
		`UPDATE heads SET hash = 'x'`,
		`DELETE FROM heads`,
		`INSERT INTO heads (tenant, sequence, hash) VALUES ('acme', 1, 'x') ON CONFLICT DO UPDATE SET sequence = 1`,
		`DELETE FROM tenants`,
		`UPDATE nodes SET hash = zeroblob(32) WHERE no = 0`,
		`DELETE FROM nodes WHERE no = 3`,
		`INSERT OR REPLACE INTO nodes SELECT tenant, log, no, zeroblob(32) FROM nodes`,
		`UPDATE places SET no = no + 9`,
		`DELETE FROM places WHERE sequence = 2`,
		`INSERT OR REPLACE INTO places SELECT tenant, log, no, 99 FROM places`,
	} {
		if _, err := db.writer.Exec(statement); err == nil {
			t.Errorf("the database allowed %s", statement)
		}
	}
	if head, err := ledger.Check(context.Background(), db.Ledger(), "acme"); err != nil || head.Sequence != 7 {
		t.Fatalf("head %+v, %v", head, err)
	}
}

func TestEventsAndRecordingsAreAppendOnly(t *testing.T) {
	db := filled(t, t.TempDir())
	for _, statement := range []string{
		`INSERT INTO runs VALUES ('r', 'acme', 'u1', '', 'queued', 0, 1, 0, 0, 0, 0, '{}', '', 0, 0)`,
		`INSERT INTO events VALUES ('r', 1, 1, 'run.created', 0, '{}')`,
		`INSERT INTO recordings VALUES ('r', 1, 'h', '{}')`,
	} {
		if _, err := db.writer.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, statement := range []string{
		`UPDATE events SET data = '{"a":1}'`, `DELETE FROM events`,
		`UPDATE recordings SET record = '{"a":1}'`, `UPDATE recordings SET hash = 'i'`, `UPDATE recordings SET no = 2`, `DELETE FROM recordings`,
		`INSERT OR REPLACE INTO recordings VALUES ('r', 1, 'h', '{"a":1}')`,
	} {
		if _, err := db.writer.Exec(statement); err == nil {
			t.Errorf("the database allowed %s", statement)
		}
	}
}

func TestARecordingThatWasEmptiedWhileItsRunKeptItsKeyIsNoErasedOne(t *testing.T) {
	db, ctx := filled(t, t.TempDir()), context.Background()
	r := &run.Run{ID: "run_1", Tenant: "acme", Actor: "u1", Kind: run.ForAnswer, State: run.Queued, Attempt: 1, Seal: seal.New(), CreatedAt: time.Now()}
	if err := db.Journal().Create(ctx, r, nil); err != nil {
		t.Fatal(err)
	}
	l, err := db.Journal().Claim(ctx, r.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	r.State = run.Running
	packed := run.Recording{Attempt: 1, Began: &run.Began{}}.Pack(r.Seal)
	if err := db.Journal().Commit(ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{packed}}); err != nil {
		t.Fatal(err)
	}
	told := func() run.Recorded {
		tape, err := db.Proof().Tape(ctx, "acme", "u1", r.ID)
		if err != nil || len(tape) != 1 {
			t.Fatalf("%+v %v", tape, err)
		}
		return tape[0]
	}
	if got := told(); got.Erased || got.Altered || got.Began == nil {
		t.Errorf("as it was: %+v", got)
	}
	if _, err := db.writer.Exec(`UPDATE recordings SET record = ''`); err != nil { // as the schema allows it, for erasing
		t.Fatal(err)
	}
	if got := told(); got.Erased || !got.Altered {
		t.Errorf("emptied: %+v", got)
	}
}

// A person with the file and no scruples can drop the triggers. The chain still tells.
func TestVerificationFindsEveryKindOfTampering(t *testing.T) {
	for name, statement := range map[string]string{
		"a changed actor":          `UPDATE entries SET actor = 'nobody' WHERE sequence = 3`,
		"a changed body":           `UPDATE entries SET body = '{}' WHERE sequence = 3`,
		"a changed time":           `UPDATE entries SET time = time + 1 WHERE sequence = 3`,
		"a changed kind":           `UPDATE entries SET kind = 'security' WHERE sequence = 3`,
		"a changed run":            `UPDATE entries SET run = 'r' WHERE sequence = 3`,
		"a changed id":             `UPDATE entries SET id = 'led_x' WHERE sequence = 3`,
		"a missing first entry":    `DELETE FROM entries WHERE sequence = 1`,
		"a missing entry":          `DELETE FROM entries WHERE sequence = 3`,
		"a missing last entry":     `DELETE FROM entries WHERE sequence = 7`,
		"a cut-off end":            `DELETE FROM entries WHERE sequence > 4`,
		"no entries at all":        `DELETE FROM entries`,
		"exchanged entries":        `UPDATE entries SET sequence = CASE sequence WHEN 3 THEN -4 ELSE -3 END WHERE sequence IN (3, 4); UPDATE entries SET sequence = -sequence WHERE sequence < 0`,
		"a head that was changed":  `UPDATE heads SET hash = 'x'`,
		"a head that was removed":  `DELETE FROM heads`,
		"an end cut with its head": `DELETE FROM entries WHERE sequence > 4; UPDATE heads SET sequence = 4`,
	} {
		t.Run(name, func(t *testing.T) {
			db := filled(t, t.TempDir())
			for _, trigger := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'trigger'`) {
				if _, err := db.writer.Exec(`DROP TRIGGER ` + trigger); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := db.writer.Exec(statement); err != nil {
				t.Fatal(err)
			}
			if _, err := ledger.Check(context.Background(), db.Ledger(), "acme"); problem.CodeOf(err) != "ledger_broken" {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func resolve(t *testing.T, db *DB, tenant access.TenantID, user access.UserID) access.Scope {
	t.Helper()
	s, err := access.Resolve(context.Background(), db.Directory(), access.Actor{Tenant: tenant, User: user}, access.Request{View: access.Content})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// upload publishes a text as the first version of the key "k" in a new knowledge base.
func upload(t *testing.T, db *DB, tenant access.TenantID, user access.UserID, body string) corpus.Document {
	t.Helper()
	return uploadAs(t, db, tenant, user, corpus.Version{
		Title: body, Text: body, Segment: []byte(body), Chunks: []corpus.Chunk{{No: 1, Text: body, Span: corpus.Span{End: len(body)}, Context: body}},
	})
}

// uploadAs publishes a version as it was parsed and cut.
func uploadAs(t *testing.T, db *DB, tenant access.TenantID, user access.UserID, v corpus.Version) corpus.Document {
	t.Helper()
	ctx := context.Background()
	fail := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	kb, err := db.Bases().Create(ctx, resolve(t, db, tenant, user), access.KnowledgeBase{})
	fail(err)
	sum, size, err := db.Blobs().Put(ctx, strings.NewReader(v.Text), 1<<20)
	fail(err)
	_, err = db.Catalog().Reserve(ctx, resolve(t, db, tenant, user), corpus.Upload{KnowledgeBase: kb.ID, Key: "k", Checksum: sum, Size: size, Publish: true})
	fail(err)
	job, _, err := db.Queue().Claim(ctx, 1<<40)
	fail(err)
	v.Document = corpus.DocumentID(job.Subject)
	d, err := db.Publisher().Publish(ctx, v, job.ID, job.Token)
	fail(err)
	return d
}
