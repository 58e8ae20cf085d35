package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
)

var question = agent.Request{Goal: "上海住宿上限是多少？"}

func TestEveryEnding(t *testing.T) {
	search, read := llmtest.Search("上海住宿"), llmtest.Read("doc-travel")
	everything := llmtest.Search("政策")
	tests := []struct {
		name   string
		req    agent.Request
		change func(*agent.Deps)
		turns  []llmtest.Turn
		broken bool // the search tool fails
		state  run.State
		reason run.Reason
	}{
		{name: "an answer that cites what was read completes", turns: []llmtest.Turn{calls(search), calls(read), says(cited)},
			state: run.Completed, reason: run.Success},
		{name: "fixed retrieval answers from the context", req: agent.Request{Goal: "上海住宿上限", Route: run.FixedRAG},
			turns: []llmtest.Turn{says("上海住宿上限为每晚 650 元。[C1]")}, state: run.Completed, reason: run.Success},
		{name: "fixed retrieval without a hit needs no model", req: agent.Request{Goal: "量子纠缠蒸馏", Route: run.FixedRAG},
			state: run.InsufficientEvidence, reason: run.Insufficient},
		{name: "fixed retrieval that fails is not an empty result", req: agent.Request{Goal: "上海住宿上限", Route: run.FixedRAG}, broken: true,
			state: run.Failed, reason: run.SearchFailed},
		{name: "a greeting is answered without documents", req: agent.Request{Goal: "你好"}, turns: []llmtest.Turn{says("您好，我是考据。")},
			state: run.Completed, reason: run.Success},
		{name: "a direct answer cannot cite", req: agent.Request{Goal: "你好"}, turns: []llmtest.Turn{says("您好 [S1]"), says("您好 [S1]")},
			state: run.Failed, reason: run.InvalidCitations},
		{name: "the route refuse ends before any model turn", req: agent.Request{Goal: "x", Route: run.Refuse},
			state: run.Refused, reason: run.RouteRefused},
		{name: "a route that the actor may not use is refused", req: agent.Request{Goal: "x", Route: run.VersionTool},
			state: run.Refused, reason: run.RouteRefused},
		{name: "a draft awaits review", req: agent.Request{Goal: "写一份住宿说明", Kind: run.ForDraft},
			turns: []llmtest.Turn{calls(search), calls(read), says(cited)}, state: run.AwaitingReview, reason: run.DraftReady},
		{name: "a draft without its sections is invalid", req: agent.Request{Goal: "写一份住宿说明", Kind: run.ForDraft},
			turns: []llmtest.Turn{calls(search), calls(read), says("650 元 [S1]"), says("650 元 [S1]")}, state: run.Failed, reason: run.InvalidOutput},
		{name: "insufficiency after a search is accepted", turns: []llmtest.Turn{calls(search), says("INSUFFICIENT_EVIDENCE\n当前资料不足以确认\n- 2027 年的标准")},
			state: run.InsufficientEvidence, reason: run.Insufficient},
		{name: "insufficiency without a search is not", turns: []llmtest.Turn{says("INSUFFICIENT_EVIDENCE\n缺少资料"), says("INSUFFICIENT_EVIDENCE\n缺少资料")},
			state: run.Failed, reason: run.InvalidOutput},
		{name: "a failed search never becomes nothing found", broken: true,
			turns: []llmtest.Turn{calls(search), says("INSUFFICIENT_EVIDENCE\n没有资料")}, state: run.Failed, reason: run.SearchFailed},
		{name: "an unknown tool is not allowed", turns: []llmtest.Turn{calls(llm.ToolCall{Name: "delete_everything", Arguments: "{}"})},
			state: run.Refused, reason: run.ToolNotAllowed},
		{name: "a tool of another route is not allowed", turns: []llmtest.Turn{calls(llm.ToolCall{Name: "read_document_version", Arguments: `{"document_id":"doc-travel"}`})},
			state: run.Refused, reason: run.ToolNotAllowed},
		{name: "a tool call in a direct run is not allowed", req: agent.Request{Goal: "你好"}, turns: []llmtest.Turn{calls(search)},
			state: run.Refused, reason: run.ToolNotAllowed},
		{name: "a document that was never a hit is out of scope", turns: []llmtest.Turn{calls(search), calls(llmtest.Read("doc-secret"))},
			state: run.Failed, reason: run.OutOfScope},
		{name: "the same search again is no progress", turns: []llmtest.Turn{calls(search), calls(llmtest.Search(" 上海住宿 "))},
			state: run.Failed, reason: run.NoProgress},
		{name: "the same window again is no progress", turns: []llmtest.Turn{calls(search), calls(read), calls(read)},
			state: run.Failed, reason: run.NoProgress},
		{name: "a third search page is beyond the limit", turns: []llmtest.Turn{calls(search), calls(everything), calls(llmtest.Search("休假"))},
			state: run.Failed, reason: run.LimitSearchPages},
		{name: "a fourth document is beyond the limit", turns: []llmtest.Turn{calls(everything, search), calls(read, llmtest.Read("doc-leave"), llmtest.Read("doc-remote")), calls(llmtest.Read("doc-expense"))},
			state: run.Failed, reason: run.LimitDocuments},
		{name: "more of a document than its text limit", turns: []llmtest.Turn{calls(llmtest.Search("长政策流程步骤")),
			calls(readAt("doc-long", 0), readAt("doc-long", 2500), readAt("doc-long", 5000), readAt("doc-long", 7500))}, state: run.Failed, reason: run.LimitDocumentText},
		{name: "more tool calls than allowed", change: func(d *agent.Deps) { d.Limits.ToolCalls = 1 }, turns: []llmtest.Turn{calls(search, read)},
			state: run.Failed, reason: run.LimitToolCalls},
		{name: "more steps than allowed", change: func(d *agent.Deps) { d.Limits.Steps = 1 }, turns: []llmtest.Turn{calls(search)},
			state: run.Failed, reason: run.LimitSteps},
		{name: "a context that grows too large", change: func(d *agent.Deps) { d.Limits.ContextChars = 900 }, turns: []llmtest.Turn{calls(search)},
			state: run.Failed, reason: run.LimitContext},
		{name: "more tokens than allowed", change: func(d *agent.Deps) { d.Limits.Tokens = 100 },
			turns: []llmtest.Turn{{Calls: []llm.ToolCall{search}, Usage: llmtest.Tokens(90, 20)}}, state: run.Failed, reason: run.LimitTokens},
		{name: "more time than allowed", change: func(d *agent.Deps) { d.Limits.Total = 30 * time.Millisecond }, turns: []llmtest.Turn{{Block: make(chan struct{})}},
			state: run.Failed, reason: run.LimitTime},
		{name: "a model that does not answer in time", change: func(d *agent.Deps) { d.Limits.Request = 20 * time.Millisecond }, turns: []llmtest.Turn{{Block: make(chan struct{})}},
			state: run.Failed, reason: run.ModelTimeout},
		{name: "a model that fails", turns: []llmtest.Turn{{Err: errors.New("connection refused")}}, state: run.Failed, reason: run.ModelError},
		{name: "an answer without citations twice", turns: []llmtest.Turn{calls(search), calls(read), says("650 元"), says("650 元。")},
			state: run.Failed, reason: run.InvalidCitations},
		{name: "an invented reference twice", turns: []llmtest.Turn{calls(search), calls(read), says("650 元 [S9]"), says("650 元 [S7]")},
			state: run.Failed, reason: run.InvalidCitations},
		{name: "an answer repaired once", turns: []llmtest.Turn{calls(search), calls(read), says("650 元 [S9]"), says("650 元 [S1]")},
			state: run.Completed, reason: run.Success},
		{name: "an empty answer twice", turns: []llmtest.Turn{says(""), says(" \n")}, state: run.Failed, reason: run.InvalidOutput},
		{name: "a malformed argument corrected by the model", turns: []llmtest.Turn{calls(llm.ToolCall{Name: "search_knowledge", Arguments: `{"query":`}),
			calls(llm.ToolCall{Name: "search_knowledge", Arguments: `{"query":5}`}), calls(search), calls(read), says(cited)}, state: run.Completed, reason: run.Success},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, tt.change, tt.turns...)
			r.search.broken.Store(tt.broken)
			req := tt.req
			if req.Goal == "" {
				req = question
			}
			got := r.ask(alice, req)
			got.want(t, tt.state, tt.reason)
			if tt.reason == run.LimitTime {
				return // the time may be over before the model is asked
			}
			if left := r.script.Left(); left != 0 {
				t.Errorf("%d scripted turns were never asked for", left)
			}
			if want := len(r.script.Requests()); got.Usage.Calls != want {
				t.Errorf("%d model calls counted, %d were made", got.Usage.Calls, want)
			}
			if tt.state == run.Refused && len(got.evidence) > 0 {
				t.Error("a refused run holds evidence")
			}
		})
	}
}

