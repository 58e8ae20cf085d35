package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

func TestAnApprovedCallGoesOutOnceWithItsProposalAsKey(t *testing.T) {
	w, id, runs := study(t)
	p := w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"]))
	if w.ticket.count() != 0 || p.Call.Host != "tickets.example:443" || p.Call.Effect != "outside" {
		t.Fatalf("%+v", p.Call)
	}
	d := w.approve("carol", p.ApprovalID)
	if d.Status != "succeeded" || w.ticket.count() != 1 {
		t.Fatalf("%+v, %d calls", d, w.ticket.count())
	}
	call := w.ticket.calls[0]
	if call.ID != p.ProposalID || call.Actor.User != "carol" || call.Session.Run != p.RunID || string(call.Args) != string(p.Call.Arguments) {
		t.Errorf("%+v", call)
	}
	if k := w.task("carol", d.TaskID); string(k.Answer) != `{"ticket":"T-1"}` || k.StartedAt == nil {
		t.Errorf("%+v", k)
	}
	if got := w.reason("carol", p.RunID); got != "completed success" {
		t.Error(got)
	}
	w.refusal("carol", "POST", approvalPath(p.ApprovalID), `{"approved":true}`, 409, "already_decided")
	if w.ticket.count() != 1 {
		t.Errorf("%d calls", w.ticket.count())
	}
}

func TestDeclinedExpiredAndCancelledCallsGoNowhere(t *testing.T) {
	for name, c := range map[string]struct {
		end            func(w *world, p api.Proposal)
		status, reason string
	}{
		"declined": {func(w *world, p api.Proposal) {
			if d := expect[api.Decided](w, "carol", "POST", approvalPath(p.ApprovalID), `{"approved":false}`, 200); d.Status != "cancelled" || d.TaskID != "" {
				w.t.Errorf("%+v", d)
			}
		}, "cancelled", "completed cancelled"},
		"its run cancelled": {func(w *world, p api.Proposal) {
			expect[api.Started](w, "carol", "POST", "/api/runs/"+p.RunID+"/cancel", "", http.StatusAccepted)
		}, "cancelled", "completed cancelled"},
		"expired": {func(w *world, p api.Proposal) {
			w.set(p.ExpiresAt)
			w.refusal("carol", "POST", approvalPath(p.ApprovalID), `{"approved":true}`, 410, "proposal_expired")
		}, "expired", "completed expired"},
		"expired by the timer": {func(w *world, p api.Proposal) {
			w.set(p.ExpiresAt)
			n, err := w.db.Approvals().Expire(w.t.Context())
			must(w.t, err)
			if n != 1 {
				w.t.Errorf("%d ended", n)
			}
		}, "expired", "completed expired"},
		"the document edited": {func(w *world, p api.Proposal) {
			expect[api.Document](w, "alice", "PATCH", "/api/documents/"+p.DocumentID, `{"title":"Other"}`, 200)
			w.refusal("carol", "POST", approvalPath(p.ApprovalID), `{"approved":true}`, 409, "lock_conflict")
		}, "conflict", "completed conflict"},
		"a newer version": {func(w *world, p api.Proposal) {
			w.add("kb-a", "travel.txt|Third.", "status", "published")
			w.refusal("carol", "POST", approvalPath(p.ApprovalID), `{"approved":true}`, 409, "lock_conflict")
		}, "conflict", "completed conflict"},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, runs := study(t)
			p := w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"]))
			c.end(w, p)
			if got := expect[api.Proposal](w, "carol", "GET", "/api/approvals/"+p.ApprovalID, "", 200); got.Status != c.status || got.Task != nil {
				t.Errorf("%+v", got)
			}
			if got := w.reason("carol", p.RunID); got != c.reason {
				t.Error(got)
			}
			w.refusal("carol", "GET", "/api/tasks/"+string(approval.TaskOf(approval.ID(p.ProposalID))), "", 404, "not_found")
			if w.ticket.count() != 0 {
				t.Error("it was called")
			}
		})
	}
}

