// Package migration reads the numbered steps that bring a schema up to date, and how many of them a
// database has seen.
package migration

import (
	"context"
	"database/sql"
	"io/fs"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/problem"
)

// Steps returns the migrations in order. They are the files migrations/*.sql, whose names begin
// with their numbers, from 0001, without gaps; else it is problem.Internal "migrations".
func Steps(files fs.FS) ([]string, error) {
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

// Version returns the number of the last migration applied; 0 for an empty database.
func Version(ctx context.Context, t *sql.Tx) (int, error) {
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
