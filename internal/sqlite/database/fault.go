package database

import (
	"context"
	"errors"
	"io/fs"
	"os"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/kaoju/kaoju/internal/problem"
)

// LeaseLost refuses a worker whose token is not the last that was given.
func LeaseLost() error {
	return problem.New(problem.Conflict, "lease_lost", "Another worker has taken this over.")
}

// Translate is the one place where errors of the engine and of the file system become errors of
// the product.
func Translate(err error) error {
	var p *problem.Error
	var e *driver.Error
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil || errors.As(err, &p) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &path) || errors.As(err, &link):
		return problem.Wrap(err, problem.Unavailable, "storage", "The data folder can't be read or written.")
	case errors.As(err, &e):
		switch e.Code() & 0xff {
		case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
			return problem.Wrap(err, problem.Unavailable, "busy", "The database is in use by another process; try again.")
		case lib.SQLITE_FULL, lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY:
			return problem.Wrap(err, problem.Unavailable, "storage", "The data folder can't be read or written.")
		case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
			return problem.Wrap(err, problem.Internal, "storage_corrupt", "The database is damaged.")
		}
	}
	return problem.Wrap(err, problem.Internal, "storage", "The database failed.")
}
