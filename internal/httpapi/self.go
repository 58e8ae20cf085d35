package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/llm"
)

// firstPage is what a browser shows at the address of a server without the web interface.
const firstPage = `Kaoju 考据

这里是考据服务的接口。接口说明：/openapi.json（需要令牌）。
This is the interface of a Kaoju server. Its description: /openapi.json (needs a token).

  kaoju token create --user admin --json
  kaoju kb create handbook --name 手册
  kaoju add DIR --kb handbook --publish
  kaoju ask "…"

  curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \
    -d '{"question":"…"}' http://HOST/api/chat
`

// self registers what tells about the server and the caller.
func (s *server) self() {
	health := func(id, path, summary string, check func(ctx context.Context) error) {
		op := operation(id, http.MethodGet, path, summary, 0)
		op.Security = []map[string][]string{}
		huma.Register(s.api, op, func(ctx context.Context, _ *nothing) (*health, error) {
			if err := check(ctx); err != nil {
				s.deps.Log.WarnContext(ctx, "not ready", "error", err)
				return &healthOut{Status: http.StatusServiceUnavailable, Body: api.Health{Status: "unavailable"}}, nil
			}
			return &healthOut{Status: http.StatusOK, Body: api.Health{Status: "ok"}}, nil
		})
	}
	health("healthz", "/healthz", "The process is alive", func(context.Context) error { return nil })
	health("readyz", "/readyz", "The server can work", func(ctx context.Context) error {
		if s.deps.Ready == nil {
			return nil
		}
		return s.deps.Ready(ctx)
	})
	handle(s, operation("get-me", http.MethodGet, "/api/me", "Who is asking", 0), s.me)
	handle(s, operation("get-system", http.MethodGet, "/api/system", "What the server runs with", 0), s.system)
	spec := sync.OnceValues(func() ([]byte, error) { return json.Marshal(s.api.OpenAPI()) })
	s.mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, r *http.Request) {
		b, err := spec()
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(b)
	})
}

// pages registers the web interface, or the plain first page where there is none.
func (s *server) pages() {
	if len(s.deps.Pages) == 0 {
		s.deps.Pages = map[string]http.Handler{"GET /{$}": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			// The client has gone if this fails; there is nobody to tell.
			_, _ = w.Write([]byte(firstPage))
		})}
	}
	for pattern, page := range s.deps.Pages {
		s.mux.Handle(pattern, page)
	}
}

type healthOut struct {
	Status int
	Body   api.Health
}

type health = healthOut

func (s *server) me(ctx context.Context, actor access.Actor, _ *nothing) (*answer[api.Me], error) {
	id, err := s.deps.Desk.Me(ctx, actor)
	if err != nil {
		return nil, err
	}
	return &answer[api.Me]{api.Me{
		UserID: string(id.User), TenantID: string(actor.Tenant), DisplayName: id.DisplayName,
		Roles: wire.Texts(id.Roles), Groups: wire.Texts(id.Groups),
	}}, nil
}

func (s *server) system(ctx context.Context, actor access.Actor, _ *nothing) (*answer[api.System], error) {
	id, err := s.deps.Desk.Me(ctx, actor)
	if err != nil {
		return nil, err
	}
	local, err := s.deps.Desk.LocalOnly(ctx, actor)
	if err != nil {
		return nil, err
	}
	model, verifier, reranker := s.deps.Model, s.deps.Verifier, s.deps.Reranker
	if local && model.Remote {
		model = s.deps.Fallback
	}
	if local && verifier.Remote {
		verifier = llm.Info{}
	}
	if local && reranker.Remote {
		reranker = llm.Info{}
	}
	out := api.System{
		Version: s.deps.Version, Model: wire.Model(model), Verifier: wire.Model(verifier), Reranker: wire.Model(reranker), LocalOnly: local,
		Policy: api.Policy{Limits: wire.Limits(s.deps.Limits), UploadBytes: s.deps.UploadBytes},
	}
	if s.deps.ModelHealth != nil && id.Has(access.TenantAdmin) {
		out.ModelHealth = wire.Health(s.deps.ModelHealth())
	}
	if s.deps.Embedding != nil {
		if out.Embedding, err = s.deps.Embedding(ctx, actor); err != nil {
			return nil, err
		}
	}
	if s.deps.Chunking != nil {
		if out.Chunking, err = s.deps.Chunking(ctx, actor); err != nil {
			return nil, err
		}
	}
	return &answer[api.System]{out}, nil
}
