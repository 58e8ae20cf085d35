// Package lock lets processes hold a file together or alone.
//
// A hold is a transaction kept open on an empty database file of its own. SQLite's file locks are
// the same on every system, tell apart two openings in one process, and end with the process, so
// that a killed server leaves nothing locked. Errors are the engine's own.
package lock

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"strconv"
)

// Hold is a lock that is held until Release.
type Hold struct {
	pool *sql.DB
	conn *sql.Conn
}

// Exclusive holds a lock file alone. It fails at once if anybody else holds it in any way.
func Exclusive(ctx context.Context, path string) (*Hold, error) {
	return begin(ctx, path, 0, "BEGIN EXCLUSIVE")
}

// Shared holds a lock file together with other sharers, after whoever holds it alone, for whom it
// waits a number of milliseconds.
func Shared(ctx context.Context, path string, wait int) (*Hold, error) {
	return begin(ctx, path, wait, "BEGIN", "SELECT count(*) FROM sqlite_schema")
}

func begin(ctx context.Context, path string, wait int, statements ...string) (*Hold, error) {
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: "_pragma=busy_timeout(" + strconv.Itoa(wait) + ")"}
	pool, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	h := &Hold{pool: pool}
	if h.conn, err = pool.Conn(ctx); err != nil {
		h.Release()
		return nil, err
	}
	for _, s := range statements {
		if _, err := h.conn.ExecContext(ctx, s); err != nil {
			h.Release()
			return nil, err
		}
	}
	return h, nil
}

// Release ends the hold. Closing the connection rolls its transaction back.
func (h *Hold) Release() {
	if h.conn != nil {
		_ = h.conn.Close()
	}
	_ = h.pool.Close()
}
