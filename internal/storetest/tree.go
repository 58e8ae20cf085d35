package storetest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/ledger"
)

// own returns the entries of a person, in order, as they stand in the person's own log.
func (w *World) own(person string) (out []ledger.Entry) {
	for _, e := range w.entries(acme) {
		if e.Actor == person {
			out = append(out, e.Apart())
		}
	}
	return out
}

// logged appends entries of several people.
func (w *World) logged(n int) {
	w.t.Helper()
	for i := range n {
		_, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security, Actor: []string{"carol", "rita", ""}[i%3]})
		w.ok(err)
	}
}

// proved checks the proof of every entry of a log, now and as it was when the entry was written.
func (w *World) proved(name ledger.Name, entries []ledger.Entry) {
	w.t.Helper()
	key := w.Trees.Key().Public()
	for i, e := range entries {
		for _, size := range []int64{ledger.Latest, ledger.AtEntry, int64(i + 1)} {
			p, err := w.Trees.Inclusion(w.ctx, name, e.ID, size)
			w.ok(err)
			c, err := p.Verify(key, e)
			w.ok(err)
			is(w, "log", c.Name, name)
			is(w, "place", p.Index, int64(i))
			want := int64(i + 1)
			if size == ledger.Latest {
				want = int64(len(entries))
			}
			is(w, "size", c.Tree.Size, want)
		}
	}
}

