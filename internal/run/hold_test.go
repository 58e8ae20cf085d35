package run_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/tool"
)

var updateEnded = flag.Bool("update-ended", false, "write the golden entry anew")

// endedRun has every field set, and what it read.
func endedRun() (*run.Run, []citation.Evidence) {
	at, n, cost := time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC), 7, 0.25
	s := seal.Seal{Key: "test"}
	r := &run.Run{
		ID: "run_1", Tenant: "acme", Actor: "alice", Kind: run.ForAnswer, Goal: "上海住宿上限?", Conversation: "c",
		Scope: run.Scope{Bases: []access.KnowledgeBaseID{"kb"}, DocKey: "k", UpdatedFrom: at, UpdatedTo: at, AsOf: at}, Route: run.AgenticRAG,
		Tools: []string{"search_knowledge"}, Model: llm.Info{Engine: llm.Model, Name: "m", Host: "h", Remote: true}, RulesFallback: true,
		State: run.Completed, Reason: run.Success, Attempt: 1, Step: 3, Limits: run.DefaultLimits(),
		Use:  run.Use{Steps: 1, Repairs: 1, ToolCalls: 1, SearchPages: 1, Documents: 1, Text: 9, Tokens: 2, Elapsed: time.Second},
		Hits: []tool.Hit{{Document: "d1", Version: 1, Title: "差旅", Chunk: "c1", Span: corpus.Span{Start: 1, End: 2}}}, Searches: []tool.Search{{Query: "q", Page: 1, Hits: 1}},
		Usage:     run.Usage{Calls: 1, CallsWithUsage: 1, Prompt: &n, Completion: &n, Total: &n, Estimated: &n, Messages: 1, Characters: 2, Cost: &cost},
		Windows:   []tool.Window{{Document: "d1", Version: 1, Span: corpus.Span{End: 9}, Units: 9}},
		Calls:     []run.Call{{ID: "c1", Tool: "search_knowledge", ArgsHash: "ah", ResultHash: "rh", Code: "ok"}},
		Answer:    citation.Answer{Text: "650 [S1]", Sections: citation.Sections{Conclusion: "650"}, Refs: []string{"S1"}, Missing: []string{"m"}},
		Checks:    []citation.Check{{Sentence: "650", Labels: []string{"S1"}, Verdict: citation.Supported, DecidedBy: "numbers", Quote: "650", Score: 0.5}},
		Conflicts: []citation.Conflict{{Refs: [2]string{"S1", "S2"}, Quotes: [2]string{"上限650元", "上限651元"}, Kind: "value"}},
		Notices:   []string{"source_truncated"}, NeedsConfirm: true, Seal: s, PromptHash: "ph", TapeHash: "th", Checkpoint: checkpoint("S9"),
		CreatedAt: at, StartedAt: at, EndedAt: at,
	}
	e := citation.New("S1", s.Nonce(run.NameExcerpt("S1")), corpus.Passage{
		Document: "d1", KnowledgeBase: "kb", Key: "k", Version: 1, Status: access.StatusPublished, Title: "差旅", Chunk: "c1",
		Locator: corpus.TextLocator{Format: "md", Line: 3}, Text: "上限650元",
	}, at)
	return r, []citation.Evidence{e}
}

// checkpoint is one after which references are out of sight.
func checkpoint(dropped ...string) string {
	text, err := run.Checkpoint{Attempt: 1, Step: 3, Next: run.Asking, Dropped: dropped}.Encode()
	if err != nil {
		panic(err)
	}
	return text
}

// hold holds a run against the body of the entry of its end, of which nothing was erased since.
func hold(r *run.Run, evidence []citation.Evidence, body json.RawMessage, lost bool) run.Integrity {
	return run.Told{Ended: &ledger.Entry{Body: body}}.Hold(r, evidence, lost)
}

// olderRun is endedRun as it was then.
func olderRun() (*run.Run, []citation.Evidence) {
	r, evidence := endedRun()
	r.Conflicts = nil
	return r, evidence
}

