package sqlite

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/migration"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file under testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Fatalf("%s differs (go test -update writes it anew): %s", path, d)
	}
}

func opened(t *testing.T, dir string) *DB {
	t.Helper()
	db, err := Open(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() }) //nolint:errcheck // a test may have closed it
	return db
}

// column reads one column of text.
func column(t *testing.T, db *DB, query string, args ...any) []string {
	t.Helper()
	rows, err := db.reader.Query(query, args...)
	out, err := row.Collect(rows, err, row.Text[string])
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

func TestMigrationsMakeTheCheckedInSchema(t *testing.T) {
	db := opened(t, t.TempDir())
	parts := column(t, db, `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type, name`)
	golden(t, "schema.sql", strings.Join(parts, ";\n\n")+";\n")
}

func TestOpeningAgainMigratesNothing(t *testing.T) {
	dir := t.TempDir()
	opened(t, dir).Close()
	db := opened(t, dir)
	steps, err := migration.Steps(migrations)
	if err != nil {
		t.Fatal(err)
	}
	if got := column(t, db, `SELECT version FROM schema_versions`); len(got) != len(steps) {
		t.Fatalf("versions %v after %d migrations", got, len(steps))
	}
}

func TestAFolderOfTheFirstSchemaIsBroughtUpToDate(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	steps, err := migration.Steps(migrations)
	if err != nil {
		t.Fatal(err)
	}
	first := database.Connect(filepath.Join(dir, "kaoju.db"), 1, false, true)
	for _, statement := range []string{
		`CREATE TABLE schema_versions (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT`, `INSERT INTO schema_versions VALUES (1, 0)`,
		steps[0], `INSERT INTO tenants (id, name, created_at) VALUES ('acme', '', 0)`,
	} {
		if _, err := first.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	for i, v := range [][3]string{
		{"k", "archived", `"inherit"`}, {"k", "archived", `{"deny":["user:x"]}`}, {"k", "published", `{"deny":["user:a"]}`},
		{"k", "draft", `{"deny":["user:a"]}`}, {"k", "draft", `"inherit"`},
		{"alone", "archived", `{"deny":["user:b"]}`}, {"alone", "draft", `"inherit"`}, {"alone", "draft", `{"allow":[]}`},
	} {
		_, err := first.Exec(`INSERT INTO documents (tenant, id, base, key, version, status, title, source_uri, policy, checksum, media_type, language, size,
  labels, notices, chunk_count, char_count, lock_version, created_at, updated_at, published_at, titled)
VALUES ('acme', ?, 'kb', ?, ?, ?, '', '', ?, '', '', '', 0, '[]', '[]', 0, 0, 1, 0, 0, 0, 0)`, fmt.Sprint("d", i), v[0], i+1, v[1], v[2])
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := Open(ctx, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	want := []string{
		`{"deny":["user:a"]} 0`, `{"deny":["user:a"]} 0`, `{"deny":["user:a"]} 0`, `{"deny":["user:a"]} 0`, `"inherit" 1`,
		`{"deny":["user:b"]} 0`, `"inherit" 0`, `{"allow":[]} 1`,
	}
	if d := cmp.Diff(want, column(t, db, `SELECT policy || ' ' || own_policy FROM documents ORDER BY version`)); d != "" {
		t.Error(d)
	}
}

func TestANewerSchemaIsRefused(t *testing.T) {
	dir := t.TempDir()
	db := opened(t, dir)
	if _, err := db.writer.Exec(`INSERT INTO schema_versions (version, applied_at) VALUES (999, 0)`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	if _, err := Open(context.Background(), dir, Options{}); problem.CodeOf(err) != "schema_too_new" {
		t.Fatalf("got %v", err)
	}
}

func TestConnectionsHaveTheirSettings(t *testing.T) {
	db := opened(t, t.TempDir())
	for pragma, want := range map[string]string{"journal_mode": "wal", "secure_delete": "1", "foreign_keys": "1", "synchronous": "2", "trusted_schema": "0"} {
		for name, pool := range map[string]*sql.DB{"writer": db.writer, "reader": db.reader} {
			var got string
			if err := pool.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s of the %s: %q, %v", pragma, name, got, err)
			}
		}
	}
	if _, err := db.reader.Exec(`DELETE FROM tenants`); err == nil {
		t.Error("a reading connection wrote")
	}
}

func TestTheFolderIsItsOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	opened(t, dir)
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "blobs"): 0o700, filepath.Join(dir, "kaoju.db"): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has the mode %o, want %o", path, got, want)
		}
	}
}

func TestTheFilesOfAWideFolderAreTheirOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files := []string{"kaoju.db", "kaoju.db-wal", "kaoju.db-shm", "open.lock", "server.lock"}
	private := func(when string) {
		t.Helper()
		for _, name := range files {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatalf("%s: %v", when, err)
			}
			if got := info.Mode().Perm(); got != 0o600 {
				t.Errorf("%s: %s has the mode %o", when, name, got)
			}
		}
	}
	first, err := Open(context.Background(), dir, Options{Serve: true})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	private("new")
	for _, name := range files {
		if err := os.Chmod(filepath.Join(dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	opened(t, dir)
	private("widened by somebody, and opened again")
}

func TestTheDatabaseIsPrivateBeforeAnythingIsInIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kaoju.db")
	if err := private(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() != 0 || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
}

func TestAFolderThatCannotBeMadeIsAClearError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), filepath.Join(file, "data"), Options{}); problem.CodeOf(err) != "data_folder" {
		t.Fatalf("got %v", err)
	}
}

func TestAFileThatIsNoDatabaseIsAClearError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kaoju.db"), []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), dir, Options{}); problem.CodeOf(err) != "storage_corrupt" {
		t.Fatalf("got %v", err)
	}
}
