package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// oneDraft makes a run that awaits review and saves two versions of its draft, each request under a
// key of its own. The run's conversation is the key's name, so that what was made can be found by it.
func oneDraft(ctx context.Context, db *DB, i int) error {
	r := &run.Run{ID: run.ID(row.Random("run_")), Tenant: "acme", Actor: "u1", Kind: run.ForDraft, State: run.Queued, Attempt: 1, CreatedAt: time.Now()}
	r.Conversation = row.Random("key_")
	err := keyed(ctx, db, "create-run", r.Conversation, func(ctx context.Context) error { return db.Journal().Create(ctx, r, nil) })
	if err != nil {
		return err
	}
	l, err := db.Journal().Claim(ctx, r.ID, time.Hour)
	if err != nil {
		return err
	}
	r.State, r.Step = run.Running, 1
	if err := db.Journal().Commit(ctx, run.Commit{Lease: l, Run: r}); err != nil {
		return err
	}
	r.State, r.Reason, r.Step = run.AwaitingReview, run.DraftReady, 2
	e := citation.Evidence{Ref: "S1", Document: "doc-none", Excerpt: "x", Hash: seal.Hash("", "x")}
	if err := db.Journal().Commit(ctx, run.Commit{Lease: l, Run: r, Evidence: []citation.Evidence{e}}); err != nil {
		return err
	}
	for base := range 2 {
		err := keyed(ctx, db, "save-draft", fmt.Sprint(r.Conversation, base), func(ctx context.Context) error {
			_, err := db.Drafts().Save(ctx, "acme", "u1", draft.Wish{Run: r.ID, Base: base, Title: "t", Body: fmt.Sprint("text ", i), Refs: []string{"S1"}})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// keyed does the work of a request with a key.
func keyed(ctx context.Context, db *DB, operation, name string, do func(context.Context) error) error {
	c, _, err := db.Requests().Claim(ctx, idempotency.Key{Tenant: "acme", Actor: "u1", Operation: operation, Name: name}, "d")
	if err != nil {
		return err
	}
	return do(idempotency.With(ctx, c))
}

// remembered is true of what was made when requests were made that are still remembered.
func remembered(column string) string { return column + ` >= (SELECT min(created_at) FROM requests)` }

// received checks that every request which made something has its receipt, and that every receipt
// names what is there.
func received(none func(what, query string)) {
	none("runs of a request without its receipt", `SELECT id FROM runs WHERE conversation LIKE 'key_%' AND `+remembered("created_at")+`
AND NOT EXISTS (SELECT 1 FROM requests q WHERE q.operation = 'create-run' AND nullif(q.receipt, '') ->> 'id' = runs.id)`)
	none("receipts of runs that are not there", `SELECT receipt FROM requests WHERE operation = 'create-run' AND receipt <> '' AND nullif(receipt, '') ->> 'id' NOT IN (SELECT id FROM runs)`)
	none("versions of drafts without their receipt", `SELECT draft || ' ' || no FROM draft_versions v
WHERE `+remembered("saved_at")+` AND NOT EXISTS (SELECT 1 FROM requests q WHERE q.operation = 'save-draft' AND nullif(q.receipt, '') ->> 'id' = v.draft AND nullif(q.receipt, '') ->> 'version' = v.no)`)
	none("receipts of versions that are not there", `SELECT receipt FROM requests q WHERE q.operation = 'save-draft' AND q.receipt <> ''
AND NOT EXISTS (SELECT 1 FROM draft_versions v WHERE v.draft = nullif(q.receipt, '') ->> 'id' AND v.no = nullif(q.receipt, '') ->> 'version')`)
	none("drafts whose versions have gaps", `SELECT id FROM drafts LEFT JOIN draft_versions ON draft = id GROUP BY id HAVING count(no) <> newest OR max(no) <> newest`)
	none("versions of drafts and entries that are not together", `SELECT draft FROM draft_versions v
WHERE 1 <> (SELECT count(*) FROM entries e WHERE e.kind = 'draft.saved' AND e.body ->> 'draft' = v.draft AND e.body ->> 'version' = v.no)`)
}
