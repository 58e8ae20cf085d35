package storetest

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

var ledgerTests = []test{
	{"AppendFillsInPlaceHashesAndId", func(t *testing.T, w *World) {
		head, err := w.Ledger.Head(w.ctx, string(acme))
		w.ok(err)
		in := ledger.Entry{
			Tenant: string(acme), Kind: ledger.HistoryRead, RunID: "run_1", Actor: "carol",
			Time: time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.FixedZone("", 3600)), Body: json.RawMessage(`{"document": "d"}`),
		}
		got, err := w.Ledger.Append(w.ctx, in)
		w.ok(err)
		in.ID = got.ID
		if d := cmp.Diff(ledger.Seal(head, in), got); d != "" {
			t.Fatal(d)
		}
		all := w.entries(acme)
		if d := cmp.Diff(got, all[len(all)-1]); d != "" {
			t.Fatal(d)
		}
		is(w, "id is set", got.ID != "", true)
	}},
	{"EachTenantHasAChainOfItsOwn", func(_ *testing.T, w *World) {
		n := len(w.entries(globex))
		_, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security})
		w.ok(err)
		is(w, "entries of the other", len(w.entries(globex)), n)
		for _, e := range w.entries(acme) {
			is(w, "tenant", e.Tenant, string(acme))
		}
	}},
	{"AnEntryIsFoundByItsIdInItsOwnTenantAlone", func(t *testing.T, w *World) {
		want, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security, Actor: "carol", Body: json.RawMessage(`{"a":1}`)})
		w.ok(err)
		got, err := w.Ledger.Entry(w.ctx, string(acme), want.ID)
		w.ok(err)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
		same(t, "another tenant's", errOf(w.Ledger.Entry(w.ctx, string(globex), want.ID)))
		same(t, "unknown", errOf(w.Ledger.Entry(w.ctx, string(acme), "led_unknown")))
	}},
	{"AnUnknownTenantHasNoChain", func(_ *testing.T, w *World) {
		_, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: "nobody", Kind: ledger.Security})
		w.want(err, "not_found")
		head, err := w.Ledger.Head(w.ctx, "nobody")
		w.ok(err)
		is(w, "head", head, ledger.Head{})
	}},
	{"ABodyThatIsNotJSONIsRefused", func(_ *testing.T, w *World) {
		_, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security, Body: json.RawMessage(`{"a":`)})
		is(w, "kind", problem.Is(err, problem.Internal), true)
	}},
	{"ATakenIdIsRefusedAndTheFirstEntryStays", func(t *testing.T, w *World) {
		before := w.entries(acme)
		_, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security, ID: before[0].ID})
		if err == nil {
			t.Fatal("an entry's id was used twice")
		}
		if d := cmp.Diff(before, w.entries(acme)); d != "" {
			t.Fatal(d)
		}
	}},
	{"ConcurrentEntriesMakeOneChain", func(t *testing.T, w *World) {
		before := len(w.entries(acme))
		const workers, each = 4, 15
		var wg sync.WaitGroup
		for i := range workers {
			wg.Go(func() {
				for j := range each {
					body, _ := json.Marshal(map[string]int{"worker": i, "n": j})
					if _, err := w.Ledger.Append(w.ctx, ledger.Entry{Tenant: string(acme), Kind: ledger.Security, Body: body}); err != nil {
						t.Error(fmt.Errorf("append: %w", err))
						return
					}
				}
			})
		}
		wg.Wait()
		is(w, "entries", len(w.entries(acme)), before+workers*each)
	}},
	{"EntriesComeInOrderInPages", func(t *testing.T, w *World) {
		all := w.entries(acme)
		var paged []ledger.Entry
		for {
			next, err := w.Ledger.Entries(w.ctx, string(acme), int64(len(paged)), 2)
			w.ok(err)
			if len(next) == 0 {
				break
			}
			paged = append(paged, next...)
		}
		if d := cmp.Diff(all, paged); d != "" {
			t.Fatal(d)
		}
		is(w, "the head is the last", all[len(all)-1].Sequence, int64(len(all)))
	}},
}
