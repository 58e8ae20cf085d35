package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/bundle"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/tool"
)

// forest proves the entries of an office in memory.
type forest struct{ *office }

var officeKey = ledger.KeyOf([32]byte{5})

func (forest) Key() ledger.Key { return officeKey }

// grown makes the tree of a log, and tells where an entry stands in it.
func (f forest) grown(name ledger.Name, id string) (read ledger.Prover, size, index int64) {
	shelf := map[int64]ledger.Hash{}
	read = func(numbers []int64) ([]ledger.Hash, error) {
		out := make([]ledger.Hash, len(numbers))
		for i, n := range numbers {
			out[i] = shelf[n]
		}
		return out, nil
	}
	index = -1
	for _, e := range f.entries {
		if name.Person != "" && e.Actor != name.Person {
			continue
		}
		first, hashes, err := ledger.Stored(size, name.Leaf(e), read)
		if err != nil {
			panic(err)
		}
		for i, h := range hashes {
			shelf[first+int64(i)] = h
		}
		if e.ID == id {
			index = size
		}
		size++
	}
	return read, size, index
}

func (f forest) Leaves(_ context.Context, name ledger.Name, after int64, limit int) (out []ledger.Entry, err error) {
	for _, e := range f.entries {
		if e.Tenant != name.Tenant || name.Person != "" && e.Actor != name.Person {
			continue
		}
		if after--; after < 0 && len(out) < limit {
			out = append(out, e)
		}
	}
	return out, nil
}

func (f forest) Checkpoint(_ context.Context, name ledger.Name, size int64) (ledger.Checkpoint, error) {
	read, most, _ := f.grown(name, "")
	if size == ledger.Latest {
		size = most
	}
	tree, err := read.Tree(size)
	if err != nil {
		return ledger.Checkpoint{}, err
	}
	return officeKey.Checkpoint(name, tree)
}

func (f forest) Inclusion(ctx context.Context, name ledger.Name, id string, size int64) (ledger.Inclusion, error) {
	read, most, index := f.grown(name, id)
	if index < 0 {
		return ledger.Inclusion{}, problem.Missing()
	}
	if size == ledger.AtEntry {
		size = index + 1
	}
	if size == ledger.Latest {
		size = most
	}
	c, err := f.Checkpoint(ctx, name, size)
	if err != nil {
		return ledger.Inclusion{}, err
	}
	hashes, err := read.Inclusion(size, index)
	return ledger.Inclusion{Index: index, Hashes: hashes, Checkpoint: c.Note}, err
}

func (f forest) Consistency(ctx context.Context, name ledger.Name, from int64) (ledger.Consistency, error) {
	read, most, _ := f.grown(name, "")
	c, err := f.Checkpoint(ctx, name, most)
	if err != nil {
		return ledger.Consistency{}, err
	}
	hashes, err := read.Consistency(most, from)
	return ledger.Consistency{From: from, Hashes: hashes, Checkpoint: c.Note}, err
}

func (o *office) Tape(_ context.Context, tenant access.TenantID, actor access.UserID, id run.ID) ([]run.Recorded, error) {
	if o.run == nil || o.run.ID != id || o.run.Tenant != tenant || o.run.Actor != actor {
		return nil, problem.Missing()
	}
	return o.tape, nil
}

