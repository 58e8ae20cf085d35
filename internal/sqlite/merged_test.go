package sqlite

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/merged"
)

// interrupted is the store of merged segments with ten bytes a piece, which calls a function before
// each write. If that fails, so does the write.
func interrupted(db *DB, before func(n int) error) *merged.Store {
	n := 0
	return &merged.Store{Read: db.core.Read, Piece: 10, Write: func(ctx context.Context, body func(context.Context, *database.Tx) error) error {
		n++
		if err := before(n); err != nil {
			return err
		}
		return db.core.Write(ctx, body)
	}}
}

// A process that ends while it writes leaves pieces that nobody reads, at whichever write it ends.
// The next one removes them.
func TestAMergedSegmentThatIsNotWholeIsNotRead(t *testing.T) {
	db, ctx := filled(t, t.TempDir()), context.Background()
	d := upload(t, db, "acme", "u1", "text")
	content := bytes.Repeat([]byte("x"), 45)
	const writes = 7 // the row, five pieces, and that it is whole
	for end := range writes {
		killed := errors.New("killed")
		_, err := interrupted(db, func(n int) error {
			if n > end {
				return killed
			}
			return nil
		}).Keep(ctx, "acme", 0, retrieval.Joined{Versions: []corpus.DocumentID{d.ID}, Bytes: content})
		if !errors.Is(err, killed) {
			t.Fatalf("ended before write %d: %v", end+1, err)
		}
		if list, _, err := db.Merged().Merged(ctx, "acme"); err != nil || len(list) != 0 {
			t.Fatalf("ended before write %d: %v, %v", end+1, list, err)
		}
	}
	if got := column(t, db, `SELECT count(*) FROM merged`); got[0] != "6" {
		t.Errorf("%s rows are left of six writers that wrote one", got[0])
	}
	number, err := interrupted(db, func(int) error { return nil }).Keep(ctx, "acme", 0, retrieval.Joined{Versions: []corpus.DocumentID{d.ID}, Bytes: content})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Merged().Retain(ctx, "acme", []int64{number}); err != nil {
		t.Fatal(err)
	}
	list, _, err := db.Merged().Merged(ctx, "acme")
	if err != nil || len(list) != 1 || !bytes.Equal(list[0].Bytes, content) {
		t.Errorf("kept %v, %v", list, err)
	}
	if got := column(t, db, `SELECT sum(length(bytes)) FROM merged_pieces`); got[0] != "45" {
		t.Errorf("%s bytes are left", got[0])
	}
}

// Erasing a version takes what is half written with it, whenever it comes, and the writer is told.
func TestErasingTakesAMergedSegmentThatIsBeingWritten(t *testing.T) {
	ctx, content := context.Background(), []byte("words of the version that is erased meanwhile")
	for moment := 2; moment <= 7; moment++ {
		db := filled(t, t.TempDir())
		if err := db.Admin().PutUser(ctx, "acme", "root", access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}); err != nil {
			t.Fatal(err)
		}
		d := upload(t, db, "acme", "u1", "text")
		other := upload(t, db, "acme", "u1", "other")
		_, err := interrupted(db, func(n int) error {
			if n != moment {
				return nil
			}
			return access.Within(ctx, db.Directory(), access.Actor{Tenant: "acme", User: "u1"}, access.Request{View: access.Catalog}, func(s access.Scope) error {
				return db.Catalog().Erase(ctx, s, d.ID)
			})
		}).Keep(ctx, "acme", 0, retrieval.Joined{Versions: []corpus.DocumentID{other.ID, d.ID}, Bytes: content})
		if problem.CodeOf(err) != "merged_stale" {
			t.Errorf("erased before write %d: %v", moment, err)
		}
		if got := column(t, db, `SELECT count(*) FROM merged_pieces`); got[0] != "0" {
			t.Errorf("erased before write %d: %s pieces are left", moment, got[0])
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
