package versions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// KeyState hashes what a proposal must find unchanged, and returns the version in force; 0 if
// there is none. Uploads on their way are not versions yet. Deleted ones count, since they were
// there.
func KeyState(ctx context.Context, t *database.Tx, d corpus.Document) (state string, inForce int, err error) {
	rows, err := t.QueryContext(ctx, Select+`WHERE tenant = ? AND base = ? AND key = ? AND status <> 'reserved' ORDER BY version`,
		d.Tenant, d.KnowledgeBase, d.Key)
	all, err := row.Collect(rows, err, Scan)
	h := sha256.New()
	for _, v := range all {
		fmt.Fprintf(h, "%q %d %s %d\n", v.ID, v.Version, v.Status, v.LockVersion)
		if v.Status == access.StatusPublished {
			inForce = v.Version
		}
	}
	return hex.EncodeToString(h.Sum(nil)), inForce, err
}
