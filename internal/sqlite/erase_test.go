package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// inFiles reports whether any file of a folder holds a word.
func inFiles(t *testing.T, dir, word string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		found = found || bytes.Contains(b, []byte(word))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestErasingBesideALongReadSaysThatItIsNotDoneYet(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	db := filled(t, dir)
	admin := access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}
	if err := db.Admin().PutUser(ctx, "acme", "root", admin); err != nil {
		t.Fatal(err)
	}
	const canary = "CANARY-7f3a91-in-the-text"
	d := upload(t, db, "acme", "u1", canary)
	// The writer has one connection, so that this shortens the wait of the erasure.
	if _, err := db.writer.Exec(`PRAGMA busy_timeout = 20`); err != nil {
		t.Fatal(err)
	}
	read, err := db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := read.QueryRow(`SELECT count(*) FROM entries`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	scope := resolve(t, db, "acme", "u1")
	if err := db.Catalog().Erase(ctx, scope, d.ID); problem.CodeOf(err) != "busy" || !problem.Is(err, problem.Unavailable) {
		t.Fatalf("erased beside a read: %v", err)
	}
	if !inFiles(t, dir, canary) {
		t.Fatal("the read holds nothing, so that the refusal was wrong")
	}
	if _, err := db.Catalog().Document(ctx, resolve(t, db, "acme", "u1"), d.ID); !problem.Is(err, problem.NotFound) {
		t.Fatalf("the version can still be seen: %v", err)
	}
	if err := read.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := db.Catalog().Erase(ctx, resolve(t, db, "acme", "u1"), d.ID); err != nil {
		t.Fatal(err)
	}
	if inFiles(t, dir, canary) {
		t.Fatal("erased text is still in a file of the folder")
	}
}
