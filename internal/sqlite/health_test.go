package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/blobs"
)

func TestAHealthyFolderIsReadyAndWhole(t *testing.T) {
	db, ctx := filled(t, t.TempDir()), context.Background()
	upload(t, db, "acme", "u1", "text")
	if err := db.Ready(ctx); err != nil {
		t.Error(err)
	}
	if err := db.Integrity(ctx); err != nil {
		t.Error(err)
	}
	db.Close()
	if err := db.Ready(ctx); err == nil {
		t.Error("a closed database is ready")
	}
}

func TestIntegrityFindsWhatIsDamaged(t *testing.T) {
	for want, damage := range map[string]func(*testing.T, *DB, string){
		"is missing or cut short": func(t *testing.T, _ *DB, blob string) {
			if err := os.Truncate(blob, 1); err != nil {
				t.Fatal(err)
			}
		},
		"has other bytes": func(t *testing.T, _ *DB, blob string) {
			if err := os.WriteFile(blob, []byte("tEXT"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"original with checksum": func(t *testing.T, _ *DB, blob string) {
			if err := os.Remove(blob); err != nil {
				t.Fatal(err)
			}
		},
		"a row refers to": func(t *testing.T, db *DB, _ string) {
			conn, err := db.writer.Conn(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close() //nolint:errcheck // the pool closes it
			for _, s := range []string{`PRAGMA foreign_keys = 0`, `INSERT INTO chunks VALUES ('c_orphan', 999, 1, '', '{}')`, `PRAGMA foreign_keys = 1`} {
				if _, err := conn.ExecContext(context.Background(), s); err != nil {
					t.Fatal(err)
				}
			}
		},
	} {
		db := filled(t, t.TempDir())
		d := upload(t, db, "acme", "u1", "text")
		damage(t, db, blobs.Files(db.core).Path(d.Checksum))
		if err := db.Integrity(context.Background()); problem.CodeOf(err) != "damaged" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

func TestEveryOriginalThatIsNotWhatItWasIsNamed(t *testing.T) {
	db := filled(t, t.TempDir())
	first, second, whole := upload(t, db, "acme", "u1", "one"), upload(t, db, "acme", "u1", "two"), upload(t, db, "acme", "u1", "three")
	for _, path := range []string{blobs.Files(db.core).Path(first.Checksum), blobs.Files(db.core).Path(second.Checksum)} {
		if err := os.WriteFile(path, []byte("xxx"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := db.Integrity(context.Background())
	if err == nil || !strings.Contains(err.Error(), string(first.Checksum)) || !strings.Contains(err.Error(), string(second.Checksum)) || strings.Contains(err.Error(), string(whole.Checksum)) {
		t.Errorf("got %v", err)
	}
}

func TestADatabaseWithBrokenPagesIsNotTakenForAWholeOne(t *testing.T) {
	dir := t.TempDir()
	db := filled(t, dir)
	upload(t, db, "acme", "u1", strings.Repeat("text ", 5000))
	db.Close()
	path := filepath.Join(dir, "kaoju.db")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(b) / 2; i < len(b); i++ {
		b[i] = 0xAA
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err = Open(context.Background(), dir, Options{})
	if err != nil {
		return // it is not even opened
	}
	defer db.Close() //nolint:errcheck // it is damaged
	if err := db.Integrity(context.Background()); err == nil {
		t.Fatal("half of the file was overwritten, and nothing was found")
	}
}
