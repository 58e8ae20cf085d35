package agent_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// publish makes the next version of a document of the template.
func (r *rig) publish(key, text string) {
	r.t.Helper()
	ctx := context.Background()
	in := &ingest.Intake{Directory: r.db.Directory(), Catalog: r.db.Catalog(), Blobs: r.db.Blobs()}
	_, err := in.Upload(ctx, access.Actor{Tenant: tenant, User: carol}, corpus.Upload{KnowledgeBase: base, FileName: key, Publish: true}, strings.NewReader(text))
	check(r.t, err)
	worker := &ingest.Worker{Queue: r.db.Queue(), Publisher: r.db.Publisher(), Blobs: r.db.Blobs(), Log: silent()}
	check(r.t, worker.Drain(ctx))
}

const newer = "# 差旅政策\n\n## 住宿标准\n\n上海住宿上限为每晚 700 元。\n"

// TestAReplacedVersionStaysAsItWasRead publishes another version after the run has read the first:
// in the middle of an attempt, and between two.
func TestAReplacedVersionStaysAsItWasRead(t *testing.T) {
	for _, pause := range []bool{false, true} {
		r, p := puppetRig(t, nil)
		id := readTravel(r, p)
		if pause {
			r.restart()
		}
		r.publish("travel.md", newer)
		if pause {
			r.resume(alice, id)
			if req := <-p.asked; !strings.Contains(text(req), "每晚 650 元") || strings.Contains(text(req), "700 元") {
				t.Errorf("the context holds another text than was read:\n%s", text(req))
			}
		}
		p.turn <- says(cited)
		got := r.through(id)
		if got.State != run.Completed || len(got.evidence) != 1 || got.evidence[0].Version != 1 || !strings.Contains(got.evidence[0].Excerpt, "650") {
			t.Fatalf("paused %v: %s with %+v", pause, got.State, got.evidence)
		}
		if slices.Contains(got.Notices, "scope_changed") {
			t.Errorf("paused %v: a replaced version passes for a lost one", pause)
		}
	}
}

// TestADocumentThatIsGoneIsDroppedHoweverItWent deletes and erases what was read, in the middle of
// an attempt and between two.
func TestADocumentThatIsGoneIsDroppedHoweverItWent(t *testing.T) {
	for name, remove := range map[string]func(context.Context, *rig, access.Scope) error{
		"deleted": func(ctx context.Context, r *rig, s access.Scope) error {
			return r.db.Catalog().Delete(ctx, s, "doc-travel")
		},
		"erased": func(ctx context.Context, r *rig, s access.Scope) error {
			return r.db.Catalog().Erase(ctx, s, "doc-travel")
		},
	} {
		for _, pause := range []bool{false, true} {
			r, p := puppetRig(t, nil)
			id := readTravel(r, p)
			if pause {
				r.restart()
			}
			check(t, manage(context.Background(), r.db, func(s access.Scope) error { return remove(context.Background(), r, s) }))
			if pause {
				r.resume(alice, id)
				<-p.asked
			} else {
				p.turn <- says(cited) // it is not used
				<-p.asked
			}
			p.turn <- says("INSUFFICIENT_EVIDENCE\n- 住宿标准")
			got := r.through(id)
			if got.State != run.InsufficientEvidence || !slices.Contains(got.Notices, "scope_changed") || strings.Contains(got.Answer.Text, "650") {
				t.Errorf("%s, paused %v: %s, notices %v", name, pause, got.State, got.Notices)
			}
		}
	}
}

// TestWhatIsWrittenAfterARevocationIsNeverRead revokes a right first and writes then: under way, in
// a resumed attempt, and in a new run.
func TestWhatIsWrittenAfterARevocationIsNeverRead(t *testing.T) {
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	r.revoke()
	r.publish("travel.md", "# 差旅政策\n\n上海住宿上限改为 CANARYNEW 元。\n")
	clean := func(req llm.Request) {
		t.Helper()
		if strings.Contains(text(req), "CANARYNEW") || strings.Contains(text(req), "650 元") {
			t.Errorf("a request tells what was revoked:\n%s", text(req))
		}
	}
	p.turn <- calls(llmtest.Search("上海住宿 改为"))
	clean(<-p.asked)
	p.turn <- calls(llmtest.Search("上海住宿 改为"))
	clean(<-p.asked)
	r.restart()
	r.resume(alice, id)
	clean(<-p.asked)
	p.turn <- says("INSUFFICIENT_EVIDENCE\n- 住宿标准")
	if got := r.through(id); got.State != run.InsufficientEvidence || len(got.Hits) != 0 {
		t.Errorf("%s with hits %v", got.State, got.Hits)
	}
	other := r.start(alice, question)
	clean(<-p.asked)
	p.turn <- calls(llmtest.Search("上海住宿 元"))
	clean(<-p.asked)
	p.turn <- says("INSUFFICIENT_EVIDENCE\n- 住宿标准")
	r.wait(alice, other).want(t, run.InsufficientEvidence, run.Insufficient)
}

