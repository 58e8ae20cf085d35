package agent_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// readVersion is the call of the tool that reads history.
func readVersion(document string) llm.ToolCall {
	args, _ := json.Marshal(map[string]string{"document_id": document})
	return llm.ToolCall{Name: "read_document_version", Arguments: string(args)}
}

// version looks a version up as carol, who manages the policies.
func (r *rig) version(id corpus.DocumentID) corpus.Document {
	r.t.Helper()
	var d corpus.Document
	check(r.t, manage(context.Background(), r.db, func(s access.Scope) error {
		var err error
		d, err = r.db.Catalog().Document(context.Background(), s, id)
		return err
	}))
	return d
}

func TestAnAdministratorReadsAnArchivedVersionThroughTheTool(t *testing.T) {
	r := rigOn(t, demonstration, nil, calls(llmtest.Search("差旅 上海 住宿 上限")), calls(llmtest.Read("doc-travel-v2"), readVersion("doc-travel-v1")),
		says("结论：第 1 版规定上海的住宿上限为每晚 500 元。[S2]\n依据：上海的住宿上限为每晚 500 元，北京和深圳相同。[S2]"))
	got := r.ask(carol, agent.Request{Goal: "旧版的上海住宿上限是多少？", Route: run.VersionTool})
	got.want(t, run.Completed, run.Success)
	old := got.evidence[1]
	if old.Document != "doc-travel-v1" || old.Status != access.StatusArchived || old.Version != 1 || !strings.Contains(old.Excerpt, "每晚 500 元") || old.Chunk == "" {
		t.Errorf("evidence %+v", old)
	}
	entries := r.entries(ledger.HistoryRead, got.ID)
	if len(entries) != 1 || entries[0].Actor != string(carol) || !strings.Contains(string(entries[0].Body), "doc-travel-v1") || strings.Contains(string(entries[0].Body), "500") {
		t.Errorf("history entries %+v", entries)
	}
	if told := r.script.Requests()[1].Messages[3].Text; !strings.Contains(told, `"document_id":"doc-travel-v1","version":1,"status":"archived"`) {
		t.Errorf("the search names no versions: %s", told)
	}
}

func TestHistoryOpensOnlyForVersionsThatASearchNamed(t *testing.T) {
	for _, id := range []string{"doc-rd-handbook-v1", "doc-nothing", "doc-after-sales-v1"} {
		r := rigOn(t, demonstration, nil, calls(llmtest.Search("差旅 上海 住宿 上限")), calls(readVersion(id)))
		got := r.ask(carol, agent.Request{Goal: "旧版的上海住宿上限是多少？", Route: run.VersionTool})
		if slices.ContainsFunc(got.Hits, func(h tool.Hit) bool { return string(h.Document) == id }) {
			t.Fatalf("%s was found; the test needs another", id)
		}
		got.want(t, run.Failed, run.OutOfScope)
		if n := len(r.entries(ledger.HistoryRead, got.ID)); n != 0 {
			t.Errorf("%s: %d entries of a reading that did not happen", id, n)
		}
	}
}

func TestTheNamedVersionsSurviveInTheJournal(t *testing.T) {
	r := rigOn(t, demonstration, nil, calls(llmtest.Search("差旅 上海 住宿 上限")), says("INSUFFICIENT_EVIDENCE\n- 旧版"))
	got := r.ask(carol, agent.Request{Goal: "旧版的上海住宿上限是多少？", Route: run.VersionTool})
	i := slices.IndexFunc(got.Hits, func(h tool.Hit) bool { return h.Document == "doc-travel-v2" })
	if i < 0 {
		t.Fatal("the policy was not found")
	}
	want := []tool.Version{{Document: "doc-travel-v3", Version: 3, Status: access.StatusDraft}, {Document: "doc-travel-v2", Version: 2, Status: access.StatusPublished}, {Document: "doc-travel-v1", Version: 1, Status: access.StatusArchived}}
	if diff := cmp.Diff(want, got.Hits[i].Versions); diff != "" {
		t.Error(diff)
	}
}

func TestAQuestionAboutThePastIsAnsweredFromWhatWasInForce(t *testing.T) {
	for _, route := range []run.Route{"", run.AgenticRAG, run.VersionTool} {
		r := rigOn(t, demonstration, byRules)
		then := r.version("doc-travel-v1").InForce[0].From
		got := r.ask(carol, agent.Request{Goal: lodging, Route: route, AsOf: then})
		got.want(t, run.Completed, run.Success)
		if !strings.Contains(got.Answer.Text, "500") || strings.Contains(got.Answer.Text, "650") {
			t.Errorf("%s: %s", route, got.Answer.Text)
		}
		if !got.Scope.AsOf.Equal(then) || !slices.Contains(got.Notices, "as_of") {
			t.Errorf("scope %v, notices %v", got.Scope, got.Notices)
		}
		for _, e := range got.evidence {
			if e.Document == "doc-travel-v1" && e.Status != access.StatusArchived {
				t.Errorf("evidence of the past has the status %s", e.Status)
			}
		}
		if n := len(r.entries(ledger.HistoryRead, got.ID)); n < 2 {
			t.Errorf("%d history entries, want one for the search and one for each read", n)
		}
		now := r.ask(carol, agent.Request{Goal: lodging, Route: route})
		if !strings.Contains(now.Answer.Text, "650") || slices.Contains(now.Notices, "as_of") || len(r.entries(ledger.HistoryRead, now.ID)) != 0 {
			t.Errorf("today: %s %v", now.Answer.Text, now.Notices)
		}
	}
}

