package wire

import (
	"encoding/json"
	"strconv"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/desk"
)

// Tool is a tool as it is declared.
func Tool(t action.Listed) api.Tool {
	return api.Tool{
		Name: t.Name, Description: t.Description, Schema: t.Schema, Sensitivity: string(t.Sensitivity), Role: string(t.Role), Level: t.Level.String(),
		Evidence: t.Evidence, Decision: t.Decision, Effect: string(t.Effect), Host: t.Host,
	}
}

// Call is the call of a tool that a proposal is of.
func Call(p desk.Proposal) *api.CallCard {
	c, m := p.Proposal.Call, p.Call.Summary
	return &api.CallCard{
		Tool: c.Tool, Sensitivity: c.Sensitivity, KnowledgeBaseName: p.Call.BaseName, ArgsHash: c.ArgsHash(), Arguments: p.Call.Arguments,
		EvidenceRunID: c.Evidence, Effect: string(m.Effect), Host: m.Host, StrippedFields: m.Stripped, Checksum: string(m.Checksum), Size: m.Size,
	}
}

// TaskRef names a task and the address of its result: for an export that of the text.
func TaskRef(k approval.Task, p approval.Proposal) api.TaskRef {
	uri := "/api/tasks/" + string(k.ID)
	if p.Call != nil && (p.Call.Tool == approval.ExportDocument || p.Call.Tool == approval.ExportHistory) {
		uri += "/result"
	}
	return api.TaskRef{TaskID: string(k.ID), Status: string(k.Status), Code: k.Code, ResultURI: uri}
}

// Task is what an approved call did.
func Task(k desk.Task) api.Task {
	p := k.Proposal
	out := api.Task{
		TaskRef: TaskRef(k.Task, p), ApprovalID: string(p.ID), RunID: p.Run, EvidenceRunID: p.Call.Evidence, Tool: p.Call.Tool, Sensitivity: p.Call.Sensitivity,
		Actor: string(p.Proposer), Owner: string(p.Call.Owner), ObjectID: p.Document, ArgsHash: p.Call.ArgsHash(), CreatedAt: k.CreatedAt.UTC(),
		StartedAt: Moment(k.StartedAt), EndedAt: Moment(k.EndedAt), Withheld: k.Card.Withheld,
	}
	if d := p.Decision; d != nil {
		out.Decision = &api.TaskDecision{By: string(d.By), At: d.At.UTC(), Approved: d.Approved, Request: d.Request}
	}
	if k.Card.Withheld {
		return out
	}
	var args struct {
		Title any `json:"title"`
	}
	if json.Unmarshal(p.Call.Args, &args) == nil {
		out.Title, _ = args.Title.(string)
	}
	out.Version, out.KnowledgeBaseID, out.DocumentTitle = strconv.Itoa(p.Version), string(p.KnowledgeBase), k.Card.Title
	out.Arguments, out.Answer = k.Card.Call.Arguments, k.Result
	return out
}