// recordedRun is Alice's run with recordings that hold every canary, and the ledger's entry of its end
// between entries of others.
func recordedRun() *office {
	o := answered()
	o.run.Goal, o.run.Kind, o.run.PromptHash, o.run.Seal = "what holds?", run.ForAnswer, "ph", testSeal
	o.run.Calls = []run.Call{{ID: "c1", Tool: "search_knowledge", ArgsHash: "ah", ResultHash: "rh", Code: "ok"}}
	all := "Canary1 Canary2 Canary3 Canary4"
	o.run.TapeHash = ""
	for _, r := range []run.Recording{
		{Attempt: 1, Began: &run.Began{Model: llm.Info{Name: "m"}, Memory: all}},
		{Attempt: 1, Turn: &run.Turn{Prompt: []llm.Message{{Role: llm.User, Text: all}}, Hash: "th", Response: &llm.Response{Message: llm.Message{Text: all}}}},
		{Attempt: 1, Turn: &run.Turn{Prompt: []llm.Message{{Role: llm.User, Text: all}}, Hash: "th", Failure: run.ModelError}},
		{Attempt: 1, Tool: &run.ToolCall{Call: llm.ToolCall{Name: "search_knowledge", Arguments: all}, Outcome: tool.Outcome{
			Spec: tool.Spec{Name: "search_knowledge"}, Args: json.RawMessage(`"` + all + `"`), Result: tool.Result{Content: json.RawMessage(`"` + all + `"`)},
		}}},
	} {
		p := r.Pack(o.run.Seal)
		o.run.TapeHash = run.Fold(o.run.TapeHash, p.Hash)
		o.tape = append(o.tape, run.Recorded{Recording: r, Hash: p.Hash})
	}
	o.run.Attempt = 1
	o.enter("bob", ledger.Security, "", nil)
	o.enter("alice", ledger.Security, "r", nil)
	o.enter("bob", ledger.DocumentPublished, "r", nil)
	o.enter("alice", ledger.RunEnded, "r", run.EndedBody(o.run, o.evidence))
	o.enter("bob", ledger.Security, "", nil)
	return o
}

// resumed begins the next attempt of the run, as the ledger tells.
func (o *office) resumed() {
	o.run.State, o.run.Attempt = run.Running, 2
	o.enter("alice", ledger.RunResumed, "r", nil)
}

// end enters the end of the run as it stands.
func (o *office) end() {
	o.run.Seal = testSeal
	o.enter("alice", ledger.RunEnded, "r", run.EndedBody(o.run, o.evidence))
}

// reduce enters what erasing left of the run, which is nobody's own.
func (o *office) reduce(recordings int) {
	o.enter("", ledger.RunReduced, "r", run.ReducedBody(o.run, o.evidence, recordings, "d1"))
}

// enter seals an entry into the chain.
func (o *office) enter(actor string, kind ledger.Kind, id string, body json.RawMessage) {
	head := ledger.Head{}
	if n := len(o.entries); n > 0 {
		head = ledger.Head{Sequence: o.entries[n-1].Sequence, Hash: o.entries[n-1].Hash}
	}
	o.entries = append(o.entries, ledger.Seal(head, ledger.Entry{
		ID: fmt.Sprint("led_", len(o.entries)+1), Tenant: "acme", Kind: kind, RunID: id, Actor: actor, Time: noon, Body: body,
	}))
}

func TestWhyOfOnesOwnRunTellsAllOfIt(t *testing.T) {
	o := recordedRun()
	w, err := o.desk().Why(t.Context(), alice, "r")
	must(t, err)
	if !w.Own || !w.Whole || !w.TapeHolds || w.Reduced || len(w.Tape) != 4 || w.Tape[1].Turn.Response == nil {
		t.Errorf("%+v", w)
	}
	if len(w.Entries) != 2 || w.Ended == nil || w.Ended.Entry.ID != "led_4" || w.Ended.Entry.Sequence != 0 {
		t.Errorf("entries %+v, ended %+v", w.Entries, w.Ended)
	}
	if _, err := w.Ended.Proof.Verify(w.Ended.Key, w.Ended.Entry); err != nil {
		t.Error(err)
	}
	if n := len(w.Moves); n != 2 || w.Moves[0].Type != event.RunCreated || w.Moves[1].Type != event.Completed {
		t.Errorf("moves %+v", w.Moves)
	}
	if _, err := o.desk().Why(t.Context(), access.Actor{Tenant: "acme", User: "bob"}, "r"); !problem.Is(err, problem.NotFound) {
		t.Errorf("somebody else: %v", err)
	}
}

