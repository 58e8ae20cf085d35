package sqlite_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T, clock func() time.Time) storetest.Store {
		db, err := sqlite.Open(context.Background(), memory(t), sqlite.Options{Clock: clock})
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

// memory returns a folder in memory where the system has such a thing. The suite commits some ten
// thousand times and says nothing about the disk; the crash test works on a real one.
func memory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "kaoju-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// store names what each accessor is for.
func store(db *sqlite.DB) storetest.Store {
	return storetest.Store{
		Directory: db.Directory(), Admin: db.Admin(), Auth: db.Auth(), Catalog: db.Catalog(), Texts: db.Texts(),
		Publisher: db.Publisher(), Blobs: db.Blobs(), Bases: db.Bases(), Segments: db.Segments(), Queue: db.Queue(),
		Jobs: db.Jobs(), Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(),
	}
}
