package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
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
	return &answer[api.List[api.Tool]]{api.List[api.Tool]{Items: wire.Each(list, wire.Tool)}}, nil
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
		return &answer[api.Proposal]{wire.Proposal(*made)}, nil
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
	return &answer[api.Task]{wire.Task(k)}, nil
}

func (s *server) getTaskResult(ctx context.Context, actor access.Actor, in *TaskPath) (*answer[api.Export], error) {
	texts, err := s.deps.Desk.Export(ctx, actor, approval.TaskID(in.ID))
	if err != nil {
		return nil, err
	}
	return &answer[api.Export]{api.Export{TaskID: in.ID, Documents: wire.Each(texts, wire.DocumentVersion)}}, nil
}