// What a run lost on its way is not among what it found any more, but its recordings show it.
func TestRecordingsOfARunThatLostSomethingAreNotShown(t *testing.T) {
	for _, notice := range []string{"scope_changed", "erased"} {
		o := recordedRun()
		o.run.Notices = append(o.run.Notices, notice)
		w, err := o.desk().Why(t.Context(), alice, "r")
		must(t, err)
		if w.Whole || len(w.Tape) != 4 || !cmp.Equal(w.Tape[1], run.Recorded{Hash: o.tape[1].Hash, Withheld: true}) {
			t.Errorf("%s: %+v", notice, w)
		}
	}
}

// A run that was resumed has the entry of its first attempt, and has not ended.
func TestAResumedRunUnderWayHasNotEnded(t *testing.T) {
	o := recordedRun()
	o.resumed()
	w, err := o.desk().Why(t.Context(), alice, "r")
	must(t, err)
	if w.Ended != nil || len(w.Entries) != 3 {
		t.Errorf("%+v", w.Ended)
	}
	if _, err := o.desk().Bundle(t.Context(), alice, "r"); problem.CodeOf(err) != "not_ended" {
		t.Errorf("it is bundled: %v", err)
	}
	o.snap.Identity = access.Identity{User: "dave", Roles: []access.Role{access.Auditor}}
	if _, err := o.desk().Why(t.Context(), access.Actor{Tenant: "acme", User: "dave"}, "r"); !problem.Is(err, problem.NotFound) {
		t.Errorf("an auditor looks into it: %v", err)
	}
}

// What a run was about is told to an auditor who may see it, and to no other.
func TestTheMovesOfARunNameNoDocumentToWhoMayNotSeeIt(t *testing.T) {
	o := recordedRun()
	for i, e := range o.events {
		if e.Type == event.RunCreated {
			o.events[i].Data = json.RawMessage(`{"kind":"publish","scope":{"doc_key":"hr/layoffs"}}`)
		}
	}
	o.snap.Identity = access.Identity{User: "dave", Roles: []access.Role{access.Auditor}}
	w, err := o.desk().Why(t.Context(), access.Actor{Tenant: "acme", User: "dave"}, "r")
	must(t, err)
	if w.Whole || len(w.Moves) == 0 {
		t.Fatalf("%+v", w)
	}
	for _, m := range w.Moves {
		if strings.Contains(string(m.Data), "layoffs") {
			t.Errorf("%s tells %s", m.Type, m.Data)
		}
	}
}

func TestRecordingsThatAreNotThoseOfTheRunAreTold(t *testing.T) {
	for name, change := range map[string]func(*office){
		"one missing": func(o *office) { o.tape = o.tape[1:] },
		"exchanged":   func(o *office) { o.tape[0], o.tape[1] = o.tape[1], o.tape[0] },
		"rewritten":   func(o *office) { o.tape[2].Altered = true },
		"another":     func(o *office) { o.tape[2].Hash = "x" },
	} {
		o := recordedRun()
		change(o)
		if w, err := o.desk().Why(t.Context(), alice, "r"); err != nil || w.TapeHolds {
			t.Errorf("%s: %v, %v", name, w.TapeHolds, err)
		}
	}
}

