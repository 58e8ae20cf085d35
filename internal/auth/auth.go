// Package auth answers who is asking: it turns credentials into an access.Actor.
//
// It gives no rights; those are resolved by access each time one is used. Tokens and the secrets
// of sessions are random, shown once and stored as a hash; passwords are stored as argon2id. A
// Gate holds the rules of all of them: who may hold which credential, for how long, and how
// often one may be tried.
package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Token is an API token as stored: everything but the secret.
type Token struct {
	ID     string
	Hash   string // SHA-256 of the whole token, hex
	Tenant access.TenantID
	User   access.UserID
	Name   string
	// Maker is who asked for the token, where that is somebody else than its user: the ledger
	// names the maker. It is not stored.
	Maker     access.UserID
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	// Permissions are the kinds of request that the token may be used for.
	Permissions access.Permission
	LastUsed    time.Time // to the minute; zero: never
}

// Store is the seam to stored credentials.
type Store interface {
	// PutToken adds a token and its ledger entry. An unknown user is problem.NotFound.
	PutToken(ctx context.Context, t Token) error
	// TokenByHash returns the token and whether its user is an active service account. Unknown,
	// revoked, or of a suspended user: problem.NotFound.
	TokenByHash(ctx context.Context, hash string) (Token, access.Identity, error)
	// Tokens lists the tokens of a user, or of all users where user is "", by time of creation.
	Tokens(ctx context.Context, tenant access.TenantID, user access.UserID) ([]Token, error)
	// RevokeToken ends a token of a user (of any where user is "") at once, with a ledger entry.
	// An unknown one, or another user's, is problem.NotFound.
	RevokeToken(ctx context.Context, tenant access.TenantID, by, user access.UserID, id string) error
}

// Prefixes of secrets. They tell a reader of a leaked line what it is, and nothing else: each
// kind of secret is looked up among its own kind alone.
const (
	tokenPrefix   = "kj_"
	sessionPrefix = "ks_"
	setupPrefix   = "kf_"
)

// secretOf makes a secret of 256 random bits.
func secretOf(prefix string) string {
	var b [32]byte
	rand.Read(b[:])
	return prefix + base64.RawURLEncoding.EncodeToString(b[:])
}

// Issue makes a token for a user and stores its hash. The secret is returned once. A token that
// names no permissions gets all of them. It is for the operator and for seeding, and checks
// nobody's right to do so: see Gate.MakeToken.
func Issue(ctx context.Context, store Store, t Token) (secret string, err error) {
	secret = secretOf(tokenPrefix)
	t.Hash = HashToken(secret)
	if t.Permissions == 0 {
		t.Permissions = access.AllPermissions
	}
	if t.ID == "" {
		t.ID = "tok_" + strings.ToLower(rand.Text())
	}
	return secret, store.PutToken(ctx, t)
}

// HashToken returns the stored form of a token.
func HashToken(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Bearer authenticates an Authorization header. Anything but a valid, unexpired token of an
// active user is problem.Denied "unauthenticated", in the same words. A service account never
// carries the permission to decide, whatever its token says.
func Bearer(ctx context.Context, store Store, header string, now time.Time) (access.Actor, error) {
	scheme, secret, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || len(secret) > 512 {
		return access.Actor{}, unauthenticated()
	}
	t, id, err := store.TokenByHash(ctx, HashToken(strings.TrimSpace(secret)))
	switch {
	case problem.Is(err, problem.NotFound):
		return access.Actor{}, unauthenticated()
	case err != nil:
		return access.Actor{}, err
	case id.Suspended || !t.ExpiresAt.IsZero() && !now.Before(t.ExpiresAt):
		return access.Actor{}, unauthenticated()
	}
	held := t.Permissions
	if id.Service {
		held &^= access.Deciding
	}
	return access.Actor{Tenant: t.Tenant, User: t.User, Service: id.Service, Withheld: access.AllPermissions &^ held}, nil
}

func unauthenticated() error {
	return problem.New(problem.Denied, "unauthenticated", "A valid token or session is needed: send Authorization: Bearer TOKEN, or sign in.")
}
