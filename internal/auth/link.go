package auth

import (
	"context"
	"net/url"

	"github.com/kaoju/kaoju/internal/access"
)

// LinkIdentity links a person of the tenant to an issuer and subject that somebody vouches for by
// hand. It needs tenant_admin, or the operator: people link their own with Federation.BeginLink,
// which proves that it is theirs.
func (g *Gate) LinkIdentity(ctx context.Context, actor access.Actor, link Identity) (Identity, error) {
	if err := g.administers(ctx, actor); err != nil {
		return Identity{}, err
	}
	link.Tenant = actor.Tenant
	if u, err := url.Parse(link.Issuer); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || len(link.Issuer) > 1000 || !printed(link.Issuer) {
		return Identity{}, invalidField("invalid_request", "/issuer", "must be the provider's address as it writes it, with https://")
	}
	if !ValidSubject(link.Subject) {
		return Identity{}, invalidField("invalid_request", "/subject", "must be 1 to 255 bytes without control characters")
	}
	return g.deps.Identities.PutIdentity(ctx, actor.User, link)
}

// ValidSubject reports whether a text can be the subject of an identity.
func ValidSubject(s string) bool { return s != "" && len(s) <= 255 && printed(s) }

// ListIdentities returns the actor's own links, or those of a user of the tenant, which needs
// tenant_admin.
func (g *Gate) ListIdentities(ctx context.Context, actor access.Actor, user access.UserID) ([]Identity, error) {
	user, err := g.seen(ctx, actor, user)
	if err != nil {
		return nil, err
	}
	return g.deps.Identities.Identities(ctx, actor.Tenant, user)
}

// UnlinkIdentity ends a link and the sessions that began through it: one's own, or with
// tenant_admin any of the tenant.
func (g *Gate) UnlinkIdentity(ctx context.Context, actor access.Actor, id string) error {
	user, err := g.held(ctx, actor)
	if err != nil {
		return err
	}
	return g.deps.Identities.RemoveIdentity(ctx, actor.Tenant, actor.User, user, id)
}
