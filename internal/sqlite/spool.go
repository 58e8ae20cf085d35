package sqlite

import (
	"errors"
	"os"
	"path/filepath"
)

// Spool returns the folder for uploads on their way in. What a killed process left there is
// removed when the data folder is next opened by nobody else.
func (db *DB) Spool() string { return filepath.Join(db.dir, "spool") }

// emptySpool removes what is left in the spool.
func (db *DB) emptySpool() error {
	entries, err := os.ReadDir(db.Spool())
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(db.Spool(), e.Name())))
	}
	return translate(err)
}