// olderEnd is the entry of an end before the hash over its record covered seal and checkpoint.
func olderEnd(t *testing.T) json.RawMessage {
	t.Helper()
	body, err := os.ReadFile("testdata/ended.v2.json")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(body)
}

// The hashes over what is stored must stay what they are as types grow, or every earlier run would be
// said to have been changed.
func TestTheEntryOfAnEndIsTheOneOfItsGoldenFile(t *testing.T) {
	const path = "testdata/ended.v3.json"
	got := run.EndedBody(endedRun())
	if *updateEnded {
		if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.TrimSpace(string(want)), string(got)); d != "" {
		t.Error(d)
	}
	for _, word := range []string{"上海", "650", "差旅", "kept"} {
		if strings.Contains(string(got), word) {
			t.Errorf("the entry says %s", word)
		}
	}
}

func TestTheEntryOfAnEarlierFormIsStillThatOfItsRunAndCoversLess(t *testing.T) {
	r, evidence := olderRun()
	older := run.Integrity{Unproved: []string{run.OlderForm}}
	if d := cmp.Diff(older, hold(r, evidence, olderEnd(t), false)); d != "" {
		t.Error(d)
	}
	r.Checkpoint = checkpoint()
	if d := cmp.Diff(older, hold(r, evidence, olderEnd(t), false)); d != "" {
		t.Error(d)
	}
	r.Answer.Sections.Conclusion = "651"
	if held := hold(r, evidence, olderEnd(t), true); !slices.Equal(held.Problems, []string{"record_hash"}) {
		t.Errorf("%+v", held)
	}
}

func TestAnEndIsHeldByItsOwnEntryAlone(t *testing.T) {
	r, evidence := endedRun()
	body := run.EndedBody(r, evidence)
	if held := hold(r, evidence, body, false); !held.Verified() {
		t.Fatalf("%+v", held)
	}
	for _, other := range []string{`{}`, `[]`, `null`, ``, `{"form":2}`, `{"state":"completed"}`} {
		if held := hold(r, evidence, json.RawMessage(other), true); !held.Changed() {
			t.Errorf("%q: %+v", other, held)
		}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatal(err)
	}
	for name := range members {
		less := map[string]json.RawMessage{}
		for other, v := range members {
			if other != name {
				less[other] = v
			}
		}
		raw, err := json.Marshal(less)
		if err != nil {
			t.Fatal(err)
		}
		// Without the form of its record it is one of an earlier form, whose hashes are others.
		held := hold(r, evidence, raw, false)
		if !held.Changed() {
			t.Errorf("without %s: %+v", name, held)
		}
	}
}

func TestTheEntryOfAnEndHasInEveryFormWhatItAlwaysHad(t *testing.T) {
	r, evidence := endedRun()
	r.Seal = seal.Seal{}
	r.Answer.Refs = nil
	body := string(run.EndedBody(r, evidence))
	if held := hold(r, evidence, json.RawMessage(body), false); held.Changed() || !slices.Equal(held.Unproved, []string{run.OlderForm}) {
		t.Fatalf("of the first form: %+v", held)
	}
	for _, name := range []string{"goal_hash", "answer_hash", "citations", "state"} {
		less := strings.Replace(body, `"`+name+`"`, `"x"`, 1)
		if held := hold(r, evidence, json.RawMessage(strings.Replace(less, `"x":[]`, `"x":null`, 1)), true); !slices.Contains(held.Problems, name) {
			t.Errorf("without %s: %+v", name, held)
		}
	}
}

func TestWhatHasNoOneFormIsNotTakenForNothing(t *testing.T) {
	r, evidence := endedRun()
	for _, odd := range []string{"9007199254740993", strings.Repeat("[", 100) + strings.Repeat("]", 100)} {
		body := strings.Replace(string(run.EndedBody(r, evidence)), `{`, `{"more":`+odd+`,`, 1)
		if held := hold(r, evidence, json.RawMessage(body), false); !slices.Equal(held.Problems, []string{"more"}) {
			t.Errorf("%s: %+v", odd, held)
		}
	}
}

