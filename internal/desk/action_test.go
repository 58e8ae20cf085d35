package desk

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// tray is a store of one task.
type tray struct {
	approval.Tasks
	task approval.Task
}

func (s *tray) Task(_ context.Context, tenant access.TenantID, user access.UserID, id approval.TaskID) (approval.Task, error) {
	if id != s.task.ID || tenant != "acme" || user != s.task.Proposal.Proposer && user != s.task.Proposal.Call.Owner {
		return approval.Task{}, problem.Missing()
	}
	return s.task, nil
}

type baseStore struct {
	corpus.Bases
	*office
}

func (b baseStore) Base(_ context.Context, scope access.Scope, id access.KnowledgeBaseID) (access.KnowledgeBase, error) {
	if scope.Level(id) < access.Reader {
		return access.KnowledgeBase{}, problem.Missing()
	}
	return access.KnowledgeBase{ID: id, Name: "Policies"}, nil
}

type histories struct{ *office }

func (h histories) Text(_ context.Context, _ access.Actor, id corpus.DocumentID) (corpus.Text, error) {
	for _, d := range h.documents {
		if d.ID == id {
			return corpus.Text{Document: d, Text: h.texts[id]}, nil
		}
	}
	return corpus.Text{}, problem.Missing()
}

// exporting is an office in which Alice, an administrator, has an approved export of two versions.
func exporting(tool string) (*office, *tray, *Desk) {
	o := newOffice()
	o.snap.Identity.Roles = []access.Role{access.KnowledgeAdmin}
	o.put("v1", "travel", 1, access.StatusArchived, "CANARY one")
	o.put("v2", "travel", 2, access.StatusPublished, "CANARY two")
	s := &tray{task: approval.Task{ID: "task_1", Status: approval.Succeeded, EndedAt: noon, Proposal: approval.Proposal{
		ID: "prop_1", Kind: approval.CallTool, Status: approval.Approved, Proposer: "alice", Document: "v2", KnowledgeBase: "kb", DocKey: "travel", Version: 2,
		Summary: json.RawMessage(`{"v":1}`), Call: &approval.Call{Tool: tool, Sensitivity: "sensitive_read", Args: json.RawMessage(`{}`)},
	}}}
	d := o.desk()
	d.deps.Tasks, d.deps.Bases, d.deps.History = s, baseStore{office: o}, histories{o}
	return o, s, d
}

func TestAnExportIsRecordedBeforeItIsGivenOut(t *testing.T) {
	for tool, want := range map[string]int{approval.ExportDocument: 1, approval.ExportHistory: 2} {
		o, _, d := exporting(tool)
		texts, err := d.Export(t.Context(), alice, "task_1")
		if err != nil || len(texts) != want || len(o.entries) != 1 {
			t.Errorf("%s: %d texts, %d entries, %v", tool, len(texts), len(o.entries), err)
		}
		d.deps.Ledger = brokenLog{entryLog{o}}
		if texts, err := d.Export(t.Context(), alice, "task_1"); err == nil {
			t.Errorf("%s: given out without a record: %+v", tool, texts)
		}
	}
}

