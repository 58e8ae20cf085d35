package sqlite

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
)

// Trees implements ledger.Trees. The hashes of a tree are numbered as the ledger numbers them, and
// are written in the transaction of the entry.
type Trees struct{ db *DB }

// Trees returns the Merkle trees over the ledgers of all tenants.
func (db *DB) Trees() *Trees { return &Trees{db} }

// Key implements ledger.Trees.
func (o *Trees) Key() ledger.Key { return o.db.key }

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
				if err = proof.Plant(ctx, t.Tx, e); err != nil {
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
	most, err := proof.Size(ctx, t.Tx, name)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	if size == ledger.Latest {
		size = most
	}
	if size < 0 || size > most {
		return ledger.Checkpoint{}, problem.New(problem.Invalid, "invalid_size", "The log does not hold that many entries.")
	}
	tree, err := proof.Nodes(ctx, t.Tx, name).Tree(size)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	return o.db.key.Checkpoint(name, tree)
}

// Inclusion implements ledger.Trees.
func (o *Trees) Inclusion(ctx context.Context, name ledger.Name, id string, size int64) (p ledger.Inclusion, err error) {
	err = o.db.read(ctx, func(ctx context.Context, t *tx) error {
		if p.Index, err = proof.Place(ctx, t.Tx, name, id); err != nil {
			return missing(err)
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
		p.Hashes, err = proof.Nodes(ctx, t.Tx, name).Inclusion(c.Tree.Size, p.Index)
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
		p.Hashes, err = proof.Nodes(ctx, t.Tx, name).Consistency(c.Tree.Size, from)
		return err
	})
	if err != nil {
		return ledger.Consistency{}, err
	}
	return p, nil
}
