package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// quarrel is the template with one more document, which says otherwise than the travel policy.
var quarrel = folder(func(ctx context.Context, db *sqlite.DB) error {
	err := fill(ctx, db)
	in := &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs()}
	_, uploaded := in.Upload(ctx, access.Actor{Tenant: tenant, User: carol}, corpus.Upload{
		ID: "doc-branch", KnowledgeBase: base, FileName: "branch.md", Publish: true,
	}, strings.NewReader("# 分公司差旅说明\n\n上海住宿上限为每晚 500 元。\n"))
	worker := &ingest.Worker{Queue: db.Queue(), Publisher: db.Publisher(), Blobs: db.Blobs(), Log: silent()}
	return errors.Join(err, uploaded, worker.Drain(ctx))
})

func TestEachOpenPointAsksForConfirmation(t *testing.T) {
	search := calls(llmtest.Search("上海住宿上限"))
	travel, branch, long := calls(llmtest.Read("doc-travel")), calls(llmtest.Read("doc-branch")), calls(llmtest.Read("doc-long"))
	draft := agent.Request{Goal: question.Goal, Kind: run.ForDraft}
	for name, c := range map[string]struct {
		request agent.Request
		turns   []llmtest.Turn
		notice  string
		want    bool
	}{
		"nothing is open":              {question, []llmtest.Turn{search, travel, says(cited)}, "", false},
		"next steps alone":             {question, []llmtest.Turn{search, travel, says(cited + "\n下一步：问财务部。")}, "", false},
		"something to confirm":         {question, []llmtest.Turn{search, travel, says(cited + "\n待确认：早餐是否包含。")}, "", true},
		"nothing to confirm, in words": {question, []llmtest.Turn{search, travel, says(cited + "\n待确认：无")}, "", false},
		"a sentence is contradicted":   {question, []llmtest.Turn{search, travel, says("上海住宿上限为每晚 800 元。[S1]")}, "", true},
		"a sentence is not found":      {question, []llmtest.Turn{search, travel, says(cited + "\n员工食堂周末开放。[S1]")}, "", true},
		"a sentence cites nothing":     {question, []llmtest.Turn{search, travel, says(cited + "\n\n员工食堂周末开放。")}, "", true},
		"a cited source is cut short": {
			question, []llmtest.Turn{calls(llmtest.Search("政策 步骤 流程 记录")), long, says("请按顺序执行并留存记录。[S1]")}, "source_truncated", true,
		},
		"sources disagree":                {question, []llmtest.Turn{search, travel, branch, says("上海住宿上限为每晚 650 元。[S1] 上海住宿上限为每晚 500 元。[S2]")}, citation.SourcesDisagree, true},
		"one that was read only does too": {question, []llmtest.Turn{search, travel, branch, says("上海住宿上限为每晚 650 元。[S1]")}, citation.SourcesDisagree, true},
		"a draft awaits review":           {draft, []llmtest.Turn{search, travel, says(cited)}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			got := rigOn(t, quarrel, nil, c.turns...).ask(alice, c.request)
			if got.State != run.Completed && got.State != run.AwaitingReview {
				t.Fatalf("ended %s (%s)", got.State, got.Reason)
			}
			if got.NeedsConfirm != c.want {
				t.Errorf("needs confirmation: %v; checks %+v, notices %v", got.NeedsConfirm, got.Checks, got.Notices)
			}
			if c.notice != "" && !slices.Contains(got.Notices, c.notice) || c.notice == "" && len(got.Notices) != 0 {
				t.Errorf("notices %v, want %q", got.Notices, c.notice)
			}
		})
	}
}

// remarking answers as the rule-based engine does, with remarks.
type remarking struct {
	text    string
	remarks []llm.Remark
}

func (remarking) Info() llm.Info { return llm.Info{Engine: llm.Rules, Name: "rules"} }

func (g remarking) Generate(context.Context, llm.Request, func(llm.Delta)) (llm.Response, error) {
	return llm.Response{Message: llm.Message{Role: llm.Assistant, Text: g.text}, Finish: llm.Stop, Remarks: g.remarks}, nil
}

func TestWhatTheEngineRemarksIsToldAndNothingBesideIt(t *testing.T) {
	for name, c := range map[string]struct {
		remarks []llm.Remark
		want    []string
		events  string
	}{
		"nothing":        {nil, nil, ""},
		"a disagreement": {[]llm.Remark{{Code: llm.SourcesDisagree, Refs: []string{"C1", "C2"}}}, []string{llm.SourcesDisagree}, `{"code":"sources_disagree","refs":[["C1","C2"]]}`},
		"one, twice": {[]llm.Remark{{Code: llm.SourcesDisagree, Refs: []string{"C1", "C2"}}, {Code: llm.SourcesDisagree, Refs: []string{"C1", "C2"}}},
			[]string{llm.SourcesDisagree}, `{"code":"sources_disagree","refs":[["C1","C2"]]}`},
		"what is left out": {[]llm.Remark{{Code: llm.MachineWordsLeftOut, Refs: []string{"C2"}}}, []string{llm.MachineWordsLeftOut}, `{"code":"machine_words_left_out","refs":["C2"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := rigOn(t, quarrel, func(d *agent.Deps) {
				d.Generator = remarking{"上海住宿上限为每晚 650 元。[C1]", c.remarks}
				d.Rules = d.Generator
			})
			got := r.ask(alice, agent.Request{Goal: question.Goal, Route: run.FixedRAG})
			said := slices.DeleteFunc(slices.Clone(got.Notices), func(n string) bool { return n == "extracted_by_rules" || n == "source_truncated" })
			if !slices.Equal(said, c.want) {
				t.Errorf("notices %v", got.Notices)
			}
			if want := min(1, strings.Count(c.events, llm.SourcesDisagree)); len(got.Conflicts) != want {
				t.Errorf("kept: %+v", got.Conflicts)
			}
			told := ""
			for _, e := range got.events {
				if e.Type == event.Warning {
					told += string(e.Data)
				}
			}
			if told != c.events {
				t.Errorf("told: %s, want %s", told, c.events)
			}
		})
	}
}

func TestADisagreementIsToldOfByReferencesAlone(t *testing.T) {
	r := rigOn(t, quarrel, nil, calls(llmtest.Search("上海住宿上限")), calls(llmtest.Read("doc-travel")), calls(llmtest.Read("doc-branch")),
		says("上海住宿上限为每晚 650 元。[S1]"))
	got := r.ask(alice, question)
	told := 0
	for _, e := range got.events {
		if e.Type == event.Warning && strings.Contains(string(e.Data), citation.SourcesDisagree) {
			told++
			if !strings.Contains(string(e.Data), `["S1","S2"]`) || strings.Contains(string(e.Data), "上海") {
				t.Errorf("%s", e.Data)
			}
		}
	}
	if told != 1 {
		t.Errorf("told of %d times", told)
	}
}
