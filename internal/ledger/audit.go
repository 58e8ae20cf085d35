package ledger

import (
	"context"
	"maps"
	"slices"

	"github.com/kaoju/kaoju/internal/problem"
)

// Check reads the whole chain of a tenant and returns its verified head, or problem.Conflict
// "ledger_broken". Each checkpoint of the tenant that was kept is compared with the log as it was
// at that size: another root is problem.Conflict "log_rewritten", a log that has not so many entries
// "log_shorter", and a checkpoint of another log "other_log".
func Check(ctx context.Context, log Log, tenant string, kept ...Checkpoint) (Head, error) {
	a := auditor{Name: Name{Tenant: tenant}, watched: watch(kept)}
	for {
		entries, err := log.Entries(ctx, tenant, a.Head().Sequence, 500)
		if err != nil {
			return Head{}, err
		}
		for _, e := range entries {
			if err := a.next(e); err != nil {
				return a.Head(), err
			}
		}
		if len(entries) == 0 {
			break
		}
	}
	head, err := log.Head(ctx, tenant)
	if err != nil {
		return Head{}, err
	}
	got := a.Head()
	if head.Sequence != got.Sequence || head.Sequence > 0 && head.Hash != got.Hash {
		return got, broken(got.Sequence+1, "is missing: the stored end of the chain is another")
	}
	return got, a.end()
}

// CheckTrees compares the stored trees over a tenant's entries, and over those of each person, with ones
// made anew from them, after Check. A tree that says something else makes proofs that prove nothing:
// problem.Conflict "ledger_broken", naming the log.
func CheckTrees(ctx context.Context, log Log, trees Trees, tenant string) error {
	name := Name{Tenant: tenant}
	stored, err := trees.Checkpoint(ctx, name, Latest)
	if err != nil {
		return err
	}
	f := forest{whole: &frontier{}, own: map[string]*frontier{}}
	for f.whole.size < stored.Tree.Size {
		entries, err := log.Entries(ctx, tenant, f.whole.size, 500)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			break
		}
		for _, e := range entries[:min(int64(len(entries)), stored.Tree.Size-f.whole.size)] {
			f.add(name, e)
		}
	}
	if f.whole.tree() != stored.Tree {
		return problem.New(problem.Conflict, "ledger_broken", "The stored Merkle tree is not that of the %d entries.", f.whole.size)
	}
	for _, person := range slices.Sorted(maps.Keys(f.own)) {
		if err := f.compare(ctx, trees, Name{Tenant: tenant, Person: person}); err != nil {
			return err
		}
	}
	return nil
}

// forest is the tree over a tenant's entries, with one for each person's own. What nobody made is in no
// person's.
type forest struct {
	whole *frontier
	own   map[string]*frontier
}

func (f forest) add(name Name, e Entry) {
	f.whole.add(name.Leaf(e))
	if name.Person = e.Actor; name.Person == "" {
		return
	}
	if f.own[e.Actor] == nil {
		f.own[e.Actor] = &frontier{}
	}
	f.own[e.Actor].add(name.Leaf(e))
}

// compare holds a person's stored tree, at the size that the entries give it, against the one made
// anew. It may have grown since; where nothing was written to the ledger meanwhile, it has not.
func (f forest) compare(ctx context.Context, trees Trees, name Name) error {
	want := f.own[name.Person].tree()
	bad := problem.New(problem.Conflict, "ledger_broken", "The stored Merkle tree over what %q made is not that of the %d entries.", name.Person, want.Size)
	stored, err := trees.Checkpoint(ctx, name, want.Size)
	if problem.CodeOf(err) == "invalid_size" {
		return bad
	}
	if err != nil {
		return err
	}
	if stored.Tree != want {
		return bad
	}
	now, err := trees.Checkpoint(ctx, name, Latest)
	if err != nil || now.Tree.Size == want.Size {
		return err
	}
	whole, err := trees.Checkpoint(ctx, Name{Tenant: name.Tenant}, Latest)
	if err == nil && whole.Tree.Size == f.whole.size {
		return bad
	}
	return err
}

// auditor walks a log: the chain where places are known, the tree, and what was kept of it.
type auditor struct {
	Name
	Verifier
	tree    frontier
	watched []*watched
}

// watched is a kept checkpoint on the way to its size.
type watched struct {
	Checkpoint
	tree frontier
	seen bool
}

func watch(kept []Checkpoint) []*watched {
	var out []*watched
	for _, c := range kept {
		w := &watched{Checkpoint: c}
		w.look()
		out = append(out, w)
	}
	return out
}

func (w *watched) add(e Entry) {
	if w.Name.Person != "" && w.Name.Person != e.Actor || w.Name.Tenant != e.Tenant || w.tree.size >= w.Tree.Size {
		return
	}
	w.tree.add(w.Name.Leaf(e))
	w.look()
}

func (w *watched) look() { w.seen = w.tree.size == w.Tree.Size && w.tree.tree() == w.Tree }

// next takes the next entry of the log.
func (a *auditor) next(e Entry) error {
	switch {
	case e.Tenant != a.Tenant:
		return broken(e.Sequence, "belongs to another tenant")
	case a.Person == "":
		if err := a.Verifier.Next(e); err != nil {
			return err
		}
	case e.Actor != a.Person:
		return broken(a.tree.size+1, "belongs to another person")
	}
	a.tree.add(a.Leaf(e))
	for _, w := range a.watched {
		w.add(e)
	}
	return nil
}

// end compares what was kept.
func (a *auditor) end() error {
	for _, w := range a.watched {
		if w.Name.Tenant != a.Tenant || a.Person != "" && w.Name != a.Name {
			return OtherLog(w.Name)
		}
		switch {
		case w.seen:
		case w.tree.size < w.Tree.Size:
			return Shorter(w.Checkpoint)
		default:
			return rewritten(w.Checkpoint)
		}
	}
	return nil
}
