package database

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// opened returns a database with one table of words.
func opened(t *testing.T) *DB {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "kaoju.db")
	writer, reader := Connect(path, 1, false, false), Connect(path, 2, true, false)
	t.Cleanup(func() {
		if err := errors.Join(reader.Close(), writer.Close()); err != nil {
			t.Error(err)
		}
	})
	if _, err := writer.ExecContext(t.Context(), `CREATE TABLE words (word TEXT NOT NULL)`); err != nil {
		t.Fatal(err)
	}
	return New(dir, writer, reader, time.Now, false)
}

// writes returns work that writes a word, owes it to a list, and ends as it is told.
func writes(word string, owed *[]string, end error) Work {
	return func(ctx context.Context, t *Tx) error {
		t.After(func() { *owed = append(*owed, word) })
		_, err := t.ExecContext(ctx, `INSERT INTO words VALUES (?)`, word)
		return errors.Join(err, end)
	}
}

// holds demands that the table has the words, and that these alone were owed.
func holds(t *testing.T, db *DB, owed []string, want ...string) {
	t.Helper()
	var got []string
	err := db.Read(t.Context(), func(ctx context.Context, q *Tx) error {
		rows, err := q.QueryContext(ctx, `SELECT word FROM words ORDER BY rowid`)
		got, err = row.Collect(rows, err, row.Text[string])
		return err
	})
	if err != nil || !slices.Equal(got, want) || !slices.Equal(owed, want) {
		t.Errorf("the table has %q and %q was done, want %q: %v", got, owed, want, err)
	}
}

func TestWhatIsOwedIsDoneIfTheTransactionIsDurable(t *testing.T) {
	db := opened(t)
	var owed []string
	refused := problem.New(problem.Conflict, "refused", "No.")
	if err := db.Write(t.Context(), writes("undone", &owed, refused)); problem.CodeOf(err) != "refused" {
		t.Errorf("the refusal became %v", err)
	}
	holds(t, db, owed)
	if err := db.Write(t.Context(), writes("done", &owed, nil)); err != nil {
		t.Error(err)
	}
	holds(t, db, owed, "done")
}

func TestARefusedAttemptUndoesItselfAloneUnlessItIsKept(t *testing.T) {
	refused, kept := errors.New("refused"), errors.New("kept")
	for end, want := range map[error][]string{nil: {"before", "attempt", "after"}, refused: {"before", "after"}, kept: {"before", "attempt", "after"}} {
		db := opened(t)
		var owed []string
		var refusal error
		err := db.Write(t.Context(), func(ctx context.Context, q *Tx) (err error) {
			if err := writes("before", &owed, nil)(ctx, q); err != nil {
				return err
			}
			refusal, err = q.Attempt(ctx, writes("attempt", &owed, end), func(refusal error) bool { return errors.Is(refusal, kept) })
			return errors.Join(err, writes("after", &owed, nil)(ctx, q))
		})
		if err != nil || !errors.Is(refusal, end) {
			t.Errorf("of %v it says %v, %v", end, refusal, err)
		}
		holds(t, db, owed, want...)
	}
}
