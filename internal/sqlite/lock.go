package sqlite

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"strconv"

	"github.com/kaoju/kaoju/internal/problem"
)

// lock is a transaction held open on an empty database file of its own. SQLite's file locks are
// the same on every system, tell apart two openings in one process, and end with the process, so
// that a killed server leaves nothing locked.
type lock struct {
	pool *sql.DB
	conn *sql.Conn
}

// exclusive tries to hold a lock file alone; ok is false if anybody else holds it in any way.
func exclusive(ctx context.Context, path string) (l *lock, ok bool, err error) {
	l, err = begin(ctx, path, 0, "BEGIN EXCLUSIVE")
	if problem.CodeOf(err) == "busy" {
		return nil, false, nil
	}
	return l, err == nil, err
}

// shared holds a lock file together with other sharers, after whoever holds it alone.
func shared(ctx context.Context, path string) (*lock, error) {
	return begin(ctx, path, busyMillis, "BEGIN", "SELECT count(*) FROM sqlite_schema")
}

func begin(ctx context.Context, path string, wait int, statements ...string) (*lock, error) {
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: "_pragma=busy_timeout(" + strconv.Itoa(wait) + ")"}
	pool, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, translate(err)
	}
	l := &lock{pool: pool}
	if l.conn, err = pool.Conn(ctx); err != nil {
		l.release()
		return nil, translate(err)
	}
	for _, s := range statements {
		if _, err := l.conn.ExecContext(ctx, s); err != nil {
			l.release()
			return nil, translate(err)
		}
	}
	return l, nil
}

// release ends the hold. Closing the connection rolls its transaction back.
func (l *lock) release() {
	if l.conn != nil {
		_ = l.conn.Close()
	}
	_ = l.pool.Close()
}
