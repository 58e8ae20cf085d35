// Package proof keeps what proves the ledger in a data folder: the Merkle trees over its entries, in
// tables that are written in the transaction of the entry, and the key that signs them, in a file
// of its own. It works inside transactions that its caller holds, and returns the engine's errors
// as they are.
package proof

import (
	"context"
	"database/sql"
	"errors"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
)

// logOf is the column by which a log goes.
func logOf(name ledger.Name) string {
	if name.Person == "" {
		return ""
	}
	return "person:" + name.Person
}

// Size returns how many entries a log has.
func Size(ctx context.Context, t *database.Tx, name ledger.Name) (n int64, err error) {
	if name.Person == "" {
		err = t.QueryRowContext(ctx, `SELECT coalesce(max(sequence), 0) FROM heads WHERE tenant = ?`, name.Tenant).Scan(&n)
		return n, err
	}
	err = t.QueryRowContext(ctx, `SELECT coalesce(max(no) + 1, 0) FROM places WHERE tenant = ? AND log = ?`, name.Tenant, logOf(name)).Scan(&n)
	return n, err
}

// Place returns where an entry stands in a log, from 0; sql.ErrNoRows if the log has no entry of the id.
func Place(ctx context.Context, t *database.Tx, name ledger.Name, id string) (place int64, err error) {
	if name.Person == "" {
		err = t.QueryRowContext(ctx, `SELECT sequence - 1 FROM entries WHERE tenant = ? AND id = ?`, name.Tenant, id).Scan(&place)
		return place, err
	}
	err = t.QueryRowContext(ctx, `SELECT p.no FROM entries e JOIN places p ON p.tenant = e.tenant AND p.sequence = e.sequence
WHERE e.tenant = ? AND e.id = ? AND p.log = ?`, name.Tenant, id, logOf(name)).Scan(&place)
	return place, err
}

// Nodes reads hashes of a log's tree inside a transaction.
func Nodes(ctx context.Context, t *database.Tx, name ledger.Name) ledger.Prover {
	return func(numbers []int64) ([]ledger.Hash, error) {
		out := make([]ledger.Hash, len(numbers))
		for i, no := range numbers {
			var hash []byte
			err := t.QueryRowContext(ctx, `SELECT hash FROM nodes WHERE tenant = ? AND log = ? AND no = ?`, name.Tenant, logOf(name), no).Scan(&hash)
			if errors.Is(err, sql.ErrNoRows) {
				return nil, problem.New(problem.Internal, "ledger_tree", "A hash of the ledger's tree is missing.")
			}
			if err != nil {
				return nil, err
			}
			copy(out[i][:], hash)
		}
		return out, nil
	}
}

// Plant adds an entry to the trees of its tenant and of its person.
func Plant(ctx context.Context, t *database.Tx, e ledger.Entry) error {
	if err := leaf(ctx, t, ledger.Name{Tenant: e.Tenant}, e.Sequence-1, e); err != nil {
		return err
	}
	own := ledger.Name{Tenant: e.Tenant, Person: e.Actor}
	var n int64
	err := t.QueryRowContext(ctx, `SELECT coalesce(max(no) + 1, 0) FROM places WHERE tenant = ? AND log = ?`, e.Tenant, personal(e)).Scan(&n)
	if err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `INSERT INTO places (tenant, log, no, sequence) VALUES (?, ?, ?, ?)`, e.Tenant, personal(e), n, e.Sequence); err != nil {
		return err
	}
	if e.Actor == "" {
		return nil // nobody's own
	}
	return leaf(ctx, t, own, n, e)
}

func personal(e ledger.Entry) string { return "person:" + e.Actor }

func leaf(ctx context.Context, t *database.Tx, name ledger.Name, n int64, e ledger.Entry) error {
	first, hashes, err := ledger.Stored(n, name.Leaf(e), Nodes(ctx, t, name))
	if err != nil {
		return err
	}
	for i, h := range hashes {
		_, err := t.ExecContext(ctx, `INSERT INTO nodes (tenant, log, no, hash) VALUES (?, ?, ?, ?)`, name.Tenant, logOf(name), first+int64(i), h[:])
		if err != nil {
			return err
		}
	}
	return nil
}
