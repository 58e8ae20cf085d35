package prepared_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	engine "modernc.org/sqlite"

	"github.com/kaoju/kaoju/internal/sqlite/prepared"
)

// pool is a database of n connections that keep a few statements each, with rows b000, b001 and so on.
func pool(t *testing.T, n, rows int) *sql.DB {
	t.Helper()
	inner, err := engine.NewConnector("file:" + filepath.ToSlash(filepath.Join(t.TempDir(), "a.db")) + "?_pragma=journal_mode(wal)&_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(prepared.Connector{Connector: inner, Most: 3})
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	t.Cleanup(func() { db.Close() }) //nolint:errcheck // the folder goes with the test
	for _, query := range []string{`CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT UNIQUE)`,
		fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO a SELECT i, printf('b%%03d', i) FROM n`, rows-1)} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// above reads up to most of the rows above a text.
func above(ctx context.Context, db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, text string, most int,
) (out []string, err error) {
	found, err := db.QueryContext(ctx, `SELECT b FROM a WHERE b > ? ORDER BY b`, text)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for len(out) < most && found.Next() {
		var b string
		if err := found.Scan(&b); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, errors.Join(found.Err(), found.Close())
}

func TestAKeptStatementOutlivesRowsThatWereLeftOrCancelled(t *testing.T) {
	db := pool(t, 1, 1000)
	for round := range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		found, err := db.QueryContext(ctx, `SELECT b FROM a WHERE b > ? ORDER BY b`, "b500")
		if err != nil || !found.Next() {
			t.Fatal(err)
		}
		if round%2 == 0 {
			cancel() // in the middle of its rows
			for found.Next() {
			}
			if err := found.Err(); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		found.Close() //nolint:errcheck // what was cancelled says so again
		cancel()
		for _, want := range []int{700, 800, 998} {
			if got, err := above(t.Context(), db, fmt.Sprintf("b%03d", want), 1); err != nil || len(got) != 1 || got[0] != fmt.Sprintf("b%03d", want+1) {
				t.Fatalf("round %d: above %d: %v %v", round, want, got, err)
			}
		}
	}
}

func TestATransactionThatIsCancelledLeavesNothingBehind(t *testing.T) {
	db := pool(t, 1, 100)
	const insert, count = `INSERT INTO a (b) VALUES (?)`, `SELECT count(*) FROM a WHERE b LIKE ?`
	for round := range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(ctx, insert, "lost"); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(ctx, insert, "b007"); err == nil {
			t.Fatal("a value was stored twice")
		}
		if _, err := tx.ExecContext(ctx, insert, "lost too"); err != nil { // the statement that has just failed
			t.Fatal(err)
		}
		found, err := tx.QueryContext(ctx, `SELECT b FROM a WHERE b > ? ORDER BY b`, "b")
		if err != nil || !found.Next() {
			t.Fatal(err)
		}
		if round%2 == 0 {
			cancel()
		}
		_ = tx.Rollback() // with rows that are open
		found.Close()     //nolint:errcheck // its transaction is gone
		cancel()
		var lost, there int
		if err := errors.Join(db.QueryRow(count, "lost%").Scan(&lost), db.QueryRow(count, "b%").Scan(&there)); err != nil || lost != 0 || there != 100 {
			t.Fatalf("round %d: %d lost, %d there: %v", round, lost, there, err)
		}
		if got, err := above(t.Context(), db, "b098", 9); err != nil || len(got) != 1 || got[0] != "b099" {
			t.Fatalf("round %d: %v %v", round, got, err)
		}
	}
}

func TestATextOfManyStatementsIsWhollyDoneEachTime(t *testing.T) {
	db := pool(t, 1, 1)
	for i := range 5 {
		if _, err := db.Exec(`INSERT INTO a (b) VALUES (?1 || 'x'); UPDATE a SET b = b || 'y' WHERE b = ?1 || 'x'; -- and nothing else
`, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := db.QueryRow(`SELECT count(*) FROM a; SELECT count(*) FROM a WHERE b LIKE '%xy'`).Scan(&n); err != nil || n != i+1 {
			t.Fatalf("%d after %d: %v", n, i, err)
		}
	}
}

func TestManyConnectionsKeepTheirStatementsApart(t *testing.T) {
	db := pool(t, 6, 200)
	var work sync.WaitGroup
	for g := range 12 {
		work.Go(func() {
			for i := range 40 {
				ctx, cancel := context.WithCancel(t.Context())
				from := 100 + (7*g+i)%99
				if i%4 == 0 { // cancelled from beside
					go cancel()
				}
				got, err := above(ctx, db, fmt.Sprintf("b%03d", from), 3)
				switch {
				case err != nil && !errors.Is(err, context.Canceled) && !strings.Contains(err.Error(), "interrupt"):
					t.Error(err)
				case err == nil && (len(got) == 0 && ctx.Err() == nil || len(got) > 0 && got[0] != fmt.Sprintf("b%03d", from+1) && from < 199):
					t.Errorf("above %d: %v", from, got)
				}
				cancel()
				if i%8 == 1 {
					if _, err := db.Exec(`UPDATE a SET b = b WHERE id = ?`, i); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	work.Wait()
}
