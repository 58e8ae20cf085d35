package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Events implements event.Log.
type Events struct{ DB *database.DB }

// After implements event.Log.
func (e *Events) After(ctx context.Context, runID string, n int64, limit int) (out []event.Event, err error) {
	err = e.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT run, sequence, attempt, type, time, data FROM events
WHERE run = ? AND sequence > ? ORDER BY sequence LIMIT ?`, runID, n, max(0, limit))
		out, err = row.Collect(rows, err, scanEvent)
		return err
	})
	return out, err
}

// Wait implements event.Log. Events that this process commits are told of at once; those of
// another process, such as a command's, are found by a poll.
func (e *Events) Wait(ctx context.Context, runID string, n int64) error {
	return e.DB.Events.Await(ctx, runID, func() (ok bool, err error) {
		err = e.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
			var last int64
			err := t.QueryRowContext(ctx, `SELECT events FROM runs WHERE id = ?`, runID).Scan(&last)
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			ok = last > n
			return err
		})
		return ok, err
	})
}

func scanEvent(r row.Scanner) (e event.Event, err error) {
	var micros int64
	var data string
	err = r.Scan(&e.RunID, &e.Sequence, &e.Attempt, &e.Type, &micros, &data)
	e.Time, e.Data = row.At(micros), json.RawMessage(data)
	return e, err
}

// Append numbers events on from those that the run has and returns the last number. The
// count is in the run's row, which the same transaction writes, so that numbers have no gap.
func Append(ctx context.Context, t *database.Tx, r *run.Run, last int64, events []event.Event) (int64, error) {
	for _, e := range events {
		last++
		data := string(e.Data)
		if data == "" {
			data = "{}"
		}
		_, err := t.ExecContext(ctx, `INSERT INTO events (run, sequence, attempt, type, time, data) VALUES (?, ?, ?, ?, ?, ?)`,
			r.ID, last, r.Attempt, e.Type, t.Now().UnixMicro(), data)
		if err != nil {
			return last, err
		}
	}
	if len(events) > 0 {
		t.After(func() { t.DB.Events.Ring(string(r.ID)) })
	}
	return last, nil
}