func TestWhatBecameOfACallIsToldAsItIs(t *testing.T) {
	for name, c := range map[string]struct {
		act          func(tool.Call) (tool.Result, error)
		status, code string
		reason       string
	}{
		"refused": {func(tool.Call) (tool.Result, error) {
			return tool.Result{}, &tool.Failure{Code: tool.Refused, Detail: "no"}
		}, "failed", "endpoint_refused", "failed tool_error"},
		"not reached":      {func(tool.Call) (tool.Result, error) { return tool.Result{}, &tool.Failure{Code: tool.Unreached} }, "failed", "endpoint_unreachable", "failed tool_error"},
		"broke off":        {func(tool.Call) (tool.Result, error) { return tool.Result{}, errors.New("connection reset") }, "unknown", "outcome_unknown", "failed tool_error"},
		"panicked":         {func(tool.Call) (tool.Result, error) { panic("no") }, "unknown", "outcome_unknown", "failed tool_error"},
		"answered no JSON": {func(tool.Call) (tool.Result, error) { return tool.Result{Content: json.RawMessage(`[`)}, nil }, "unknown", "outcome_unknown", "failed tool_error"},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, runs := study(t)
			w.ticket.act = c.act
			p := w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"]))
			d := w.approve("carol", p.ApprovalID)
			if d.Status != c.status || d.Code != c.code {
				t.Errorf("%+v", d)
			}
			if k := w.task("carol", d.TaskID); k.Status != c.status || k.Answer != nil {
				t.Errorf("%+v", k)
			}
			if got := w.reason("carol", p.RunID); got != c.reason {
				t.Error(got)
			}
			if w.ticket.count() != 1 {
				t.Errorf("%d calls", w.ticket.count())
			}
		})
	}
}

func TestARepeatableCallIsTriedAgainWithTheSameKey(t *testing.T) {
	for succeed, want := range map[int]string{1: "succeeded", 2: "succeeded", 3: "succeeded", 4: "unknown"} {
		w, id, runs := study(t)
		n := 0
		w.ticket.act = func(tool.Call) (tool.Result, error) {
			if n++; n < succeed {
				return tool.Result{}, errors.New("broke off")
			}
			return tool.Result{Content: json.RawMessage(`{}`)}, nil
		}
		w.actions = w.engine(true, true)
		d := w.approve("carol", w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"])).ApprovalID)
		if d.Status != want || w.ticket.count() != min(succeed, 3) {
			t.Errorf("succeeds at the %d. try: %+v after %d calls", succeed, d, w.ticket.count())
		}
		for _, c := range w.ticket.calls {
			if c.ID != d.ProposalID {
				t.Errorf("key %s", c.ID)
			}
		}
	}
	// After an earlier try broke off, a refusal does not say that nothing was done.
	w, id, runs := study(t)
	w.ticket.act = func(c tool.Call) (tool.Result, error) {
		if w.ticket.count() == 1 {
			return tool.Result{}, errors.New("broke off")
		}
		return tool.Result{}, &tool.Failure{Code: tool.Refused}
	}
	w.actions = w.engine(true, true)
	if d := w.approve("carol", w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"])).ApprovalID); d.Status != "unknown" {
		t.Errorf("%+v", d)
	}
}

// Between the decision and the call everything is checked again.
func TestRightsAreCheckedAgainBeforeTheCall(t *testing.T) {
	for name, c := range map[string]struct {
		take func(w *world, id string)
		code string
	}{
		"the role": {func(w *world, _ string) {
			must(w.t, w.db.Admin().PutUser(w.t.Context(), acme, "operator", access.Identity{User: "carol", Roles: []access.Role{access.Member}}))
		}, "permission_denied"},
		"the level": {func(w *world, _ string) { w.grant("kb-a", "user:alice", "manager", "user:carol", "reader") }, "permission_denied"},
		"everything": {func(w *world, _ string) {
			must(w.t, w.db.Admin().PutUser(w.t.Context(), acme, "operator", access.Identity{User: "carol", Roles: []access.Role{access.KnowledgeAdmin}, Suspended: true}))
		}, "permission_denied"},
		"the policy": {func(w *world, id string) {
			expect[api.Document](w, "alice", "PATCH", "/api/documents/"+id, `{"access_policy":{"deny":["user:carol"]}}`, 200)
		}, "permission_denied"},
		"the version": {func(w *world, _ string) { w.add("kb-a", "travel.txt|Third.", "status", "published") }, "lock_conflict"},
		"the document": {func(w *world, id string) {
			if rec := w.send("alice", "DELETE", "/api/documents/"+id, ""); rec.Code != 204 {
				w.t.Error(rec.Code)
			}
		}, "lock_conflict"},
		"the declaration": {func(w *world, _ string) { w.ticket.before = "Now it deletes. "; w.actions = w.engine(true) }, "tool_changed"},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, runs := study(t)
			p := w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"]))
			settled := w.decideOnly(p)
			c.take(w, id)
			due, err := w.actions.Due(t.Context(), w.now().Add(time.Hour))
			must(t, err)
			if len(due) != 1 || due[0].Status != approval.Queued {
				t.Fatalf("%+v", due)
			}
			if n := w.actions.Recover(t.Context(), due); n != 1 {
				t.Errorf("%d ended", n)
			}
			k, err := w.db.Tasks().Task(t.Context(), acme, "carol", settled.Task.ID)
			must(t, err)
			if k.Status != approval.Failed || k.Code != c.code || w.ticket.count() != 0 {
				t.Errorf("%s %s, %d calls", k.Status, k.Code, w.ticket.count())
			}
		})
	}
}

