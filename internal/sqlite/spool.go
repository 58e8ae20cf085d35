package sqlite

import (
	"path/filepath"

	"github.com/kaoju/kaoju/internal/sqlite/originals"
)

// Spool returns the folder for uploads on their way in. What a killed process left there is
// removed when the data folder is next opened by nobody else.
func (db *DB) Spool() string { return filepath.Join(db.dir, "spool") }

// emptySpool removes what is left in the spool.
func (db *DB) emptySpool() error { return translate(originals.Empty(db.Spool())) }
