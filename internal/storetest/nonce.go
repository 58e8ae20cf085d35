package storetest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// nonceTests say that no hash in the ledger can be tried by a guess at the text, or met again.
var nonceTests = []test{
	{"EveryRunHasASealOfItsOwn", func(t *testing.T, w *World) {
		keys := map[string]bool{}
		for _, id := range []run.ID{"run_1", "run_2"} {
			r := w.newRun(id)
			r.Seal = seal.Seal{}
			w.ok(w.Journal.Create(w.ctx, r, nil))
			key := w.stored(id).Seal.Key
			is(w, "length of the key", len(key), 64)
			is(w, "known before", keys[key], false)
			keys[key] = true
		}
	}},
	{"TheEndOfARunIsHeldByItsEntry", func(t *testing.T, w *World) {
		r, l := w.started("run_1")
		w.filled(r)
		e := evidence("S1", w.clock.Now())
		r.State, r.Reason, r.EndedAt = run.Completed, run.Success, w.clock.Now()
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Evidence: listOf(e), Entries: []ledger.Entry{
			{Kind: ledger.RunEnded, Actor: "rita", Time: w.clock.Now(), Body: run.EndedBody(r, listOf(e))},
		}}))
		stored, kept, err := w.Journal.Run(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		entries, err := w.Ledger.OfRun(w.ctx, string(acme), "run_1")
		w.ok(err)
		if held := run.ToldOf(entries, 1).Hold(stored, kept, false); !held.Verified() {
			t.Fatalf("what is stored is not what was: %+v", held)
		}
	}},
	{"ACallThatIsProposedTwiceHasTwoHashes", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "one", published)
		seen := map[string]bool{}
		for range 2 {
			p, err := w.call("rita", d.ID, called(approval.Recorded))
			w.ok(err)
			plain := seal.Hash("", string(called(approval.Recorded).Args))
			for _, e := range w.entries(acme) {
				is(w, "a plain hash in the ledger", strings.Contains(string(e.Body), plain), false)
			}
			is(w, "met before", seen[p.Call.ArgsHash()], false)
			seen[p.Call.ArgsHash()] = true
		}
	}},
	{"ATitleOfADraftCannotBeGuessedInTheLedger", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.DraftReady)
		d := w.saved(wishOf("run_1", 0, "650 元 [S1]", "S1"))
		all := w.entries(acme)
		var body struct {
			Title string `json:"title_hash"`
			Body  string `json:"body_hash"`
		}
		w.ok(json.Unmarshal(all[len(all)-1].Body, &body))
		is(w, "title", body.Title, d.TitleHash())
		is(w, "body", body.Body, seal.Hash(d.BodyNonce(), d.Body))
		is(w, "plain title", body.Title == seal.Hash("", d.Title), false)
		is(w, "plain body", body.Body == seal.Hash("", d.Body), false)
		again := w.saved(wishOf("run_1", 1, "650 元 [S1]", "S1"))
		is(w, "the same text again", again.Hash == d.Hash, false)
	}},
}

func listOf[T any](v ...T) []T { return v }
