package serve

import (
	"context"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
)

// chunking tells an actor how many of the versions that the actor may read wait to be cut anew.
func (s *server) chunking(ctx context.Context, actor access.Actor) (out api.Chunking, err error) {
	err = access.Within(ctx, s.DB.Directory(), actor, access.Request{View: access.Published}, func(scope access.Scope) error {
		list, err := s.DB.Recuts().Waiting(ctx, scope.Tenant(), chunk.Version)
		ids := make([]corpus.DocumentID, len(list))
		for i, w := range list {
			ids[i] = w.Document
		}
		if err == nil && len(ids) > 0 {
			out.Pending, err = s.Index.Count(ctx, scope, ids)
		}
		return err
	})
	return out, err
}
