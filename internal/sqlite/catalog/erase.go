package catalog

import (
	"context"
	"errors"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/blobs"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/contents"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/docket"
	"github.com/kaoju/kaoju/internal/sqlite/journal"
	"github.com/kaoju/kaoju/internal/sqlite/recuts"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// Erase implements corpus.Catalog. Erasing what is erased already removes again what could not be
// removed before, such as bytes in the log that a long read held there, or what a run still kept.
func (c *Documents) Erase(ctx context.Context, scope access.Scope, id corpus.DocumentID) error {
	var sum corpus.Checksum
	err := c.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) error {
		v, err := versions.Scan(t.QueryRowContext(ctx, versions.Select+`WHERE tenant = ? AND id = ? AND status <> 'reserved'`, scope.Tenant(), id))
		if err = row.Missing(err); err != nil {
			return err
		}
		if !versions.MayWrite(scope, v.Document, access.Manager) || !scope.Has(access.KnowledgeAdmin) && !scope.Unbounded() {
			return problem.Missing()
		}
		if sum = v.Checksum; v.Status == versions.Erased {
			_, err := blank(ctx, t, v.Document)
			return err
		}
		body := versions.Body(v.Document)
		body["was"], body["status"] = v.Status, versions.Erased
		n, err := strip(ctx, t, v)
		if err != nil {
			return err
		}
		body["runs"] = n
		return chain.Change(ctx, t, ledger.DocumentErased, v.Tenant, scope.Actor(), body)
	})
	if err != nil {
		return err
	}
	if err := c.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error { return blobs.Drop(ctx, t, sum) }); err != nil {
		return err
	}
	return c.DB.Scour(ctx)
}

// strip makes a version a tombstone: its content is gone from the database with this transaction,
// with whatever runs keep of it, and its original after it, unless another version has the same
// bytes. It returns how many runs were blanked.
func strip(ctx context.Context, t *database.Tx, v versions.Row) (int, error) {
	if err := versions.Withdraw(ctx, t, &v, versions.Erased); err != nil {
		return 0, err
	}
	for _, content := range []string{
		`DELETE FROM texts WHERE document = ?`, `DELETE FROM chunks WHERE document = ?`, `DELETE FROM segments WHERE document = ?`,
		`DELETE FROM brought WHERE document = ?`,
		`UPDATE documents SET title = '', source_uri = '', labels = '[]', notices = '[]' WHERE row = ?`,
	} {
		if _, err := t.ExecContext(ctx, content, v.Number); err != nil {
			return 0, err
		}
	}
	if err := errors.Join(vectors.Erase(ctx, t, v.Number), recuts.Erase(ctx, t, v.Number), contents.Erase(ctx, t, v.Number)); err != nil {
		return 0, err
	}
	blobs.DropAfter(ctx, t, v.Checksum)
	return blank(ctx, t, v.Document)
}

// blank removes what runs keep of a version, and the arguments of calls that a person wrote about the version or from
// what such a run said. It returns how many runs were changed.
func blank(ctx context.Context, t *database.Tx, d corpus.Document) (int, error) {
	n, read, err := journal.Blank(ctx, t, d)
	if err != nil {
		return 0, err
	}
	return n, docket.Blank(ctx, t, d.Tenant, string(d.ID), read)
}
