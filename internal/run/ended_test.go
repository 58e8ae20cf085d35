package run_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

func TestTheLedgerIsToldOfAnEndByIdsHashesAndCountsAlone(t *testing.T) {
	const goal, answer, excerpt = "What is the limit?", "It is 650 [S2].", "The limit is 650."
	r := &run.Run{
		State: run.Completed, Reason: run.Success, Attempt: 2, Route: run.AgenticRAG, Kind: run.ForAnswer, Goal: goal, PromptHash: "ph", TapeHash: "rh",
		Calls: []run.Call{{ID: "c1", Tool: "search", ArgsHash: "ah", Code: "ok"}}, Checks: []citation.Check{{Verdict: "supported", Sentence: answer}, {Verdict: "supported"}},
	}
	r.Model.Engine, r.Model.Name, r.Model.Host = "model", "m", "h"
	r.Answer.Text, r.Answer.Refs = answer, []string{"S2", "S1", "S9"}
	evidence := []citation.Evidence{
		{Ref: "S1", Document: "d1", Version: 1, Chunk: "c1", Span: corpus.Span{Start: 1, End: 2}, Hash: "h1", Excerpt: excerpt},
		{Ref: "S2", Document: "d2", Version: 3, Chunk: "c2", Hash: "h2"}, {Ref: "S3", Document: "d3"},
	}
	cited := func(ref, doc, chunk, hash string, version, start, end float64) any {
		return map[string]any{
			"ref": ref, "document_id": doc, "version": version, "chunk_id": chunk, "excerpt_hash": hash, "span": map[string]any{"start": start, "end": end},
		}
	}
	want := map[string]any{
		"state": "completed", "finish_reason": "success", "attempt": 2.0, "route": "agentic_rag", "kind": "answer", "engine": "model", "model": "m", "host": "h",
		"goal_hash": seal.Hash("", goal), "prompt_hash": "ph", "recording_hash": "rh", "answer_hash": seal.Hash("", answer),
		"citations":  []any{cited("S2", "d2", "c2", "h2", 3, 0, 0), cited("S1", "d1", "c1", "h1", 1, 1, 2)},
		"tool_calls": []any{map[string]any{"call_id": "c1", "tool": "search", "args_hash": "ah", "code": "ok"}},
		"checks":     map[string]any{"supported": 2.0},
	}
	var got map[string]any
	if err := json.Unmarshal(run.EndedBody(r, evidence), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"use", "usage"} {
		if _, ok := got[key].(map[string]any); !ok {
			t.Errorf("%s is %v", key, got[key])
		}
		delete(got, key)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestTheEndOfARunIsTellableWhateverItCost(t *testing.T) {
	nan := math.NaN()
	r := &run.Run{State: run.Failed, Usage: run.Usage{Calls: 3, Cost: &nan}}
	var got struct {
		State run.State
		Usage run.Usage
	}
	if err := json.Unmarshal(run.EndedBody(r, nil), &got); err != nil || got.State != run.Failed || got.Usage.Calls != 3 || got.Usage.Cost != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if r.Usage.Cost != &nan {
		t.Error("the run itself was changed")
	}
}