func TestRulesTakeOverOnlyWhereTheRequestAllowsIt(t *testing.T) {
	r := newRig(t, nil, llmtest.Turn{Err: errors.New("connection refused")})
	got := r.ask(alice, agent.Request{Goal: question.Goal, RulesFallback: true})
	got.want(t, run.Completed, run.Success)
	if got.Model.Engine != llm.Rules || !strings.Contains(got.Answer.Text, "650") {
		t.Errorf("engine %s answered %q", got.Model.Engine, got.Answer.Text)
	}
	if !strings.Contains(strings.Join(got.Notices, " "), "rules_fallback") {
		t.Errorf("notices %v do not tell of the fallback", got.Notices)
	}
}

func TestRoleLostMeanwhileEndsTheRunSafely(t *testing.T) {
	var r *rig
	r = newRig(t, nil, llmtest.Turn{
		Calls: []llm.ToolCall{{Name: "read_document_version", Arguments: `{"document_id":"doc-travel"}`}},
		Check: func(llm.Request) {
			check(t, r.db.Admin().PutUser(context.Background(), tenant, "system", access.Identity{User: carol, Roles: []access.Role{access.Member}}))
		},
	})
	got := r.ask(carol, agent.Request{Goal: "旧版怎么说", Route: run.VersionTool})
	got.want(t, run.Refused, run.PermissionDenied)
	security := r.entries(ledger.Security, got.ID)
	if len(security) != 1 || !strings.Contains(string(security[0].Body), "tool_permission_denied") {
		t.Errorf("security entries: %+v", security)
	}
	if len(r.script.Requests()) != 1 {
		t.Error("the refusal went back to the model")
	}
}

