package storetest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/tool"
)

// recorded is what a recording that says a word is before it is stored, and after.
func recorded(word string) (run.Packed, run.Recorded) {
	r := run.Recording{Attempt: 1, Step: 1, Turn: &run.Turn{Prompt: []llm.Message{{Role: llm.User, Text: word}}, Hash: "h"}}
	p := r.Pack(testSeal)
	return p, run.Recorded{Recording: r, Hash: p.Hash}
}

// tape reads the recordings of a run of rita's.
func (w *World) tape(id run.ID) []run.Recorded {
	w.t.Helper()
	tape, err := w.Tapes.Tape(w.ctx, acme, "rita", id)
	w.ok(err)
	return tape
}

// said are words that stand in the recordings of a run alone.
var said = []string{"canaryprompt71", "canaryresult72", "金丝雀提示"}

var tapeTests = []test{
	{"RecordingsAreKeptInOrderWithTheirStep", func(t *testing.T, w *World) {
		r, l := w.started("run_1")
		var want []run.Recorded
		for i := range 3 {
			c := run.Commit{Lease: l, Run: r}
			for j := range 2 {
				p, rec := recorded(fmt.Sprintf("prompt %d.%d", i, j))
				c.Recordings, want = append(c.Recordings, p), append(want, rec)
			}
			w.ok(w.Journal.Commit(w.ctx, c))
		}
		if d := cmp.Diff(want, w.tape("run_1")); d != "" {
			t.Fatal(d)
		}
	}},
	{"AStepThatIsRefusedLeavesNoRecording", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		p, _ := recorded("prompt")
		l.Token++
		w.want(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{p}}), "lease_lost")
		is(w, "recordings", len(w.tape("run_1")), 0)
	}},
	{"ATapeIsItsActorsAlone", func(t *testing.T, w *World) {
		w.started("run_1")
		unknown := errOf(w.Tapes.Tape(w.ctx, acme, "rita", "run_zzz"))
		w.want(unknown, "not_found")
		same(t, "another's", errOf(w.Tapes.Tape(w.ctx, acme, "carol", "run_1")))
		same(t, "another tenant's", errOf(w.Tapes.Tape(w.ctx, globex, "rita", "run_1")))
	}},
	{"ErasingAVersionErasesTheRecordingsOfRunsThatFoundIt", func(t *testing.T, w *World) {
		d := w.laden("k")
		other := w.add("carol", "other", "other text", published)
		r, l := w.started("run_1")
		w.leaned(r, l, d, "S1")
		var packed []run.Packed
		for _, word := range said {
			p, _ := recorded(word)
			packed = append(packed, p)
		}
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: packed}))
		unrelated, held := w.started("run_2")
		p, kept := recorded("another prompt")
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: held, Run: unrelated, Recordings: []run.Packed{p}}))
		w.found(t, said, true)
		w.ok(w.erase("carol", d.ID))
		w.found(t, said, false)
		for i, got := range w.tape("run_1") {
			is(w, "erased", got.Erased && got.Turn == nil, true)
			is(w, "hash", got.Hash, packed[i].Hash)
		}
		if diff := cmp.Diff([]run.Recorded{kept}, w.tape("run_2")); diff != "" {
			t.Error(diff)
		}
		// What the run under way still says of it is not kept either.
		late, _ := recorded("canarylate73")
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{late}}))
		w.found(t, []string{"canarylate73"}, false)
		is(w, "hash of what came late", w.tape("run_1")[3].Hash, late.Hash)
		is(w, "another version", w.text("rita", other.ID), "other text")
	}},
	{"ErasingAVersionErasesTheRecordingsOfRunsThatForgotThatTheyFoundIt", func(t *testing.T, w *World) {
		d := w.laden("k")
		r, l := w.started("run_1")
		// The hit was dropped from the run when it was lost; its recordings hold it in two spellings.
		tool, _ := recorded(`{"document_id":"` + string(d.ID) + `","snippet":"canaryhit74"}`)
		other, kept := recorded("nothing of " + string(d.ID))
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{tool}}))
		unrelated, held := w.started("run_2")
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: held, Run: unrelated, Recordings: []run.Packed{other}}))
		w.found(t, []string{"canaryhit74"}, true)
		w.ok(w.erase("carol", d.ID))
		w.found(t, []string{"canaryhit74"}, false)
		is(w, "hash", w.tape("run_1")[0].Hash, tool.Hash)
		if diff := cmp.Diff([]run.Recorded{kept}, w.tape("run_2")); diff != "" {
			t.Error(diff)
		}
	}},
	{"ErasingAVersionTakesAwayWhatAModelAskedForAfterReadingIt", func(t *testing.T, w *World) {
		d := w.laden("k")
		r, l := w.started("run_1")
		asked := func(word string) []event.Event {
			return []event.Event{event.New(event.ToolStarted, map[string]any{"call_id": "c1", "tool": "search_knowledge", "args": map[string]any{"query": word}})}
		}
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Events: asked("canaryquery75")}))
		w.leaned(r, l, d, "S1")
		before, err := w.Events.After(w.ctx, "run_1", 0, 100)
		w.ok(err)
		w.found(t, []string{"canaryquery75"}, true)
		w.ok(w.erase("carol", d.ID))
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Events: asked("canaryquery76")}))
		w.found(t, []string{"canaryquery75", "canaryquery76"}, false)
		after, err := w.Events.After(w.ctx, "run_1", 0, 100)
		w.ok(err)
		is(w, "events", len(after), len(before)+1)
		for i, e := range before {
			is(w, "event", after[i].ID()+string(after[i].Type), e.ID()+string(e.Type))
		}
	}},
	{"WhatARunLosesWhileItIsErasedIsNotRecordedAfterwards", func(t *testing.T, w *World) {
		d := w.laden("k")
		r, l := w.started("run_1")
		r.Hits = []tool.Hit{{Document: d.ID, Version: d.Version, Title: "canaryhit77"}}
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
		w.ok(w.erase("carol", d.ID))
		late, _ := recorded("canaryprompt78")
		r.Hits = nil
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{late}}))
		w.found(t, []string{"canaryhit77", "canaryprompt78"}, false)
		is(w, "hash", w.tape("run_1")[0].Hash, late.Hash)
	}},
	{"WhatARunHadForgottenIsErasedForGoodWhileItGoesOn", func(t *testing.T, w *World) {
		d := w.laden("k")
		r, l := w.started("run_1")
		first, _ := recorded(`{"document_id":"` + string(d.ID) + `","snippet":"canaryhit80"}`)
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{first}}))
		w.ok(w.erase("carol", d.ID))
		late, _ := recorded("canaryprompt81")
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{late}}))
		w.found(t, []string{"canaryhit80", "canaryprompt81"}, false)
		after := w.stored("run_1")
		is(w, "the former key came back", after.Seal.Key == r.Seal.Key, false)
		is(w, "nonce of the question", after.Seal.Nonce(run.NameGoal), r.Seal.Nonce(run.NameGoal))
		for _, got := range w.tape("run_1") {
			is(w, "erased", got.Erased && !got.Altered, true)
		}
	}},
	{"ErasingAgainTakesAwayWhatWasLeft", func(t *testing.T, w *World) {
		d := w.laden("k")
		w.ok(w.erase("carol", d.ID))
		r, l := w.started("run_1")
		left, _ := recorded(`{"document_id":"` + string(d.ID) + `","snippet":"canaryhit79"}`)
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{left}}))
		w.found(t, []string{"canaryhit79"}, true)
		w.ok(w.erase("carol", d.ID))
		w.found(t, []string{"canaryhit79"}, false)
	}},
	{"ARecordThatIsNotThatOfItsHashIsTold", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		p, _ := recorded("prompt")
		p.Hash = seal.Hash("", "another")
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{p}}))
		is(w, "altered", w.tape("run_1")[0].Altered, true)
	}},
}
