package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/idempotency"
)

// tools registers what is done with declared tools: proposing a call, and looking at what it became.
// The decision in between is that of an approval.
func (s *server) tools() {
	handle(s, operation("list-tools", http.MethodGet, "/api/tools", "The tools whose call the caller may propose", 0), s.listTools)
	propose := operation("propose-call", http.MethodPost, "/api/tools/{name}/proposals", "Propose to call a tool", http.StatusCreated)
	// The arguments are the tool's: the executor reads them as strictly as a model's, with codes of its
	// own for what is no JSON and for what breaks a rule.
	propose.SkipValidateBody = true
	handle(s, propose, s.proposeCall)
	taken := s.api.OpenAPI().Paths[propose.Path].Post.RequestBody
	taken.Required = true
	taken.Description = "The tool's arguments, with run_id for the evidence among them; or run_id beside one member arguments that holds them."
	taken.Content["application/json"].Schema = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
	handle(s, operation("get-task", http.MethodGet, "/api/tasks/{id}", "What an approved call became, with its run and its decision", 0), s.getTask)
	handle(s, operation("get-task-result", http.MethodGet, "/api/tasks/{id}/result", "The texts of an approved export; each fetch is recorded", 0), s.getTaskResult)
}

func (s *server) listTools(ctx context.Context, actor access.Actor, _ *struct{}) (*answer[api.List[api.Tool]], error) {
	list, err := s.deps.Desk.Tools(ctx, actor)
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Tool]]{api.List[api.Tool]{Items: each(list, wireTool)}}, nil
}

func (s *server) proposeCall(ctx context.Context, actor access.Actor, in *struct {
	Name    string `path:"name" maxLength:"64"`
	Key     string `header:"Idempotency-Key"`
	RawBody []byte `contentType:"application/json"`
}) (*answer[api.Proposal], error) {
	asked := struct{ Name, Body string }{in.Name, string(in.RawBody)}
	var made *desk.Proposal
	return once(ctx, s.keys, errandOf(actor, "propose-call", in.Key, asked), func(ctx context.Context) (idempotency.Receipt, error) {
		p, err := s.deps.Desk.ProposeCall(ctx, actor, action.ReadWish(in.Name, in.RawBody))
		made = &p
		return idempotency.Receipt{ID: string(p.ID)}, err
	}, func(r idempotency.Receipt) (*answer[api.Proposal], error) {
		if made == nil {
			p, err := s.deps.Desk.ProposalOf(ctx, actor, approval.ID(r.ID), approval.CallTool)
			if err != nil {
				return nil, err
			}
			made = &p
		}
		return &answer[api.Proposal]{wireProposal(*made)}, nil
	})
}

// TaskPath names a task in an address.
type TaskPath struct {
	ID string `path:"id"`
}

func (s *server) getTask(ctx context.Context, actor access.Actor, in *TaskPath) (*answer[api.Task], error) {
	k, err := s.deps.Desk.Task(ctx, actor, approval.TaskID(in.ID))
	if err != nil {
		return nil, err
	}
	return &answer[api.Task]{wireTask(k)}, nil
}

func (s *server) getTaskResult(ctx context.Context, actor access.Actor, in *TaskPath) (*answer[api.Export], error) {
	texts, err := s.deps.Desk.Export(ctx, actor, approval.TaskID(in.ID))
	if err != nil {
		return nil, err
	}
	return &answer[api.Export]{api.Export{TaskID: in.ID, Documents: each(texts, wireVersion)}}, nil
}

func wireTool(t action.Listed) api.Tool {
	return api.Tool{
		Name: t.Name, Description: t.Description, Schema: t.Schema, Sensitivity: string(t.Sensitivity), Role: string(t.Role), Level: t.Level.String(),
		Evidence: t.Evidence, Decision: t.Decision, Effect: string(t.Effect), Host: t.Host,
	}
}

func wireCall(p desk.Proposal) *api.CallCard {
	c, m := p.Proposal.Call, p.Call.Summary
	return &api.CallCard{
		Tool: c.Tool, Sensitivity: c.Sensitivity, KnowledgeBaseName: p.Call.BaseName, ArgsHash: c.ArgsHash(), Arguments: p.Call.Arguments,
		EvidenceRunID: c.Evidence, Effect: string(m.Effect), Host: m.Host, StrippedFields: m.Stripped, Checksum: string(m.Checksum), Size: m.Size,
	}
}

// taskRef names a task and the address of its result: for an export that of the text.
func taskRef(k approval.Task, p approval.Proposal) api.TaskRef {
	uri := "/api/tasks/" + string(k.ID)
	if p.Call != nil && (p.Call.Tool == approval.ExportDocument || p.Call.Tool == approval.ExportHistory) {
		uri += "/result"
	}
	return api.TaskRef{TaskID: string(k.ID), Status: string(k.Status), Code: k.Code, ResultURI: uri}
}

func wireTask(k desk.Task) api.Task {
	p := k.Proposal
	out := api.Task{
		TaskRef: taskRef(k.Task, p), ApprovalID: string(p.ID), RunID: p.Run, EvidenceRunID: p.Call.Evidence, Tool: p.Call.Tool, Sensitivity: p.Call.Sensitivity,
		Actor: string(p.Proposer), Owner: string(p.Call.Owner), ObjectID: p.Document, ArgsHash: p.Call.ArgsHash(), CreatedAt: k.CreatedAt.UTC(),
		StartedAt: moment(k.StartedAt), EndedAt: moment(k.EndedAt), Withheld: k.Card.Withheld,
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
