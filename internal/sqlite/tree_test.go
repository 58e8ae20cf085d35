package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
)

func TestAFolderFromBeforeThereWereTreesGrowsThemWhenItIsOpened(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	db := filled(t, dir)
	name := ledger.Name{Tenant: "acme"}
	want, err := db.Proof().Checkpoint(ctx, name, ledger.Latest)
	if err != nil {
		t.Fatal(err)
	}
	own := ledger.Name{Tenant: "acme", Person: "root"}
	wantOwn, err := db.Proof().Checkpoint(ctx, own, ledger.Latest)
	if err != nil || wantOwn.Tree.Size != 6 {
		t.Fatalf("%+v, %v", wantOwn, err)
	}
	for _, trigger := range []string{"nodes_are_kept", "places_are_kept"} {
		if _, err := db.writer.Exec(`DROP TRIGGER ` + trigger); err != nil {
			t.Fatal(err)
		}
	}
	for _, statement := range []string{`DELETE FROM nodes`, `DELETE FROM places`} {
		if _, err := db.writer.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := ledger.CheckTrees(ctx, db.Ledger(), db.Proof(), "acme"); err == nil {
		t.Fatal("a tree without hashes passes")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = opened(t, dir)
	for _, c := range []ledger.Checkpoint{want, wantOwn} {
		got, err := db.Proof().Checkpoint(ctx, c.Name, ledger.Latest)
		if err != nil || got != c {
			t.Errorf("grown anew, the log %v is %+v, %v", c.Name, got, err)
		}
	}
	if err := ledger.CheckTrees(ctx, db.Ledger(), db.Proof(), "acme"); err != nil {
		t.Error(err)
	}
}

func TestAChangedHashOfTheTreeIsFound(t *testing.T) {
	ctx := context.Background()
	for _, statement := range []string{
		`UPDATE nodes SET hash = zeroblob(32) WHERE log = '' AND no = (SELECT max(no) FROM nodes WHERE log = '')`,
		`UPDATE nodes SET hash = zeroblob(32) WHERE log = '' AND no = 6`,
		`DELETE FROM nodes WHERE log = ''`,
		`UPDATE nodes SET hash = zeroblob(32) WHERE log = 'person:root' AND no = (SELECT max(no) FROM nodes WHERE log = 'person:root')`,
		`DELETE FROM nodes WHERE log = 'person:root'`,
		`DELETE FROM places WHERE log = 'person:root' AND no = (SELECT max(no) FROM places WHERE log = 'person:root')`,
		`UPDATE places SET log = 'person:nobody' WHERE log = 'person:root' AND no = 5`,
	} {
		db := filled(t, t.TempDir())
		for _, trigger := range []string{"nodes_are_kept", "nodes_are_fixed", "places_are_kept", "places_are_fixed"} {
			if _, err := db.writer.Exec(`DROP TRIGGER ` + trigger); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.writer.Exec(statement); err != nil {
			t.Fatal(err)
		}
		if err := ledger.CheckTrees(ctx, db.Ledger(), db.Proof(), "acme"); err == nil {
			t.Errorf("%s is not found", statement)
		}
	}
}

// The operator rewrites the ledger with its trees and signs it anew. Only who kept a checkpoint sees.
func TestALedgerRewrittenWithItsTreesIsExposedByAKeptCheckpoint(t *testing.T) {
	ctx := context.Background()
	honest, lie := filled(t, t.TempDir()), opened(t, t.TempDir())
	kept, err := honest.Proof().Checkpoint(ctx, ledger.Name{Tenant: "acme"}, 5)
	if err != nil {
		t.Fatal(err)
	}
	if err := lie.Admin().CreateTenant(ctx, "acme", ""); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if _, err := lie.Ledger().Append(ctx, ledger.Entry{Tenant: "acme", Kind: ledger.Security, Actor: fmt.Sprint("u", i)}); err != nil {
			t.Fatal(err)
		}
	}
	lie.key = honest.key
	if _, err := ledger.Check(ctx, lie.Ledger(), "acme"); err != nil {
		t.Fatalf("the lie is whole in itself: %v", err)
	}
	if _, err := ledger.Check(ctx, lie.Ledger(), "acme", kept); problem.CodeOf(err) != "log_rewritten" {
		t.Errorf("the entries: %v", err)
	}
	p, err := lie.Proof().Consistency(ctx, kept.Name, kept.Tree.Size)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Verify(lie.key.Public(), kept); problem.CodeOf(err) != "log_rewritten" {
		t.Errorf("the proof: %v", err)
	}
}

func TestTheKeyIsMadeOnceAndIsItsOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	keys := make([]ledger.Public, 4)
	for i := range keys {
		wg.Go(func() {
			db, err := Open(context.Background(), dir, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			keys[i] = db.Proof().Key().Public()
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, k := range keys[1:] {
		if k != keys[0] || k == "" {
			t.Errorf("processes that opened a new folder together have the keys %v", keys)
		}
	}
	path := filepath.Join(dir, proof.KeyFile)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if db := opened(t, dir); db.key.Public() != keys[0] {
		t.Error("the key changed when the folder was opened again")
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key has the mode %v, %v", info.Mode(), err)
	}
	names, err := filepath.Glob(path + ".*")
	if err != nil || len(names) != 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

func TestAFileThatIsNoKeyIsAClearError(t *testing.T) {
	for _, text := range []string{"", "not a key", ledger.NewKey().Text()[:40]} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, proof.KeyFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(context.Background(), dir, Options{}); problem.CodeOf(err) != "ledger_key" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A proof takes as many steps in a long log as the logarithm of its length.
func TestAProofReadsAFewHashesOfALongLog(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, t.TempDir(), Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Admin().CreateTenant(ctx, "acme", ""); err != nil {
		t.Fatal(err)
	}
	const n = 3000
	err = db.core.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		for i := range n {
			if _, err := chain.Append(ctx, t, ledger.Entry{ID: fmt.Sprint("led_", i), Tenant: "acme", Actor: "u", Time: time.Unix(int64(i), 0)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	name := ledger.Name{Tenant: "acme"}
	err = db.core.Read(ctx, func(ctx context.Context, tx *database.Tx) error {
		reads := 0
		counted := ledger.Prover(func(numbers []int64) ([]ledger.Hash, error) {
			reads += len(numbers)
			return proof.Nodes(ctx, tx, name)(numbers)
		})
		for _, size := range []int64{1, 2, 1024, 2047, n} {
			for what, prove := range map[string]func() error{
				"tree":        func() error { _, err := counted.Tree(size); return err },
				"inclusion":   func() error { _, err := counted.Inclusion(size, size/3); return err },
				"consistency": func() error { _, err := counted.Consistency(size, (size+1)/2); return err },
			} {
				reads = 0
				if err := prove(); err != nil {
					return err
				}
				if reads > 40 {
					t.Errorf("%s at %d entries reads %d hashes", what, size, reads)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