// Whatever becomes of rights, what is told holds nothing of a version that is not readable, and the
// bundle proves what is left.
func TestNothingOfALostVersionIsToldOrBundled(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := recordedRun()
		auditor := rapid.Bool().Draw(rt, "auditor")
		actor := alice
		if auditor {
			actor = access.Actor{Tenant: "acme", User: "dave"}
			o.snap.Identity = access.Identity{User: "dave", Roles: []access.Role{access.Auditor}}
			o.snap.Bases[0].Grants = append(o.snap.Bases[0].Grants, access.Grant{Principal: access.User("dave"), Level: access.Reader})
		}
		lost := map[int]bool{}
		for i := 1; i <= 4; i++ {
			if rapid.Bool().Draw(rt, fmt.Sprint("lost ", i)) {
				lost[i] = true
				for j := range o.documents {
					if string(o.documents[j].ID) == fmt.Sprint("d", i) {
						o.documents[j].Policy.Deny = []access.Principal{access.User(actor.User)}
					}
				}
			}
		}
		w, err := o.desk().Why(t.Context(), actor, "r")
		must(t, err)
		file, err := o.desk().Bundle(t.Context(), actor, "r")
		must(t, err)
		told := fmt.Sprintf("%+v", w.Run.Answer) + fmt.Sprintf("%+v", w.Run.Checks) + fmt.Sprintf("%+v %+v", w.Cited, w.Read)
		tape, err := json.Marshal(w.Tape)
		must(t, err)
		for i := 1; i <= 4; i++ {
			word := fmt.Sprint("Canary", i)
			if text := told + string(tape) + string(file); lost[i] && strings.Contains(text, word) {
				rt.Fatalf("d%d is lost, and told: %s", i, text)
			}
		}
		if whole := len(lost) == 0; w.Whole != whole || strings.Contains(string(tape), "Canary") != whole {
			rt.Fatalf("lost %v, whole %v: %s", lost, w.Whole, tape)
		}
		if auditor && len(lost) > 0 && (w.Run.Goal != "" || strings.Contains(told+string(file), "Canary") || strings.Contains(string(file), "what holds")) {
			rt.Fatalf("an auditor who may not read all reads %s %s", told, file)
		}
		r, err := bundle.Verify(bytes.NewReader(file), officeKey.Public())
		if err != nil || r.Bundle.Answer.Reduced == (len(lost) == 0) && (lost[1] || lost[2] || auditor) {
			rt.Fatalf("lost %v: %+v, %v", lost, r.Bundle.Answer, err)
		}
		want := ledger.Name{Tenant: "acme", Person: "alice"}
		if auditor {
			want.Person = ""
		}
		if r.Checkpoint.Name != want {
			rt.Fatalf("proved in the log %v", r.Checkpoint.Name)
		}
	})
}

func TestWhatWasShownOfHistoryTakesTheRightToHistory(t *testing.T) {
	for name, change := range map[string]func(*run.Run){
		"as of":        func(r *run.Run) { r.Scope.AsOf = noon },
		"version tool": func(r *run.Run) { r.Route = run.VersionTool },
	} {
		o := recordedRun()
		change(o.run)
		for i := range o.documents {
			if o.documents[i].ID == "d4" {
				o.documents[i].Status = access.StatusArchived
			}
		}
		if w, err := o.desk().Why(t.Context(), alice, "r"); err != nil || w.Whole {
			t.Errorf("%s: %v, %v", name, w.Whole, err)
		}
		o.snap.Identity.Roles = append(o.snap.Identity.Roles, access.KnowledgeAdmin)
		if w, err := o.desk().Why(t.Context(), alice, "r"); err != nil || !w.Whole {
			t.Errorf("%s, to a knowledge administrator: %v, %v", name, w.Whole, err)
		}
	}
}

func TestARunThatHasNotEndedHasNoProofAndNoBundle(t *testing.T) {
	o := recordedRun()
	o.entries = o.entries[:2]
	w, err := o.desk().Why(t.Context(), alice, "r")
	if err != nil || w.Ended != nil || len(w.Entries) != 1 {
		t.Errorf("%+v, %v", w.Ended, err)
	}
	if _, err := o.desk().Bundle(t.Context(), alice, "r"); problem.CodeOf(err) != "record_changed" {
		t.Errorf("one that ended, and whose entry is gone: %v", err)
	}
	o.run.State = run.Running
	if _, err := o.desk().Bundle(t.Context(), alice, "r"); problem.CodeOf(err) != "not_ended" {
		t.Errorf("got %v", err)
	}
}

