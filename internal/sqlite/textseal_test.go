package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/textseal"
)

// read reads a version in every way there is, as a process does that has not read it before.
func read(t *testing.T, db *DB, d corpus.Document) map[string]error {
	t.Helper()
	ctx, s, x := context.Background(), resolve(t, db, "acme", "u1"), db.Texts()
	chunk := column(t, db, `SELECT id FROM chunks WHERE document = (SELECT row FROM documents WHERE id = '`+string(d.ID)+`') LIMIT 1`)
	out := map[string]error{}
	fresh := func(name string, read func() error) {
		db.texts = textseal.Known{}
		out[name] = read()
	}
	fresh("text", func() error { _, err := x.Text(ctx, s, d.ID); return err })
	fresh("stretch", func() error { _, err := x.Stretch(ctx, s, d.ID, corpus.Span{End: 5}); return err })
	fresh("chunks", func() error { _, err := x.Chunks(ctx, s, d.ID, 0, 9); return err })
	if len(chunk) > 0 {
		fresh("chunk", func() error { _, _, err := x.Chunk(ctx, s, corpus.ChunkID(chunk[0])); return err })
	}
	return out
}

// twoTexts is a store with two versions, without its triggers.
func twoTexts(t *testing.T) (db *DB, one, two corpus.Document) {
	t.Helper()
	db = filled(t, t.TempDir())
	if err := db.Admin().PutUser(context.Background(), "acme", "root", access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}); err != nil {
		t.Fatal(err)
	}
	return db, upload(t, db, "acme", "u1", "The limit is 120."), upload(t, db, "acme", "u1", "The fee is 7.")
}

