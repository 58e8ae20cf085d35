// Package sqlite keeps all of the product's data in one folder: a SQLite database, and the
// original bytes as files beside it.
//
// It serves every storage seam through small types, one accessor each. All writes of a process go
// through one connection, and a method is one transaction: what must be true together is written
// together, with the tenant's epoch and its ledger entry. Reads run beside the writer on their
// own connections, each in one snapshot. Commands may work on the folder while a server runs,
// since SQLite's own lock orders the writers of all processes.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/blobs"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/lock"
	"github.com/kaoju/kaoju/internal/sqlite/pending"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/recuts"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/textseal"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
)

// Options say how to open a data folder. The zero Options are for a command.
type Options struct {
	// Clock returns the present time; nil means time.Now.
	Clock func() time.Time
	// Serve claims the folder as that of the one server: a second Open with Serve is
	// problem.Conflict "folder_in_use" until the first is closed. Commands open without it.
	Serve bool
	// Ephemeral is for a folder that is thrown away afterwards: nothing waits for the disk, so a
	// crash of the machine may damage it.
	Ephemeral bool
}

// DB is an open data folder. It is safe for concurrent use.
type DB struct {
	core   *database.DB
	writer *sql.DB
	reader *sql.DB
	first  bool // whether it was opened where no server runs, or by the server
	locks  []*lock.Hold
	key    ledger.Key
	texts  textseal.Known
	noted  sync.Map // hash of a credential → the minute of its last use that was written
}

// Open opens the data folder and brings its schema up to date. A folder that is not there is
// created, readable by its owner alone. What a killed process left behind is swept.
func Open(ctx context.Context, dir string, o Options) (*DB, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	for _, folder := range []string{"blobs", "spool", "cache"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			return nil, problem.Wrap(err, problem.Unavailable, "data_folder", "The data folder %s can't be created.", dir)
		}
	}
	db := &DB{}
	if err := db.open(ctx, dir, o); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func (db *DB) open(ctx context.Context, dir string, o Options) error {
	if err := errors.Join(private(filepath.Join(dir, "server.lock")), private(filepath.Join(dir, "open.lock"))); err != nil {
		return err
	}
	if o.Serve {
		l, ok, err := alone(ctx, filepath.Join(dir, "server.lock"))
		if err != nil {
			return err
		}
		if !ok {
			return problem.New(problem.Conflict, "folder_in_use", "Another server runs on the data folder %s.", dir)
		}
		db.locks = append(db.locks, l)
	}
	path := filepath.Join(dir, "kaoju.db")
	if err := private(path); err != nil {
		return err
	}
	db.writer = database.Connect(path, 1, false, !o.Ephemeral)
	db.reader = database.Connect(path, max(4, runtime.NumCPU()), true, !o.Ephemeral)
	db.core = database.New(dir, db.writer, db.reader, o.Clock, !o.Ephemeral)
	open := filepath.Join(dir, "open.lock")
	first, only, err := alone(ctx, open)
	if err != nil {
		return err
	}
	if db.key, err = proof.OpenKey(dir); err == nil {
		err = db.migrate(ctx)
	}
	if err == nil {
		err = db.Proof().Grow(ctx)
	}
	if err == nil {
		err = db.takeOver(ctx, only, o.Serve)
	}
	if only {
		first.Release()
	}
	if err != nil {
		return database.Translate(err)
	}
	l, err := lock.Shared(ctx, open, database.BusyMillis)
	if err != nil {
		return database.Translate(err)
	}
	db.locks = append(db.locks, l)
	return nil
}

// alone tries to hold a lock file alone; ok is false if anybody else holds it in any way.
func alone(ctx context.Context, path string) (h *lock.Hold, ok bool, err error) {
	h, err = lock.Exclusive(ctx, path)
	if err = database.Translate(err); problem.CodeOf(err) == "busy" {
		return nil, false, nil
	}
	return h, err == nil, err
}

// private makes a database file that nobody but its owner can read before SQLite writes into it,
// since the folder may be open to others, and closes one that is there. SQLite gives the files
// beside it, which hold the same text, the mode of the database.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return database.Translate(err)
	}
	if err := f.Close(); err != nil {
		return database.Translate(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Chmod(path+suffix, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return database.Translate(err)
		}
	}
	return nil
}

// takeOver inherits what processes before this one left, if it is alone, and frees the requests that
// a server before had under way, if it is the server.
func (db *DB) takeOver(ctx context.Context, alone, serve bool) (err error) {
	if db.first = alone || serve; alone {
		err = db.inherit(ctx)
	}
	if err == nil && serve {
		err = requests.Abandon(ctx, db.core)
	}
	return err
}

// inherit takes over what processes before this one left, when no other has the folder open: their
// temporary files are swept, their jobs are due at once, and their runs are interrupted.
func (db *DB) inherit(ctx context.Context) error {
	if err := errors.Join(blobs.Sweep(ctx, db.core), db.emptySpool()); err != nil {
		return err
	}
	if _, err := db.Queue().Recover(ctx); err != nil {
		return err
	}
	for _, jobs := range []pending.Table{vectors.Jobs, recuts.Jobs} {
		q := db.pending(jobs)
		if _, err := q.Recover(ctx); err != nil {
			return err
		}
	}
	_, err := db.Journal().Interrupt(ctx, db.core.Now().Add(365*24*time.Hour))
	return err
}

// Close ends the use of the folder. Calls under way fail.
func (db *DB) Close() error {
	var first error
	for _, pool := range []*sql.DB{db.reader, db.writer} {
		if pool != nil {
			if err := pool.Close(); err != nil && first == nil {
				first = err
			}
		}
	}
	for i := len(db.locks) - 1; i >= 0; i-- {
		db.locks[i].Release()
	}
	db.locks = nil
	return first
}