func TestRevokedGrantHidesADocumentThatWasAHit(t *testing.T) {
	var r *rig
	r = newRig(t, nil,
		calls(llmtest.Search("上海住宿")),
		llmtest.Turn{Calls: []llm.ToolCall{llmtest.Read("doc-travel")}, Check: func(llm.Request) { check(t, grant(context.Background(), r.db)) }},
		llmtest.Turn{Text: "INSUFFICIENT_EVIDENCE\n当前资料不足以确认", Check: func(req llm.Request) {
			last := req.Messages[len(req.Messages)-1].Text
			if len(req.Messages) != 2 || !strings.Contains(last, `"found":[]`) || strings.Contains(last, "差旅") {
				t.Errorf("the model was told %s", last)
			}
		}})
	got := r.ask(alice, question)
	got.want(t, run.InsufficientEvidence, run.Insufficient)
	if len(got.evidence) != 0 || len(got.Calls) != 1 {
		t.Error("a document that could no longer be read became evidence, or was asked for")
	}
}

func TestUnknownKnowledgeBaseFailsTheWholeRequestAlike(t *testing.T) {
	r := newRig(t, nil)
	var messages []string
	for _, kb := range []access.KnowledgeBaseID{base, "kb-unknown"} {
		_, err := r.agent.Start(t.Context(), access.Actor{Tenant: tenant, User: "mallory"}, agent.Request{Goal: "x", Bases: []access.KnowledgeBaseID{kb}})
		if err == nil {
			t.Fatalf("%s was accepted", kb)
		}
		messages = append(messages, err.Error())
	}
	if messages[0] != messages[1] {
		t.Errorf("foreign and unknown differ: %q and %q", messages[0], messages[1])
	}
}

