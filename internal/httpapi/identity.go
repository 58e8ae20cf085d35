package httpapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
)

// identities registers who people are at identity providers.
func (s *server) identities() {
	handle(s, operation("list-identities", http.MethodGet, "/api/identities", "One's own identities at providers, or a user's for administrators", 0), s.listIdentities)
	handle(s, operation("link-identity", http.MethodPost, "/api/identities", "Link a person to an identity by hand", http.StatusCreated), s.linkIdentity)
	handle(s, operation("unlink-identity", http.MethodDelete, "/api/identities/{id}", "End a link and the sessions that came of it", http.StatusNoContent), s.unlinkIdentity)
	handle(s, operation("link-own-identity", http.MethodPost, "/api/me/identities", "Go to the identity provider to link an identity of one's own", 0), s.linkOwn)
}

func (s *server) listIdentities(ctx context.Context, actor access.Actor, in *struct {
	Paging
	User string `query:"user" doc:"Whose identities; the caller's own if it is not given."`
}) (*answer[api.List[api.Identity]], error) {
	all, err := s.deps.Gate.ListIdentities(ctx, actor, access.UserID(in.User))
	if err != nil {
		return nil, err
	}
	return pageOf(in.Paging, all, wire.Identity, func(i api.Identity) string { return i.ID })
}

func (s *server) linkIdentity(ctx context.Context, actor access.Actor, in *struct {
	Key  string `header:"Idempotency-Key"`
	Body api.NewIdentity
}) (*answer[api.Identity], error) {
	link := auth.Identity{User: access.UserID(in.Body.User), Issuer: in.Body.Issuer, Subject: in.Body.Subject}
	if f := s.deps.Federation; link.Issuer == "" && f != nil {
		link.Issuer = f.Issuer()
	}
	return once(ctx, s.keys, errandOf(actor, "link-identity", in.Key, in.Body), func(ctx context.Context) (idempotency.Receipt, error) {
		// What is linked already is linked again without a change.
		out, err := s.deps.Gate.LinkIdentity(ctx, actor, link)
		return idempotency.Receipt{ID: out.ID}, err
	}, func(r idempotency.Receipt) (*answer[api.Identity], error) {
		all, err := s.deps.Gate.ListIdentities(ctx, actor, link.User)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(i auth.Identity) bool { return i.ID == r.ID })
		if i < 0 {
			return nil, problem.Missing()
		}
		return &answer[api.Identity]{wire.Identity(all[i])}, nil
	})
}

func (s *server) unlinkIdentity(ctx context.Context, actor access.Actor, in *struct {
	ID string `path:"id"`
}) (*nothing, error) {
	return nil, s.deps.Gate.UnlinkIdentity(ctx, actor, in.ID)
}

// linkOwn is a POST from the server's own page: a link from elsewhere must not be able to tie a
// stranger's identity to whoever follows it.
func (s *server) linkOwn(ctx context.Context, _ access.Actor, in *struct{ Body api.OwnIdentity }) (*left, error) {
	v := visitOf(ctx)
	if s.deps.Federation == nil {
		return nil, problem.Missing()
	}
	secret := ""
	if v.signed {
		secret = v.cookie
	}
	d, err := s.deps.Federation.BeginLink(ctx, secret, in.Body.Return)
	if err != nil {
		return nil, err
	}
	return &left{s.ticket(v, d.Cookie, d.Expires), api.Departure{Location: &d.Location}}, nil
}
