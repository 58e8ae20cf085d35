package sqlite

import (
	"context"
	"embed"
	"fmt"

	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/migration"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate applies the numbered migrations that the database has not seen, one transaction each.
// Several processes may do so at once: the version is read under the writer's lock.
func (db *DB) migrate(ctx context.Context) error {
	steps, err := migration.Steps(migrations)
	if err != nil {
		return err
	}
	for {
		done := false
		err := db.core.Write(ctx, func(ctx context.Context, t *database.Tx) error {
			version, err := migration.Version(ctx, t.Tx)
			switch {
			case err != nil:
				return err
			case version > len(steps):
				return problem.New(problem.Conflict, "schema_too_new",
					"The data folder %s was written by a newer version: its schema is %d, and this program knows %d.", db.core.Dir(), version, len(steps))
			case version == len(steps):
				done = true
				return nil
			}
			if _, err := t.ExecContext(ctx, steps[version]); err != nil {
				return fmt.Errorf("migration %d: %w", version+1, err)
			}
			_, err = t.ExecContext(ctx, `INSERT INTO schema_versions (version, applied_at) VALUES (?, ?)`, version+1, t.Now().UnixMicro())
			return err
		})
		if err != nil || done {
			return err
		}
	}
}
