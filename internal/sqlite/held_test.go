package sqlite

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// readTwice is a store with a run that has ended and read two documents.
func readTwice(t *testing.T) (db *DB, one, two corpus.Document) {
	t.Helper()
	db, ctx := filled(t, t.TempDir()), context.Background()
	fail := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	fail(db.Admin().PutUser(ctx, "acme", "root", access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}))
	one, two = upload(t, db, "acme", "u1", "The limit is 650."), upload(t, db, "acme", "u1", "The limit is 120.")
	at := time.Now().UTC()
	r := &run.Run{
		ID: "run_1", Tenant: "acme", Actor: "u1", Kind: run.ForAnswer, Goal: "What is the limit?", Conversation: "conv_1", State: run.Queued, Attempt: 1, Seal: seal.New(), CreatedAt: at,
	}
	fail(db.Journal().Create(ctx, r, nil))
	l, err := db.Journal().Claim(ctx, r.ID, time.Hour)
	fail(err)
	r.State = run.Running
	fail(db.Journal().Commit(ctx, run.Commit{Lease: l, Run: r}))
	var read []citation.Evidence
	for i, d := range []corpus.Document{one, two} {
		ref := fmt.Sprint("S", i+1)
		read = append(read, citation.New(ref, r.Seal.Nonce(run.NameExcerpt(ref)), corpus.Passage{
			Document: d.ID, KnowledgeBase: d.KnowledgeBase, Key: d.Key, Version: 1, Status: d.Status, Title: d.Title, Chunk: "c", Text: d.Title,
		}, at))
	}
	packed := run.Recording{Attempt: 1, Began: &run.Began{}}.Pack(r.Seal)
	r.State, r.Reason, r.EndedAt, r.TapeHash = run.Completed, run.Success, at, run.Fold("", packed.Hash)
	r.Answer = citation.Answer{Text: "It is 650 [S1] or 120 [S2].", Refs: []string{"S1", "S2"}}
	r.Checks = []citation.Check{{Sentence: "It is 650", Verdict: citation.Supported}}
	closing := event.New(event.Completed, map[string]any{"state": r.State, "finish_reason": r.Reason})
	fail(db.Journal().Commit(ctx, run.Commit{Lease: l, Run: r, Evidence: read, Events: []event.Event{closing}, Recordings: []run.Packed{packed}, Entries: []ledger.Entry{
		{Kind: ledger.RunEnded, Actor: "u1", Time: at, Body: run.EndedBody(r, read)},
	}}))
	return db, one, two
}

// tampering are changes of what is stored of a run, by somebody who writes to the database.
var tampering = map[string]string{
	"a notice as of a loss": `UPDATE runs SET record = json_set(record, '$.notices', json('["scope_changed"]'))`,
	"a notice as of an erasure, the seal as after it, and no answer": `UPDATE runs SET record = json_set(record, '$.notices', json('["erased"]'), '$.seal.kept', json('{"goal":"x"}'),
'$.answer.text', '', '$.checks', json('[]'))`,
	"what the seal keeps":  `UPDATE runs SET record = json_set(record, '$.seal.kept.more', 'x')`,
	"the key of the seal":  `UPDATE runs SET record = json_set(record, '$.seal.key', 'x')`,
	"the question":         `UPDATE runs SET record = json_set(record, '$.goal', 'x')`,
	"the answer":           `UPDATE runs SET record = json_set(record, '$.answer.text', 'It is 651 [S1].')`,
	"a time":               `UPDATE runs SET record = json_set(record, '$.ended_at', '2026-01-01T00:00:00Z')`,
	"the checkpoint":       `UPDATE runs SET checkpoint = '{}'`,
	"the state of the row": `UPDATE runs SET state = 'failed'`,
	"the state of the row as of one that goes on": `UPDATE runs SET state = 'running'`,
	"the state of the row as of one that waits":   `UPDATE runs SET state = 'queued'`,
	"the step of the row":                         `UPDATE runs SET step = 9`,
	"the conversation of the row":                 `UPDATE runs SET conversation = 'x'`,
	"the time of the row":                         `UPDATE runs SET created_at = 1`,
	"a passage":                                   `UPDATE evidence SET record = json_set(record, '$.excerpt', 'The limit is 651.') WHERE ref = 'S2'`,
	"a passage that is emptied":                   `UPDATE evidence SET record = json_remove(record, '$.excerpt', '$.nonce', '$.title', '$.locator') WHERE ref = 'S2'`,
	"the document of a passage":                   `UPDATE evidence SET document = 'another' WHERE ref = 'S1'`,
	"the version of a passage":                    `UPDATE evidence SET record = json_set(record, '$.version', 7) WHERE ref = 'S1'`,
	"the reference of a passage":                  `UPDATE evidence SET ref = 'S7' WHERE ref = 'S1'`,
	"a passage less":                              `DELETE FROM evidence WHERE ref = 'S2'`,
	"a passage more":                              `INSERT INTO evidence SELECT run, 9, 'S9', document, record FROM evidence WHERE ref = 'S2'`,
	"a recording":                                 `UPDATE recordings SET record = '{"v":1,"attempt":2}'`,
	"the hash of a recording":                     `UPDATE recordings SET hash = 'x'`,
	"a recording less":                            `DELETE FROM recordings`,
}

