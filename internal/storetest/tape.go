package storetest

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
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

// gave is a call of a tool that was shown a document, beside another version of it, and what it said.
func gave(word string, hit, beside corpus.DocumentID) run.Packed {
	o := tool.Outcome{Result: tool.Result{Content: json.RawMessage(`{"snippet":"` + word + `"}`)}}
	o.Result.Hits = []tool.Hit{{Document: hit, Versions: []tool.Version{{Document: beside, Version: 1}}}}
	return run.Recording{Attempt: 1, Step: 1, Tool: &run.ToolCall{Outcome: o}}.Pack(testSeal)
}

// asked is a call of a tool that names a document and was given nothing of it.
func asked(id corpus.DocumentID) run.Packed {
	args := `{"document_id":"` + string(id) + `"}`
	o := tool.Outcome{Args: json.RawMessage(args), Failure: &tool.Failure{Code: tool.OutOfScope, Detail: args}}
	return run.Recording{Attempt: 1, Step: 1, Tool: &run.ToolCall{Call: llm.ToolCall{ID: "c1", Name: "read_document", Arguments: args}, Outcome: o}}.Pack(testSeal)
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
		// The hit was dropped from the run when it was lost; its recordings hold it, or it as another version.
		first, prompt := gave("canaryhit74", d.ID, "another"), "canaryprompt74"
		second, _ := recorded(prompt)
		r.Notices = []string{run.ScopeChanged}
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{first, second}}))
		r, l = w.started("run_2")
		r.Notices = []string{run.ScopeChanged}
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{gave("canaryhit75", "another", d.ID)}}))
		w.found(t, []string{"canaryhit74", "canaryhit75", prompt}, true)
		w.ok(w.erase("carol", d.ID))
		w.found(t, []string{"canaryhit74", "canaryhit75", prompt}, false)
		is(w, "hash", w.tape("run_1")[0].Hash, first.Hash)
	}},
	{"ErasingAVersionErasesTheRecordingsOfRunsThatFoundItBesideAnother", func(t *testing.T, w *World) {
		d := w.laden("k")
		r, l := w.started("run_1")
		r.Hits = []tool.Hit{{Document: "another", Versions: []tool.Version{{Document: d.ID, Version: d.Version}}}}
		first, _ := recorded("canaryprompt76")
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{first}}))
		w.ok(w.erase("carol", d.ID))
		late, _ := recorded("canaryprompt77")
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{late}}))
		w.found(t, []string{"canaryprompt76", "canaryprompt77"}, false)
		// One that found it after it was erased, as far as the journal knew.
		r, l = w.started("run_2")
		r.Hits = []tool.Hit{{Document: "another", Versions: []tool.Version{{Document: d.ID, Version: d.Version}}}}
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{late}}))
		w.found(t, []string{"canaryprompt77"}, false)
	}},
	{"ErasingAVersionLeavesRunsAloneThatOnlyNameIt", func(t *testing.T, w *World) {
		d := w.laden("k")
		type kept struct {
			Run    *run.Run
			Tape   []run.Recorded
			Events []event.Event
		}
		read := func(id run.ID) (k kept) {
			var err error
			k.Run, k.Tape = w.stored(id), w.tape(id)
			k.Events, err = w.Events.After(w.ctx, string(id), 0, 100)
			w.ok(err)
			return k
		}
		// In one that lost something else, too.
		for id, notices := range map[run.ID][]string{"run_1": nil, "run_2": {run.ScopeChanged}} {
			r := w.newRun(id)
			r.Goal = `What is in {"document_id":"` + string(d.ID) + `"}?`
			w.ok(w.Journal.Create(w.ctx, r, nil))
			l, err := w.Journal.Claim(w.ctx, id, lease)
			w.ok(err)
			r.State, r.Notices = run.Running, notices
			r.Searches = []tool.Search{{Query: string(d.ID), Page: 1}}
			said, _ := recorded(r.Goal + ` \"` + string(d.ID) + `\"`)
			w.ok(w.Journal.Commit(w.ctx, run.Commit{
				Lease: l, Run: r, Recordings: []run.Packed{said, asked(d.ID), gave("canaryhit78", "another", "yet_another")},
				Events: []event.Event{event.New(event.ToolStarted, map[string]any{"call_id": "c1", "args": map[string]any{"document_id": d.ID}})},
			}))
		}
		before := []kept{read("run_1"), read("run_2")}
		w.ok(w.erase("carol", d.ID))
		if diff := cmp.Diff(before, []kept{read("run_1"), read("run_2")}); diff != "" {
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
		first := gave("canaryhit80", d.ID, "another")
		r.Notices = []string{run.ScopeChanged}
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
		left := gave("canaryhit79", d.ID, "another")
		r.Notices = []string{run.ScopeChanged}
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
