// Package vectors keeps the vectors of versions and the jobs that make them, inside transactions of
// the driver that it is part of.
package vectors

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/pending"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Store implements embedding.Store and retrieval.Vectors, and queue.Queue for the jobs of vectors: a job is written with
// the version that needs it, or when the model changes, and goes with the vectors.
type Store struct{ pending.Queue }

// Jobs are the jobs of vectors. The text of a tenant has to be allowed to go to the model.
var Jobs = pending.Table{
	Name: "embeddings", Turn: "vector_turn", Stage: "embed",
	Allowed: ` (local_only = 0 OR NOT EXISTS (SELECT 1 FROM embedding_model WHERE remote)) `,
	Refusal: "The text of this tenant must not leave the premises.",
}

// searchable are the statuses of versions that any scope could admit.
const searchable = pending.Searchable

// Open makes a job of a version that was just stored, if there is a model and it has chunks.
func Open(ctx context.Context, q row.Queries, document int64) error {
	return Jobs.Open(ctx, q, `, embedding_model WHERE row = ? AND chunk_count > 0`, document)
}

// Withdraw lets the vectors of a version go from the memory of servers, with whatever the tenant's number
// moves for next. No scope admits them meanwhile.
func Withdraw(ctx context.Context, q row.Queries, document int64) error {
	return note(ctx, q, document)
}

// Erase removes what was made of a version, and its job, which may be the last that a model waits for.
func Erase(ctx context.Context, q row.Queries, document int64) error {
	return without(ctx, q, document, func() error { return nil })
}

// Again removes what was made of the former chunks of a version, and makes a job of its present ones. A worker that is
// still at the former ones has lost its job.
func Again(ctx context.Context, q row.Queries, document int64) error {
	return without(ctx, q, document, func() error { return Open(ctx, q, document) })
}

// without removes what was made of a version and its job, does what is to be done then, and settles what waited for it.
func without(ctx context.Context, q row.Queries, document int64, then func() error) error {
	if err := note(ctx, q, document); err != nil {
		return err
	}
	for _, statement := range []string{
		`UPDATE tenants SET vector_mark = vector_mark + 1 WHERE id = (SELECT tenant FROM documents WHERE row = ?)`,
		`DELETE FROM vectors WHERE document = ?`, `DELETE FROM embeddings WHERE document = ?`,
	} {
		if _, err := q.ExecContext(ctx, statement, document); err != nil {
			return err
		}
	}
	if err := then(); err != nil {
		return err
	}
	var tenant access.TenantID
	if err := q.QueryRowContext(ctx, `SELECT tenant FROM documents WHERE row = ?`, document).Scan(&tenant); err != nil {
		return err
	}
	return settle(ctx, q, tenant)
}

// end removes a job that has nothing left to do.
func end(ctx context.Context, t *database.Tx, j pending.Job) error {
	if err := Jobs.End(ctx, t, j.ID); err != nil {
		return err
	}
	return settle(ctx, t, j.Tenant)
}
