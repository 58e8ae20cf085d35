package proof

import (
	"context"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Store implements ledger.Trees over the tables that Plant fills, and run.Tapes over those that Keep
// fills. The hashes of a tree are numbered as the ledger numbers them.
type Store struct {
	Log
	Signer ledger.Key
}

// Key implements ledger.Trees.
func (o *Store) Key() ledger.Key { return o.Signer }

// Leaves implements ledger.Trees.
func (o *Store) Leaves(ctx context.Context, name ledger.Name, after int64, limit int) (out []ledger.Entry, err error) {
	if name.Person == "" {
		return o.Entries(ctx, name.Tenant, after, limit)
	}
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, selectEntry+`WHERE tenant = ?1 AND sequence IN (
SELECT sequence FROM places WHERE tenant = ?1 AND log = ?2 AND no >= ?3 ORDER BY no LIMIT ?4) ORDER BY sequence`,
			name.Tenant, logOf(name), after, max(0, limit))
		out, err = row.Collect(rows, err, scanEntry)
		return err
	})
	return out, err
}

// Checkpoint implements ledger.Trees.
func (o *Store) Checkpoint(ctx context.Context, name ledger.Name, size int64) (c ledger.Checkpoint, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		c, err = o.sign(ctx, t, name, size)
		return err
	})
	return c, err
}

// sign signs a log at a size.
func (o *Store) sign(ctx context.Context, t *database.Tx, name ledger.Name, size int64) (ledger.Checkpoint, error) {
	var there int
	if err := t.QueryRowContext(ctx, `SELECT 1 FROM tenants WHERE id = ?`, name.Tenant).Scan(&there); err != nil {
		return ledger.Checkpoint{}, row.Missing(err)
	}
	most, err := Size(ctx, t, name)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	if size == ledger.Latest {
		size = most
	}
	if size < 0 || size > most {
		return ledger.Checkpoint{}, beyond()
	}
	tree, err := Nodes(ctx, t, name).Tree(size)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	return o.Signer.Checkpoint(name, tree)
}

func beyond() error {
	return problem.New(problem.Invalid, "invalid_size", "The log does not hold that many entries.")
}

// Inclusion implements ledger.Trees.
func (o *Store) Inclusion(ctx context.Context, name ledger.Name, id string, size int64) (p ledger.Inclusion, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		if p.Index, err = Place(ctx, t, name, id); err != nil {
			return row.Missing(err)
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
		p.Hashes, err = Nodes(ctx, t, name).Inclusion(c.Tree.Size, p.Index)
		return err
	})
	if err != nil {
		return ledger.Inclusion{}, err
	}
	return p, nil
}

// Consistency implements ledger.Trees.
func (o *Store) Consistency(ctx context.Context, name ledger.Name, from int64) (p ledger.Consistency, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		c, err := o.sign(ctx, t, name, ledger.Latest)
		if err != nil {
			return err
		}
		if from < 0 || from > c.Tree.Size {
			return beyond()
		}
		p.From, p.Checkpoint = from, c.Note
		p.Hashes, err = Nodes(ctx, t, name).Consistency(c.Tree.Size, from)
		return err
	})
	if err != nil {
		return ledger.Consistency{}, err
	}
	return p, nil
}

// late returns entries that were written before there were trees, in order, at most a thousand.
func late(ctx context.Context, t *database.Tx) (out []ledger.Entry, err error) {
	rows, err := t.QueryContext(ctx, selectEntry+`JOIN (
SELECT h.tenant AS t, coalesce((SELECT max(sequence) FROM places p WHERE p.tenant = h.tenant), 0) AS planted FROM heads h
) ON t = tenant AND sequence > planted ORDER BY tenant, sequence LIMIT 1000`)
	return row.Collect(rows, err, scanEntry)
}

// Grow plants the entries that are late, a thousand in a transaction. Mostly there are none, and then
// nobody's writing is held up.
func (o *Store) Grow(ctx context.Context) error {
	for {
		var some []ledger.Entry
		err := o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) (err error) {
			some, err = late(ctx, t)
			return err
		})
		if err == nil && len(some) > 0 {
			err = o.DB.Write(ctx, grow)
		}
		if err != nil || len(some) == 0 {
			return err
		}
	}
}

func grow(ctx context.Context, t *database.Tx) error {
	some, err := late(ctx, t)
	for _, e := range some {
		if err = Plant(ctx, t, e); err != nil {
			return problem.Wrap(err, problem.Internal, "ledger_tree", "Entry %d of the ledger of %s can't be added to its tree.", e.Sequence, e.Tenant)
		}
	}
	return err
}
