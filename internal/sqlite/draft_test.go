package sqlite

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// drafted stores a run of u1's that awaits review, with one version of its draft.
func drafted(t *testing.T, db *DB) draft.Draft {
	t.Helper()
	ctx := context.Background()
	r := &run.Run{ID: "run_1", Tenant: "acme", Actor: "u1", Kind: run.ForDraft, State: run.Queued, Attempt: 1, CreatedAt: time.Now()}
	if err := db.Journal().Create(ctx, r, nil); err != nil {
		t.Fatal(err)
	}
	l, err := db.Journal().Claim(ctx, r.ID, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	e := citation.Evidence{Ref: "S1", Document: "doc-1", Excerpt: "x", Hash: seal.Hash("", "x")}
	for _, r.State = range []run.State{run.Running, run.AwaitingReview} {
		r.Step++
		c := run.Commit{Lease: l, Run: r}
		if r.State == run.AwaitingReview {
			c.Evidence = []citation.Evidence{e}
		}
		if err := db.Journal().Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	d, err := db.Drafts().Save(ctx, "acme", "u1", draft.Wish{Run: "run_1", Title: "t", Body: "text [S1]", Refs: []string{"S1"}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheDatabaseRefusesToChangeAVersionOfADraft(t *testing.T) {
	db := filled(t, t.TempDir())
	drafted(t, db)
	for _, statement := range []string{
		`UPDATE draft_versions SET body = 'another'`,
		`UPDATE draft_versions SET title = 'another', body = ''`,
		`UPDATE draft_versions SET hash = 'another'`,
		`UPDATE draft_versions SET saved_at = saved_at + 1`,
		`UPDATE draft_versions SET titled = 1`,
		`UPDATE draft_versions SET record = '{"v":1}'`,
		`UPDATE draft_versions SET no = 2`,
		`DELETE FROM draft_versions`,
		`INSERT OR REPLACE INTO draft_versions SELECT draft, no, title, titled, 'another', hash, record, saved_at FROM draft_versions`,
	} {
		if _, err := db.writer.Exec(statement); err == nil || !strings.Contains(err.Error(), "are kept") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if _, err := db.writer.Exec(`UPDATE draft_versions SET title = '', body = ''`); err != nil {
		t.Errorf("what is erased can't be emptied: %v", err)
	}
}

// draftTampering are changes of what is stored of a draft, by somebody who writes to the database.
var draftTampering = map[string]string{
	"a text":                     `UPDATE draft_versions SET body = 'another [S1]' WHERE no = 1`,
	"a text with its hash":       `UPDATE draft_versions SET body = 'another', hash = 'x' WHERE no = 2`,
	"a text that is emptied":     `UPDATE draft_versions SET title = '', body = '', record = json_remove(record, '$.checks', '$.nonce') WHERE no = 1`,
	"a title":                    `UPDATE draft_versions SET title = 'another'`,
	"what it cites":              `UPDATE draft_versions SET record = json_set(record, '$.cited', json('[]')) WHERE no = 1`,
	"a record that is none":      `UPDATE draft_versions SET record = 'x' WHERE no = 2`,
	"a time":                     `UPDATE draft_versions SET saved_at = saved_at + 1 WHERE no = 1`,
	"a version less":             `DELETE FROM draft_versions WHERE no = 1`,
	"the newest version less":    `DELETE FROM draft_versions WHERE no = 2; UPDATE drafts SET newest = 1`,
	"a version more":             `INSERT INTO draft_versions SELECT draft, 3, title, titled, body, hash, record, saved_at FROM draft_versions WHERE no = 2; UPDATE drafts SET newest = 3`,
	"the number of the newest":   `UPDATE drafts SET newest = 1`,
	"the person":                 `UPDATE drafts SET actor = 'u2'`,
	"the run":                    `UPDATE drafts SET run = 'run_2'`,
	"the draft less":             `DELETE FROM draft_versions; DELETE FROM drafts`,
	"the draft under another id": `UPDATE draft_versions SET draft = 'draft_x'; UPDATE drafts SET id = 'draft_x'`,
	"the entry of a saving less": `DELETE FROM entries WHERE kind = 'draft.saved' AND body ->> '$.version' = 2`,
	"the entry of a saving":      `UPDATE entries SET time = time + 1 WHERE kind = 'draft.saved'`,
}

func TestWhateverIsChangedOfADraftInTheDatabaseIsTold(t *testing.T) {
	db, ctx := filled(t, t.TempDir()), context.Background()
	first := drafted(t, db)
	if _, err := db.Drafts().Save(ctx, "acme", "u1", draft.Wish{Run: "run_1", Base: 1, Title: "t", Body: "more [S1]", Refs: []string{"S1"}}); err != nil {
		t.Fatal(err)
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
	kept := []string{"drafts", "draft_versions", "entries"}
	exec(`PRAGMA foreign_keys = OFF`)
	for _, table := range kept {
		exec(`CREATE TABLE ` + table + `_before AS SELECT * FROM ` + table)
	}
	hold := func() (n draft.Tally, named []draft.ID) {
		t.Helper()
		n, err := draft.HoldAll(ctx, db.Proof(), "acme", func(id draft.ID, _ run.Integrity) { named = append(named, id) })
		if err != nil {
			t.Fatal(err)
		}
		return n, named
	}
	if n, _ := hold(); n != (draft.Tally{Drafts: 1}) {
		t.Fatalf("as it was: %+v", n)
	}
	if n, err := draft.HoldAll(ctx, db.Proof(), "globex", nil); err != nil || n != (draft.Tally{}) {
		t.Errorf("of another tenant: %+v %v", n, err)
	}
	for name, statement := range draftTampering {
		exec(statement)
		if n, named := hold(); n.Changed == 0 || !slices.Contains(named, first.ID) {
			t.Errorf("%s is told by nothing: %+v %v", name, n, named)
		}
		for _, table := range kept {
			exec(`DELETE FROM ` + table + `; INSERT INTO ` + table + ` SELECT * FROM ` + table + `_before`)
		}
	}
}

func TestADraftIsThereAfterTheFolderIsOpenedAgain(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	db := filled(t, dir)
	want := drafted(t, db)
	db.Close()
	db = opened(t, dir)
	got, err := db.Drafts().Draft(ctx, "acme", "u1", want.ID, 0)
	if err != nil || got.Body != want.Body || got.Hash != want.Hash || len(got.Cited) != 1 || got.Cited[0] != want.Cited[0] {
		t.Errorf("%+v %v, want %+v", got, err, want)
	}
	if _, err := db.Drafts().Save(ctx, "acme", "u1", draft.Wish{Run: "run_1", Base: 0, Title: "t", Body: "x"}); err == nil {
		t.Error("the folder forgot which version is the newest")
	}
}

func TestADraftWhoseRecordIsNotUnderstoodIsAnError(t *testing.T) {
	db := filled(t, t.TempDir())
	d := drafted(t, db)
	if _, err := db.writer.Exec(`DROP TRIGGER draft_versions_records_are_only_emptied`); err != nil {
		t.Fatal(err)
	}
	for _, broken := range []string{`{"v":2}`, `{`, ``} {
		if _, err := db.writer.Exec(`UPDATE draft_versions SET record = ?`, broken); err != nil {
			t.Fatal(err)
		}
		if got, err := db.Drafts().Draft(context.Background(), "acme", "u1", d.ID, 0); err == nil || got.Body != "" {
			t.Errorf("%q: %+v", broken, got)
		}
	}
}
