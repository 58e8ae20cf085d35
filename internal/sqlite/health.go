package sqlite

import (
	"context"
	"errors"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/sqlite/blobs"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/docket"
	"github.com/kaoju/kaoju/internal/sqlite/textseal"
)

// Ready reports whether the database answers.
func (db *DB) Ready(ctx context.Context) error {
	return db.core.Ready(ctx)
}

// Integrity looks at every page, every reference between rows and every original that a row
// names, whose bytes it reads. It returns problem.Conflict "damaged", saying what it found first, or which
// originals are not what they were.
func (db *DB) Integrity(ctx context.Context) error {
	return db.core.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		var verdict string
		if err := t.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" {
			return blobs.Damaged("the database: " + verdict)
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
			return blobs.Damaged("a row refers to one that is not there")
		}
		return blobs.Check(ctx, t)
	})
}

// TextsAgree checks the text and the chunks of every version of a tenant against the ledger's entry of the version, and
// says what it found. Texts that were changed are problem.Conflict "text_changed", with their names.
func (db *DB) TextsAgree(ctx context.Context, tenant access.TenantID) (string, error) {
	n, err := textseal.All(ctx, db.core.Read, tenant)
	if err != nil {
		return "", err
	}
	return n.Verdict()
}

// DecisionsAgree checks every proposal of a tenant, with its decision, against the ledger's entries of it, and says what it
// found. Those that were changed are problem.Conflict "record_changed", with their names.
func (db *DB) DecisionsAgree(ctx context.Context, tenant access.TenantID) (string, error) {
	return docket.Agree(ctx, db.core.Read, tenant)
}
