package sqlite_test

import (
	"context"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T, clock func() time.Time) storetest.Store {
		db, err := sqlite.Open(context.Background(), t.TempDir(), sqlite.Options{Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
		return store(db)
	})
}

// store names what each accessor is for.
func store(db *sqlite.DB) storetest.Store {
	return storetest.Store{
		Directory: db.Directory(), Admin: db.Admin(), Auth: db.Auth(), Catalog: db.Catalog(), Texts: db.Texts(),
		Publisher: db.Publisher(), Blobs: db.Blobs(), Bases: db.Bases(), Segments: db.Segments(), Queue: db.Queue(),
		Jobs: db.Jobs(), Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(),
	}
}
