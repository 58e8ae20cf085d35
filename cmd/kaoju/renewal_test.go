package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/sqlite"
)

func TestAFolderOfAFormerAnalysisIsSearchedAfterItIsOpened(t *testing.T) {
	dir, note, ctx := t.TempDir(), filepath.Join(t.TempDir(), "pump.md"), context.Background()
	if err := os.WriteFile(note, []byte("# 水泵\n\n水泵每年检查一次，费用三千元。\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{{"kb", "create", "notes", "--data", dir}, {"add", note, "--kb", "notes", "--publish", "--data", dir}} {
		if status, out, errs := kaoju(t, line...); status != exitDone {
			t.Fatalf("kaoju %q: status %d\n%s%s", line, status, out, errs)
		}
	}
	db, err := sqlite.Open(ctx, dir, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := db.Segments().Outdated(ctx, func([]byte) bool { return true })
	if err != nil || len(all) != 1 {
		t.Fatalf("there are %d segments: %v", len(all), err)
	}
	// The mark of a segment, a checksum that nobody reads, and the number of the first analysis.
	if err := db.Segments().Renew(ctx, all[0], []byte("KJS\x01....\x01 and more")); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"水泵", "3000"} {
		var out, errs strings.Builder
		status := execute(ctx, []string{"search", query, "--data", dir}, map[string]string{"KAOJU_LOG_LEVEL": "info"}, strings.NewReader(""), &out, &errs)
		if status != exitDone || !strings.Contains(out.String(), "pump.md") {
			t.Errorf("searching for %s: status %d\n%s%s", query, status, &out, &errs)
		}
		if built := strings.Contains(errs.String(), "search segments were built again"); built != (query == "水泵") {
			t.Errorf("searching for %s built segments: %v\n%s", query, built, &errs)
		}
	}
}