func TestAResumeCountsAmongTheRunsOfItsActor(t *testing.T) {
	r, p := puppetRig(t, func(d *agent.Deps) { d.PerActor = 1 })
	first := r.start(alice, question)
	<-p.asked
	r.restart()
	second := r.start(alice, question)
	<-p.asked
	_, err := r.agent.Resume(t.Context(), access.Actor{Tenant: tenant, User: alice}, first)
	if !problem.Is(err, problem.Exhausted) || problem.CodeOf(err) != "too_many_runs" {
		t.Errorf("got %v", err)
	}
	if got := r.course(first); got.State != run.Interrupted || got.Attempt != 1 {
		t.Errorf("%s in attempt %d", got.State, got.Attempt)
	}
	p.turn <- says("INSUFFICIENT_EVIDENCE\n- x")
	<-p.asked
	p.turn <- says("INSUFFICIENT_EVIDENCE\n- x")
	r.wait(alice, second)
	r.agent.Close()
	r.agent = agent.New(r.deps)
	t.Cleanup(r.agent.Close)
	r.resume(alice, first)
	<-p.asked
	r.agent.Close()
}

// fields are all that stored events of each type may hold.
var fields = map[event.Type]string{
	event.RunCreated: "state kind scope timezone limits", event.RouteSelected: "route tools by", event.RunStarted: "model",
	event.StepStarted: "step", event.StepCompleted: "step use", event.ModelStarted: "call_id messages prompt_runes prompt_hash",
	event.ModelCompleted: "call_id latency_ms finish usage usage_source failed_attempts", event.ModelFailed: "call_id latency_ms code",
	event.ToolStarted: "call_id tool args_hash sensitivity args stripped", event.ToolCompleted: "call_id tool latency_ms result",
	event.ToolFailed:  "call_id code retryable terminal",
	event.SourceAdded: "ref document_id doc_key version chunk_id span chars truncated excerpt_hash", event.SourceWithheld: "ref reason",
	event.AnswerStarted: "answer_id mode", event.AnswerDelta: "answer_id offset chars", event.DraftReady: "answer_id refs needs_confirmation warnings",
	event.Warning: "code", event.LimitReached: "limit value allowed", event.CancelAsked: "state",
	event.Resumed:   "attempt state reason scope_changed sources_kept sources_dropped unfinished_calls",
	event.Completed: "state finish_reason usage duration_ms missing", event.Failed: "state finish_reason usage duration_ms",
	event.Interrupted: "state finish_reason usage duration_ms",
}

// TestStoredEventsHoldTheirFieldsAlone walks runs that end in many ways and holds every event
// against the fields of its type.
func TestStoredEventsHoldTheirFieldsAlone(t *testing.T) {
	seen := map[event.Type]bool{}
	look := func(events []event.Event) {
		t.Helper()
		for _, e := range events {
			seen[e.Type] = true
			var data map[string]json.RawMessage
			check(t, json.Unmarshal(e.Data, &data))
			for name := range data {
				if !slices.Contains(strings.Fields(fields[e.Type]), name) {
					t.Errorf("%s holds %s, which it has no field for", e.Type, name)
				}
			}
		}
	}
	r, p := puppetRig(t, nil)
	id := readTravel(r, p)
	r.restart()
	r.revoke()
	r.resume(alice, id)
	<-p.asked
	_, err := r.agent.Cancel(t.Context(), access.Actor{Tenant: tenant, User: alice}, id)
	check(t, err)
	look(r.through(id).events)
	for _, turns := range [][]llmtest.Turn{
		{calls(llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel")), says(cited)},
		{calls(llmtest.Search("上海住宿")), calls(llmtest.Search("政策")), calls(llmtest.Search("报销"))},
		{calls(llm.ToolCall{Name: "search_knowledge", Arguments: `{"query":"x","user_id":"bob"}`}), calls(llm.ToolCall{Name: "rm", Arguments: "{"})},
		{{Err: problem.New(problem.Unavailable, "model_error", "Down.")}}, {says(""), says("")},
	} {
		r := newRig(t, nil, turns...)
		look(r.ask(alice, question).events)
	}
	draft := newRig(t, nil, calls(llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel")), says(cited))
	look(draft.ask(alice, agent.Request{Goal: "写一份住宿说明", Kind: run.ForDraft}).events)
	for kind := range fields {
		if !seen[kind] {
			t.Errorf("no run told of %s", kind)
		}
	}
}