func TestWhateverIsChangedOfARunInTheDatabaseIsTold(t *testing.T) {
	for _, erase := range []bool{false, true} {
		db, one, _ := readTwice(t)
		ctx := context.Background()
		if erase {
			if err := db.Catalog().Erase(ctx, resolve(t, db, "acme", "u1"), one.ID); err != nil {
				t.Fatal(err)
			}
		}
		exec := func(statement string) {
			t.Helper()
			if _, err := db.writer.Exec(statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		for _, trigger := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'trigger'`) {
			exec(`DROP TRIGGER ` + trigger)
		}
		kept := []string{"runs", "evidence", "recordings", "entries"}
		exec(`PRAGMA foreign_keys = OFF`)
		for _, table := range kept {
			exec(`CREATE TABLE ` + table + `_before AS SELECT * FROM ` + table)
		}
		changed := func() bool {
			t.Helper()
			r, read, err := db.Journal().Run(ctx, "acme", "u1", "run_1")
			if err != nil {
				t.Fatal(err)
			}
			entries, err := db.Ledger().OfRun(ctx, "acme", "run_1")
			if err != nil {
				t.Fatal(err)
			}
			tape, err := db.Proof().Tape(ctx, "acme", "u1", "run_1")
			if err != nil {
				t.Fatal(err)
			}
			// Even to whoever has lost a document.
			told := run.ToldOf(entries, r.Attempt)
			shown := told.Hold(r, read, true).Changed() || !told.HoldTape(r, tape, true)
			stored, err := db.Proof().Stored(ctx, "acme", "run_1")
			if err != nil || stored.Hold().Changed() != shown {
				t.Errorf("verifying all says otherwise: %+v, %v", stored.Hold(), err)
			}
			return shown
		}
		if changed() {
			t.Errorf("as it was, erased: %v", erase)
		}
		tried := maps.Clone(tampering)
		if erase {
			tried["the entry of what is left"] = `DELETE FROM entries WHERE kind = 'run.reduced'`
		}
		for name, statement := range tried {
			exec(statement)
			if !changed() {
				t.Errorf("%s is told by nothing, erased: %v", name, erase)
			}
			for _, table := range kept {
				exec(`DELETE FROM ` + table + `; INSERT INTO ` + table + ` SELECT * FROM ` + table + `_before`)
			}
		}
	}
}

func TestNoOtherEndIsWrittenOfARunWhoseEndTheLedgerTellsOf(t *testing.T) {
	for _, state := range []run.State{run.Queued, run.Running, run.Waiting, run.Cancelling} {
		db, _, _ := readTwice(t)
		ctx := context.Background()
		going := &run.Run{ID: "run_2", Tenant: "acme", Actor: "u1", Kind: run.ForAnswer, Goal: "x", State: run.Queued, Attempt: 1, CreatedAt: time.Now().UTC()}
		if err := db.Journal().Create(ctx, going, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := db.writer.Exec(`UPDATE runs SET state = ?, lease_until = 0, leased = 0, record = json_set(record, '$.answer.text', 'It is 651 [S1].') WHERE id = 'run_1'`, state); err != nil {
			t.Fatal(err)
		}
		if n, err := db.Journal().Interrupt(ctx, time.Now().Add(24*time.Hour)); n != 1 || err != nil {
			t.Errorf("%s: %d runs were interrupted beside it, %v", state, n, err)
		}
		// Neither by who asked for it, nor by a worker that holds it.
		if _, err := db.Journal().Cancel(ctx, "acme", "u1", "run_1"); (state == run.Queued || state == run.Waiting) && problem.CodeOf(err) != "record_changed" {
			t.Errorf("%s: cancelled, %v", state, err)
		}
		if l, err := db.Journal().Claim(ctx, "run_1", time.Hour); state == run.Queued {
			r, _, read := db.Journal().Run(ctx, "acme", "u1", "run_1")
			if err != nil || read != nil {
				t.Fatal(err, read)
			}
			r.State = run.Cancelled
			err = db.Journal().Commit(ctx, run.Commit{Lease: l, Run: r, Entries: []ledger.Entry{{Kind: ledger.RunEnded, Actor: "u1", Body: run.EndedBody(r, nil)}}})
			if problem.CodeOf(err) != "record_changed" {
				t.Errorf("ended by a worker: %v", err)
			}
		}
		s, err := db.Proof().Stored(ctx, "acme", "run_1")
		if err != nil || len(s.Entries) != 1 || !s.Hold().Changed() {
			t.Errorf("%s: %+v %+v %v", state, s.Entries, s.Hold(), err)
		}
	}
}

func TestARunWhoseEndTheLedgerTellsOtherwiseIsNotResumed(t *testing.T) {
	db, _, _ := readTwice(t)
	ctx := context.Background()
	if _, err := db.writer.Exec(`UPDATE runs SET state = 'interrupted', record = json_set(record, '$.answer.text', 'It is 651 [S1].') WHERE id = 'run_1'`); err != nil {
		t.Fatal(err)
	}
	r, _, err := db.Journal().Run(ctx, "acme", "u1", "run_1")
	if err != nil {
		t.Fatal(err)
	}
	r.State, r.Attempt = run.Queued, r.Attempt+1
	err = db.Journal().Resume(ctx, run.Commit{Run: r, Entries: []ledger.Entry{{Kind: ledger.RunResumed, Actor: "u1"}}})
	if problem.CodeOf(err) != "record_changed" {
		t.Errorf("resumed: %v", err)
	}
}

func TestWhatIsStoredOfARunKnowsWhetherSomethingOfItWasErased(t *testing.T) {
	db, one, _ := readTwice(t)
	ctx := context.Background()
	lost := func() bool {
		t.Helper()
		s, err := db.Proof().Stored(ctx, "acme", "run_1")
		if err != nil {
			t.Fatal(err)
		}
		return s.Lost
	}
	if lost() {
		t.Error("nothing was erased")
	}
	// A status alone is not the ledger's word.
	if _, err := db.writer.Exec(`UPDATE documents SET status = 'erased' WHERE id = ?`, one.ID); err != nil {
		t.Fatal(err)
	}
	if lost() {
		t.Error("the ledger tells of no erasure")
	}
	if _, err := db.writer.Exec(`UPDATE documents SET status = 'draft' WHERE id = ?`, one.ID); err != nil {
		t.Fatal(err)
	}
	if err := db.Catalog().Erase(ctx, resolve(t, db, "acme", "u1"), one.ID); err != nil {
		t.Fatal(err)
	}
	if !lost() {
		t.Error("a version that it read was erased")
	}
	if s, err := db.Proof().Stored(ctx, "globex", "run_1"); err != nil || s.Run != nil || !s.Hold().Changed() {
		t.Errorf("another tenant's: %+v %v", s, err)
	}
}