func TestAnEntryIsItsPersonsOrAnAuditors(t *testing.T) {
	o := recordedRun()
	if e, err := o.desk().Entry(t.Context(), alice, "led_4"); err != nil || e.Sequence != 0 || e.Previous != "" {
		t.Errorf("%+v, %v", e, err)
	}
	for _, id := range []string{"led_1", "led_3", "led_unknown"} {
		if _, err := o.desk().Entry(t.Context(), alice, id); !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: %v", id, err)
		}
		if _, err := o.desk().Prove(t.Context(), alice, id, ledger.Latest); !problem.Is(err, problem.NotFound) {
			t.Errorf("the proof of %s: %v", id, err)
		}
	}
	o.snap.Identity.Roles = []access.Role{access.Auditor}
	if e, err := o.desk().Entry(t.Context(), alice, "led_3"); err != nil || e.Sequence != 3 {
		t.Errorf("as an auditor: %+v, %v", e, err)
	}
	o.snap.Identity.Suspended = true
	for name, look := range map[string]func() error{
		"entry":      func() error { _, err := o.desk().Entry(t.Context(), alice, "led_4"); return err },
		"proof":      func() error { _, err := o.desk().Prove(t.Context(), alice, "led_4", 0); return err },
		"checkpoint": func() error { _, err := o.desk().Checkpoint(t.Context(), alice, 0); return err },
		"growth":     func() error { _, err := o.desk().Growth(t.Context(), alice, 0); return err },
		"why":        func() error { _, err := o.desk().Why(t.Context(), alice, "r"); return err },
		"bundle":     func() error { _, err := o.desk().Bundle(t.Context(), alice, "r"); return err },
	} {
		if err := look(); !problem.Is(err, problem.NotFound) {
			t.Errorf("suspended, %s: %v", name, err)
		}
	}
}

func TestAnExportIsOnesOwnLogWithItsSignedEnd(t *testing.T) {
	for _, auditor := range []bool{false, true} {
		o := recordedRun()
		if auditor {
			o.snap.Identity.Roles = []access.Role{access.Auditor}
		}
		var file bytes.Buffer
		var x *ledger.Export
		end, err := o.desk().ExportLedger(t.Context(), alice, func(n ledger.Name) { x = ledger.NewExport(&file, n) }, func(e ledger.Entry) error { return x.Entry(e) })
		must(t, err)
		must(t, x.End(end.Checkpoint, end.Key))
		r, err := ledger.VerifyFile(&file, officeKey.Public())
		if want := map[bool]int64{false: 2, true: 5}[auditor]; err != nil || r.Checkpoint.Tree.Size != want {
			t.Errorf("auditor %v: %+v, %v", auditor, r, err)
		}
	}
}

func TestARightLostDuringAnExportEndsIt(t *testing.T) {
	o := recordedRun()
	o.snap.Identity.Roles = []access.Role{access.Auditor}
	for range 600 {
		o.enter("bob", ledger.Security, "", nil)
	}
	n := 0
	_, err := o.desk().ExportLedger(t.Context(), alice, func(ledger.Name) {}, func(ledger.Entry) error {
		if n++; n == 10 {
			o.snap.Identity.Roles = nil
		}
		return nil
	})
	if !problem.Is(err, problem.NotFound) || n > 500 {
		t.Errorf("%d entries were given, %v", n, err)
	}
}

func TestTheEvidenceOfABundleIsThatOfTheRun(t *testing.T) {
	o := recordedRun()
	file, err := o.desk().Bundle(t.Context(), alice, "r")
	must(t, err)
	again, err := o.desk().Bundle(t.Context(), alice, "r")
	must(t, err)
	if !bytes.Equal(file, again) {
		t.Error("the same bundle has other bytes")
	}
	r, err := bundle.Verify(bytes.NewReader(file), "")
	must(t, err)
	for i, e := range r.Bundle.Evidence {
		if want := o.evidence[i]; e.Label != want.Ref || e.Excerpt != want.Excerpt || e.Hash != seal.Hash(want.Nonce, want.Excerpt) || e.Cited != (i < 2) {
			t.Errorf("%+v", e)
		}
	}
	if len(r.Bundle.Documents) != 3 || r.Bundle.Run.Goal != "what holds?" {
		t.Errorf("%+v", r.Bundle)
	}
}
