package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite"
)

func TestOneServerOwnsAFolderWhileCommandsWorkOnIt(t *testing.T) {
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "data")
	server, err := sqlite.Open(ctx, dir, sqlite.Options{Serve: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(ctx, dir, sqlite.Options{Serve: true}); problem.CodeOf(err) != "folder_in_use" {
		t.Fatalf("a second server got %v", err)
	}
	command, err := sqlite.Open(ctx, dir, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Admin().CreateTenant(ctx, "acme", "Acme"); err != nil {
		t.Fatal(err)
	}
	if got, err := server.Admin().Tenants(ctx); err != nil || len(got) != 1 {
		t.Fatalf("the server sees %v, %v", got, err)
	}
	for _, db := range []*sqlite.DB{command, server} {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	again, err := sqlite.Open(ctx, dir, sqlite.Options{Serve: true})
	if err != nil {
		t.Fatalf("after the server closed: %v", err)
	}
	again.Close()
}

// What a server has merged has the words that held when it read the segments. Were they replaced under
// it, it would keep words that the next server took for those of the segments.
func TestSegmentsGetNewWordsByAServerOrWhereNobodyElseIs(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	waits := func(db *sqlite.DB) int {
		t.Helper()
		list, err := db.Tenancy().Lexicons().Reworded(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	opened := func(serve bool) *sqlite.DB {
		t.Helper()
		db, err := sqlite.Open(ctx, dir, sqlite.Options{Serve: serve})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	server := opened(true)
	if err := server.Admin().CreateTenant(ctx, "acme", "Acme"); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Tenancy().Lexicons().SetList(ctx, "acme", "root", lexicon.Change{Lines: []string{"劳动合"}, Words: "hash"}); err != nil {
		t.Fatal(err)
	}
	beside := opened(false)
	if n := waits(beside); n != 0 {
		t.Errorf("beside the server %d tenants are to be indexed", n)
	}
	server.Close()
	next := opened(true)
	if n := waits(next); n != 1 {
		t.Errorf("by a server, beside a command, %d tenants are to be indexed", n)
	}
	beside.Close()
	next.Close()
	alone := opened(false)
	defer alone.Close()
	if n := waits(alone); n != 1 {
		t.Errorf("where nobody else is %d tenants are to be indexed", n)
	}
}

func TestOnlyTheFirstToOpenAFolderSweepsUnfinishedUploads(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	first, err := sqlite.Open(ctx, dir, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	left := filepath.Join(dir, "blobs", "put-123")
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := sqlite.Open(ctx, dir, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
	if _, err := os.Stat(left); err != nil {
		t.Fatalf("an upload under way in another process was swept: %v", err)
	}
	first.Close()
	third, err := sqlite.Open(ctx, dir, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer third.Close()
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Fatalf("the leftover is still there: %v", err)
	}
}
