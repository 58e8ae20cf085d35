// Package evaluation keeps what came of evaluations.
package evaluation

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// insert stores a result with its summary. An id that the tenant has already is problem.Conflict
// "exists".
func insert(ctx context.Context, t *database.Tx, tenant access.TenantID, r eval.Result) error {
	r.Tenant = tenant
	record, err := json.Marshal(r)
	if err != nil || r.ID == "" {
		return problem.Wrap(err, problem.Internal, "record", "A result can't be written.")
	}
	r.Cases = []eval.CaseResult{}
	summary, err := json.Marshal(r)
	if err != nil {
		return problem.Wrap(err, problem.Internal, "record", "A result can't be written.")
	}
	done, err := t.ExecContext(ctx, `INSERT INTO evaluations (tenant, id, started_at, summary, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		tenant, r.ID, r.StartedAt.UnixMicro(), string(summary), string(record))
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return problem.New(problem.Conflict, "exists", "There is a result of this id already.")
}

// body is what the ledger keeps of a result: its id, the hash of its file, and counts.
func body(r eval.Result) map[string]any {
	passed := map[eval.Group][2]int{}
	for _, g := range r.Groups {
		passed[g.Group] = [2]int{g.Passed, g.Cases}
	}
	return map[string]any{
		"evaluation": r.ID, "file_hash": r.FileHash, "engine": r.Engine, "cases": len(r.Cases), "failed": r.Failures(),
		"unfinished": r.Unfinished, "groups": passed,
	}
}

// one reads a result; problem.NotFound if the tenant has none of the id.
func one(ctx context.Context, t *database.Tx, tenant access.TenantID, id string) (eval.Result, error) {
	var text string
	err := t.QueryRowContext(ctx, `SELECT record FROM evaluations WHERE tenant = ? AND id = ?`, tenant, id).Scan(&text)
	if err != nil {
		return eval.Result{}, row.Missing(err)
	}
	return read(text)
}

// page reads at most limit summaries, newest first: those after an item, if one is named by the
// microsecond of its beginning and its id.
func page(ctx context.Context, t *database.Tx, tenant access.TenantID, micros int64, id string, limit int) ([]eval.Result, error) {
	rows, err := t.QueryContext(ctx, `SELECT summary FROM evaluations WHERE tenant = ?1
AND (?2 = '' OR started_at < ?3 OR started_at = ?3 AND id < ?2) ORDER BY started_at DESC, id DESC LIMIT ?4`, tenant, id, micros, limit)
	return row.Collect(rows, err, func(r row.Scanner) (eval.Result, error) {
		text, err := row.Text[string](r)
		if err != nil {
			return eval.Result{}, err
		}
		return read(text)
	})
}

// read takes a stored result apart. One in a form that this program does not know is not guessed at.
func read(text string) (r eval.Result, err error) {
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.Format != 1 {
		return r, problem.Wrap(err, problem.Internal, "broken_record", "A result can't be read.")
	}
	return r, nil
}
