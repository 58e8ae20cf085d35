// Package brought keeps which versions came from which source, inside transactions of the driver that it
// is part of.
//
// A source is named by whoever brings its files, and belongs to them: the same name of somebody else is
// another source.
package brought

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Origin is where a version is from. Without a Source it came by itself, and nothing is kept.
type Origin struct {
	Owner  access.UserID
	Source string
	Path   string
}

// Condition selects the documents that an owner brought from a source, the two arguments it takes.
const Condition = `row IN (SELECT document FROM brought WHERE owner = ? AND source = ?)`

// Put remembers where a version that was just stored is from.
func Put(ctx context.Context, q row.Queries, document int64, o Origin) error {
	if o.Source == "" {
		return nil
	}
	_, err := q.ExecContext(ctx, `INSERT INTO brought (document, owner, source, path) VALUES (?, ?, ?, ?)`, document, o.Owner, o.Source, o.Path)
	return err
}

// Move remembers another place of what the source has brought already: of this version and those of the
// same key before it. A version that is from elsewhere stays so, whatever bytes the source has.
func Move(ctx context.Context, q row.Queries, document int64, o Origin) error {
	if o.Source == "" {
		return nil
	}
	_, err := q.ExecContext(ctx, `UPDATE brought SET path = ?1 WHERE owner = ?2 AND source = ?3 AND path <> ?1 AND document IN (
  SELECT old.row FROM documents AS old, documents AS new WHERE new.row = ?4 AND old.tenant = new.tenant AND old.base = new.base AND old.key = new.key)
AND EXISTS (SELECT 1 FROM brought WHERE document = ?4 AND owner = ?2 AND source = ?3)`, o.Path, o.Owner, o.Source, document)
	return err
}

// Place sets the place of a version that a list of a source holds; of a list of no source it sets nothing.
func Place(ctx context.Context, q row.Queries, document int64, source string, place *string) error {
	if source == "" {
		return nil
	}
	return q.QueryRowContext(ctx, `SELECT path FROM brought WHERE document = ?`, document).Scan(place)
}
