package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// Trees implements ledger.Trees. The hashes of a tree are numbered as the ledger numbers them, and
// are written in the transaction of the entry.
type Trees struct{ db *DB }

// Trees returns the Merkle trees over the ledgers of all tenants.
func (db *DB) Trees() *Trees { return &Trees{db} }

// Key implements ledger.Trees.
func (o *Trees) Key() ledger.Key { return o.db.key }

// logOf is the column by which a log goes.
func logOf(name ledger.Name) string {
	if name.Person == "" {
		return ""
	}
	return "person:" + name.Person
}

// sizeOf returns how many entries a log has.
func sizeOf(ctx context.Context, t *tx, name ledger.Name) (n int64, err error) {
	if name.Person == "" {
		head, err := headOf(ctx, t, name.Tenant)
		return head.Sequence, err
	}
	err = t.QueryRowContext(ctx, `SELECT coalesce(max(no) + 1, 0) FROM places WHERE tenant = ? AND log = ?`, name.Tenant, logOf(name)).Scan(&n)
	return n, err
}

// placeOf returns where an entry stands in a log, from 0.
func placeOf(ctx context.Context, t *tx, name ledger.Name, id string) (place int64, err error) {
	if name.Person == "" {
		err = t.QueryRowContext(ctx, `SELECT sequence - 1 FROM entries WHERE tenant = ? AND id = ?`, name.Tenant, id).Scan(&place)
		return place, missing(err)
	}
	err = t.QueryRowContext(ctx, `SELECT p.no FROM entries e JOIN places p ON p.tenant = e.tenant AND p.sequence = e.sequence
WHERE e.tenant = ? AND e.id = ? AND p.log = ?`, name.Tenant, id, logOf(name)).Scan(&place)
	return place, missing(err)
}

// nodes reads hashes of a log's tree inside a transaction.
func nodes(ctx context.Context, t *tx, name ledger.Name) ledger.Prover {
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

// plant adds an entry to the trees of its tenant and of its person.
func plant(ctx context.Context, t *tx, e ledger.Entry) error {
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

func leaf(ctx context.Context, t *tx, name ledger.Name, n int64, e ledger.Entry) error {
	first, hashes, err := ledger.Stored(n, name.Leaf(e), nodes(ctx, t, name))
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

// grow plants the entries that were written before there were trees.
func (db *DB) grow(ctx context.Context) error {
	late := func(ctx context.Context, t *tx) ([]ledger.Entry, error) {
		rows, err := t.QueryContext(ctx, selectEntry+`JOIN (
SELECT h.tenant AS t, coalesce((SELECT max(sequence) FROM places p WHERE p.tenant = h.tenant), 0) AS planted FROM heads h
) ON t = tenant AND sequence > planted ORDER BY tenant, sequence LIMIT 1000`)
		return collect(rows, err, scanEntry)
	}
	for {
		var some []ledger.Entry
		// Mostly there are none, and then nobody's writing is held up.
		err := db.read(ctx, func(ctx context.Context, t *tx) (err error) {
			some, err = late(ctx, t)
			return err
		})
		if err != nil || len(some) == 0 {
			return err
		}
		err = db.write(ctx, func(ctx context.Context, t *tx) error {
			some, err := late(ctx, t)
			for _, e := range some {
				if err = plant(ctx, t, e); err != nil {
					return problem.Wrap(err, problem.Internal, "ledger_tree", "Entry %d of the ledger of %s can't be added to its tree.", e.Sequence, e.Tenant)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
}

// Checkpoint implements ledger.Trees.
func (o *Trees) Checkpoint(ctx context.Context, name ledger.Name, size int64) (c ledger.Checkpoint, err error) {
	err = o.db.read(ctx, func(ctx context.Context, t *tx) error {
		c, err = o.sign(ctx, t, name, size)
		return err
	})
	return c, err
}

// sign signs a log at a size.
func (o *Trees) sign(ctx context.Context, t *tx, name ledger.Name, size int64) (ledger.Checkpoint, error) {
	if _, err := epochOf(ctx, t, access.TenantID(name.Tenant)); err != nil {
		return ledger.Checkpoint{}, err
	}
	most, err := sizeOf(ctx, t, name)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	if size == ledger.Latest {
		size = most
	}
	if size < 0 || size > most {
		return ledger.Checkpoint{}, problem.New(problem.Invalid, "invalid_size", "The log does not hold that many entries.")
	}
	tree, err := nodes(ctx, t, name).Tree(size)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	return o.db.key.Checkpoint(name, tree)
}

// Inclusion implements ledger.Trees.
func (o *Trees) Inclusion(ctx context.Context, name ledger.Name, id string, size int64) (p ledger.Inclusion, err error) {
	err = o.db.read(ctx, func(ctx context.Context, t *tx) error {
		if p.Index, err = placeOf(ctx, t, name, id); err != nil {
			return err
		}
		if size == ledger.AtEntry {
			size = p.Index + 1
		}
		c, err := o.sign(ctx, t, name, size)
		if err != nil {
			return err
		}
		if p.Index >= c.Tree.Size {
			return problem.New(problem.Invalid, "invalid_size", "The entry came later than that.")
		}
		p.Checkpoint = c.Note
		p.Hashes, err = nodes(ctx, t, name).Inclusion(c.Tree.Size, p.Index)
		return err
	})
	if err != nil {
		return ledger.Inclusion{}, err
	}
	return p, nil
}

// Consistency implements ledger.Trees.
func (o *Trees) Consistency(ctx context.Context, name ledger.Name, from int64) (p ledger.Consistency, err error) {
	err = o.db.read(ctx, func(ctx context.Context, t *tx) error {
		c, err := o.sign(ctx, t, name, ledger.Latest)
		if err != nil {
			return err
		}
		if from < 0 || from > c.Tree.Size {
			return problem.New(problem.Invalid, "invalid_size", "The log does not hold that many entries.")
		}
		p.From, p.Checkpoint = from, c.Note
		p.Hashes, err = nodes(ctx, t, name).Consistency(c.Tree.Size, from)
		return err
	})
	if err != nil {
		return ledger.Consistency{}, err
	}
	return p, nil
}
