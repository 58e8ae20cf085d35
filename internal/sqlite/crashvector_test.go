package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/problem"
)

// oneVector embeds some versions, leaves one in the middle, and changes the model now and then.
func oneVector(ctx context.Context, db *DB, i int) error {
	if i%7 == 0 {
		if err := db.Vectors().Want(ctx, embedding.Wanted{Model: fmt.Sprint("m", rand.IntN(3))}); err != nil {
			return err
		}
	}
	for range 3 {
		job, ok, err := db.Vectors().Claim(ctx, time.Hour)
		if err != nil || !ok {
			return err
		}
		if _, err = db.Vectors().Source(ctx, job.ID, job.Token); problem.Is(err, problem.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if rand.IntN(10) == 0 {
			return nil // its worker is never heard of again
		}
		if err := db.Vectors().Keep(ctx, job.ID, job.Token, embedding.Made{Segment: []byte("segment of " + job.Subject)}); err != nil {
			return err
		}
	}
	return nil
}

// embedded checks that every version has the vectors of the model or a job that is open, and that
// what is in force is complete.
func embedded(none func(what, query string)) {
	const searchable = `d.status IN ('draft', 'published', 'archived') AND d.chunk_count > 0`
	const model = `(SELECT name FROM embedding_model)`
	none("versions with neither vectors nor a job", `SELECT d.id FROM documents d WHERE `+searchable+` AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.document = d.row)
AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.document = d.row AND v.model = `+model+`)`)
	none("versions with vectors and a job", `SELECT d.id FROM documents d JOIN embeddings e ON e.document = d.row JOIN vectors v ON v.document = d.row AND v.model = `+model)
	none("vectors of what is not kept", `SELECT d.id FROM vectors v JOIN documents d ON d.row = v.document WHERE d.status IN ('reserved', 'erased')`)
	none("vectors of another version", `SELECT d.id FROM vectors v JOIN documents d ON d.row = v.document WHERE v.bytes <> CAST('segment of ' || d.id AS BLOB)`)
	none("jobs that nobody works on", `SELECT id FROM embeddings WHERE running OR due_at > 0`)
	none("tenants that wait for nothing under another model", `SELECT t.id FROM tenants t WHERE t.vector_model <> `+model+`
AND NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.tenant = t.id) AND EXISTS (SELECT 1 FROM vectors v JOIN documents d ON d.row = v.document WHERE d.tenant = t.id)`)
	none("tenants with vectors of a third model", `SELECT t.id FROM tenants t JOIN documents d ON d.tenant = t.id JOIN vectors v ON v.document = d.row
WHERE t.vector_model = `+model+` AND v.model <> t.vector_model`)
}