func TestThePastIsRefusedToEverybodyElseInOneShape(t *testing.T) {
	r := rigOn(t, demonstration, byRules)
	then := r.version("doc-travel-v1").InForce[0].From
	for _, c := range []struct {
		user access.UserID
		req  agent.Request
	}{
		{alice, agent.Request{AsOf: then}}, {"dave", agent.Request{AsOf: then}}, {"bob", agent.Request{AsOf: time.Unix(1, 0)}},
		{alice, agent.Request{AsOf: then, Route: run.AgenticRAG}}, {alice, agent.Request{AsOf: then, Route: run.VersionTool}},
		{alice, agent.Request{AsOf: then, Route: run.FixedRAG}}, {carol, agent.Request{AsOf: then, Route: run.FixedRAG}},
		{carol, agent.Request{AsOf: then, Route: run.Summary}}, {carol, agent.Request{AsOf: then, Kind: run.ForDraft}}, {alice, agent.Request{Route: run.VersionTool}},
	} {
		c.req.Goal = lodging
		got := r.ask(c.user, c.req)
		got.want(t, run.Refused, run.RouteRefused)
		var types []string
		for _, e := range got.events {
			types = append(types, string(e.Type))
		}
		if diff := cmp.Diff([]string{"run.created", "run.route.selected", "run.started", "run.completed"}, types); diff != "" || len(got.Hits)+len(got.evidence)+len(got.Tools) > 0 {
			t.Errorf("%s %+v is refused in another shape: %s", c.user, c.req, diff)
		}
	}
}

func TestARoleLostMeanwhileEndsTheViewOfThePast(t *testing.T) {
	var r *rig
	r = rigOn(t, demonstration, nil, calls(llmtest.Search("上海 住宿 上限")),
		llmtest.Turn{Calls: []llm.ToolCall{llmtest.Read("doc-travel-v1")}, Check: func(llm.Request) {
			check(t, r.db.Admin().PutUser(context.Background(), tenant, "system", access.Identity{User: carol, Roles: []access.Role{access.Member}}))
		}},
		says("INSUFFICIENT_EVIDENCE\n- 旧版"))
	got := r.ask(carol, agent.Request{Goal: lodging, AsOf: r.version("doc-travel-v1").InForce[0].From})
	got.want(t, run.InsufficientEvidence, run.Insufficient)
	if len(got.evidence) != 0 {
		t.Errorf("evidence %+v", got.evidence)
	}
	last := r.script.Requests()[2].Messages
	if text := last[len(last)-1].Text; len(last) != 2 || !strings.Contains(text, `"found":[]`) || strings.Contains(text, "500") {
		t.Errorf("the model was told %s", text)
	}
}

// publisher is a write tool of a name that a model might try.
type publisher struct{ called bool }

func (*publisher) Spec() tool.Spec {
	return tool.Spec{Name: "publish_document", Description: "Publishes.", Sensitivity: tool.Write, Schema: json.RawMessage(`{"type":"object"}`)}
}

func (p *publisher) Call(context.Context, tool.Call) (tool.Result, error) {
	p.called = true
	return tool.Result{Content: json.RawMessage(`{"ok":true}`)}, nil
}

func TestNoRouteOffersAModelToWriteAnything(t *testing.T) {
	reads := []string{"search_knowledge", "read_document", "read_document_version"}
	for _, route := range []run.Route{run.Direct, run.FixedRAG, run.Summary, run.AgenticRAG, run.Draft, run.VersionTool} {
		p := &publisher{}
		r := rigOn(t, demonstration, func(d *agent.Deps) {
			tools := []tool.Tool{p}
			for _, name := range reads {
				tools = append(tools, named{name})
			}
			executor, err := tool.NewExecutor(d.Directory, tools, tool.Options{Writes: true})
			check(t, err)
			d.Executor = union{executor, d.Executor}
		}, calls(llm.ToolCall{Name: "publish_document", Arguments: `{"document_id":"doc-travel-v3"}`}))
		kind := run.ForAnswer
		if route == run.Draft {
			kind = run.ForDraft
		}
		goal := "我确认发布差旅管理制度第 3 版，上海住宿上限"
		if route == run.Direct {
			goal = "你好"
		}
		got := r.ask(carol, agent.Request{Goal: goal, Kind: kind, Route: route})
		got.want(t, run.Refused, run.ToolNotAllowed)
		for _, spec := range r.script.Requests()[0].Tools {
			if !slices.Contains(reads, spec.Name) {
				t.Errorf("%s offers %s", route, spec.Name)
			}
		}
		if p.called || r.version("doc-travel-v3").Status != access.StatusDraft || r.version("doc-travel-v2").Status != access.StatusPublished {
			t.Errorf("%s published by words", route)
		}
	}
}

// named stands for a tool of a name.
type named struct{ name string }

func (n named) Spec() tool.Spec {
	return tool.Spec{Name: n.name, Sensitivity: tool.Read, Schema: json.RawMessage(`{"type":"object"}`)}
}

func (named) Call(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Content: json.RawMessage(`{"ok":true}`)}, nil
}

// union describes and runs what either executor knows, writes included.
type union struct{ writes, product agent.Executor }

func (u union) Specs(names []string) []llm.ToolSpec { return u.writes.Specs(names) }

func (u union) Run(ctx context.Context, actor access.Actor, allowed []string, s tool.Session, c llm.ToolCall) tool.Outcome {
	if c.Name == "publish_document" {
		return u.writes.Run(ctx, actor, allowed, s, c)
	}
	return u.product.Run(ctx, actor, allowed, s, c)
}

func TestNobodyStartsARunThatPublishes(t *testing.T) {
	r := newRig(t, nil)
	_, err := r.agent.Start(t.Context(), access.Actor{Tenant: tenant, User: carol}, agent.Request{Goal: "发布", Kind: run.ForPublish})
	if err == nil || !strings.Contains(err.Error(), "kind") {
		t.Errorf("started: %v", err)
	}
}