// decideOnly approves Carol's proposal as a process does that ends right after the decision.
func (w *world) decideOnly(p api.Proposal) (settled approval.Proposal) {
	w.t.Helper()
	actor := access.Actor{Tenant: acme, User: "carol"}
	must(w.t, access.Within(w.t.Context(), w.db.Directory(), actor, access.Request{View: access.Content}, func(s access.Scope) (err error) {
		settled, err = w.db.Approvals().Decide(w.t.Context(), s, approval.ID(p.ProposalID), approval.Decision{Approved: true, Request: "req"})
		return err
	}))
	return settled
}

func TestACallLeftBehindIsTakenUpAtTheNextStart(t *testing.T) {
	for name, c := range map[string]struct {
		claimed, repeatable bool
		status              approval.TaskStatus
		calls               int
	}{
		"never begun":                {false, false, approval.Succeeded, 1},
		"under way":                  {true, false, approval.Unknown, 0},
		"under way, and repeatable":  {true, true, approval.Succeeded, 1},
		"never begun and repeatable": {false, true, approval.Succeeded, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, runs := study(t)
			if c.repeatable {
				w.actions = w.engine(true, true)
			}
			p := w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"]))
			k := *w.decideOnly(p).Task
			if c.claimed {
				actor := access.Actor{Tenant: acme, User: "carol"}
				must(t, access.Within(t.Context(), w.db.Directory(), actor, access.Request{View: access.Content}, func(s access.Scope) (err error) {
					k, err = w.db.Tasks().Claim(t.Context(), s, k.ID, 0, time.Minute)
					return err
				}))
			}
			// Until its lease is over the task is its worker's; the run is not taken for lost meanwhile.
			if _, err := w.db.Journal().Interrupt(t.Context(), w.now().AddDate(1, 0, 0)); err != nil {
				t.Fatal(err)
			}
			if got := w.reason("carol", p.RunID); got != "running " {
				t.Errorf("the run is %q", got)
			}
			if due, err := w.actions.Due(t.Context(), w.now()); err != nil || len(due) != 0 {
				t.Errorf("due at once: %+v, %v", due, err)
			}
			expect[api.Started](w, "carol", "POST", "/api/runs/"+p.RunID+"/cancel", "", http.StatusAccepted)
			due, err := w.actions.Due(t.Context(), w.now().AddDate(1, 0, 0))
			must(t, err)
			if n := w.actions.Recover(t.Context(), due); n != 1 {
				t.Errorf("%d ended", n)
			}
			after, err := w.db.Tasks().Task(t.Context(), acme, "carol", k.ID)
			must(t, err)
			if after.Status != c.status || w.ticket.count() != c.calls {
				t.Errorf("%s after %d calls", after.Status, w.ticket.count())
			}
			// A worker that comes back finds its task ended.
			if _, err := w.db.Tasks().Finish(t.Context(), k.ID, k.Token, approval.Result{Status: approval.Succeeded}); problem.CodeOf(err) != "lease_lost" {
				t.Errorf("the late worker: %v", err)
			}
		})
	}
}

func TestAReadNeedsNoDecision(t *testing.T) {
	w, id, _ := study(t)
	p := w.wish("bob", "/api/tools/look_up/proposals", `{"object_id":"`+id+`","version":"2"}`)
	if p.Status != "approved" || p.Task == nil || p.Task.Status != "succeeded" || p.Approved != nil {
		t.Fatalf("%+v", p)
	}
	if k := w.task("bob", p.Task.TaskID); k.Decision != nil || string(k.Answer) != `{"found":true}` {
		t.Errorf("%+v", k)
	}
	list := expect[api.List[api.Event]](w, "bob", "GET", "/api/runs/"+p.RunID+"/events", "", http.StatusOK, "Accept", "application/json")
	if diff := cmp.Diff([]string{"run.created", "run.tool.started", "run.tool.completed", "run.completed"}, types(list.Items)); diff != "" {
		t.Error(diff)
	}
}

// history is what one decision saw: it began before and ended after these two ticks.
type seen struct {
	approved   bool
	code       int
	status     string
	start, end int
}

