package serve

import (
	"context"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/chunk"
)

// chunking tells an actor how many of the versions that the actor may read wait to be cut anew.
func (s *server) chunking(ctx context.Context, actor access.Actor) (out api.Chunking, err error) {
	err = access.Within(ctx, s.DB.Directory(), actor, access.Request{View: access.Published}, func(scope access.Scope) (err error) {
		out.Pending, err = s.DB.Recuts().Pending(ctx, scope, chunk.Version)
		return err
	})
	return out, err
}
