// Package signin holds the tables of signing in, inside transactions of the driver that it is part of:
// tokens, passwords, sessions, identities at providers, what a provider gave, and what was used up.
package signin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// PutSession stores a session; it must have an end. A suspended user is problem.NotFound.
func PutSession(ctx context.Context, t *database.Tx, s auth.Session) error {
	id, err := directory.Identity(ctx, t, s.Tenant, s.User)
	if err == nil && id.Suspended {
		err = problem.Missing()
	}
	if err != nil {
		return err
	}
	return put(ctx, t, s)
}

// put stores a session of somebody who was found to be active. Those that have ended are swept.
func put(ctx context.Context, t *database.Tx, s auth.Session) error {
	if s.Hash == "" || s.ExpiresAt.IsZero() {
		return problem.New(problem.Invalid, "invalid_session", "A session has a hash and an end.")
	}
	if s.CreatedAt.IsZero() {
		s.CreatedAt = t.Now()
	}
	if s.LastSeen.IsZero() {
		s.LastSeen = s.CreatedAt
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE expires_at <= ?`, t.Now().UnixMicro()); err != nil {
		return err
	}
	err := row.One(t.ExecContext(ctx, `INSERT INTO sessions (hash, tenant, user, created_at, last_seen, expires_at, agent, issuer, subject, sid)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, s.Hash, s.Tenant, s.User, s.CreatedAt.UnixMicro(),
		s.LastSeen.Truncate(time.Minute).UnixMicro(), s.ExpiresAt.UnixMicro(), s.Agent, s.Issuer, s.Subject, s.SID))
	if problem.Is(err, problem.NotFound) {
		return problem.New(problem.Conflict, "exists", "This session is stored already.")
	}
	return err
}

// list writes roles as their column holds them.
func list(roles []access.Role) string {
	if roles == nil {
		roles = []access.Role{}
	}
	b, err := json.Marshal(roles)
	if err != nil {
		panic(err) // texts can always be written
	}
	return string(b)
}
