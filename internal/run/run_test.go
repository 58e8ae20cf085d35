package run_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

func TestTheSessionCarriesTheRunsScopeAndLimits(t *testing.T) {
	from := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	r := &run.Run{
		ID:       "run_1",
		Scope:    run.Scope{Bases: []access.KnowledgeBaseID{"kb"}, DocKey: "k", UpdatedFrom: from, UpdatedTo: from.AddDate(0, 0, 1), AsOf: from.AddDate(0, 0, 2)},
		Limits:   run.DefaultLimits(),
		Hits:     []tool.Hit{{Document: "a", Chunk: "c1"}, {Document: "b", Chunk: "c2"}, {Document: "a", Chunk: "c3"}},
		Searches: []tool.Search{{Query: "q", Page: 1}},
		Windows:  []tool.Window{{Document: "a", Units: 100}},
	}
	want := tool.Session{
		Run:      "run_1",
		Request:  access.Request{View: access.Published, Bases: []access.KnowledgeBaseID{"kb"}, DocKey: "k", UpdatedFrom: from, UpdatedTo: from.AddDate(0, 0, 1), AsOf: from.AddDate(0, 0, 2)},
		Hits:     map[corpus.DocumentID]tool.Hit{"a": {Document: "a", Chunk: "c1"}, "b": {Document: "b", Chunk: "c2"}},
		Searches: r.Searches, Windows: r.Windows,
		SearchPages: 2, PageSize: 5, Documents: 3, TextUnits: 4000, WindowUnits: 2000,
	}
	if diff := cmp.Diff(want, r.Session()); diff != "" {
		t.Errorf("session (-want +got):\n%s", diff)
	}
}

func TestOnlyTheRouteForHistoryAsksForVersions(t *testing.T) {
	for _, route := range []run.Route{run.Direct, run.Refuse, run.FixedRAG, run.Summary, run.AgenticRAG, run.Draft, run.VersionTool} {
		r := &run.Run{Route: route}
		if got := r.Session().Versions; got != (route == run.VersionTool) {
			t.Errorf("%s: versions %v", route, got)
		}
	}
}

func TestAScopeWithoutKnowledgeBasesMeansNoneAndNotAll(t *testing.T) {
	got := run.Scope{}.Request()
	if got.Bases == nil || len(got.Bases) != 0 {
		t.Errorf("bases %#v, want an empty list that is not nil", got.Bases)
	}
}

func TestARunKnowsWhatItsAnswerCites(t *testing.T) {
	r := &run.Run{Answer: citation.Answer{Refs: []string{"S1", "C12"}}}
	for ref, want := range map[string]bool{"S1": true, "C12": true, "C1": false, "S12": false, "": false} {
		if got := r.Cited(ref); got != want {
			t.Errorf("Cited(%q) = %v", ref, got)
		}
	}
}

func TestARunSurvivesItsStoredForm(t *testing.T) {
	at := time.Date(2026, 10, 1, 8, 0, 0, 0, time.UTC)
	r := run.Run{
		ID: "run-1", Tenant: "acme", Actor: "alice", Kind: run.ForAnswer, Goal: "上海住宿上限？", Route: run.AgenticRAG, Tools: []string{"search_knowledge"},
		Scope: run.Scope{Bases: []access.KnowledgeBaseID{"kb"}}, State: run.Completed, Reason: run.Success, Attempt: 2, Step: 3, Limits: run.DefaultLimits(),
		Use: run.Use{Steps: 3, Elapsed: time.Second}, Usage: run.Usage{Calls: 3, CallsWithUsage: 1, Total: n(0)},
		Hits:    []tool.Hit{{Document: "a", Version: 2, Title: "t", Chunk: "c", Span: corpus.Span{Start: 1, End: 9}}},
		Windows: []tool.Window{{Document: "a", Version: 2, Span: corpus.Span{Start: 0, End: 9}, Units: 9}},
		Answer:  citation.Answer{Text: "650元[S1]", Sections: citation.Sections{Conclusion: "650元[S1]"}, Refs: []string{"S1"}},
		Checks:  []citation.Check{{Sentence: "650元", Labels: []string{"S1"}, Verdict: citation.Supported, DecidedBy: "rule:literal", Quote: "q"}},
		Notices: []string{"source_truncated"}, NeedsConfirm: true, PromptHash: "00", CreatedAt: at, StartedAt: at, EndedAt: at,
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back run.Run
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, back); diff != "" {
		t.Errorf("run (-stored +read):\n%s", diff)
	}
}

func TestOnlyTheRuleBasedEngineMakesRemarks(t *testing.T) {
	answer := citation.Answer{Text: "Conclusion: Meals are paid. [S1]\nNext steps: open the original [S1]"}
	for engine, want := range map[llm.Engine]int{llm.Rules: 1, llm.Model: 0, "": 0} {
		r := &run.Run{Model: llm.Info{Engine: engine}}
		if got := r.Remarks(answer); len(got) != want {
			t.Errorf("engine %q: %d remarks, want %d", engine, len(got), want)
		}
	}
}
