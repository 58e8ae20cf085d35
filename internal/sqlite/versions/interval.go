package versions

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// moment is when a change of what is in force happens: now, but not before the last such change of
// the key, so that intervals of one key never overlap, whatever the clock does.
func moment(ctx context.Context, t *database.Tx, d corpus.Document) (time.Time, error) {
	var last *int64
	err := t.QueryRowContext(ctx, `SELECT max(coalesce(f.closed, f.opened)) FROM in_force f JOIN documents d ON d.row = f.document
WHERE d.tenant = ? AND d.base = ? AND d.key = ?`, d.Tenant, d.KnowledgeBase, d.Key).Scan(&last)
	if err != nil || last == nil || t.Now().UnixMicro() >= *last {
		return t.Now(), err
	}
	return row.At(*last), nil
}

// enforce makes a version the published one of its key, archives the former one, and returns that.
func enforce(ctx context.Context, t *database.Tx, v *Row) ([]corpus.DocumentID, error) {
	when, err := moment(ctx, t, v.Document)
	if err != nil {
		return nil, err
	}
	rows, err := t.QueryContext(ctx, `UPDATE documents SET status = 'archived', lock_version = lock_version + 1
WHERE tenant = ? AND base = ? AND key = ? AND status = 'published' RETURNING row, id`, v.Tenant, v.KnowledgeBase, v.Key)
	former, err := row.Collect(rows, err, scanNamed)
	if err != nil {
		return nil, err
	}
	var archived []corpus.DocumentID
	for _, f := range former {
		archived = append(archived, f.id)
		if err := closeInterval(ctx, t, f.row, when); err != nil {
			return nil, err
		}
	}
	v.Status, v.PublishedAt = access.StatusPublished, when
	v.LockVersion++
	v.InForce = append(v.InForce, access.Interval{From: when})
	_, err = t.ExecContext(ctx, `UPDATE documents SET status = ?, published_at = ?, lock_version = ? WHERE row = ?`,
		v.Status, when.UnixMicro(), v.LockVersion, v.Number)
	if err != nil {
		return nil, err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO in_force (document, no, opened) SELECT ?1, coalesce(max(no), 0) + 1, ?2 FROM in_force WHERE document = ?1`,
		v.Number, when.UnixMicro())
	return archived, err
}

// Withdraw takes a version out of force, if it is in force, and gives its row another status.
func Withdraw(ctx context.Context, t *database.Tx, v *Row, status access.Status) error {
	if v.Status == access.StatusPublished {
		when, err := moment(ctx, t, v.Document)
		if err != nil {
			return err
		}
		if err := closeInterval(ctx, t, v.Number, when); err != nil {
			return err
		}
		v.InForce[len(v.InForce)-1].To = when
	}
	v.Status = status
	v.LockVersion++
	_, err := t.ExecContext(ctx, `UPDATE documents SET status = ?, lock_version = ? WHERE row = ?`, v.Status, v.LockVersion, v.Number)
	return err
}

func closeInterval(ctx context.Context, t *database.Tx, row int64, when time.Time) error {
	_, err := t.ExecContext(ctx, `UPDATE in_force SET closed = ? WHERE document = ? AND closed IS NULL`, when.UnixMicro(), row)
	return err
}

// named is a row with its id.
type named struct {
	row int64
	id  corpus.DocumentID
}

func scanNamed(r row.Scanner) (n named, err error) {
	err = r.Scan(&n.row, &n.id)
	return n, err
}
