package docket

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func publishing() approval.Proposal {
	return approval.Proposal{
		ID: "prop_1", Tenant: "acme", Proposer: "carol", Kind: approval.Publish, Run: "run_1", Document: "doc", KnowledgeBase: "kb", DocKey: "travel", Version: 3, FromVersion: 2,
		Summary: json.RawMessage(`{"v":1}`), CreatedAt: noon, ExpiresAt: noon.Add(approval.Lifetime),
	}
}

func calling() approval.Proposal {
	p, c := publishing(), sample()
	c.Automatic = false
	p.Kind, p.Call = approval.CallTool, &c
	return p
}

func told(t *testing.T, e event.Event) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal(e.Data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestARunWaitsForWhatItsProposalIs(t *testing.T) {
	for name, c := range map[string]struct {
		p      approval.Proposal
		kind   run.Kind
		goal   string
		key    string
		target map[string]any
	}{
		"publishing": {publishing(), run.ForPublish, "publish_document doc", "travel", map[string]any{"document_id": "doc", "from_version": 2.0, "to_version": 3.0}},
		"a call":     {calling(), run.ForAction, "create_task doc", "", map[string]any{"document_id": "doc", "version": 3.0, "knowledge_base_id": "kb"}},
	} {
		r := RunOf(c.p)
		if r.Kind != c.kind || r.Goal != c.goal || r.Scope.DocKey != c.key || r.State != run.Waiting || r.Attempt != 1 || !r.CreatedAt.Equal(noon) || !r.Kind.Decides() {
			t.Errorf("%s: %+v", name, r)
		}
		events := Begun(c.p)
		if len(events) != 2 || events[0].Type != event.RunCreated || events[1].Type != event.Waiting {
			t.Fatalf("%s: %+v", name, events)
		}
		if diff := cmp.Diff(c.target, told(t, events[1])["target"]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	p := calling()
	p.Call.Automatic = true
	if events := Begun(p); len(events) != 1 {
		t.Errorf("a call that needs no decision waits: %+v", events)
	}
}

func TestEveryEndOfAProposalHasItsReasonAndItsWord(t *testing.T) {
	for end, want := range map[approval.Status][2]string{
		approval.Executed: {"success", "approved"}, approval.Approved: {"success", "approved"}, approval.Conflict: {"conflict", "approved"},
		approval.Cancelled: {"cancelled", "cancelled"}, approval.Expired: {"expired", "expired"},
	} {
		for _, d := range []*approval.Decision{nil, {By: "carol"}} {
			p := publishing()
			p.Status, p.Decision = end, d
			data := told(t, Decided(p, noon))
			if string(Reason(end)) != want[0] || data["decision"] != want[1] || data["approval_id"] != "prop_1" || (data["by"] == "carol") != (d != nil) {
				t.Errorf("%s: %s, %v", end, Reason(end), data)
			}
			if body := Body(p); (body["approved"] == nil) != (d == nil) || body["status"] != end {
				t.Errorf("%s: %v", end, body)
			}
		}
	}
}

func TestEveryEndOfATaskIsToldAsItIs(t *testing.T) {
	for status, want := range map[approval.TaskStatus]struct {
		told, closing event.Type
		why           run.Reason
		code          string
	}{
		approval.Succeeded: {event.ToolCompleted, event.Completed, run.Success, "ok"},
		approval.Failed:    {event.ToolFailed, event.Failed, run.ToolError, "endpoint_refused"},
		approval.Unknown:   {event.ToolFailed, event.Failed, run.ToolError, "outcome_unknown"},
	} {
		k := approval.Task{ID: "task_1", Status: status, Proposal: calling()}
		if want.code != "ok" {
			k.Code = want.code
		}
		closing, why, e := Ended(k)
		data := told(t, e)
		if closing != want.closing || why != want.why || e.Type != want.told || data["code"] != want.code || data["status"] != string(status) || data["call_id"] != "task_1" {
			t.Errorf("%s: %s %s %s %v", status, closing, why, e.Type, data)
		}
		if started := told(t, Started(k)); started["call_id"] != "task_1" || started["args_hash"] != k.Proposal.Call.ArgsHash() {
			t.Errorf("%v", started)
		}
	}
}

func TestOnlyTheSameDecisionOfTheSameRequestGetsTheSameAnswer(t *testing.T) {
	first := approval.Decision{By: "carol", Approved: true, Request: "r1"}
	for name, c := range map[string]struct {
		status approval.Status
		d      approval.Decision
		code   string
	}{
		"the same":           {approval.Executed, first, ""},
		"the same of a call": {approval.Approved, first, ""},
		"the same conflict":  {approval.Conflict, first, "lock_conflict"},
		"another request":    {approval.Executed, approval.Decision{Approved: true, Request: "r2"}, "already_decided"},
		"another decision":   {approval.Executed, approval.Decision{Request: "r1"}, "already_decided"},
		"no request":         {approval.Executed, approval.Decision{Approved: true}, "already_decided"},
		"another conflict":   {approval.Conflict, approval.Decision{Approved: true, Request: "r2"}, "already_decided"},
		"too late":           {approval.Expired, first, "proposal_expired"},
	} {
		p := publishing()
		p.Status, p.Decision = c.status, &first
		if c.status == approval.Expired {
			p.Decision = nil
		}
		got, err := Settled(p, c.d)
		if (err == nil) != (c.code == "") || err != nil && problem.CodeOf(err) != c.code || err == nil && got.ID != "prop_1" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	p := calling()
	p.Status = approval.Approved
	if _, err := Settled(p, first); problem.CodeOf(err) != "already_decided" {
		t.Errorf("a call that nobody decided: %v", err)
	}
}
