package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
)

// bases registers the operations on knowledge bases.
func (s *server) bases() {
	const one, grants = "/api/knowledge-bases/{kb}", "/api/knowledge-bases/{kb}/grants"
	handle(s, operation("create-knowledge-base", http.MethodPost, "/api/knowledge-bases", "Make a knowledge base", http.StatusCreated), s.createBase)
	handle(s, operation("list-knowledge-bases", http.MethodGet, "/api/knowledge-bases", "List what the caller may read", 0), s.listBases)
	handle(s, operation("get-knowledge-base", http.MethodGet, one, "Look at a knowledge base", 0), s.getBase)
	handle(s, operation("edit-knowledge-base", http.MethodPatch, one, "Change name or publishing", 0), s.editBase)
	handle(s, operation("delete-knowledge-base", http.MethodDelete, one, "Remove a knowledge base with its documents", http.StatusNoContent), s.deleteBase)
	handle(s, operation("get-grants", http.MethodGet, grants, "Who may do what", 0), s.getGrants)
	handle(s, operation("set-grants", http.MethodPut, grants, "Replace the grants", 0), s.setGrants)
}

// BasePath names a knowledge base in an address.
type BasePath struct {
	KB string `path:"kb"`
}

func baseObject(b desk.Base) *object[api.KnowledgeBase] {
	return &object[api.KnowledgeBase]{ETag: etag(b.LockVersion), Body: wire.Base(b)}
}

func (s *server) createBase(ctx context.Context, actor access.Actor, in *struct {
	Key  string `header:"Idempotency-Key"`
	Body api.NewKnowledgeBase
}) (*object[api.KnowledgeBase], error) {
	var made *desk.Base
	return once(ctx, s.keys, errandOf(actor, "create-knowledge-base", in.Key, in.Body), func(ctx context.Context) (idempotency.Receipt, error) {
		b, err := s.deps.Desk.CreateBase(ctx, actor, access.KnowledgeBaseID(in.Body.ID), in.Body.Name)
		made = &b
		return idempotency.Receipt{ID: string(b.ID)}, err
	}, func(r idempotency.Receipt) (*object[api.KnowledgeBase], error) {
		if made != nil {
			return baseObject(*made), nil
		}
		return s.getBase(ctx, actor, &BasePath{KB: r.ID})
	})
}

func (s *server) listBases(ctx context.Context, actor access.Actor, in *struct {
	Paging
	ViewAs
}) (*answer[api.List[api.KnowledgeBase]], error) {
	var after struct {
		ID access.KnowledgeBaseID `json:"id"`
	}
	if in.Cursor != "" {
		if err := unseal(in.Cursor, &after); err != nil {
			return nil, err
		}
	}
	all, err := s.deps.Desk.Bases(ctx, actor, access.UserID(in.User))
	if err != nil {
		return nil, err
	}
	out := api.List[api.KnowledgeBase]{Items: []api.KnowledgeBase{}}
	for _, b := range all {
		if b.ID <= after.ID {
			continue
		}
		if len(out.Items) == in.size(maxPage) {
			after.ID = access.KnowledgeBaseID(out.Items[len(out.Items)-1].ID)
			out.NextCursor = seal(after)
			break
		}
		out.Items = append(out.Items, wire.Base(b))
	}
	return &answer[api.List[api.KnowledgeBase]]{out}, nil
}

func (s *server) getBase(ctx context.Context, actor access.Actor, in *BasePath) (*object[api.KnowledgeBase], error) {
	b, err := s.deps.Desk.Base(ctx, actor, access.KnowledgeBaseID(in.KB))
	if err != nil {
		return nil, err
	}
	return baseObject(b), nil
}

func (s *server) editBase(ctx context.Context, actor access.Actor, in *struct {
	BasePath
	IfMatch string `header:"If-Match"`
	Body    api.KnowledgeBaseChange
}) (*object[api.KnowledgeBase], error) {
	change := desk.BaseChange{Name: in.Body.Name, LockVersion: lockOf(in.IfMatch)}
	if in.Body.Publishing != nil {
		p := access.Publishing(*in.Body.Publishing)
		change.Publishing = &p
	}
	b, err := s.deps.Desk.EditBase(ctx, actor, access.KnowledgeBaseID(in.KB), change)
	if err != nil {
		return nil, matched(in.IfMatch, err)
	}
	return baseObject(b), nil
}

func (s *server) deleteBase(ctx context.Context, actor access.Actor, in *struct {
	BasePath
	IfMatch string `header:"If-Match"`
}) (*nothing, error) {
	err := s.deps.Desk.RemoveBase(ctx, actor, access.KnowledgeBaseID(in.KB), lockOf(in.IfMatch))
	return nil, matched(in.IfMatch, err)
}

func (s *server) getGrants(ctx context.Context, actor access.Actor, in *BasePath) (*object[api.Grants], error) {
	b, err := s.deps.Desk.Grants(ctx, actor, access.KnowledgeBaseID(in.KB))
	if err != nil {
		return nil, err
	}
	return &object[api.Grants]{ETag: etag(b.LockVersion), Body: wire.Grants(b)}, nil
}

func (s *server) setGrants(ctx context.Context, actor access.Actor, in *struct {
	BasePath
	IfMatch string `header:"If-Match"`
	Body    api.Grants
}) (*object[api.Grants], error) {
	grants, err := readGrants(in.Body)
	if err != nil {
		return nil, err
	}
	b, err := s.deps.Desk.SetGrants(ctx, actor, access.KnowledgeBaseID(in.KB), grants, lockOf(in.IfMatch))
	if err != nil {
		return nil, matched(in.IfMatch, err)
	}
	return &object[api.Grants]{ETag: etag(b.LockVersion), Body: wire.Grants(b)}, nil
}

func readGrants(g api.Grants) ([]access.Grant, error) {
	var fields []problem.Field
	out := make([]access.Grant, len(g.Grants))
	for i, grant := range g.Grants {
		at := "/grants/" + itoa(i)
		p, err := access.ParsePrincipal(grant.Principal)
		if err != nil {
			fields = append(fields, problem.Field{Pointer: at + "/principal", Detail: "must be user:ID, group:ID or everyone"})
		}
		l, err := access.ParseLevel(strings.TrimSpace(grant.Role))
		if err != nil {
			fields = append(fields, problem.Field{Pointer: at + "/role", Detail: "must be reader, editor or manager"})
		}
		out[i] = access.Grant{Principal: p, Level: l}
	}
	return out, refused(fields)
}
