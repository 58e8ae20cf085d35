package journal

import (
	"context"
	"errors"
	"slices"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/erasure"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Blank removes what runs keep of a version: the passages they read, what they answered from
// them, its title among what they found, and their recordings, which show all of that. A run that lost something on
// its way has forgotten what it found, but the results of its tools that were recorded have not. A run that
// names the version in a question or in what it asked of a tool, and was shown nothing of it, stays as it is:
// else whoever may not see a version could tell by such a run that it was there. The ledger is told what is left of
// each that has ended. It returns how many runs were changed, and which of them had read the version.
func Blank(ctx context.Context, t *database.Tx, d corpus.Document) (n int, had []string, err error) {
	rows, err := t.QueryContext(ctx, selectRun+erasure.ShownOf, d.Tenant, d.ID, run.ScopeChanged)
	found, err := row.Collect(rows, err, scanRun)
	if err != nil {
		return 0, nil, err
	}
	for _, j := range found {
		read, err := erasure.Passages(ctx, t, j.ID, d.ID)
		if err != nil {
			return 0, nil, err
		}
		j.Run = erasure.Run(j.Run, d.ID, read > 0)
		if read > 0 {
			had = append(had, string(j.ID))
		}
		if err := errors.Join(j.Save(ctx, t), erasure.Beside(ctx, t, j.ID, read > 0)); err != nil {
			return 0, nil, err
		}
		if err := reduced(ctx, t, j.Run, d.ID); err != nil {
			return 0, nil, err
		}
	}
	return len(found), had, nil
}

// reduced tells the ledger what is left of a run. One that goes on is told of when it ends.
func reduced(ctx context.Context, t *database.Tx, r *run.Run, document corpus.DocumentID) error {
	if !r.State.Final() {
		return nil
	}
	e, err := erasure.Reduction(ctx, t, r, document)
	if err == nil {
		_, err = chain.Append(ctx, t, e)
	}
	return err
}

// leftOf tells the ledger of a run that ends what is left of it, if something was erased while it was under way:
// whoever told of its end did not know.
func leftOf(ctx context.Context, t *database.Tx, r *run.Run, blank bool) error {
	n, err := erasure.Emptied(ctx, t, r.ID)
	if err != nil || n == 0 && !blank {
		return err
	}
	return reduced(ctx, t, r, "")
}

// erasedOf returns those documents of a step that were erased while the run was under way; true
// for those that the run has read, in this step or before.
func erasedOf(ctx context.Context, t *database.Tx, before, r *run.Run, added []citation.Evidence) (map[corpus.DocumentID]bool, error) {
	named := map[corpus.DocumentID]bool{}
	for _, h := range slices.Concat(before.Hits, r.Hits) {
		named[h.Document] = false
		for _, v := range h.Versions {
			named[v.Document] = false
		}
	}
	rows, err := t.QueryContext(ctx, `SELECT DISTINCT document FROM evidence WHERE run = ?`, r.ID)
	read, err := row.Collect(rows, err, row.Text[corpus.DocumentID])
	if err != nil {
		return nil, err
	}
	for _, id := range read {
		named[id] = true
	}
	for _, e := range added {
		named[e.Document] = true
	}
	if len(named) == 0 {
		return nil, nil
	}
	var all []corpus.DocumentID
	for id := range named {
		all = append(all, id)
	}
	rows, err = t.QueryContext(ctx, `SELECT id FROM documents WHERE tenant = ? AND status = 'erased' AND id IN (SELECT value FROM json_each(?))`, r.Tenant, row.Marshal(all))
	gone, err := row.Collect(rows, err, row.Text[corpus.DocumentID])
	out := make(map[corpus.DocumentID]bool, len(gone))
	for _, id := range gone {
		out[id] = named[id]
	}
	return out, err
}
