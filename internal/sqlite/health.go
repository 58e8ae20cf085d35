package sqlite

import (
	"context"
	"errors"
	"os"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Ready reports whether the database answers.
func (db *DB) Ready(ctx context.Context) error {
	var one int
	return translate(db.reader.QueryRowContext(ctx, `SELECT 1`).Scan(&one))
}

// Integrity looks at every page, every reference between rows and every original that a row
// names. It returns problem.Conflict "damaged", saying what it found first.
func (db *DB) Integrity(ctx context.Context) error {
	return db.read(ctx, func(ctx context.Context, t *tx) error {
		var verdict string
		if err := t.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" {
			return damaged("the database: " + verdict)
		}
		broken, err := t.QueryContext(ctx, `PRAGMA foreign_key_check`)
		if err != nil {
			return err
		}
		found := broken.Next()
		if err := errors.Join(broken.Err(), broken.Close()); err != nil {
			return err
		}
		if found {
			return damaged("a row refers to one that is not there")
		}
		return db.originals(ctx, t)
	})
}

// originals checks that every blob that is known is there with its size.
func (db *DB) originals(ctx context.Context, t *tx) error {
	rows, err := t.QueryContext(ctx, `SELECT checksum, size FROM blobs ORDER BY checksum`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var sum corpus.Checksum
		var size int64
		if err := rows.Scan(&sum, &size); err != nil {
			return err
		}
		info, err := os.Stat(db.originalFiles().Path(sum))
		if err != nil || info.Size() != size {
			return damaged("the original with checksum " + string(sum) + " is missing or cut short")
		}
	}
	return rows.Err()
}

func damaged(what string) error {
	return problem.New(problem.Conflict, "damaged", "The data folder is damaged: %s.", what)
}
