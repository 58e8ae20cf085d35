package migration_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/migration"
)

func TestStepsComeInTheOrderOfTheirNumbers(t *testing.T) {
	files := fstest.MapFS{
		"migrations/0002_b.sql": {Data: []byte("two")}, "migrations/0001_a.sql": {Data: []byte("one")}, "migrations/notes.txt": {}, "0003_c.sql": {},
	}
	got, err := migration.Steps(files)
	if d := cmp.Diff([]string{"one", "two"}, got); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	if got, err := migration.Steps(fstest.MapFS{}); err != nil || len(got) != 0 {
		t.Errorf("no files: %v, %v", got, err)
	}
}

func TestMigrationsOutOfOrderAreRefused(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"a gap":        {"migrations/0001_a.sql": {}, "migrations/0003_b.sql": {}},
		"no number":    {"migrations/first.sql": {}},
		"two of one":   {"migrations/0001_a.sql": {}, "migrations/0001_b.sql": {}},
		"not from one": {"migrations/0002_a.sql": {}},
	} {
		if _, err := migration.Steps(files); problem.CodeOf(err) != "migrations" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
