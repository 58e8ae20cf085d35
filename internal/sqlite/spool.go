package sqlite

import (
	"errors"
	"path/filepath"

	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/originals"
)

// Spool returns the folder for uploads on their way in. What a killed process left there is
// removed when the data folder is next opened by nobody else.
func (db *DB) Spool() string { return filepath.Join(db.core.Dir(), "spool") }

// Cache returns the folder for what can be made again from the rest. It is emptied when the data folder is
// next opened by nobody else, so that nothing outlives there what it was made of.
func (db *DB) Cache() string { return filepath.Join(db.core.Dir(), "cache") }

// emptySpool removes what is left in the spool and in the cache.
func (db *DB) emptySpool() error {
	return database.Translate(errors.Join(originals.Empty(db.Spool()), originals.Empty(db.Cache())))
}