func TestAnExportIsForItsProposerItsTimeAndItsTool(t *testing.T) {
	owner := access.Actor{Tenant: "acme", User: "bob"}
	for name, c := range map[string]struct {
		change func(*office, *tray, *Desk)
		actor  access.Actor
		code   string
	}{
		"another user":        {func(*office, *tray, *Desk) {}, owner, "not_found"},
		"its owner":           {func(_ *office, s *tray, _ *Desk) { s.task.Proposal.Call.Owner = "bob" }, owner, "not_found"},
		"another tool":        {func(_ *office, s *tray, _ *Desk) { s.task.Proposal.Call.Tool = "create_task" }, alice, "not_found"},
		"not ended":           {func(_ *office, s *tray, _ *Desk) { s.task.Status = approval.Queued }, alice, "not_found"},
		"too late":            {func(_ *office, s *tray, _ *Desk) { s.task.EndedAt = noon.Add(-15 * time.Minute) }, alice, "result_expired"},
		"in time":             {func(_ *office, s *tray, _ *Desk) { s.task.EndedAt = noon.Add(-15*time.Minute + 1) }, alice, ""},
		"a lost right":        {func(o *office, _ *tray, _ *Desk) { o.snap.Bases[0].Grants = nil }, alice, "not_found"},
		"suspended":           {func(o *office, _ *tray, _ *Desk) { o.snap.Identity.Suspended = true }, alice, "not_found"},
		"no store of tasks":   {func(_ *office, _ *tray, d *Desk) { d.deps.Tasks = nil }, alice, "not_found"},
		"too much of a text":  {func(o *office, _ *tray, _ *Desk) { o.texts["v2"] = string(make([]byte, exportBytes+1)) }, alice, "export_too_large"},
		"the directory moved": {func(o *office, _ *tray, _ *Desk) { o.moved = 2 }, alice, ""},
	} {
		o, s, d := exporting(approval.ExportDocument)
		c.change(o, s, d)
		if _, err := d.Export(t.Context(), c.actor, "task_1"); (err == nil) != (c.code == "") || err != nil && problem.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %q", name, err, c.code)
		}
	}
	o, _, d := exporting(approval.ExportHistory)
	o.snap.Identity.Roles = nil
	if _, err := d.Export(t.Context(), alice, "task_1"); !problem.Is(err, problem.NotFound) {
		t.Errorf("history without the role: %v", err)
	}
}

// calling is an engine that proposes one call and carries it out as a test says.
type calling struct {
	Actions
	carry func(approval.Task) (approval.Task, error)
	p     approval.Proposal
	n     int
}

func (c *calling) Propose(context.Context, access.Actor, action.Wish) (approval.Proposal, error) {
	return c.p, nil
}

func (c *calling) Carry(_ context.Context, k approval.Task) (approval.Task, error) {
	c.n++
	return c.carry(k)
}

func TestAnApprovedCallIsCarriedOutAtOnceOrShownAsWaiting(t *testing.T) {
	_, s, d := exporting("look_up")
	p := s.task.Proposal
	p.Task = &approval.Task{ID: "task_1", Status: approval.Queued}
	c := &calling{p: p, carry: func(k approval.Task) (approval.Task, error) {
		if k.Proposal.ID != "prop_1" {
			t.Errorf("%+v", k)
		}
		k.Status = approval.Succeeded
		return k, nil
	}}
	d.deps.Actions = c
	if got, err := d.ProposeCall(t.Context(), alice, action.Wish{}); err != nil || got.Task.Status != approval.Succeeded || c.n != 1 {
		t.Errorf("%+v, %v", got.Task, err)
	}
	c.carry = func(approval.Task) (approval.Task, error) { return approval.Task{}, errors.New("the store is down") }
	if got, err := d.ProposeCall(t.Context(), alice, action.Wish{}); err != nil || got.Task.Status != approval.Queued {
		t.Errorf("%+v, %v", got.Task, err)
	}
	p.Task.Status = approval.Succeeded
	if _, err := d.ProposeCall(t.Context(), alice, action.Wish{}); err != nil || c.n != 2 {
		t.Errorf("carried out %d times, %v", c.n, err)
	}
	d.deps.Actions = nil
	if _, err := d.ProposeCall(t.Context(), alice, action.Wish{}); problem.CodeOf(err) != "tool_not_allowed" {
		t.Error(err)
	}
	if list, err := d.Tools(t.Context(), alice); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestWhatWasDecidedStandsWhenTheActorIsSuspendedRightAfter(t *testing.T) {
	o, s, d := exporting("look_up")
	p := s.task.Proposal
	p.Task = &approval.Task{ID: "task_1", Status: approval.Queued}
	d.deps.Actions = &calling{p: p, carry: func(k approval.Task) (approval.Task, error) {
		o.snap.Identity.Suspended = true
		k.Status, k.Result = approval.Succeeded, json.RawMessage(`{"a":"CANARY"}`)
		return k, nil
	}}
	got, err := d.ProposeCall(t.Context(), alice, action.Wish{})
	if err != nil || !got.Withheld || got.Task.Status != approval.Succeeded || got.Task.Result != nil || got.DocKey != "" {
		t.Errorf("%+v %+v, %v", got, got.Task, err)
	}
}
