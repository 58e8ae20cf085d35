package httpapi

import (
	"context"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// jobs registers the operations on the work behind uploads.
func (s *server) jobs() {
	handle(s, operation("get-job", http.MethodGet, "/api/jobs/{id}", "How far an upload is", 0), s.getJob)
	handle(s, operation("cancel-job", http.MethodPost, "/api/jobs/{id}/cancel", "Ask a job to stop", 0), s.cancelJob)
}

func (s *server) getJob(ctx context.Context, actor access.Actor, in *struct {
	ID string `path:"id"`
}) (*answer[api.Job], error) {
	j, err := s.deps.Desk.Job(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	return &answer[api.Job]{wire.Job(j)}, nil
}

func (s *server) cancelJob(ctx context.Context, actor access.Actor, in *struct {
	ID string `path:"id"`
}) (*answer[api.Job], error) {
	j, err := s.deps.Desk.CancelJob(ctx, actor, in.ID)
	if err != nil {
		return nil, err
	}
	return &answer[api.Job]{wire.Job(j)}, nil
}
