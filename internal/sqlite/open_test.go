package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

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
