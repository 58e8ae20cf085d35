// Package database is the open database of a data folder: its connections, which keep their prepared
// statements, and the transactions in which every store of the driver works.
//
// All writes of a process go through one connection, and reads run beside it, each in one snapshot.
// It knows the tenants' epochs, since whoever reads in a scope asks for one first, and no other table.
package database

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"strconv"
	"time"

	driver "modernc.org/sqlite"

	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/prepared"
	"github.com/kaoju/kaoju/internal/sqlite/wake"
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	// Jobs ring for "" when there may be something to do, and Events for a run that has new ones.
	Jobs, Events *wake.Bells

	dir     string
	writer  *sql.DB
	reader  *sql.DB
	clock   func() time.Time
	durable bool // whether writes wait for the disk
}

// keptStatements bounds the prepared statements that each connection keeps.
const keptStatements = 128

// BusyMillis bounds how long a transaction waits for the writer of another process.
const BusyMillis = 10_000

// New returns the database of a data folder over two pools that Connect made of it: one connection that writes, and
// those that read. Durable says whether writes wait for the disk. Whoever made the pools closes them.
func New(dir string, writer, reader *sql.DB, clock func() time.Time, durable bool) *DB {
	return &DB{Jobs: wake.New(), Events: wake.New(), dir: dir, writer: writer, reader: reader, clock: clock, durable: durable}
}

// Connect makes a pool of at most n connections. Deleted content is overwritten (secure_delete), a commit
// reaches the disk before it is reported (synchronous FULL, unless the folder is ephemeral), and the writer takes its lock at the
// start of a transaction, so that it never finds its snapshot out of date in the middle.
func Connect(path string, n int, readOnly, sync bool) *sql.DB {
	q := url.Values{}
	synchronous := "synchronous(FULL)"
	if !sync {
		synchronous = "synchronous(OFF)"
	}
	q.Add("_pragma", "busy_timeout("+strconv.Itoa(BusyMillis)+")")
	for _, p := range []string{"journal_mode(WAL)", synchronous, "foreign_keys(1)", "secure_delete(1)", "trusted_schema(0)"} {
		q.Add("_pragma", p)
	}
	if readOnly {
		q.Add("_pragma", "query_only(1)")
	} else {
		q.Set("_txlock", "immediate")
	}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	connector, err := driver.NewConnector(u.String())
	if err != nil {
		panic(err) // the address was written here
	}
	pool := sql.OpenDB(prepared.Connector{Connector: connector, Most: keptStatements})
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(n)
	return pool
}

// Dir returns the data folder.
func (db *DB) Dir() string { return db.dir }

// Durable reports whether writes wait for the disk.
func (db *DB) Durable() bool { return db.durable }

// Now returns the time, cut to what a row keeps.
func (db *DB) Now() time.Time { return db.clock().UTC().Truncate(time.Microsecond) }

// Ready reports whether the database answers.
func (db *DB) Ready(ctx context.Context) error {
	var one int
	return Translate(db.reader.QueryRowContext(ctx, `SELECT 1`).Scan(&one))
}

// Scour leaves nothing of what was erased in the database file and its log. Rebuilding the file
// frees it from what cells left in the slack of pages; a checkpoint that truncates the log waits
// for reads that began before, up to the time that any transaction waits.
func (db *DB) Scour(ctx context.Context) error {
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return Translate(err)
	}
	defer conn.Close() //nolint:errcheck // it goes back to the pool
	if _, err := conn.ExecContext(ctx, `VACUUM`); err != nil {
		return Translate(err)
	}
	var busy, frames, moved int
	if err := conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved); err != nil {
		return Translate(err)
	}
	if busy != 0 {
		return problem.New(problem.Unavailable, "busy", "The version is erased, but a long read still holds its bytes in the log: erase it again.")
	}
	return nil
}

// EmptyLog moves what was overwritten from the write-ahead log into the database and empties the
// log, in which deleted text would otherwise stay until later writes reach its place. It waits
// for no reader: while one holds a snapshot, the text stays until the next checkpoint.
func (db *DB) EmptyLog() {
	ctx := context.Background()
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return // the folder is being closed, which empties the log too
	}
	defer conn.Close() //nolint:errcheck // it goes back to the pool
	for _, statement := range []string{"PRAGMA busy_timeout = 0", "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA busy_timeout = " + strconv.Itoa(BusyMillis)} {
		_, _ = conn.ExecContext(ctx, statement)
	}
}
