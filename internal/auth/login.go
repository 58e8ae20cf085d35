package auth

import (
	"context"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
)

// Session is a signed-in browser, as stored: everything but the secret in its cookie.
type Session struct {
	Hash      string // SHA-256 of the secret, hex
	Tenant    access.TenantID
	User      access.UserID
	CreatedAt time.Time
	LastSeen  time.Time // to the minute
	ExpiresAt time.Time
	Agent     string // the browser's name for itself, cut short
	// Issuer, Subject and SID say which session of which provider this one came of; "" for a
	// session that a password began. SID is "" where the provider names none.
	Issuer, Subject, SID string
}

// Logins is the seam to passwords and sessions.
type Logins interface {
	// SetPassword replaces the password hash (PHC string) of a user, ends all the user's sessions,
	// and writes a ledger entry. An unknown user is problem.NotFound.
	SetPassword(ctx context.Context, tenant access.TenantID, by, user access.UserID, phc string) error
	// Password returns the hash of an active user that has one; problem.NotFound otherwise.
	Password(ctx context.Context, tenant access.TenantID, user access.UserID) (phc string, err error)
	// PutSession stores a session; SessionByHash returns it with its user's identity, and notes
	// that it was seen: LastSeen as returned is still that of the time before, which is how long
	// the session was idle. Unknown, ended, or of a suspended user: problem.NotFound.
	PutSession(ctx context.Context, s Session) error
	SessionByHash(ctx context.Context, hash string, now time.Time) (Session, access.Identity, error)
	// EndSession ends one session; EndSessions all of a user's.
	EndSession(ctx context.Context, hash string) error
	EndSessions(ctx context.Context, tenant access.TenantID, user access.UserID) error
}

// begin stores a new session. Its secret is never one that a browser brought along.
func (g *Gate) begin(ctx context.Context, tenant access.TenantID, user access.UserID, agent string) (string, Session, error) {
	secret, s := g.fresh(agent)
	s.Tenant, s.User = tenant, user
	return secret, s, g.deps.Logins.PutSession(ctx, s)
}

// fresh makes a session that begins now and is nobody's yet.
func (g *Gate) fresh(agent string) (secret string, s Session) {
	secret, now := secretOf(sessionPrefix), g.deps.Clock().UTC()
	if len(agent) > 200 {
		agent = agent[:200]
	}
	return secret, Session{
		Hash: HashToken(secret), CreatedAt: now, LastSeen: now, ExpiresAt: now.Add(g.deps.Lifetime), Agent: strings.ToValidUTF8(agent, "?"),
	}
}
