package sqlite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T, clock func() time.Time) storetest.Store {
		dir := volatile(t)
		db, err := sqlite.Open(context.Background(), dir, sqlite.Options{Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			agreed(t, db)
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
		s := store(db)
		s.Holds = func(t *testing.T, text string) []string { return holding(t, dir, text) }
		return s
	})
}

// agreed holds what a test has left of drafts and decisions against the ledger: whatever the product itself does, they agree.
func agreed(t *testing.T, db *sqlite.DB) {
	t.Helper()
	ctx := context.Background()
	tenants, err := db.Admin().Tenants(ctx)
	if err != nil {
		t.Error(err)
	}
	for _, tenant := range tenants {
		if _, err := db.DecisionsAgree(ctx, tenant); err != nil {
			t.Errorf("decisions of %s: %v", tenant, err)
		}
		if _, err := draft.HoldAll(ctx, db.Proof(), tenant, func(id draft.ID, held run.Integrity) {
			if held.Changed() {
				t.Errorf("draft %s of %s: %v", id, tenant, held.Problems)
			}
		}); err != nil {
			t.Errorf("drafts of %s: %v", tenant, err)
		}
	}
}

// volatile returns a folder in memory where the system has such a thing. The suite commits some ten
// thousand times and says nothing about the disk; the crash test works on a real one.
func volatile(t *testing.T) string {
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

// holding returns the files of a folder that hold a text, also as JSON writes it.
func holding(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(text)) || bytes.Contains(b, quoted[1:len(quoted)-1]) {
			found = append(found, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// store names what each accessor is for.
func store(db *sqlite.DB) storetest.Store {
	return storetest.Store{
		Directory: db.Directory(), Admin: db.Admin(), Tenancy: db.Tenancy(), Lexicons: db.Tenancy().Lexicons(), Vocabulary: db.Tenancy().Lexicons(), Auth: db.Auth(), Logins: db.Logins(),
		Identities: db.Identities(), Arrivals: db.Arrivals(),
		Approvals: db.Approvals(), Tasks: db.Tasks(), Memory: db.Memory(), Requests: db.Requests(), Drafts: db.Drafts(), Feedback: db.Feedback(), Catalog: db.Catalog(), Texts: db.Texts(),
		Publisher: db.Publisher(), Blobs: db.Blobs(), Bases: db.Bases(), Segments: db.Segments(), Archive: db.Segments(), Merged: db.Merged(), Embeddings: db.Vectors(), Vectors: db.Vectors(), VectorQueue: db.Vectors(), Recuts: db.Recuts(), RecutQueue: db.Recuts(), Queue: db.Queue(),
		Jobs: db.Jobs(), Journal: db.Journal(), Tapes: db.Proof(), Events: db.Events(), Ledger: db.Ledger(), Trees: db.Proof(), Results: db.Results(),
	}
}
