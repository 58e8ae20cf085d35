package httpapi

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
)

// longest bounds the days that a token can be made for.
const longest = 3650

// tokens registers the operations on API tokens.
func (s *server) tokens() {
	handle(s, operation("list-tokens", http.MethodGet, "/api/tokens", "One's own tokens, or a user's for administrators", 0), s.listTokens)
	handle(s, operation("create-token", http.MethodPost, "/api/tokens", "Make a token; its secret is shown once", http.StatusCreated), s.createToken)
	handle(s, operation("revoke-token", http.MethodDelete, "/api/tokens/{id}", "End a token at once", http.StatusNoContent), s.revokeToken)
}

func (s *server) listTokens(ctx context.Context, actor access.Actor, in *struct {
	Paging
	User string `query:"user" doc:"Whose tokens; the caller's own if it is not given."`
}) (*answer[api.List[api.Token]], error) {
	all, err := s.deps.Gate.ListTokens(ctx, actor, access.UserID(in.User))
	if err != nil {
		return nil, err
	}
	return pageOf(in.Paging, all, wire.Token, func(t api.Token) string { return t.ID })
}

// pageOf cuts one page out of a whole list, whose items have ids.
func pageOf[T, W any](in Paging, all []T, form func(T) W, id func(W) string) (*answer[api.List[W]], error) {
	var after struct {
		ID string `json:"id"`
	}
	if in.Cursor != "" {
		if err := unseal(in.Cursor, &after); err != nil {
			return nil, err
		}
	}
	out := api.List[W]{Items: []W{}}
	passed := after.ID == ""
	for _, t := range all {
		w := form(t)
		if !passed {
			passed = id(w) == after.ID
			continue
		}
		if len(out.Items) == in.size(maxPage) {
			after.ID = id(out.Items[len(out.Items)-1])
			out.NextCursor = seal(after)
			break
		}
		out.Items = append(out.Items, w)
	}
	return &answer[api.List[W]]{out}, nil
}

// createToken remembers for a key what was asked with which permissions: the same words from a
// credential that carries less must not be answered with the first one's secret.
func (s *server) createToken(ctx context.Context, actor access.Actor, in *struct {
	Key  string `header:"Idempotency-Key"`
	Body api.NewToken
}) (*answer[api.IssuedToken], error) {
	wish, err := s.wish(in.Body)
	if err != nil {
		return nil, err
	}
	request := struct {
		Body     api.NewToken
		Withheld access.Permission
	}{in.Body, actor.Withheld}
	return once(ctx, s.keys, errandOf(actor, "create-token", in.Key, request), func(ctx context.Context) (idempotency.Receipt, error) {
		secret, t, err := s.deps.Gate.MakeToken(ctx, actor, wish)
		return idempotency.Receipt{ID: t.ID, Secret: secret}, err
	}, func(r idempotency.Receipt) (*answer[api.IssuedToken], error) {
		return s.issued(ctx, actor, wish.User, r)
	})
}

// issued shows a token with its secret, as long as this process knows that and the token is there.
func (s *server) issued(ctx context.Context, actor access.Actor, owner access.UserID, r idempotency.Receipt) (*answer[api.IssuedToken], error) {
	all, err := s.deps.Gate.ListTokens(ctx, actor, owner)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(t auth.Token) bool { return t.ID == r.ID })
	if i < 0 || r.Secret == "" {
		return nil, problem.New(problem.Conflict, "secret_shown_once",
			"The first request with this Idempotency-Key made the token %s; its secret was shown then and is not kept. Revoke it and make another one.", r.ID)
	}
	w := wire.Token(all[i])
	return &answer[api.IssuedToken]{api.IssuedToken{
		ID: w.ID, Name: w.Name, UserID: w.UserID, Scopes: w.Scopes, CreatedAt: w.CreatedAt, ExpiresAt: w.ExpiresAt, Token: r.Secret,
	}}, nil
}

// wish reads what is asked of a new token.
func (s *server) wish(in api.NewToken) (auth.Wish, error) {
	w := auth.Wish{Name: in.Name, User: access.UserID(in.User)}
	var fields []problem.Field
	if in.Scopes != nil {
		p, err := access.ParsePermissions(*in.Scopes)
		if err != nil {
			fields = append(fields, problem.Field{Pointer: "/scopes", Detail: "must hold read, ask, write, decide and admin alone"})
		}
		w.Permissions = &p
	}
	switch {
	case in.ExpiresAt != nil && in.ExpiresInDays != nil:
		fields = append(fields, problem.Field{Pointer: "/expires_at", Detail: "must not be given beside expires_in_days"})
	case in.ExpiresAt != nil && in.ExpiresAt.After(s.deps.Clock().Add(longest*24*time.Hour)):
		fields = append(fields, problem.Field{Pointer: "/expires_at", Detail: "must be within ten years"})
	case in.ExpiresAt != nil && in.ExpiresAt.IsZero():
		fields = append(fields, problem.Field{Pointer: "/expires_at", Detail: "must be in the future"})
	case in.ExpiresAt != nil:
		w.ExpiresAt = in.ExpiresAt.UTC()
	case in.ExpiresInDays != nil && (*in.ExpiresInDays < 1 || *in.ExpiresInDays > longest):
		fields = append(fields, problem.Field{Pointer: "/expires_in_days", Detail: "must be 1 to 3650"})
	case in.ExpiresInDays != nil:
		w.ExpiresAt = s.deps.Clock().UTC().AddDate(0, 0, *in.ExpiresInDays)
	}
	return w, refused(fields)
}

func (s *server) revokeToken(ctx context.Context, actor access.Actor, in *struct {
	ID string `path:"id"`
}) (*nothing, error) {
	return nil, s.deps.Gate.RevokeToken(ctx, actor, in.ID)
}
