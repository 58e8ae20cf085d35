package docket

import (
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/run"
)

// The names under which publishing and archiving are proposed.
const (
	publishTool = "publish_document"
	archiveTool = "archive_document"
)

func toolOf(p approval.Proposal) string {
	if p.Call != nil {
		return p.Call.Tool
	}
	if p.Kind == approval.Archive {
		return archiveTool
	}
	return publishTool
}

// RunOf is the run that holds a proposal. What is told of a call names no more of its document than
// the version's id.
func RunOf(p approval.Proposal) *run.Run {
	r := &run.Run{
		ID: run.ID(p.Run), Tenant: p.Tenant, Actor: p.Proposer, Kind: run.ForPublish, Goal: toolOf(p) + " " + p.Document,
		Scope: run.Scope{Bases: []access.KnowledgeBaseID{p.KnowledgeBase}},
		State: run.Waiting, Attempt: 1, CreatedAt: p.CreatedAt, StartedAt: p.CreatedAt,
	}
	if p.Call != nil {
		r.Kind = run.ForAction
	} else {
		r.Scope.DocKey = p.DocKey
	}
	return r
}

// Begun are the first events of that run.
func Begun(p approval.Proposal) []event.Event {
	r := RunOf(p)
	events := []event.Event{event.New(event.RunCreated, map[string]any{"state": run.Waiting, "kind": r.Kind, "scope": r.Scope})}
	if p.Call == nil || !p.Call.Automatic {
		events = append(events, event.New(event.Waiting, Waiting(p, toolOf(p))))
	}
	return events
}

// outcome is what the end of a proposal means for its run.
type outcome struct {
	reason   run.Reason
	decision string // as the event says it
}

var outcomes = map[approval.Status]outcome{
	approval.Executed:  {run.Success, "approved"},
	approval.Archived:  {run.Success, "approved"},
	approval.Approved:  {run.Success, "approved"},
	approval.Conflict:  {run.Conflict, "approved"},
	approval.Cancelled: {run.WasCancelled, "cancelled"},
	approval.Expired:   {run.Expired, "expired"},
}

// Reason is why the run of a proposal ends that has ended so.
func Reason(end approval.Status) run.Reason { return outcomes[end].reason }

// Decided tells how a proposal ended.
func Decided(p approval.Proposal, now time.Time) event.Event {
	told := map[string]any{"approval_id": p.ID, "decision": outcomes[p.Status].decision, "at": now}
	if p.Decision != nil {
		told["by"] = p.Decision.By
	}
	return event.New(event.Decided, told)
}

// Started tells that an approved call is carried out.
func Started(k approval.Task) event.Event {
	c := k.Proposal.Call
	return event.New(event.ToolStarted, map[string]any{"call_id": k.ID, "tool": c.Tool, "args_hash": c.ArgsHash()})
}

// Ended tells how a task ended, and how its run does: a failed or unknown effect ends it as failed.
func Ended(k approval.Task) (closing event.Type, why run.Reason, told event.Event) {
	code := k.Code
	if code == "" {
		code = "ok"
	}
	data := map[string]any{"call_id": k.ID, "tool": k.Proposal.Call.Tool, "status": k.Status, "code": code}
	if k.Status != approval.Succeeded {
		return event.Failed, run.ToolError, event.New(event.ToolFailed, data)
	}
	return event.Completed, run.Success, event.New(event.ToolCompleted, data)
}

// Settled answers a decision on a proposal that is not pending: the same decision of the same
// request gets the same answer again.
func Settled(p approval.Proposal, d approval.Decision) (approval.Proposal, error) {
	same := p.Decision != nil && d.Request != "" && p.Decision.Request == d.Request && p.Decision.Approved == d.Approved
	switch {
	case p.Status == approval.Expired:
		return approval.Proposal{}, approval.TooLate()
	case same && p.Status == approval.Conflict:
		return p, approval.LockConflict()
	case same:
		return p, nil
	}
	return approval.Proposal{}, approval.AlreadyDecided()
}
