package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// evaluations registers the reading of results that evaluations left.
func (s *server) evaluations() {
	handle(s, operation("list-evaluations", http.MethodGet, "/api/evaluations", "The tenant's kept results of evaluations, newest first, without their cases", 0), s.listEvaluations)
	handle(s, operation("get-evaluation", http.MethodGet, "/api/evaluations/{id}", "A kept result of an evaluation with its cases", 0), s.getEvaluation)
}

func (s *server) listEvaluations(ctx context.Context, actor access.Actor, in *Paging) (*answer[api.List[api.Evaluation]], error) {
	page, err := s.deps.Desk.Evaluations(ctx, actor, eval.Filter{Limit: in.size(maxPage), After: in.Cursor})
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Evaluation]]{api.List[api.Evaluation]{Items: wire.Each(page.Items, wire.Evaluation), NextCursor: next(page.Next)}}, nil
}

func (s *server) getEvaluation(ctx context.Context, actor access.Actor, in *struct {
	ID string `path:"id"`
}) (*answer[api.EvaluationResult], error) {
	r, err := s.deps.Desk.Evaluation(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	return &answer[api.EvaluationResult]{wire.EvaluationResult(r)}, nil
}
