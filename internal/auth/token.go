package auth

import (
	"context"
	"crypto/rand"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Wish is what somebody asks of a new token.
type Wish struct {
	Name string
	// User is whom the token is to stand for; "" means the actor. An administrator may make one
	// for a service account, and nobody for another person.
	User access.UserID
	// Permissions is what the token is to be good for; nil means as much as it may be.
	Permissions *access.Permission
	ExpiresAt   time.Time // zero: never
}

// MakeToken makes a token and returns its secret once. No token carries more than the credential
// that makes it, and none of a service account carries the permission to decide.
func (g *Gate) MakeToken(ctx context.Context, actor access.Actor, w Wish) (secret string, t Token, err error) {
	service := actor.Service
	if w.User == "" || w.User == actor.User {
		w.User = actor.User
	} else if service, err = g.forService(ctx, actor, w.User); err != nil {
		return "", Token{}, err
	}
	now := g.deps.Clock().UTC()
	if err := w.check(now); err != nil {
		return "", Token{}, err
	}
	carried := access.AllPermissions &^ actor.Withheld
	granted := carried
	if service {
		granted &^= access.Deciding
	}
	if w.Permissions != nil {
		granted = *w.Permissions
	}
	switch {
	case granted&^carried != 0:
		return "", Token{}, problem.New(problem.Denied, "insufficient_scope", "A token can't carry more scopes than the credential that makes it.")
	case service && granted&access.Deciding != 0:
		return "", Token{}, invalidField("invalid_scope", "/scopes", "must not hold decide: a service account never proposes or decides")
	case granted == 0:
		return "", Token{}, invalidField("invalid_scope", "/scopes", "must hold at least one scope")
	}
	t = Token{
		Tenant: actor.Tenant, User: w.User, Name: w.Name, Maker: actor.User, CreatedAt: now, ExpiresAt: w.ExpiresAt, Permissions: granted,
		ID: "tok_" + strings.ToLower(rand.Text()),
	}
	secret, err = Issue(ctx, g.deps.Tokens, t)
	return secret, t, err
}

// forService checks that the actor may make tokens for a user who is not the actor.
func (g *Gate) forService(ctx context.Context, actor access.Actor, user access.UserID) (bool, error) {
	if err := g.administers(ctx, actor); err != nil {
		return false, err
	}
	id, err := g.identity(ctx, actor.Tenant, user)
	if problem.Is(err, problem.NotFound) || err == nil && !id.Service && !actor.Operator {
		return false, invalidField("invalid_request", "/user", "must be a service account of this tenant: people make their own tokens")
	}
	return id.Service, err
}

func (w Wish) check(now time.Time) error {
	switch n := utf8.RuneCountInString(w.Name); {
	case n == 0 || n > 200 || !printed(w.Name):
		return invalidField("invalid_request", "/name", "must be 1 to 200 characters without control characters")
	case !w.ExpiresAt.IsZero() && !w.ExpiresAt.After(now):
		return invalidField("invalid_request", "/expires_at", "must be in the future")
	}
	return nil
}

// ListTokens returns the actor's own tokens, or those of a user of the tenant, which needs
// tenant_admin.
func (g *Gate) ListTokens(ctx context.Context, actor access.Actor, user access.UserID) ([]Token, error) {
	user, err := g.seen(ctx, actor, user)
	if err != nil {
		return nil, err
	}
	return g.deps.Tokens.Tokens(ctx, actor.Tenant, user)
}

// RevokeToken ends a token at once: one's own, or with tenant_admin any of the tenant.
func (g *Gate) RevokeToken(ctx context.Context, actor access.Actor, id string) error {
	user, err := g.held(ctx, actor)
	if err != nil {
		return err
	}
	return g.deps.Tokens.RevokeToken(ctx, actor.Tenant, actor.User, user, id)
}

// seen is the user whose tokens or links an actor may look at: the actor, whom "" names too, or with
// tenant_admin any user of the tenant.
func (g *Gate) seen(ctx context.Context, actor access.Actor, user access.UserID) (access.UserID, error) {
	if user == "" || user == actor.User {
		return actor.User, nil
	}
	if err := g.administers(ctx, actor); err != nil {
		return "", err
	}
	_, err := g.identity(ctx, actor.Tenant, user)
	return user, err
}

// held is the user whose tokens or links an actor may end: the actor alone, or with tenant_admin
// everybody in the tenant, which is "".
func (g *Gate) held(ctx context.Context, actor access.Actor) (access.UserID, error) {
	switch err := g.administers(ctx, actor); {
	case err == nil:
		return "", nil
	case !problem.Is(err, problem.NotFound):
		return "", err
	}
	return actor.User, nil
}

func invalidField(code, pointer, detail string) error {
	e := problem.New(problem.Invalid, code, "%s %s.", pointer[1:], detail)
	e.Fields = []problem.Field{{Pointer: pointer, Detail: detail}}
	return e
}