func TestCancelReachesTheModelRequest(t *testing.T) {
	asked := make(chan struct{})
	r := newRig(t, nil, llmtest.Turn{Block: make(chan struct{}), Check: func(llm.Request) { close(asked) }})
	id := r.start(alice, question)
	<-asked
	if _, err := r.agent.Cancel(t.Context(), access.Actor{Tenant: tenant, User: "mallory"}, id); err == nil {
		t.Error("another user cancelled the run")
	}
	before, err := r.agent.Cancel(t.Context(), access.Actor{Tenant: tenant, User: alice}, id)
	check(t, err)
	if before.State != run.Cancelling {
		t.Errorf("state after the request is %s, want cancelling", before.State)
	}
	got := r.wait(alice, id)
	got.want(t, run.Cancelled, run.WasCancelled)
	if !got.has(event.CancelAsked) {
		t.Error("no event tells of the wish to cancel")
	}
	again, err := r.agent.Cancel(t.Context(), access.Actor{Tenant: tenant, User: alice}, id)
	check(t, err)
	if again.State != run.Cancelled {
		t.Errorf("cancelling an ended run made it %s", again.State)
	}
}

func TestStoppingTheServerInterruptsRuns(t *testing.T) {
	asked := make(chan struct{})
	r := newRig(t, nil, llmtest.Turn{Block: make(chan struct{}), Check: func(llm.Request) { close(asked) }})
	id := r.start(alice, question)
	<-asked
	r.agent.Close()
	r.read(alice, id).want(t, run.Interrupted, run.ProcessGone)
}

func TestRunsOfADeadProcessAreInterruptedAtTheNextStart(t *testing.T) {
	asked := make(chan struct{})
	r := newRig(t, nil, llmtest.Turn{Block: make(chan struct{}), Check: func(llm.Request) { close(asked) }})
	id := r.start(alice, question)
	<-asked
	n, err := r.db.Journal().Interrupt(t.Context(), time.Now().Add(time.Hour))
	check(t, err)
	if n != 1 {
		t.Errorf("%d runs were interrupted, want 1", n)
	}
	r.agent.Close() // the old worker finds its lease gone and must not write a second end
	r.read(alice, id).want(t, run.Interrupted, run.ProcessGone)
}

func TestRunsBeyondTheSlotsWaitAndCanBeCancelled(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	r := newRig(t, func(d *agent.Deps) { d.Parallel = 1 },
		llmtest.Turn{Block: release, Check: func(llm.Request) { close(asked) }, Text: "您好，我是考据。"})
	first := r.start(alice, agent.Request{Goal: "你好"})
	<-asked
	second := r.start(alice, agent.Request{Goal: "你好"})
	_, err := r.agent.Cancel(t.Context(), access.Actor{Tenant: tenant, User: alice}, second)
	check(t, err)
	r.wait(alice, second).want(t, run.Cancelled, run.WasCancelled)
	close(release)
	r.wait(alice, first).want(t, run.Completed, run.Success)
	if n := len(r.script.Requests()); n != 1 {
		t.Errorf("%d model calls, want 1: the cancelled run made one", n)
	}
}
