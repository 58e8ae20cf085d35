// Package brought keeps which versions came from which source, inside transactions of the driver that it
// is part of.
//
// A source is named by whoever brings its files, and belongs to them: the same name of somebody else is
// another source.
package brought

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
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

// Put remembers where a version that was just stored is from. A key whose other versions are all from
// elsewhere is refused unless it is adopted.
func Put(ctx context.Context, q row.Queries, document int64, o Origin, adopt bool) error {
	if o.Source == "" {
		return nil
	}
	var taken bool
	err := q.QueryRowContext(ctx, `SELECT count(*) > 0 AND count(*) = count(*) FILTER (WHERE b.document IS NULL)
FROM documents AS new JOIN documents AS old ON old.tenant = new.tenant AND old.base = new.base AND old.key = new.key AND old.row <> new.row
LEFT JOIN brought AS b ON b.document = old.row AND b.owner = ?2 AND b.source = ?3
WHERE new.row = ?1 AND old.status NOT IN ('deleted', 'erased')`, document, o.Owner, o.Source).Scan(&taken)
	if err == nil && taken && !adopt {
		err = problem.New(problem.Conflict, "doc_key_taken", "A document that came another way has this key.")
	}
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO brought (document, owner, source, path) VALUES (?, ?, ?, ?)`, document, o.Owner, o.Source, o.Path)
	return err
}

// Move remembers another place of what the source has brought already: of this version and those of the
// same key before it. A version that is from elsewhere stays so, whatever bytes the source has; one that
// came by itself may be adopted.
func Move(ctx context.Context, q row.Queries, document int64, o Origin, adopt bool) error {
	if o.Source == "" {
		return nil
	}
	if adopt {
		_, err := q.ExecContext(ctx, `INSERT INTO brought (document, owner, source, path) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, document, o.Owner, o.Source, o.Path)
		if err != nil {
			return err
		}
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
