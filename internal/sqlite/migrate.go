package sqlite

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/problem"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate applies the numbered migrations that the database has not seen, one transaction each.
// Several processes may do so at once: the version is read under the writer's lock.
func (db *DB) migrate(ctx context.Context) error {
	steps, err := load(migrations)
	if err != nil {
		return err
	}
	for {
		done := false
		err := db.write(ctx, func(ctx context.Context, t *tx) error {
			version, err := schemaVersion(ctx, t)
			switch {
			case err != nil:
				return err
			case version > len(steps):
				return problem.New(problem.Conflict, "schema_too_new",
					"The data folder %s was written by a newer version: its schema is %d, and this program knows %d.", db.dir, version, len(steps))
			case version == len(steps):
				done = true
				return nil
			}
			if _, err := t.ExecContext(ctx, steps[version]); err != nil {
				return fmt.Errorf("migration %d: %w", version+1, err)
			}
			_, err = t.ExecContext(ctx, `INSERT INTO schema_versions (version, applied_at) VALUES (?, ?)`, version+1, t.now.UnixMicro())
			return err
		})
		if err != nil || done {
			return err
		}
	}
}

// schemaVersion returns the number of the last migration applied; 0 for an empty database.
func schemaVersion(ctx context.Context, t *tx) (int, error) {
	_, err := t.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_versions (
  version    INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
) STRICT`)
	if err != nil {
		return 0, err
	}
	var version int
	err = t.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM schema_versions`).Scan(&version)
	return version, err
}

// load returns the migrations in order. Their names begin with their numbers, from 0001, without
// gaps.
func load(files fs.FS) ([]string, error) {
	names, err := fs.Glob(files, "migrations/*.sql") // in lexical order
	if err != nil {
		return nil, err
	}
	var out []string
	for i, name := range names {
		number, _, _ := strings.Cut(strings.TrimPrefix(name, "migrations/"), "_")
		if n, err := strconv.Atoi(number); err != nil || n != i+1 {
			return nil, problem.New(problem.Internal, "migrations", "Migration %s is out of order: number %d was expected.", name, i+1)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		out = append(out, string(text))
	}
	return out, nil
}