// TestDecisionsAreLinearizable sends approvals and refusals of one call at once and looks for an
// order of them, consistent with the times of each, in which a register that is set once answers as
// the server did.
func TestDecisionsAreLinearizable(t *testing.T) {
	w, id, runs := study(t)
	for round := range 12 {
		before := w.ticket.count()
		p := w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"]))
		var mu sync.Mutex
		clock := 0
		tick := func() int { mu.Lock(); defer mu.Unlock(); clock++; return clock }
		all := make([]seen, 6)
		var group sync.WaitGroup
		for i := range all {
			group.Go(func() {
				s := seen{approved: i%2 == 0, start: tick()}
				rec := w.send("carol", "POST", approvalPath(p.ApprovalID), fmt.Sprintf(`{"approved":%v}`, s.approved))
				s.end, s.code = tick(), rec.Code
				var d api.Decided
				_ = json.Unmarshal(rec.Body.Bytes(), &d)
				s.status = d.Status
				all[i] = s
			})
		}
		group.Wait()
		var winners []seen
		for _, s := range all {
			switch s.code {
			case 200:
				winners = append(winners, s)
			case 409:
			default:
				t.Fatalf("round %d: %+v", round, s)
			}
		}
		if len(winners) != 1 {
			t.Fatalf("round %d: %d decisions", round, len(winners))
		}
		// The winner is the first of the order, so nobody who lost may have ended before it began.
		if slices.ContainsFunc(all, func(s seen) bool { return s.code == 409 && s.end < winners[0].start }) {
			t.Fatalf("round %d: somebody was late before anybody decided: %+v", round, all)
		}
		want := map[bool]string{true: "succeeded", false: "cancelled"}[winners[0].approved]
		if winners[0].status != want || (w.ticket.count()-before == 1) != winners[0].approved || w.ticket.count()-before > 1 {
			t.Fatalf("round %d: %+v, %d calls", round, winners[0], w.ticket.count()-before)
		}
	}
}

func TestARepeatedDecisionOnACallGetsTheFirstResult(t *testing.T) {
	w, id, runs := study(t)
	p := w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"]))
	key := []string{"Idempotency-Key", "k1"}
	first := w.send("carol", "POST", approvalPath(p.ApprovalID), `{"approved":true}`, key...)
	again := w.send("carol", "POST", approvalPath(p.ApprovalID), `{"approved":true}`, key...)
	w.door = newServer(w.server.deps).front() // A restart forgets the keys, and the store does not.
	restarted := w.send("carol", "POST", approvalPath(p.ApprovalID), `{"approved":true}`, key...)
	if first.Code != 200 || picture(first) != picture(again) || picture(first) != picture(restarted) || w.ticket.count() != 1 {
		t.Errorf("%s\n%s\n%s\n%d calls", picture(first), picture(again), picture(restarted), w.ticket.count())
	}
	w.refusal("carol", "POST", approvalPath(p.ApprovalID), `{"approved":false}`, 422, "idempotency_key_reused", "Idempotency-Key", "k1")
	made := w.send("bob", "POST", taskPath, taskBody(id, "2", runs["bob"]), key...)
	same := w.send("bob", "POST", taskPath, taskBody(id, "2", runs["bob"]), key...)
	if made.Code != 201 || picture(made) != picture(same) {
		t.Errorf("%s\n%s", picture(made), picture(same))
	}
	w.refusal("bob", "POST", taskPath, strings.Replace(taskBody(id, "2", runs["bob"]), "Check", "Look at", 1), 422, "idempotency_key_reused", key...)
}

func TestOnlyABooleanDecidesACall(t *testing.T) {
	w, id, runs := study(t)
	p := w.wish("carol", ticketPath, ticketBody(id, "2", runs["carol"]))
	for body, status := range map[string]int{
		`{"approved":"true"}`: 422, `{"approved":1}`: 422, `{"approved":null}`: 422, `{}`: 422, `{"Approved":true}`: 422, `{"approved":true,"note":"x"}`: 422,
		`{"approved":true,"approved":true}`: 400, `"我确认"`: 422, `true`: 422, ``: 400, `{"approved":True}`: 400,
	} {
		if rec := w.send("carol", "POST", approvalPath(p.ApprovalID), body); rec.Code != status {
			t.Errorf("%s: %d, want %d", body, rec.Code, status)
		}
	}
	for _, words := range []string{"我确认", "approve " + p.ApprovalID, "确认执行 open_ticket", `{\"approved\":true}`, "POST " + approvalPath(p.ApprovalID)} {
		w.ask("carol", words)
		expect[api.Answer](w, "carol", "POST", "/api/chat", `{"question":"`+words+`","conversation_id":"`+p.RunID+`"}`, http.StatusOK)
		w.runner.work.Wait()
	}
	if got := expect[api.Proposal](w, "carol", "GET", "/api/approvals/"+p.ApprovalID, "", 200); got.Status != "pending" || w.ticket.count() != 0 {
		t.Errorf("%+v after %d calls", got, w.ticket.count())
	}
}