func disarm(t *testing.T, db *DB) {
	t.Helper()
	for _, trigger := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'trigger'`) {
		if _, err := db.writer.Exec(`DROP TRIGGER ` + trigger); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAStoredTextThatWasChangedIsNotGivenOut(t *testing.T) {
	const first = ` WHERE document = (SELECT min(document) FROM texts)`
	const added = ` WHERE sequence = (SELECT min(sequence) FROM entries WHERE kind = 'document.added')`
	for name, statement := range map[string]string{
		"text":                     `UPDATE texts SET text = replace(text, '120', '130')` + first,
		"structure":                `UPDATE texts SET record = '{"v":1,"blocks":[{"kind":"paragraph","span":[0,3],"head":0}]}'` + first,
		"nonce":                    `UPDATE texts SET nonce = 'x'` + first,
		"no nonce, as before":      `UPDATE texts SET nonce = ''` + first,
		"chunk":                    `UPDATE chunks SET text = replace(text, '120', '130')` + first,
		"place of a chunk":         `UPDATE chunks SET record = json_set(record, '$.span', json('[1,2]'))` + first,
		"id of a chunk":            `UPDATE chunks SET id = 'c_other'` + first,
		"a chunk more":             `INSERT INTO chunks SELECT 'c_more', document, 2, text, record FROM chunks` + first,
		"no chunk":                 `DELETE FROM chunks` + first,
		"no text":                  `DELETE FROM texts` + first,
		"texts exchanged":          `UPDATE texts SET document = CASE document WHEN 1 THEN -2 ELSE -1 END; UPDATE texts SET document = -document`,
		"the entry":                `UPDATE entries SET body = json_remove(body, '$.text_hash', '$.chunks_hash')` + added,
		"the entry, and the nonce": `UPDATE entries SET body = json_remove(body, '$.text_hash', '$.chunks_hash')` + added + `; UPDATE texts SET nonce = ''` + first,
		"no entry":                 `DELETE FROM entries` + added + `; UPDATE texts SET nonce = ''` + first,
	} {
		db, one, two := twoTexts(t)
		for way, err := range read(t, db, one) {
			if err != nil {
				t.Fatalf("as it was: %s: %v", way, err)
			}
		}
		if said, err := db.TextsAgree(t.Context(), "acme"); err != nil || said != "the texts of 2 versions are what the ledger tells of" {
			t.Fatalf("as it was: %s %v", said, err)
		}
		disarm(t, db)
		if _, err := db.writer.Exec(`PRAGMA foreign_keys = OFF; ` + statement); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for way, err := range read(t, db, one) {
			if !problem.Is(err, problem.Conflict) || problem.CodeOf(err) != "text_changed" || !strings.Contains(err.Error(), string(one.ID)) {
				t.Errorf("%s: by %s: %v", name, way, err)
			}
		}
		if _, err := db.TextsAgree(t.Context(), "acme"); problem.CodeOf(err) != "text_changed" || !strings.Contains(err.Error(), string(one.ID)) {
			t.Errorf("%s: all together: %v", name, err)
		}
		if name == "texts exchanged" {
			continue
		}
		for way, err := range read(t, db, two) {
			if err != nil {
				t.Errorf("%s: another version by %s: %v", name, way, err)
			}
		}
	}
}

func TestALaterEntryOfAVersionCannotTellOfAnotherText(t *testing.T) {
	db, one, _ := twoTexts(t)
	disarm(t, db)
	if _, err := db.writer.Exec(`UPDATE texts SET text = replace(text, '120', '130')`); err != nil {
		t.Fatal(err)
	}
	err := db.core.Write(t.Context(), func(ctx context.Context, q *database.Tx) error {
		sums, err := textseal.Of(ctx, q, 1)
		return errors.Join(err, chain.Note(ctx, q, ledger.DocumentAdded, "acme", "u1", map[string]any{"document": one.ID, "text_hash": sums.Text, "chunks_hash": sums.Chunks}))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := read(t, db, one)["text"]; problem.CodeOf(err) != "text_changed" {
		t.Errorf("%v", err)
	}
}

func TestATextOfAnEarlierVersionOfTheProgramIsReadAndSaidToBeUnproved(t *testing.T) {
	db, one, _ := twoTexts(t)
	disarm(t, db)
	entries, err := db.Ledger().Entries(t.Context(), "acme", 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	// The ledger as it would have been written then.
	if _, err := db.writer.Exec(`UPDATE texts SET nonce = '' WHERE document = 1; DELETE FROM entries; DELETE FROM heads; DELETE FROM places; DELETE FROM nodes`); err != nil {
		t.Fatal(err)
	}
	err = db.core.Write(t.Context(), func(ctx context.Context, q *database.Tx) error {
		for _, e := range entries {
			body := map[string]any{}
			if err := json.Unmarshal(e.Body, &body); err != nil {
				return err
			}
			if body["document"] == string(one.ID) {
				delete(body, "text_hash")
				delete(body, "chunks_hash")
			}
			if err := chain.Note(ctx, q, e.Kind, "acme", access.UserID(e.Actor), body); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for way, err := range read(t, db, one) {
		if err != nil {
			t.Errorf("by %s: %v", way, err)
		}
	}
	if said, err := db.TextsAgree(t.Context(), "acme"); err != nil || !strings.Contains(said, "the texts of 1 versions") || !strings.Contains(said, "of 1 were taken in by an earlier version") {
		t.Errorf("%s %v", said, err)
	}
	// Whoever gives it a nonce does not make it proved.
	if _, err := db.writer.Exec(`UPDATE texts SET nonce = 'x' WHERE document = 1`); err != nil {
		t.Fatal(err)
	}
	if err := read(t, db, one)["text"]; problem.CodeOf(err) != "text_changed" {
		t.Errorf("%v", err)
	}
}

func TestTheHashOfATextInTheLedgerCannotBeTried(t *testing.T) {
	db, _, _ := twoTexts(t)
	again := upload(t, db, "acme", "u1", "The limit is 120.")
	hashes := column(t, db, `SELECT body ->> '$.text_hash' FROM entries WHERE kind = 'document.added' UNION SELECT body ->> '$.chunks_hash' FROM entries WHERE kind = 'document.added'`)
	if len(hashes) != 6 {
		t.Fatalf("%d hashes of three versions, of which two have the same text: %v", len(hashes), hashes)
	}
	for _, h := range hashes {
		if len(h) != 64 || h == seal.Hash("", "The limit is 120.") {
			t.Errorf("%q", h)
		}
	}
	if err := db.Catalog().Erase(t.Context(), resolve(t, db, "acme", "u1"), again.ID); err != nil {
		t.Fatal(err)
	}
	if n := column(t, db, `SELECT count(*) FROM texts`); n[0] != "2" {
		t.Errorf("the nonce of an erased text is still there: %v", n)
	}
	if said, err := db.TextsAgree(t.Context(), "acme"); err != nil || !strings.Contains(said, "2 versions") {
		t.Errorf("%s %v", said, err)
	}
}

func TestTheDatabaseRefusesToChangeATextOrAChunk(t *testing.T) {
	db, _, _ := twoTexts(t)
	for _, statement := range []string{`UPDATE texts SET text = 'x'`, `UPDATE texts SET nonce = ''`, `UPDATE chunks SET text = 'x'`, `UPDATE chunks SET id = 'x'`} {
		if _, err := db.writer.Exec(statement); err == nil || !strings.Contains(err.Error(), "are fixed") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

func TestATextIsCheckedOnceAProcess(t *testing.T) {
	db, one, two := twoTexts(t)
	ctx, s := t.Context(), resolve(t, db, "acme", "u1")
	if _, err := db.Texts().Text(ctx, s, one.ID); err != nil {
		t.Fatal(err)
	}
	disarm(t, db)
	if _, err := db.writer.Exec(`UPDATE texts SET text = 'x'`); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Texts().Text(ctx, s, one.ID); err != nil {
		t.Errorf("it is checked again: %v", err)
	}
	for range 2 { // what is changed is not remembered
		if _, err := db.Texts().Text(ctx, s, two.ID); problem.CodeOf(err) != "text_changed" {
			t.Errorf("%v", err)
		}
	}
}