func TestARunThatCostWhatCannotBeWrittenIsHeldToo(t *testing.T) {
	r, evidence := endedRun()
	nan := math.NaN()
	r.Usage.Cost = &nan
	body := run.EndedBody(r, evidence)
	r.Usage.Cost = nil // as a store returns it
	if held := hold(r, evidence, body, false); !held.Verified() {
		t.Errorf("%+v", held)
	}
}

// Before the ledger was told of reductions, an erasure could only be told by what it left.
func TestOnlyWhatWasEmptiedIsTakenForErasedAfterAnEarlierEnd(t *testing.T) {
	r, evidence := olderRun()
	body, ended := olderEnd(t), run.EndedBody(r, evidence)
	r.Seal = r.Seal.Anew(run.NameGoal)
	r.Answer.Text, r.Checks = "", nil
	evidence[0].Excerpt, evidence[0].Nonce = "", ""
	if held := hold(r, evidence, body, true); held.Changed() || !slices.Equal(held.Unproved, []string{run.OlderForm, run.Withheld}) {
		t.Errorf("erased: %+v", held)
	}
	for name, held := range map[string]run.Integrity{"nothing is gone": hold(r, evidence, body, false), "the ledger would tell": hold(r, evidence, ended, true)} {
		if !slices.Contains(held.Problems, "answer_hash") || !slices.Contains(held.Problems, "evidence/S1") {
			t.Errorf("emptied, though %s: %+v", name, held)
		}
	}
	r.Answer.Text = "another"
	if held := hold(r, evidence, body, true); !slices.Contains(held.Problems, "answer_hash") {
		t.Errorf("another answer: %+v", held)
	}
}

// The entries of some earlier runs leave out what was taken out of sight on the way.
func TestAPassageThatWasDroppedIsUnprovedWhereAnEarlierEndDoesNotTellOfIt(t *testing.T) {
	r, evidence := endedRun()
	r.Notices, r.Checkpoint = append(r.Notices, run.ScopeChanged), checkpoint("S2")
	two := append(evidence, evidence[0])
	two[1].Ref = "S2"
	older := func(told []citation.Evidence) json.RawMessage { return run.EndedBodyOf(r, told, 0) }
	if held := hold(r, two, older(evidence), true); held.Changed() || !slices.Equal(held.Unproved, []string{run.OlderForm, run.Withheld}) {
		t.Errorf("dropped: %+v", held)
	}
	if held := hold(r, two, run.EndedBody(r, evidence), true); !slices.Equal(held.Problems, []string{"evidence/S2"}) {
		t.Errorf("dropped, and the entry would tell: %+v", held)
	}
	// What the entry tells of is held, dropped or not.
	if held := hold(r, two, older(two), true); held.Changed() || !slices.Equal(held.Unproved, []string{run.OlderForm}) {
		t.Errorf("told of: %+v", held)
	}
	two[1].Excerpt = "x"
	if held := hold(r, two, older(two[:1]), true); !slices.Equal(held.Problems, []string{"evidence/S2"}) {
		t.Errorf("not told of, and not the one of its own hash: %+v", held)
	}
	r.Checkpoint = checkpoint("S3")
	if held := hold(r, two, older(evidence), true); !slices.Equal(held.Problems, []string{"evidence/S2"}) {
		t.Errorf("another was dropped: %+v", held)
	}
	// A run that lost nothing, as its entry says, dropped nothing.
	r.Checkpoint, r.Notices = checkpoint("S2"), nil
	if held := hold(r, two, older(evidence), true); !slices.Equal(held.Problems, []string{"evidence/S2"}) {
		t.Errorf("nothing was lost: %+v", held)
	}
}
