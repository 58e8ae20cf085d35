package prepared_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	engine "modernc.org/sqlite"

	"github.com/kaoju/kaoju/internal/sqlite/prepared"
)

// counted counts what a connection below prepares and closes.
type counted struct {
	driver.Connector
	made map[string]int
	open *int
}

func (c counted) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return countedConn{made.(prepared.Inner), c}, nil
}

type countedConn struct {
	prepared.Inner
	counted
}

func (c countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.Inner.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.made[query]++
	*c.open++
	return countedStmt{s, c.open}, nil
}

type countedStmt struct {
	driver.Stmt
	open *int
}

func (s countedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

func (s countedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}

func (s countedStmt) Close() error {
	*s.open--
	return s.Stmt.Close()
}

// store is a database with one connection that keeps most statements, and what is counted below it.
type store struct {
	*sql.DB
	t *testing.T
	counted
}

func open(t *testing.T, most int) store {
	t.Helper()
	inner, err := engine.NewConnector("file:" + filepath.ToSlash(filepath.Join(t.TempDir(), "a.db")))
	if err != nil {
		t.Fatal(err)
	}
	c := counted{inner, map[string]int{}, new(int)}
	db := sql.OpenDB(prepared.Connector{Connector: c, Most: most})
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	s := store{db, t, c}
	s.exec(`CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT UNIQUE)`)
	return s
}

func (s store) exec(query string, args ...any) {
	s.t.Helper()
	if _, err := s.Exec(query, args...); err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
}

func (s store) count(query string, args ...any) (n int) {
	s.t.Helper()
	if err := s.QueryRow(query, args...).Scan(&n); err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
	return n
}

func TestAStatementIsPreparedOnce(t *testing.T) {
	s := open(t, 10)
	const insert, sum = `INSERT INTO a (b) VALUES (?)`, "\n\tselect\ncount(*) FROM a WHERE b >= ?"
	for i := range 5 {
		s.exec(insert, fmt.Sprint(i))
		if n := s.count(sum, "0"); n != i+1 {
			t.Fatalf("%d rows after %d", n, i+1)
		}
	}
	if s.made[insert] != 1 || s.made[sum] != 1 {
		t.Errorf("prepared %v", s.made)
	}
	if n := s.count(sum, "3"); n != 2 {
		t.Errorf("with another argument it finds %d", n)
	}
	s.Close()
	if *s.open != 0 {
		t.Errorf("%d statements are open after the connection", *s.open)
	}
}

func TestStatementsLeaveInTheOrderOfTheirUse(t *testing.T) {
	s := open(t, 3)
	q := func(i int) string { return fmt.Sprintf("SELECT count(*) + %d FROM a", i) }
	for _, i := range []int{1, 2, 3, 1, 4, 1, 2} {
		if n := s.count(q(i)); n != i {
			t.Fatalf("%d", n)
		}
		if *s.open > 3 {
			t.Fatalf("%d statements are open", *s.open)
		}
	}
	for i, want := range map[int]int{1: 1, 2: 2, 3: 1, 4: 1} {
		if s.made[q(i)] != want {
			t.Errorf("%d was prepared %d times, want %d", i, s.made[q(i)], want)
		}
	}
}

func TestAStatementWhoseRowsAreOpenIsNotUsedTwice(t *testing.T) {
	s := open(t, 1)
	s.exec(`INSERT INTO a (b) VALUES ('1'), ('2'), ('3')`)
	const all = `SELECT b FROM a ORDER BY id`
	tx, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback() //nolint:errcheck // the test reads
	var seen []string
	outer, err := tx.Query(all)
	if err != nil {
		t.Fatal(err)
	}
	for outer.Next() {
		var x string
		if err := outer.Scan(&x); err != nil {
			t.Fatal(err)
		}
		inner, err := tx.Query(all)
		if err != nil {
			t.Fatal(err)
		}
		for inner.Next() {
			var y string
			if err := inner.Scan(&y); err != nil {
				t.Fatal(err)
			}
			// Another statement would push the open one out of a store of one.
			var z int
			if err := tx.QueryRow(`SELECT 7 FROM a`).Scan(&z); err != nil || z != 7 {
				t.Fatal(z, err)
			}
			seen = append(seen, x+y)
		}
		if err := errors.Join(inner.Err(), inner.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(outer.Err(), outer.Close()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(seen, " "); got != "11 12 13 21 22 23 31 32 33" {
		t.Error(got)
	}
}

func TestAStatementFollowsAChangeOfTheSchema(t *testing.T) {
	s := open(t, 10)
	const all = `SELECT * FROM a`
	width := func() int {
		t.Helper()
		found, err := s.Query(all)
		if err != nil {
			t.Fatal(err)
		}
		defer found.Close()
		names, err := found.Columns()
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	if n := width(); n != 2 {
		t.Fatal(n)
	}
	s.exec(`ALTER TABLE a ADD COLUMN c TEXT`)
	if n := width(); n != 3 {
		t.Errorf("%d columns", n)
	}
	s.exec(`DROP TABLE a`)
	if _, err := s.Query(all); err == nil {
		t.Error("a table that is gone is read")
	}
	s.exec(`CREATE TABLE a (x)`)
	if n := width(); n != 1 {
		t.Errorf("%d columns of the new table", n)
	}
}

func TestAStatementThatFailedIsNotKept(t *testing.T) {
	s := open(t, 10)
	const insert = `INSERT INTO a (b) VALUES (?)`
	s.exec(insert, "1")
	before := *s.open
	if _, err := s.Exec(insert, "1"); err == nil {
		t.Fatal("a value was stored twice")
	}
	if *s.open != before-1 {
		t.Errorf("%d statements are open, %d before", *s.open, before)
	}
	s.exec(insert, "2")
	if n := s.count(`SELECT count(*) FROM a`); n != 2 {
		t.Errorf("%d rows", n)
	}
	if _, err := s.Exec(insert); err == nil {
		t.Error("an argument is missing and nothing was said")
	}
	if _, err := s.Query(`SELECT nothing FROM a`); err == nil {
		t.Error("an unknown column was read")
	}
}

func TestWhatChangesMoreThanRowsIsNotKept(t *testing.T) {
	s := open(t, 10)
	for _, n := range []int{1, 2} {
		s.exec(fmt.Sprintf("PRAGMA user_version = %d", n))
		if got := s.count(`PRAGMA user_version`); got != n {
			t.Errorf("user_version is %d, want %d", got, n)
		}
	}
	for query := range s.made {
		if strings.Contains(query, "PRAGMA") || strings.Contains(query, "CREATE") {
			t.Errorf("%s is kept", query)
		}
	}
}

func TestACancelledQueryLeavesAConnectionThatWorks(t *testing.T) {
	s := open(t, 10)
	s.exec(`INSERT INTO a (b) VALUES ('1')`)
	const endless = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		found, err := s.QueryContext(ctx, endless)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			if !found.Next() {
				t.Fatalf("no row %d", i)
			}
		}
		cancel()
		for found.Next() { // until the end of the context is noticed
		}
		if err := found.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		found.Close()
		if n := s.count(`SELECT count(*) FROM a`); n != 1 {
			t.Errorf("%d rows", n)
		}
	}
}

func TestAConnectionOfAnotherFormIsRefused(t *testing.T) {
	bare := connector{}
	if _, err := (prepared.Connector{Connector: bare, Most: 1}).Connect(t.Context()); err == nil {
		t.Error("a connection without contexts was taken")
	}
}

type connector struct{ driver.Connector }

func (connector) Connect(context.Context) (driver.Conn, error) { return bareConn{}, nil }

type bareConn struct{ driver.Conn }

func (bareConn) Close() error { return nil }