var treeTests = []test{
	{"EveryEntryIsProvedInTheTenantsLogAndInItsPersons", func(_ *testing.T, w *World) {
		w.logged(9)
		w.proved(ledger.Name{Tenant: string(acme)}, w.entries(acme))
		for _, person := range []string{"carol", "rita"} {
			w.proved(ledger.Name{Tenant: string(acme), Person: person}, w.own(person))
		}
	}},
	{"TheEntriesOfALogAreReadByTheirPlacesInIt", func(_ *testing.T, w *World) {
		w.logged(9)
		logs := map[ledger.Name][]ledger.Entry{{Tenant: string(acme)}: w.entries(acme), {Tenant: string(acme), Person: "nobody"}: nil, {Tenant: "nobody"}: nil}
		for _, person := range []string{"carol", "rita"} {
			logs[ledger.Name{Tenant: string(acme), Person: person}] = w.own(person)
		}
		for name, want := range logs {
			for after := range len(want) + 2 {
				got, err := w.Trees.Leaves(w.ctx, name, int64(after), 2)
				w.ok(err)
				rest := want[min(after, len(want)):]
				is(w, fmt.Sprint(name, " after ", after), len(got), min(2, len(rest)))
				for i, e := range got {
					if name.Person != "" {
						e = e.Apart()
					}
					is(w, "entry", e.ID, rest[i].ID)
					is(w, "hash", e.Hash, rest[i].Hash)
					is(w, "person", name.Person == "" || e.Actor == name.Person, true)
				}
			}
		}
	}},
	{"TheTreeIsThatOfTheEntries", func(_ *testing.T, w *World) {
		w.logged(5)
		w.ok(ledger.CheckTrees(w.ctx, w.Ledger, w.Trees, string(acme)))
		w.ok(ledger.CheckTrees(w.ctx, w.Ledger, w.Trees, string(globex)))
	}},
	{"AKeptCheckpointIsTheBeginningOfEveryLaterOne", func(_ *testing.T, w *World) {
		names := []ledger.Name{{Tenant: string(acme)}, {Tenant: string(acme), Person: "rita"}}
		key := w.Trees.Key().Public()
		var kept []ledger.Checkpoint
		for range 7 {
			for _, name := range names {
				c, err := w.Trees.Checkpoint(w.ctx, name, ledger.Latest)
				w.ok(err)
				kept = append(kept, c)
			}
			w.logged(3)
		}
		for _, c := range kept {
			p, err := w.Trees.Consistency(w.ctx, c.Name, c.Tree.Size)
			w.ok(err)
			_, err = p.Verify(key, c)
			w.ok(err)
			again, err := w.Trees.Checkpoint(w.ctx, c.Name, c.Tree.Size)
			w.ok(err)
			if c.Tree.Size > 0 {
				is(w, "the checkpoint of a size, later", again, c)
			}
		}
		_, err := ledger.Check(w.ctx, w.Ledger, string(acme), kept...)
		w.ok(err)
	}},
	{"APersonsLogMovesWithTheirOwnEntriesAlone", func(_ *testing.T, w *World) {
		name := ledger.Name{Tenant: string(acme), Person: "rita"}
		before, err := w.Trees.Checkpoint(w.ctx, name, ledger.Latest)
		w.ok(err)
		for range 5 {
			_, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security, Actor: "carol"})
			w.ok(err)
		}
		after, err := w.Trees.Checkpoint(w.ctx, name, ledger.Latest)
		w.ok(err)
		is(w, "checkpoint", after, before)
	}},
	{"AnEntryIsProvedInItsOwnLogsAlone", func(t *testing.T, w *World) {
		e, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security, Actor: "carol"})
		w.ok(err)
		unknown := errOf(w.Trees.Inclusion(w.ctx, ledger.Name{Tenant: string(acme)}, "led_unknown", ledger.Latest))
		w.want(unknown, "not_found")
		for _, name := range []ledger.Name{{Tenant: string(globex)}, {Tenant: string(acme), Person: "rita"}, {Tenant: string(globex), Person: "carol"}, {Tenant: "nobody"}} {
			same(t, fmt.Sprint(name), errOf(w.Trees.Inclusion(w.ctx, name, e.ID, ledger.Latest)))
		}
	}},
	{"SizesBeyondTheLogAreRefused", func(_ *testing.T, w *World) {
		name := ledger.Name{Tenant: string(acme)}
		n := int64(len(w.entries(acme)))
		w.want(errOf(w.Trees.Checkpoint(w.ctx, name, n+1)), "invalid_size")
		w.want(errOf(w.Trees.Checkpoint(w.ctx, name, -7)), "invalid_size")
		w.want(errOf(w.Trees.Consistency(w.ctx, name, n+1)), "invalid_size")
		w.want(errOf(w.Trees.Consistency(w.ctx, name, -1)), "invalid_size")
		last := w.entries(acme)[n-1]
		if n > 1 {
			w.want(errOf(w.Trees.Inclusion(w.ctx, name, last.ID, n-1)), "invalid_size")
		}
		w.want(errOf(w.Trees.Checkpoint(w.ctx, ledger.Name{Tenant: "nobody"}, ledger.Latest)), "not_found")
	}},
	{"ConcurrentEntriesGrowOneTree", func(t *testing.T, w *World) {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 10 {
					if _, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security, Actor: "carol"}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		w.ok(ledger.CheckTrees(w.ctx, w.Ledger, w.Trees, string(acme)))
		w.proved(ledger.Name{Tenant: string(acme), Person: "carol"}, w.own("carol"))
	}},
	{"TheEntriesOfARunAreFoundInItsTenantAlone", func(_ *testing.T, w *World) {
		for _, run := range []string{"run_1", "", "run_2", "run_1"} {
			_, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security, RunID: run})
			w.ok(err)
		}
		for run, want := range map[string]int{"run_1": 2, "run_2": 1, "run_3": 0, "": 0} {
			got, err := w.Ledger.OfRun(w.ctx, string(acme), run)
			w.ok(err)
			is(w, "entries of "+run, len(got), want)
			for i, e := range got {
				is(w, "run", e.RunID, run)
				is(w, "in order", i == 0 || got[i-1].Sequence < e.Sequence, true)
			}
		}
		got, err := w.Ledger.OfRun(w.ctx, string(globex), "run_1")
		w.ok(err)
		is(w, "another tenant's", len(got), 0)
	}},
}
